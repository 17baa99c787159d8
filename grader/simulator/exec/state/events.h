#pragma once

#include <cstdint>

#include "grader/device/plan.h"
#include "grader/simulator/exec/simt.h"
#include "grader/simulator/exec/state/access_kind.h"

namespace fusebox::ptx {
struct Function;
}

namespace fusebox::sim {

/// What is launched. `function` outlives the launch; its instructions carry source lines.
struct LaunchInfo {
  const ptx::Function* function = nullptr;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< static + dynamic, per block
  Dim3 cluster = {};               ///< blocks of a cluster; (1, 1, 1): none
  int registers = 0;               ///< per thread, as the assembler has it; 0: unknown
};

/// A warp of a block of the launch.
struct WarpId {
  std::uint64_t block = 0;  ///< linear index, x fastest
  std::uint32_t warp = 0;   ///< in its block
  const ptx::Function* function =
      nullptr;  ///< what it executes: instructions are indices into this. Null: the kernel
};

/// One warp instruction that touches memory, with all its lanes. Lanes whose access was a fault are not in
/// the mask.
struct WarpAccess {
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 4;         ///< per lane: 1, 2, 4, 8 or 16
  LaneMask lanes = 0;             ///< never 0
  std::uint32_t instruction = 0;  ///< index into the function's instructions
  WarpId warp;
  const std::uint64_t* address =
      nullptr;  ///< [32]; global: device address; shared, local: offset in the block's or lane's window
  AddressPattern pattern = AddressPattern::any;
  Order order = Order::weak;
  Scope scope = Scope::device;  ///< of an order that is not weak
  AccessPath path = AccessPath::lanes;
  LaneMask unchanged = 0;       ///< stores: lanes whose bytes already stood there when their turn came
  std::int64_t completes = -1;  ///< bulk copies: offset of the mbarrier, in the shared memory of their
                                ///< target, whose phase says that they are done
  bool grouped = false;         ///< bulk copies: their thread waits for them by groups
  std::int64_t owner = -1;      ///< shared memory of another block of the cluster: whose; -1: its own
};

/// How often a straight run of instructions [first, last] was issued.
struct RunCount {
  const ptx::Function* function = nullptr;
  std::uint32_t first = 0, last = 0;
  std::uint64_t warps = 0, lanes = 0;
  std::uint64_t branches = 0;   ///< conditional ones at its end
  std::uint64_t divergent = 0;  ///< of these: some lanes went, some stayed
};

/// Threads of a block that a barrier released or that arrived without waiting.
struct BarrierParty {
  std::uint32_t warp = 0;
  LaneMask lanes = 0;
  bool waited = true;  ///< bar.arrive does not
};

/// What an access to an mbarrier is for.
enum class MbarrierUse : std::uint8_t {
  make,          ///< init and inval: a plain store
  count,         ///< changes what is counted, and promises nothing
  arrive,        ///< what the lane did before is there for whoever waits
  arrive_async,  ///< the same, and what the lane's cp.async copies store is there too, but for the lane
                 ///< itself
  wait,          ///< the lane has seen a phase complete
};

/// What lanes do with the asynchronous copies that they have asked for.
enum class CopyUse : std::uint8_t {
  commit,     ///< the copies since the last such make a group
  wait,       ///< for all groups but the last few
  wait_read,  ///< the same, until their sources have been read
  wait_all,   ///< for all copies
  hand_over,  ///< an mbarrier tells when they are done: mbarrier() says which
};

}  // namespace fusebox::sim
