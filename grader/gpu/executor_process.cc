#include "grader/gpu/executor_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

extern char** environ;

namespace fusebox::gpu {
namespace {

constexpr int kFirstFree = 10;  // clear of 0..3, onto which the child's descriptors are copied
constexpr std::int64_t kMostOutput = 64 << 10;

Error cannot_start(const std::filesystem::path& program, int code) {
  return {ErrorKind::missing_part, fmt::format("cannot start {}: {}", program.string(), std::strerror(code)),
          "build it: ./fusebox setup"};
}

Descriptor lifted(int descriptor) {
  const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstFree);
  close(descriptor);
  return Descriptor(copy);
}

}  // namespace

ExecutorProcess::ExecutorProcess(pid_t process, Descriptor channel, Descriptor output)
    : process_(process), channel_(std::move(channel)), output_(std::move(output)) {}

ExecutorProcess::~ExecutorProcess() { end(); }

Result<std::unique_ptr<ExecutorProcess>> ExecutorProcess::start(const std::filesystem::path& program,
                                                                const std::vector<std::string>& arguments) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return cannot_start(program, errno);
  Descriptor ours = lifted(ends[0]), theirs = lifted(ends[1]);
  // A file and not a pipe: a kernel that prints much must not wait for somebody to read it.
  Descriptor output = lifted(memfd_create("fusebox-executor-output", MFD_CLOEXEC));
  if (!ours || !theirs || !output) return cannot_start(program, errno);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.get(), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), kChannel);
  posix_spawn_file_actions_addclosefrom_np(&actions, kChannel + 1);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  std::string name = program.string();
  std::vector<std::string> words = arguments;
  std::vector<char*> argv{name.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t process = 0;
  const int failed = posix_spawn(&process, name.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) return cannot_start(program, failed);
  return std::unique_ptr<ExecutorProcess>(new ExecutorProcess(process, std::move(ours), std::move(output)));
}

std::string ExecutorProcess::take_output() {
  const off_t size = lseek(output_.get(), 0, SEEK_END);
  const std::int64_t fresh = std::max<std::int64_t>(0, size - read_);
  std::string text(static_cast<std::size_t>(std::min(fresh, kMostOutput)), '\0');
  const ssize_t got = pread(output_.get(), text.data(), text.size(), read_);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  read_ = std::max<std::int64_t>(read_, size);
  // It goes on behind the hole: only what is still to come takes memory.
  if (size > kMostOutput) (void)!ftruncate(output_.get(), 0);
  return text;
}

std::string ExecutorProcess::end() {
  if (!ending_.empty()) return ending_;
  channel_.reset();
  // One that is dying by itself is given a moment to, so that its own ending can be told.
  int status = 0;
  pid_t ended = 0;
  for (int i = 0; i < 50 && ended == 0; ++i) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == process_)
      ended = process_;
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  // Reaped last: until then its number, and so its session's, belongs to nobody else.
  kill(-process_, SIGKILL);
  kill(process_, SIGKILL);
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status))
    ending_ = fmt::format("ended with exit code {}", WEXITSTATUS(status));
  else if (ended == 0)
    ending_ = "was killed";
  else
    ending_ = fmt::format("was killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return ending_;
}

}  // namespace fusebox::gpu
