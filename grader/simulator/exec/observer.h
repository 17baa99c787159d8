#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "grader/device/plan.h"
#include "grader/simulator/exec/simt.h"

namespace fusebox::ptx {
struct Function;
}

namespace fusebox::sim {

enum class Space : std::uint8_t { global, shared, local, constant, param };
enum class AccessKind : std::uint8_t { load, store, atomic };

/// What an access or a fence promises about the order of memory. Everything but `weak` is an access that
/// other threads may make at the same time.
enum class Order : std::uint8_t { weak, volatile_access, relaxed, acquire, release, acquire_release };
/// The threads to which it promises that.
enum class Scope : std::uint8_t { block, cluster, device, system };

/// What is launched. `function` outlives the launch; its instructions carry source lines.
struct LaunchInfo {
  const ptx::Function* function = nullptr;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< static + dynamic, per block
  Dim3 cluster = {};               ///< blocks of a cluster; (1, 1, 1): none
};

/// A warp of a block of the launch.
struct WarpId {
  std::uint64_t block = 0;  ///< linear index, x fastest
  std::uint32_t warp = 0;   ///< in its block
  const ptx::Function* function =
      nullptr;  ///< what it executes: instructions are indices into this. Null: the kernel
};

/// How the addresses of a warp's lanes lie, as far as whoever makes the access has looked.
enum class Shape : std::uint8_t {
  any,        ///< nothing is known
  unit,       ///< all 32 lanes, each right behind the one before it, the first at a multiple of its width
  broadcast,  ///< all 32 lanes at one address, a multiple of its width
};

/// What carries an access out, where that is not the warp, lane by lane.
enum class Means : std::uint8_t {
  lanes,
  copy,      ///< the shared memory's end of a cp.async: no store instruction
  matrices,  ///< ldmatrix and stmatrix: each lane's 16 bytes are a row
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
  Shape shape = Shape::any;
  Order order = Order::weak;
  Scope scope = Scope::device;  ///< of an order that is not weak
  Means means = Means::lanes;
  LaneMask unchanged = 0;       ///< stores: lanes whose bytes already stood there when their turn came
  std::int64_t completes = -1;  ///< stores of bulk copies: offset of the mbarrier, in the same shared memory,
                                ///< whose phase says that they are done
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

/// What an access to an mbarrier in the own block's shared memory is for.
enum class MbarrierUse : std::uint8_t {
  make,    ///< init and inval: a plain store
  count,   ///< changes what is counted, and promises nothing
  arrive,  ///< what the lane did before is there for whoever waits
  wait,    ///< the lane has seen a phase complete
};

/// What lanes do with the cp.async copies that they have asked for.
enum class CopyUse : std::uint8_t {
  commit,     ///< the copies since the last such make a group
  wait,       ///< for all groups but the last few
  wait_all,   ///< for all copies
  hand_over,  ///< an mbarrier tells when they are done
};

/// Listens to what the executing warps do. Observers count and judge; they change nothing, and switching one
/// on or off changes nothing that another sees.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void launch_begin(const LaunchInfo&) {}
  virtual void launch_end() {}
  virtual void block_begin(std::uint64_t /*block*/) {}
  virtual void block_end(std::uint64_t /*block*/) {}
  virtual void access(const WarpAccess&) {}
  /// Whether it listens to run_ended(), which comes by the million.
  virtual bool follows_runs() const { return false; }
  /// A straight run of a warp's instructions is over: it branches, waits, calls or leaves.
  virtual void run_ended(const WarpId&) {}
  /// What blocks issued of one straight run, told once or more often before launch_end().
  virtual void executed(const RunCount&) {}
  /// A warp (fragment) arrived at block barrier `id`.
  virtual void barrier(const WarpId&, std::uint32_t /*instruction*/, std::uint32_t /*id*/, LaneMask) {}
  /// Told after barrier() of lanes that go on without waiting.
  virtual void barrier_arrive(const WarpId&, std::uint32_t /*id*/, LaneMask) {}
  /// Barrier `id` is complete: everyone who had come to it, in order of arrival. `whole`: all threads of the
  /// block waited here, but for those that had left it before a barrier without a count.
  virtual void barrier_complete(std::uint64_t /*block*/, std::uint32_t /*id*/, std::span<const BarrierParty>,
                                bool /*whole*/) {}
  /// Lanes of a warp met at a *_sync instruction that names them. `whole`: all that have not left.
  virtual void warp_sync(const WarpId&, LaneMask, bool /*whole*/) {}
  /// 8 bytes in shared memory per lane. No access() is told of them.
  virtual void mbarrier(const WarpAccess&, MbarrierUse) {}
  /// Lanes arrived at mbarriers at offset `address[lane]` in the shared memory of blocks `block[lane]` of
  /// their cluster.
  virtual void arrive_in_cluster(const WarpId&, LaneMask, const std::uint64_t* /*block*/,
                                 const std::uint64_t* /*address*/) {}
  /// All threads of these blocks, a cluster, came to its barrier.
  virtual void cluster_barrier(std::span<const std::uint64_t> /*blocks*/) {}
  /// A part of a copy that `lane` asked for, laid out as a whole warp would make it: 16 bytes for each lane
  /// of the mask.
  virtual void bulk_access(const WarpAccess& part, int /*lane*/) { access(part); }
  virtual void fence(const WarpId&, LaneMask, Order, Scope) {}
  /// `left`: the groups that `wait` does not wait for.
  virtual void copies(const WarpId&, LaneMask, CopyUse, std::uint32_t /*left*/) {}
};

}  // namespace fusebox::sim
