#include "grader/gpu/frames.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace fusebox::gpu {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 20;

/// Waits until `descriptor` is ready. False: the deadline came first.
bool wait_for(int descriptor, short events, Clock::time_point deadline) {
  while (true) {
    int timeout = -1;
    if (deadline != kNever) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return false;
      timeout = static_cast<int>(std::min<long long>(left, 1 << 30));
    }
    pollfd waiting{descriptor, events, 0};
    const int ready = poll(&waiting, 1, timeout);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
  }
}

enum class Taken { all, nothing, some, timed_out };

Taken take(int descriptor, std::byte* to, std::size_t bytes, Clock::time_point deadline) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = recv(descriptor, to + done, bytes - done, MSG_DONTWAIT);
    if (got > 0) {
      done += static_cast<std::size_t>(got);
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!wait_for(descriptor, POLLIN, deadline)) return Taken::timed_out;
      continue;
    }
    return done == 0 ? Taken::nothing : Taken::some;
  }
  return Taken::all;
}

bool give(int descriptor, const std::byte* from, std::size_t bytes, Clock::time_point deadline) {
  while (bytes > 0) {
    const ssize_t sent = ::send(descriptor, from, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      from += sent;
      bytes -= static_cast<std::size_t>(sent);
      continue;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!wait_for(descriptor, POLLOUT, deadline)) return false;
      continue;
    }
    return false;
  }
  return true;
}

}  // namespace

std::variant<Frame, NoFrame> receive(int descriptor, Clock::time_point deadline, std::uint64_t max_bytes) {
  FrameHead head;
  switch (take(descriptor, reinterpret_cast<std::byte*>(&head), sizeof head, deadline)) {
    case Taken::all:
      break;
    case Taken::nothing:
      return NoFrame::closed;
    case Taken::some:
      return NoFrame::truncated;
    case Taken::timed_out:
      return NoFrame::timed_out;
  }
  if (head.magic != FrameHead{}.magic || head.bytes > max_bytes || head.kind < FrameKind::greeting ||
      head.kind > FrameKind::failure)
    return NoFrame::garbage;
  Frame frame{head.kind, {}};
  while (frame.payload.size() < head.bytes) {
    const std::size_t had = frame.payload.size();
    const std::size_t piece = std::min<std::uint64_t>(kPiece, head.bytes - had);
    if (had == 0 && head.bytes <= 4 * kPiece) frame.payload.reserve(head.bytes);
    frame.payload.resize(had + piece);
    const Taken taken = take(descriptor, frame.payload.data() + had, piece, deadline);
    if (taken == Taken::timed_out) return NoFrame::timed_out;
    if (taken != Taken::all) return NoFrame::truncated;
  }
  return frame;
}

bool send(int descriptor, FrameKind kind, std::span<const std::byte> payload, Clock::time_point deadline) {
  FrameHead head;
  head.kind = kind;
  head.bytes = payload.size();
  return give(descriptor, reinterpret_cast<const std::byte*>(&head), sizeof head, deadline) &&
         give(descriptor, payload.data(), payload.size(), deadline);
}

}  // namespace fusebox::gpu
