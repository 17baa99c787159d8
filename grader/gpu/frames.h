#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

// Messages between the grader and the executor: a head that says how long the payload is, then the payload.
// Either side may be cut off, lie about lengths or fall silent; nothing that is received is believed before
// it has been checked.
namespace fusebox::gpu {

using Clock = std::chrono::steady_clock;
inline constexpr Clock::time_point kNever = Clock::time_point::max();

enum class FrameKind : std::uint32_t {
  greeting = 1,  ///< executor, once, when its probe kernel has run: DeviceInfo
  execute,       ///< grader: ExecuteRequest
  time,          ///< grader: TimeRequest
  progress,      ///< executor, before each operation: OpProgress
  reply,         ///< executor: ExecuteReply or TimeReply
  failure,       ///< executor, its last word: Failure
};

struct FrameHead {
  std::uint32_t magic = 0x46425847;  // "GXBF"
  FrameKind kind = FrameKind::reply;
  std::uint64_t bytes = 0;
};

struct Frame {
  FrameKind kind = FrameKind::reply;
  std::vector<std::byte> payload;
};

/// Why no frame came.
enum class NoFrame {
  closed,     ///< the other side is gone, and had nothing left to say
  truncated,  ///< it was gone in the middle of a frame
  garbage,    ///< what came is no frame, or is longer than it can be
  timed_out,
};

/// The next frame. A payload above `max_bytes` is garbage; memory grows with what really arrives.
std::variant<Frame, NoFrame> receive(int descriptor, Clock::time_point deadline, std::uint64_t max_bytes);

/// Sends one frame whole. False: the other side is gone, or did not take it before the deadline.
bool send(int descriptor, FrameKind kind, std::span<const std::byte> payload, Clock::time_point deadline);

}  // namespace fusebox::gpu
