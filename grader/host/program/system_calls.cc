#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "grader/confine/defences.h"
#include "grader/host/program/answer.h"
#include "grader/host/program/confine.h"

namespace fusebox::recording {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "add this machine's AUDIT_ARCH"
#endif

// Indices into kWords.
enum Group : std::uint16_t { processes, files, network, others, session, limits, system };

struct Words {
  const char* what;
  const char* hint;
};
constexpr Words kWords[] = {
    {"Your host function tried to start a process.",
     "It may launch kernels and nothing else: remove fork, system, exec."},
    {"Your host function tried to write to a file or change one.",
     "It may not write files: print instead, and return results through the output tensors."},
    {"Your host function tried to use the network.",
     "It may launch kernels and nothing else: remove the sockets."},
    {"Your host function tried to touch another process.",
     "It may not signal, trace or read other processes: remove kill, ptrace and the like."},
    {"Your host function tried to leave its session.",
     "Remove setsid and setpgid; nothing may outlive the function."},
    {"Your host function tried to change its limits.",
     "Remove setrlimit: time and memory are set by the grader."},
    {"Your host function tried to change the system.",
     "It may launch kernels and nothing else: remove the system call."},
};

struct Rule {
  long call;
  Group group;
};
constexpr Rule kRefused[] = {
#ifdef SYS_fork
    {SYS_fork, processes},
    {SYS_vfork, processes},
#endif
    {SYS_execve, processes},
    {SYS_execveat, processes},
#ifdef SYS_creat
    {SYS_creat, files},
    {SYS_unlink, files},
    {SYS_rename, files},
    {SYS_mkdir, files},
    {SYS_rmdir, files},
    {SYS_link, files},
    {SYS_symlink, files},
    {SYS_mknod, files},
    {SYS_chmod, files},
    {SYS_chown, files},
    {SYS_lchown, files},
    {SYS_utime, files},
    {SYS_utimes, files},
    {SYS_futimesat, files},
#endif
    {SYS_unlinkat, files},
    {SYS_renameat, files},
    {SYS_renameat2, files},
    {SYS_mkdirat, files},
    {SYS_linkat, files},
    {SYS_symlinkat, files},
    {SYS_mknodat, files},
    {SYS_fchmod, files},
    {SYS_fchown, files},
    {SYS_ftruncate, files},
    {SYS_fallocate, files},
    {SYS_fsetxattr, files},
    {SYS_lremovexattr, files},
    {SYS_fremovexattr, files},
    {SYS_fchmodat, files},
    {SYS_fchownat, files},
    {SYS_truncate, files},
    {SYS_utimensat, files},
    {SYS_setxattr, files},
    {SYS_lsetxattr, files},
    {SYS_removexattr, files},
    {SYS_memfd_create, files},
    {SYS_socket, network},
    {SYS_socketpair, network},
    {SYS_ptrace, others},
    {SYS_process_vm_readv, others},
    {SYS_process_vm_writev, others},
    {SYS_pidfd_open, others},
    {SYS_pidfd_send_signal, others},
    {SYS_pidfd_getfd, others},
    {SYS_tkill, others},
    {SYS_rt_sigqueueinfo, others},
    {SYS_rt_tgsigqueueinfo, others},
    {SYS_setsid, session},
    {SYS_setpgid, session},
    {SYS_setrlimit, limits},
    {SYS_shmget, system},
    {SYS_semget, system},
    {SYS_msgget, system},
    {SYS_mq_open, system},
    {SYS_sched_setscheduler, limits},
    {SYS_sched_setattr, limits},
    {SYS_sched_setaffinity, limits},
    {SYS_setpriority, limits},
    {SYS_unshare, system},
    {SYS_setns, system},
    {SYS_mount, system},
    {SYS_umount2, system},
    {SYS_pivot_root, system},
    {SYS_chroot, system},
    {SYS_bpf, system},
    {SYS_perf_event_open, system},
    {SYS_init_module, system},
    {SYS_finit_module, system},
    {SYS_delete_module, system},
    {SYS_reboot, system},
    {SYS_kexec_load, system},
    {SYS_keyctl, system},
    {SYS_add_key, system},
    {SYS_request_key, system},
    {SYS_userfaultfd, system},
    {SYS_io_uring_setup, system},
    {SYS_swapon, system},
    {SYS_swapoff, system},
    {SYS_sethostname, system},
    {SYS_settimeofday, system},
    {SYS_clock_settime, system},
};

// What host code, its threads and libc need, and nothing else: memory, threads, its own signals, clocks,
// reading files, writing to what is open. What is in neither list does not exist (ENOSYS): libc takes an
// older call, or goes without.
constexpr long kAllowed[] = {
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_mincore,
    SYS_membarrier,
    SYS_futex,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_set_tid_address,
    SYS_gettid,
    SYS_getpid,
    SYS_getppid,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_exit,
    SYS_exit_group,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigpending,
    SYS_sigaltstack,
    SYS_setitimer,
    SYS_restart_syscall,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_times,
    SYS_getrusage,
    SYS_read,
    SYS_readv,
    SYS_pread64,
    SYS_preadv,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_getcwd,
    SYS_getdents64,
    SYS_statfs,
    SYS_fstatfs,
    SYS_dup,
    SYS_dup3,
    SYS_pipe2,
    SYS_write,
    SYS_writev,
    SYS_ppoll,
    SYS_pselect6,
    SYS_uname,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getpgid,
    SYS_getsid,
    SYS_getrandom,
    SYS_sysinfo,
    SYS_getrlimit,
    SYS_getcpu,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef __x86_64__
    SYS_arch_prctl,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_getdents,
    SYS_dup2,
    SYS_pipe,
    SYS_poll,
    SYS_select,
    SYS_time,
    SYS_getpgrp,
#endif
};

constexpr int kWritingFlags = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

/// A filter as the kernel runs it: straight through, jumping only forward.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    emit(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
    emit(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    constexpr std::uint32_t kX32 = 0x4000'0000;
    emit(BPF_JMP | BPF_JGE | BPF_K, kX32, 0, 1);
    emit(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
#endif
  }
  void answer(long call, std::uint32_t action) {
    emit(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1);
    emit(BPF_RET | BPF_K, action);
  }
  /// Refuses `call` when `test` of the low half of its argument and `value` comes out as `when`: for
  /// arguments that are an int to the kernel.
  void refuse_if(long call, int argument, std::uint16_t test, std::uint32_t value, bool when, Group group) {
    emit(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4);
    load(offset_of(argument));
    emit(static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), value, when ? 0 : 1, when ? 1 : 0);
    emit(BPF_RET | BPF_K, SECCOMP_RET_TRAP | group);
    emit(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  /// Allows `call` when the low half of its argument is one of `values`; else it fails with EPERM.
  void allow_only(long call, int argument, std::initializer_list<std::uint32_t> values) {
    const auto count = static_cast<std::uint8_t>(values.size());
    emit(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0,
         static_cast<std::uint8_t>(count + 3));
    load(offset_of(argument));
    std::uint8_t left = count;
    for (const std::uint32_t value : values) emit(BPF_JMP | BPF_JEQ | BPF_K, value, left--, 0);
    emit(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    emit(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  /// Refuses `call` when a pointer is not null: all 64 bits of it.
  void refuse_unless_null(long call, int argument, Group group) {
    emit(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 6);
    load(offset_of(argument));
    emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2);
    load(offset_of(argument) + 4);
    emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    emit(BPF_RET | BPF_K, SECCOMP_RET_TRAP | group);
    emit(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  bool install() {
    emit(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  /// Of the low half; these machines are little-endian.
  static std::uint32_t offset_of(int argument) {
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                      sizeof(std::uint64_t) * static_cast<unsigned>(argument));
  }
  void load(std::uint32_t offset) { emit(BPF_LD | BPF_W | BPF_ABS, offset); }
  void emit(std::uint16_t code, std::uint32_t k, std::uint8_t jump_true = 0, std::uint8_t jump_false = 0) {
    code_.push_back({code, jump_true, jump_false, k});
  }

  std::vector<sock_filter> code_;
};

void say_what_was_refused(int, siginfo_t* info, void*) {
  const auto group = static_cast<std::size_t>(info->si_errno);  // the filter's 16 bits of data
  const Words& words = kWords[std::min<std::size_t>(group, system)];
  refuse(FailureKind::forbidden, words.what, words.hint);
}

}  // namespace

void confine_system_calls() {
  if (!in_force(Defence::recorder_calls)) return;
  struct sigaction action {};
  action.sa_sigaction = say_what_was_refused;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSYS, &action, nullptr);

  const auto self = static_cast<std::uint32_t>(getpid());
  Filter filter;
  for (const long call : kAllowed) filter.answer(call, SECCOMP_RET_ALLOW);
  for (const Rule& rule : kRefused) filter.answer(rule.call, SECCOMP_RET_TRAP | rule.group);
  // A filter cannot look behind pointers: clone3 and openat2, which keep their flags there, are in no list.
  // Sleep is over at once: nothing is being waited for, and no verdict waits for a clock.
  for (const long sleep : {SYS_clock_nanosleep, SYS_nanosleep}) filter.answer(sleep, SECCOMP_RET_ERRNO);
  filter.refuse_if(SYS_clone, 0, BPF_JSET, CLONE_THREAD, false, processes);  // threads are fine
#ifdef SYS_open
  filter.refuse_if(SYS_open, 1, BPF_JSET, kWritingFlags, true, files);
#endif
  filter.refuse_if(SYS_openat, 2, BPF_JSET, kWritingFlags, true, files);
  filter.refuse_if(SYS_kill, 0, BPF_JEQ, self, false, others);
  filter.refuse_if(SYS_tgkill, 0, BPF_JEQ, self, false, others);  // abort() signals itself
  filter.refuse_unless_null(SYS_prlimit64, 2, limits);            // reading them is fine
  filter.allow_only(SYS_prctl, 0, {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE});
  filter.allow_only(SYS_fcntl, 1, {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC});
  filter.allow_only(SYS_ioctl, 1, {TCGETS});  // whether stdout is a terminal
  if (!filter.install()) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_NPROC, &none);
  }
}

}  // namespace fusebox::recording
