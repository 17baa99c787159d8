// Executes plans on the GPU for the grader, over a socket that is descriptor 3. A process of its own, because
// an error on the device poisons everything that shares its context, and a kernel that hangs can only be
// killed with its process.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <optional>

#include "grader/gpu/executor/session.h"
#include "grader/gpu/executor/timing.h"
#include "grader/gpu/executor_process.h"
#include "grader/gpu/frames.h"
#include "grader/gpu/protocol.h"

namespace fusebox::gpu {
namespace {

bool say(FrameKind kind, const std::vector<std::byte>& payload) {
  return send(kChannel, kind, payload, kNever);
}

int serve() {
  ExecutorSession session;
  if (!say(FrameKind::greeting, encode(session.info()))) return 0;
  while (true) {
    const auto received = receive(kChannel, kNever, ~0ull);
    const auto* frame = std::get_if<Frame>(&received);
    // The grader has ended, or is out of step with the protocol: there is no one to reply to.
    if (frame == nullptr) return 0;
    std::vector<std::byte> reply;
    if (frame->kind == FrameKind::execute) {
      const auto request = decode<ExecuteRequest>(frame->payload);
      if (!request) throw ExecutorError{{0, "", "a request that cannot be read", -1}};
      reply = encode(execute(session, *request,
                             [](std::uint64_t op) { say(FrameKind::progress, encode(OpProgress{op})); }));
    } else if (frame->kind == FrameKind::time) {
      const auto request = decode<TimeRequest>(frame->payload);
      if (!request) throw ExecutorError{{0, "", "a request that cannot be read", -1}};
      reply = encode(time_variants(session, *request));
    } else {
      throw ExecutorError{{0, "", "a request of no known kind", -1}};
    }
    if (!say(FrameKind::reply, reply)) return 0;
  }
}

}  // namespace
}  // namespace fusebox::gpu

int main() {
  using namespace fusebox::gpu;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // else no process would be left to kill a kernel that hangs
  Failure failure;
  try {
    return serve();
  } catch (const ExecutorError& reason) {
    failure = reason.failure;
  } catch (const std::exception& error) {
    failure.what = error.what();
  }
  std::fflush(stdout);
  say(FrameKind::failure, encode(failure));
  // Without the driver's clean-up, which may wait for a context that is beyond repair.
  _exit(1);
}
