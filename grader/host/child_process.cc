#include "grader/host/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "grader/host/channel.h"

namespace fusebox {
namespace {

using Clock = Child::Clock;

static_assert(channel::kDescriptor == Command::kChannel);

Error cannot_start(const std::filesystem::path& program, int code) {
  return {ErrorKind::missing_part, "Cannot start " + program.string() + ": " + std::strerror(code) + ".",
          "Build it (`./fusebox setup`), and see that this machine may start processes."};
}

/// An environment of which learner code can learn nothing.
std::vector<std::string> environment() {
  std::vector<std::string> variables;
  for (const char* name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"})
    if (const char* value = std::getenv(name)) variables.push_back(std::string(name) + "=" + value);
  return variables;
}

/// Reads what is in the pipe and keeps the part that the limits allow. False at its end.
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

/// Waits for the end of the process while reading its output. `end` says if the deadline came first, or too
/// much output.
void wait_for_end(const Child& child, int pipe, Clock::time_point deadline, const OutputLimits& limits,
                  ChildEnd& end) {
  constexpr std::int64_t kTick = 2;  // where the child has no handle
  bool open = true;
  while (!child.has_ended()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    end.timed_out = left <= 0;
    if (end.timed_out || end.printed > limits.max) return;
    pollfd waits[] = {{open ? pipe : -1, POLLIN, 0}, {child.handle(), POLLIN, 0}};
    poll(waits, 2,
         static_cast<int>(child.handle() >= 0 ? left + 1 : std::min<std::int64_t>(left + 1, kTick)));
    if (open && waits[0].revents) open = drain(pipe, limits, end);
  }
}

}  // namespace

Result<ChildEnd> run_child(const std::filesystem::path& program, const Descriptor& channel,
                           double wall_seconds, const OutputLimits& limits) {
  Ends output = make_pipe();
  if (!output) return cannot_start(program, errno);
  fcntl(output.ours.get(), F_SETFL, O_NONBLOCK);
  Command command;
  command.argv = {program.string()};
  command.environment = environment();
  command.output = command.errors = output.theirs.get();
  command.channel = channel.get();
  command.group = Command::Group::session;
  command.default_signals = true;

  const auto wall = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wall_seconds));
  const auto deadline = Clock::now() + wall;
  Child child;
  if (const int code = child.start(command)) return cannot_start(program, code);
  output.theirs.reset();

  ChildEnd end;
  wait_for_end(child, output.ours.get(), deadline, limits, end);
  static_cast<ProcessEnd&>(end) = child.kill();
  while (true) {
    const std::size_t before = end.output.size();
    if (!drain(output.ours.get(), limits, end) || end.output.size() == before) break;
  }
  end.flooded = end.printed > limits.max;
  return end;
}

}  // namespace fusebox
