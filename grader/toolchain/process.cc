#include "grader/toolchain/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

extern char** environ;

namespace fusebox {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostOutput = 4 << 20;

std::vector<std::string> make_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> environment;
  const auto name_of = [](const std::string& entry) { return entry.substr(0, entry.find('=')); };
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bool replaced = false;
    for (const auto& change : changes) replaced = replaced || name_of(change) == name_of(*entry);
    if (!replaced) environment.emplace_back(*entry);
  }
  for (const auto& change : changes)
    if (change.find('=') != change.npos) environment.push_back(change);
  return environment;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const auto& s : strings) result.push_back(const_cast<char*>(s.c_str()));
  result.push_back(nullptr);
  return result;
}

// Milliseconds left, rounded up, never negative.
int left_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::max<long long>(0, left));
}

// False when the deadline passed before every writer of the pipe was gone.
bool drain(int fd, Clock::time_point deadline, std::string& output) {
  char buffer[16384];
  for (;;) {
    pollfd waiting{fd, POLLIN, 0};
    const int ready = poll(&waiting, 1, left_until(deadline));
    if (ready == 0) return false;
    if (ready < 0) {
      if (errno == EINTR) continue;
      return true;
    }
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    output.append(buffer, std::min<std::size_t>(got, kMostOutput - output.size()));
  }
}

// posix_spawn knows no limits, so they come just after it: in time for what the program itself starts.
void limit(pid_t pid, __rlimit_resource resource, std::uint64_t bytes) {
  const rlimit value{bytes, bytes};
  if (bytes != 0) prlimit(pid, resource, &value, nullptr);
}

bool wait_until(pid_t pid, Clock::time_point deadline, int& status) {
  for (;;) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return true;
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& argv, const ProcessOptions& options) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0)
    return Error{ErrorKind::internal, fmt::format("no pipe for {}: {}", argv[0], std::strerror(errno)), ""};

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (!options.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, options.directory.c_str());
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  const auto environment = make_environment(options.environment);
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(options.time_limit_s));
  pid_t pid = 0;
  int failed = 0;
  const auto start = [&] {
    // Where the kernel can and did not, nothing may run as if it had.
    if (options.rights && !confine_files(*options.rights) && landlock_version() > 0) {
      failed = EPERM;
      return;
    }
    failed = posix_spawnp(&pid, argv[0].c_str(), &actions, &attributes, pointers(argv).data(),
                          pointers(environment).data());
  };
  // Rights are a thread's, and what it starts has them too: one that ends with them leaves ours as they are.
  if (options.rights)
    std::thread(start).join();
  else
    start();
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(pipe_ends[1]);
  if (failed != 0) {
    close(pipe_ends[0]);
    return Error{ErrorKind::missing_part, fmt::format("cannot start {}: {}", argv[0], std::strerror(failed)),
                 "./fusebox setup"};
  }

  if (options.cpu_limit_s != 0) {
    // First a signal that is told; the hard limit is for those that ignore it.
    const rlimit cpu{options.cpu_limit_s, options.cpu_limit_s + 1};
    prlimit(pid, RLIMIT_CPU, &cpu, nullptr);
  }
  limit(pid, RLIMIT_AS, options.memory_limit_bytes);
  limit(pid, RLIMIT_FSIZE, options.file_limit_bytes);

  ProcessResult result;
  int status = 0;
  result.timed_out = !drain(pipe_ends[0], deadline, result.output) || !wait_until(pid, deadline, status);
  if (result.timed_out) {
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  }
  close(pipe_ends[0]);
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace fusebox
