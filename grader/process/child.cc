#include "grader/process/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>
#include <thread>

extern char** environ;

namespace fusebox {
namespace {

using Clock = Child::Clock;

/// For exec: pointers to strings that must stay where they are.
std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (const std::string& s : strings) result.push_back(const_cast<char*>(s.c_str()));
  result.push_back(nullptr);
  return result;
}

/// What the child has as 0, 1, 2 and 3, in the order in which they are put there.
struct Stream {
  int from, to, mode;
};
std::vector<Stream> streams(const Command& command) {
  std::vector<Stream> all{{command.input, STDIN_FILENO, O_RDONLY},
                          {command.output, STDOUT_FILENO, O_WRONLY},
                          {command.errors, STDERR_FILENO, O_WRONLY}};
  if (command.channel >= 0) all.push_back({command.channel, Command::kChannel, O_RDWR});
  return all;
}
const char* program_of(const Command& command) {
  return command.program.empty() ? command.argv[0].c_str() : command.program.c_str();
}
int first_closed(const Command& command) { return command.channel >= 0 ? Command::kChannel + 1 : 3; }

/// posix_spawn vforks, so that starting costs the same however much memory we have.
class Spawn {
 public:
  explicit Spawn(const Command& command) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    for (const Stream& s : streams(command)) {
      if (s.from == Command::kNothing)
        posix_spawn_file_actions_addopen(&actions_, s.to, "/dev/null", s.mode, 0);
      else if (s.from >= 0)
        posix_spawn_file_actions_adddup2(&actions_, s.from, s.to);
    }
    if (!command.other_descriptors)
      posix_spawn_file_actions_addclosefrom_np(&actions_, first_closed(command));
    if (!command.directory.empty())
      posix_spawn_file_actions_addchdir_np(&actions_, command.directory.c_str());
    int flags = 0;
    if (command.group == Command::Group::session) flags |= POSIX_SPAWN_SETSID;
    if (command.group == Command::Group::own) flags |= POSIX_SPAWN_SETPGROUP;
    if (command.default_signals) {
      sigset_t all, none;
      sigfillset(&all);
      sigemptyset(&none);
      posix_spawnattr_setsigdefault(&attributes_, &all);
      posix_spawnattr_setsigmask(&attributes_, &none);
      flags |= POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    }
    posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }
  ~Spawn() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  int start(const char* program, char* const* argv, char* const* environment, pid_t& process) const {
    return posix_spawnp(&process, program, &actions_, &attributes_, argv, environment);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// In the child of a fork: becomes the program, or returns an errno.
int become(const Command& command, const std::vector<Stream>& all, char* const* argv,
           char* const* environment, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, command.at_our_end);
  if (getppid() != parent) return ESRCH;
  if (command.group == Command::Group::session) setsid();
  if (command.group == Command::Group::own) setpgid(0, 0);
  for (const Stream& s : all) {
    const int from = s.from == Command::kNothing ? open("/dev/null", s.mode | O_CLOEXEC) : s.from;
    if (s.from != Command::kOurs && (from < 0 || dup2(from, s.to) < 0)) return errno;
  }
  // Not closed at once: one of them is to tell why the program could not be started.
  if (!command.other_descriptors)
    syscall(SYS_close_range, first_closed(command), ~0u, /*CLOSE_RANGE_CLOEXEC*/ 1u << 2);
  if (!command.directory.empty() && chdir(command.directory.c_str()) != 0) return errno;
  if (command.default_signals) {
    for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
  }
  execvpe(program_of(command), argv, environment);
  return errno;
}

/// For what posix_spawn cannot do: a process that gets a signal when we end.
int fork_and_become(const Command& command, char* const* argv, char* const* environment, pid_t& process) {
  Ends told = make_pipe();
  if (!told) return errno;
  const std::vector<Stream> all = streams(command);
  const pid_t parent = getpid();
  process = fork();
  if (process < 0) return errno;
  if (process == 0) {
    const int failed = become(command, all, argv, environment, parent);
    (void)!write(told.theirs.get(), &failed, sizeof failed);
    _exit(127);
  }
  told.theirs.reset();
  int failed = 0;
  ssize_t got = 0;
  while ((got = read(told.ours.get(), &failed, sizeof failed)) < 0 && errno == EINTR) {
  }
  if (got == 0) return 0;
  waitpid(process, nullptr, 0);
  return failed;
}

int spawn(const Command& command, pid_t& process) {
  const std::vector<char*> argv = pointers(command.argv);
  const std::vector<char*> given =
      command.environment ? pointers(*command.environment) : std::vector<char*>();
  char* const* environment = command.environment ? given.data() : environ;
  if (command.at_our_end != 0) return fork_and_become(command, argv.data(), environment, process);
  return Spawn(command).start(program_of(command), argv.data(), environment, process);
}

// posix_spawn knows no limits, so they come just after it: in time for what the program itself starts.
void limit(pid_t process, const ProcessLimits& limits) {
  const auto set = [&](__rlimit_resource resource, std::uint64_t soft, std::uint64_t hard) {
    const rlimit value{soft, hard};
    if (soft != 0) prlimit(process, resource, &value, nullptr);
  };
  // The soft limit sends a signal that can be reported; the hard one is for a process that ignores it.
  set(RLIMIT_CPU, limits.cpu_s, limits.cpu_s + 1);
  set(RLIMIT_AS, limits.memory_bytes, limits.memory_bytes);
  set(RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes);
}

}  // namespace

int Child::start(const Command& command) {
  kill();
  pid_t process = 0;
  int failed = 0;
  if (command.rights) {
    // Rights are a thread's, and what it starts has them too: one that ends with them leaves ours as they
    // are.
    std::thread([&] {
      // Where the kernel can and did not, nothing may run as if it had.
      const bool confined = confine_files(*command.rights) || landlock_version() == 0;
      failed = confined ? spawn(command, process) : EPERM;
    }).join();
  } else {
    failed = spawn(command, process);
  }
  if (failed != 0) return failed;
  process_ = process;
  has_group_ = command.group != Command::Group::ours;
  handle_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  limit(process, command.limits);
  return 0;
}

bool Child::has_ended() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == process_;
}

bool Child::wait_until(Clock::time_point deadline) const {
  constexpr std::int64_t kTick = 2;  // where there is no handle
  while (!has_ended()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd ends{handle(), POLLIN, 0};
    poll(&ends, 1, static_cast<int>(std::min<std::int64_t>(left, handle() < 0 ? kTick : 1'000'000)));
  }
  return true;
}

void Child::signal(int number) const {
  if (process_ <= 0) return;
  if (has_group_) ::kill(-process_, number);
  ::kill(process_, number);
}

ProcessEnd Child::reap() {
  if (process_ <= 0) return {};
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  handle_.reset();
  return {WIFEXITED(status), WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status)};
}

ProcessEnd Child::kill() {
  // Reaped last: until then no other process can have its id, or its group's.
  signal(SIGKILL);
  return reap();
}

}  // namespace fusebox
