#pragma once

#include <cstdint>
#include <string>

#include "grader/report/hardware.h"
#include "grader/simulator/exec/state/access_kind.h"

namespace fusebox::ptx {
struct Function;
}

namespace fusebox::sim {

enum class FaultKind : std::uint8_t {
  out_of_bounds,
  uninitialised_read,
  misaligned,
  barrier_divergence,  ///< threads left, or wait at another barrier
  bad_mask,            ///< a *_sync whose mask does not name a lane that executes it
  missing_lanes,       ///< a *_sync whose mask names lanes that never come
  endless_loop,
  trap,             ///< trap or a failed assert
  bad_launch,       ///< refused before it started
  invalid_call,     ///< a call through a pointer to no function
  race,             ///< two accesses of the same byte in no order, one of them a write
  race_same_value,  ///< both wrote the same, or one wrote what stood there
  bad_texture,      ///< a number that is no texture or surface
  bad_free,         ///< `free` of what `malloc` did not give, or gave back before
  bad_mbarrier,     ///< not initialised, too many arrivals, or none comes
  bad_tensor_map,   ///< not encoded, changed since, or where the copy engine does not look
  bad_wgmma,        ///< without its warpgroup, its fence, or the wait for it
  unset_register,   ///< arithmetic with a variable that nothing ever sets, see decode/unset_registers.h
  stack_overflow,   ///< calls in each other, deeper than a thread's stack
  too_much_output,  ///< a block printed more than its launch may let it
  not_a_number,     ///< where that is asked: arithmetic made NaN of numbers
};

/// The facts of one mistake, as the executing warp saw them. observe/faults makes sentences of them.
struct RawFault {
  FaultKind kind = FaultKind::out_of_bounds;
  Space space = Space::global;
  AccessKind access = AccessKind::load;
  std::uint8_t bytes = 0;
  std::uint64_t address = 0;      ///< global: device address; shared: offset in the block's window
  std::uint32_t instruction = 0;  ///< index into `function`'s instructions
  const ptx::Function* function = nullptr;
  std::uint64_t block = 0;   ///< linear index
  std::uint32_t thread = 0;  ///< linear index in the block
  std::uint64_t count = 1;   ///< lanes that did the same at this instruction
  std::uint64_t reach = 0;   ///< the end of the furthest access of these lanes
  /// The other access of a race, which came first.
  struct Other {
    AccessKind access = AccessKind::load;
    std::uint32_t instruction = 0;
    const ptx::Function* function = nullptr;
    std::uint64_t block = 0;
    std::uint32_t thread = 0;
    bool in_flight = false;  ///< an asynchronous copy of the thread that was not waited for; of loads a wgmma
    bool other_proxy = false;  ///< a store that the asynchronous proxy, which loads, need not see: no fence
    enum class Life : std::uint8_t { runs, begins, ends };
    Life life = Life::runs;  ///< no access, but where the block begins or ends
  } other;
  std::int64_t owner = -1;  ///< of a race in the shared memory of another block of the cluster: whose

  /// Of a race: how far apart the two are. The wider, the more it takes to order them.
  enum class Apart : std::uint8_t { lanes, warps, blocks };
  Apart apart() const {
    if (block != other.block) return Apart::blocks;
    return thread / kWarpSize != other.thread / kWarpSize ? Apart::warps : Apart::lanes;
  }
  std::string note;  ///< what only the executor knows: "threads 16..31 left the kernel at line 12"
};

}  // namespace fusebox::sim
