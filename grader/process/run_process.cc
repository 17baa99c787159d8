#include "grader/process/run_process.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

extern char** environ;

namespace fusebox {
namespace {

using Clock = Child::Clock;

constexpr std::size_t kMaxOutput = 4 << 20;

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
    output.append(buffer, std::min<std::size_t>(got, kMaxOutput - output.size()));
  }
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& argv, const ProcessOptions& options) {
  Ends output = make_pipe();
  if (!output)
    return Error{ErrorKind::internal, fmt::format("no pipe for {}: {}", argv[0], std::strerror(errno)), ""};
  Command command;
  command.argv = argv;
  command.directory = options.directory;
  command.environment = make_environment(options.environment);
  command.output = command.errors = output.theirs.get();
  command.limits = options.limits;
  command.rights = options.rights;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(options.time_limit_s));
  Child child;
  if (const int failed = child.start(command))
    return Error{ErrorKind::missing_part, fmt::format("cannot start {}: {}", argv[0], std::strerror(failed)),
                 "./fusebox setup"};
  output.theirs.reset();

  ProcessResult result;
  result.timed_out = !drain(output.ours.get(), deadline, result.output) || !child.wait_until(deadline);
  const ProcessEnd end = result.timed_out ? child.kill() : child.reap();
  result.exit_code = end.exited ? end.code : 128 + end.code;
  return result;
}

}  // namespace fusebox
