// Speaks the executor's protocol without a GPU, and breaks it in the way that its argument names.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "grader/gpu/executor_process.h"
#include "grader/gpu/protocol.h"

using namespace fusebox;
using namespace fusebox::gpu;

namespace {

void say(FrameKind kind, const std::vector<std::byte>& payload) { send(kChannel, kind, payload, kNever); }

void raw(const void* data, std::size_t bytes) {
  if (write(kChannel, data, bytes) != static_cast<ssize_t>(bytes)) std::_Exit(9);
}

void greet() {
  DeviceInfo info;
  info.name = "Pretended GPU";
  info.driver = "1.2";
  info.sms = 4;
  info.range = {0x600000000000, 1ull << 36};
  say(FrameKind::greeting, encode(info));
}

[[noreturn]] void hang() {
  while (true) pause();
}

/// The last buffer becomes the first one: as much of a kernel as a test needs.
ExecuteReply copy_first_to_last(const ExecuteRequest& request) {
  ExecuteReply reply;
  for (const Buffer& buffer : request.buffers)
    reply.outputs.push_back(buffer.contents.empty() ? std::vector<std::byte>(buffer.bytes) : buffer.contents);
  if (reply.outputs.size() > 1) reply.outputs.back() = reply.outputs.front();
  if (request.measure) reply.seconds.assign(request.plan.ops.size(), 2e-6);
  return reply;
}

void answer(const std::string& mode, const ExecuteRequest& request) {
  for (std::size_t i = 0; i < request.plan.ops.size(); ++i) {
    say(FrameKind::progress, encode(OpProgress{i}));
    if (i + 1 < request.plan.ops.size()) continue;
    if (mode == "crash") {
      signal(SIGSEGV, SIG_DFL);  // a sanitizer would make an exit of it
      raise(SIGSEGV);
    }
    if (mode == "exit") std::_Exit(7);
    if (mode == "hang") hang();
    if (mode == "illegal")
      say(FrameKind::failure, encode(Failure{700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal address",
                                             static_cast<std::int64_t>(i)})),
          std::_Exit(1);
    if (mode == "no-memory")
      say(FrameKind::failure, encode(Failure{2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory", -1})),
          std::_Exit(1);
  }
  const auto reply = encode(copy_first_to_last(request));
  FrameHead head;
  head.bytes = reply.size();
  if (mode == "garbage") return raw("this is no frame at all, whatever its length may be", 48);
  if (mode == "wrong-kind") return say(FrameKind::greeting, reply);
  if (mode == "truncated-head") return raw(&head, 7), std::_Exit(0);
  if (mode == "truncated") {
    raw(&head, sizeof head);
    raw(reply.data(), reply.size() / 2);
    std::_Exit(0);
  }
  if (mode == "oversized") {
    head.bytes = ~0ull;
    return raw(&head, sizeof head), hang();
  }
  if (mode == "stalled") {
    raw(&head, sizeof head);
    raw(reply.data(), reply.size() / 2);
    hang();
  }
  if (mode == "short-output") {
    ExecuteReply wrong = copy_first_to_last(request);
    wrong.outputs.back().pop_back();
    return say(FrameKind::reply, encode(wrong));
  }
  if (mode == "trailing") {
    auto longer = reply;
    longer.push_back(std::byte{1});
    return say(FrameKind::reply, longer);
  }
  std::puts("printed by a kernel");
  std::fflush(stdout);
  say(FrameKind::reply, reply);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "dies-at-start") return 5;
  if (mode == "hangs-at-start") hang();
  if (mode == "no-driver") {
    say(FrameKind::failure, encode(Failure{0, "", "there is no driver", -1}));
    return 3;
  }
  // "once:MODE:FILE" misbehaves in the first process only.
  std::string now = mode;
  if (mode.starts_with("once:")) {
    const std::size_t end = mode.find(':', 5);
    const std::string file = mode.substr(end + 1);
    now = access(file.c_str(), F_OK) == 0 ? "" : mode.substr(5, end - 5);
    if (std::FILE* mark = std::fopen(file.c_str(), "w")) std::fclose(mark);
  }
  greet();
  while (true) {
    const auto received = receive(kChannel, kNever, ~0ull);
    const auto* frame = std::get_if<Frame>(&received);
    if (!frame) return 0;
    const auto request = decode<ExecuteRequest>(frame->payload);
    if (!request) return 8;
    answer(now, *request);
  }
}
