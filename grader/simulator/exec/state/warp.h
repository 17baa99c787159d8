#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "grader/simulator/exec/state/events.h"

namespace fusebox::sim {

struct Block;
struct Program;

/// Generic addresses below these bases + size are windows into a block's shared and a lane's local memory;
/// every device address is far above. (Any value would do; hardware uses such windows too.)
inline constexpr std::uint64_t kSharedWindow = 0x1'0000'0000ull;
inline constexpr std::uint64_t kLocalWindow = 0x2'0000'0000ull;
inline constexpr std::uint64_t kParamWindow = 0x3'0000'0000ull;
inline constexpr std::uint64_t kWindowBytes = 0x1'0000'0000ull;

struct Frame;

/// Keeps a frame while someone uses it. Counts without atomics, because the lanes of one block are one
/// thread's.
class FrameRef {
 public:
  FrameRef() = default;
  FrameRef(std::nullptr_t) {}
  explicit FrameRef(Frame* frame);
  FrameRef(const FrameRef& other);
  FrameRef(FrameRef&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  FrameRef& operator=(FrameRef other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~FrameRef();

  Frame* get() const { return frame_; }
  Frame* operator->() const { return frame_; }
  Frame& operator*() const { return *frame_; }
  explicit operator bool() const { return frame_ != nullptr; }
  friend bool operator==(const FrameRef&, const FrameRef&) = default;

 private:
  Frame* frame_ = nullptr;
};

/// One activation of a function by some lanes of a warp. Registers are per lane, so lanes that part inside it
/// share it.
struct Frame {
  const Program* program = nullptr;
  unsigned char* registers = nullptr;
  std::vector<unsigned char> storage;  ///< behind `registers`
  std::uint32_t local_base = 0;        ///< of its local variables in each lane's stack
  FrameRef caller;
  std::uint32_t depth = 0;  ///< callers above it
  std::uint32_t called_at = 0;
  std::uint32_t users = 0;  ///< references to it
};

inline FrameRef::FrameRef(Frame* frame) : frame_(frame) {
  if (frame_ != nullptr) ++frame_->users;
}
inline FrameRef::FrameRef(const FrameRef& other) : FrameRef(other.frame_) {}
inline FrameRef::~FrameRef() {
  if (frame_ != nullptr && --frame_->users == 0) delete frame_;
}

/// Where lanes that parted meet again.
struct Join {
  FrameRef frame;
  std::uint32_t basic_block = 0;
  LaneMask expected = 0, arrived = 0;
  int parent = -1;
};

/// Lanes of a warp that are at one place. A warp without divergence has exactly one.
struct Fragment {
  enum class State : std::uint8_t { ready, at_barrier, at_sync, at_wait };
  FrameRef frame;
  std::uint32_t basic_block = 0;
  LaneMask lanes = 0;
  int join = -1;
  State state = State::ready;
  std::uint32_t barrier = 0;     ///< at_barrier: its id
  std::uint32_t waiting_at = 0;  ///< where, when it is not ready
  LaneMask needs = 0;            ///< at_sync: the lanes it waits for
};

/// What a warp reads of global memory over and over while it does nothing that others could see.
struct Poll {
  std::uint64_t address = 0, value = 0;
  std::uint32_t times = 0;
};

/// 32 threads of a block: their registers, local memory and fragments.
struct Warp {
  unsigned char* registers = nullptr;  ///< of the running fragment's frame
  Frame* frame = nullptr;              ///< of the running fragment
  Block* block = nullptr;
  WarpId id;
  LaneMask threads = 0;  ///< lanes that exist: the last warp of a block may be partial
  LaneMask alive = 0;
  LaneMask carry = 0;  ///< condition code of add.cc and friends
  std::vector<Fragment> fragments;
  std::vector<Join> joins;  ///< slots are reused; frame == nullptr: free
  FrameRef entry_frame;
  std::vector<unsigned char> local;    ///< lane-major: lane l's byte o at l * local_bytes + o
  std::uint32_t local_bytes = 0;       ///< per lane, allotted so far
  std::vector<std::uint32_t> left_at;  ///< per lane: where it left the kernel, for messages
  Poll poll;
  std::uint64_t issued = 0;  ///< instructions that observers have not been told of
  /// Exact divisions of the launch of which some lane took the long way, see divide_f32() and divide_f64().
  std::uint64_t slow_divisions = 0, slow_double_divisions = 0;

  template <class T>
  T* lanes_of(std::uint32_t offset) {
    return reinterpret_cast<T*>(registers + offset);
  }
  LaneMask& predicate(std::uint32_t offset) { return *reinterpret_cast<LaneMask*>(registers + offset); }
};

}  // namespace fusebox::sim
