#pragma once

#include <cstddef>
#include <cstdint>

// The one thing that the grader and the recorder program share: an anonymous file that both map or read.
// There is no pipe or socket that learner code could write into, close, or read from: the program closes the
// descriptor and makes the answer's pages inaccessible before any learner code runs, and opens them again
// only when there is no more of it to run.
//
//   Scratch | request, to the next page | AnswerHead, answer ... up to kAnswerBytes
namespace fusebox::channel {

inline constexpr int kDescriptor = 3;  ///< in the recorder program, until it has mapped the file
inline constexpr std::size_t kPage = 4096;
inline constexpr std::size_t kAnswerBytes = std::size_t{256} << 20;
inline constexpr std::uint64_t kMagic = 0x3178'6f62'6573'7566;  // "fusebox1"

/// Always writable, so what it says of a crash may be scribbled over: words for people, never a decision.
struct Scratch {
  std::uint64_t magic = kMagic;
  std::uint64_t request_bytes = 0;
  std::uint64_t cpu_seconds = 0, address_space_bytes = 0;
  std::int64_t parent = 0;  ///< process id of the grader
  std::uint32_t started = 0;
  std::uint32_t device_address = 0, stack_overflow = 0;  ///< what the faulting address was
  std::uint64_t fault_address = 0;
};
static_assert(sizeof(Scratch) <= kPage);

enum class AnswerKind : std::uint64_t { none, plan, failure };

struct AnswerHead {
  std::uint64_t magic = 0;
  AnswerKind kind = AnswerKind::none;
  std::uint64_t bytes = 0;
};

constexpr std::size_t answer_offset(std::uint64_t request_bytes) {
  return kPage + (static_cast<std::size_t>(request_bytes) + kPage - 1) / kPage * kPage;
}
constexpr std::size_t total_bytes(std::uint64_t request_bytes) {
  return answer_offset(request_bytes) + kAnswerBytes;
}

}  // namespace fusebox::channel
