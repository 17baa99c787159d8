#pragma once

#include <cstdint>
#include <span>

#include "grader/simulator/exec/state/events.h"

namespace fusebox::sim {

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
  /// Whether it listens to run_ended(), which comes by the million, and to warp_issued().
  virtual bool follows_runs() const { return false; }
  /// The instructions that a warp has issued since this was told last: before barrier_complete() of a whole
  /// block, and before block_end().
  virtual void warp_issued(const WarpId&, std::uint64_t /*instructions*/) {}
  /// A straight run of a warp's instructions is over: it branches, waits, calls or leaves.
  virtual void run_ended(const WarpId&) {}
  /// What blocks issued of one straight run, told once or more often before launch_end().
  virtual void executed(const RunCount&) {}
  /// So many of the warp instructions told of by executed() are exact divisions, of f32 and of f64, for which
  /// the hardware calls a routine: a lane divides zero, or what is very large or small. Told as executed()
  /// is.
  virtual void divided_slowly(std::uint64_t /*of_f32*/, std::uint64_t /*of_f64*/) {}
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
  /// 8 bytes in shared memory per lane, maybe another block's. No access() is told of them.
  virtual void mbarrier(const WarpAccess&, MbarrierUse) {}
  /// All threads of these blocks, a cluster, came to its barrier.
  virtual void cluster_barrier(std::span<const std::uint64_t> /*blocks*/) {}
  /// Lanes accessed the shared memory of another block of their cluster, `owner`. No access() is told of
  /// them.
  virtual void remote_access(const WarpAccess&) {}
  /// A part of a copy that `lane` asked for, laid out as a whole warp would make it, side by side: 16 bytes
  /// for each lane of the mask; of a tensor's row less, where that begins or ends elsewhere.
  virtual void bulk_access(const WarpAccess& part, int /*lane*/) {
    if (part.owner < 0) access(part);
  }
  virtual void fence(const WarpId&, LaneMask, Order, Scope) {}
  /// fence.proxy.async: what the lanes know was stored in shared memory is there for the asynchronous proxy.
  virtual void proxy_fence(const WarpId&, LaneMask) {}
  /// Of cp.async. `left`: the groups that `wait` does not wait for.
  virtual void copies(const WarpId&, LaneMask, CopyUse, std::uint32_t /*left*/) {}
  /// The same of bulk copies.
  virtual void bulk_copies(const WarpId&, LaneMask, CopyUse, std::uint32_t /*left*/) {}
  /// The same of what a warp's wgmma instructions read in shared memory: commit or wait.
  virtual void warpgroup_operands(const WarpId&, CopyUse, std::uint32_t /*left*/) {}
  /// The four warps of a warpgroup, of which this is one, have waited for wgmma together.
  virtual void warpgroup_met(const WarpId&) {}
};

}  // namespace fusebox::sim
