#include "grader/host/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "grader/host/channel.h"

namespace fusebox {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFirstFree = 10;  // our own descriptors stay clear of 0..3, onto which the child's are copied

Error cannot_start(const std::filesystem::path& program, int code) {
  return {ErrorKind::missing_part, "Cannot start " + program.string() + ": " + std::strerror(code) + ".",
          "Build it (`./fusebox setup`), and see that this machine may start processes."};
}

Descriptor lifted(int descriptor) {
  const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstFree);
  close(descriptor);
  return Descriptor(copy);
}

/// An environment of which learner code can learn nothing.
std::vector<std::string> environment() {
  std::vector<std::string> variables;
  for (const char* name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"})
    if (const char* value = std::getenv(name)) variables.push_back(std::string(name) + "=" + value);
  return variables;
}

/// posix_spawn's settings; it vforks, so that starting costs the same however much memory the grader has.
class Spawn {
 public:
  Spawn(int output, int channel) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, channel, channel::kDescriptor);
    posix_spawn_file_actions_addclosefrom_np(&actions_, channel::kDescriptor + 1);
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Spawn() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  /// 0 or an errno.
  int start(const std::filesystem::path& program, pid_t& process) {
    std::string name = program.string();
    std::vector<std::string> variables = environment();
    std::vector<char*> pointers;
    for (std::string& variable : variables) pointers.push_back(variable.data());
    pointers.push_back(nullptr);
    char* arguments[] = {name.data(), nullptr};
    return posix_spawn(&process, name.c_str(), &actions_, &attributes_, arguments, pointers.data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// Takes what is in the pipe, as far as it is to be kept. False when there is no more to come.
bool drain(int pipe, const OutputLimits& limits, ChildEnd& end) {
  std::array<char, 65536> buffer;
  for (int round = 0; round < 16;
       ++round) {  // a child that prints without end must not keep us from the clock
    const ssize_t got = read(pipe, buffer.data(), buffer.size());
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    const auto keep =
        std::min<std::uint64_t>(static_cast<std::uint64_t>(got), limits.kept - end.output.size());
    end.output.append(buffer.data(), static_cast<std::size_t>(keep));
    end.printed += static_cast<std::uint64_t>(got);
  }
  return true;
}

bool has_ended(pid_t process) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == process;
}

/// Waits for the end of the process, reading its output meanwhile. It may come to the deadline, or to too
/// much output, first: that is in `end` then.
void wait_for_end(pid_t process, int pipe, Clock::time_point deadline, const OutputLimits& limits,
                  ChildEnd& end) {
  const Descriptor handle(
      static_cast<int>(syscall(SYS_pidfd_open, process, 0)));  // absent before Linux 5.3: we then tick
  constexpr std::int64_t kTick = 2;
  bool open = true;
  while (!has_ended(process)) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    end.timed_out = left <= 0;
    if (end.timed_out || end.printed > limits.most) return;
    pollfd waits[] = {{open ? pipe : -1, POLLIN, 0}, {handle.get(), POLLIN, 0}};
    poll(waits, 2, static_cast<int>(handle ? left + 1 : std::min<std::int64_t>(left + 1, kTick)));
    if (open && waits[0].revents) open = drain(pipe, limits, end);
  }
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    value_ = other.release();
  }
  return *this;
}

int Descriptor::release() { return std::exchange(value_, -1); }

void Descriptor::reset() {
  if (value_ >= 0) close(release());
}

Result<ChildEnd> run_child(const std::filesystem::path& program, const Descriptor& channel,
                           double wall_seconds, const OutputLimits& limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return cannot_start(program, errno);
  const Descriptor output = lifted(ends[0]);
  Descriptor input = lifted(ends[1]);
  if (!output || !input) return cannot_start(program, errno);
  fcntl(output.get(), F_SETFL, O_NONBLOCK);

  const auto wall = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wall_seconds));
  const auto deadline = Clock::now() + wall;
  pid_t process = 0;
  if (const int code = Spawn(input.get(), channel.get()).start(program, process))
    return cannot_start(program, code);
  input.reset();

  ChildEnd end;
  wait_for_end(process, output.get(), deadline, limits, end);
  // The zombie keeps its process id, and so its session's, from being used again until everything in it has
  // been killed.
  kill(-process, SIGKILL);
  kill(process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  while (true) {
    const std::size_t before = end.output.size();
    if (!drain(output.get(), limits, end) || end.output.size() == before) break;
  }
  end.flooded = end.printed > limits.most;
  end.exited = WIFEXITED(status);
  end.code = end.exited ? WEXITSTATUS(status) : WTERMSIG(status);
  return end;
}

}  // namespace fusebox
