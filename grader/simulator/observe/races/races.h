#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "grader/device/plan.h"
#include "grader/simulator/exec/state/fault_log.h"
#include "grader/simulator/exec/state/observer.h"
#include "grader/simulator/observe/races/bulk_ends.h"
#include "grader/simulator/observe/races/copies_in_flight.h"
#include "grader/simulator/observe/races/happens_before.h"
#include "grader/simulator/observe/races/shadow_memory.h"
#include "grader/simulator/observe/races/tensor_operands.h"

namespace fusebox::sim {

/// Finds data races: two accesses of the same byte of shared or global memory, at least one a write, not both
/// atomic, that nothing orders. Here events go to those who know: happens_before.h says what orders,
/// shadow_memory.h who accessed what, copies_in_flight.h and bulk_ends.h which bytes nobody may touch,
/// tensor_operands.h what wgmma reads.
class Races : public Observer {
 public:
  explicit Races(AddressRange memory);

  /// Where to put what is found; set before each launch.
  void set_log(FaultLog* log) {
    log_ = log;
    shadow_.set_log(log);
  }

  void launch_begin(const LaunchInfo&) override;
  void launch_end() override;
  void block_begin(std::uint64_t block) override;
  void block_end(std::uint64_t block) override;
  void access(const WarpAccess&) override;
  void barrier_arrive(const WarpId&, std::uint32_t id, LaneMask) override;
  void barrier_complete(std::uint64_t block, std::uint32_t id, std::span<const BarrierParty>,
                        bool whole) override;
  void warp_sync(const WarpId&, LaneMask, bool whole) override;
  void fence(const WarpId&, LaneMask, Order, Scope) override;
  void mbarrier(const WarpAccess&, MbarrierUse) override;
  void cluster_barrier(std::span<const std::uint64_t> blocks) override;
  void remote_access(const WarpAccess&) override;
  void bulk_access(const WarpAccess& part, int lane) override;
  void copies(const WarpId&, LaneMask, CopyUse, std::uint32_t left) override;
  void bulk_copies(const WarpId&, LaneMask, CopyUse, std::uint32_t left) override;
  void warpgroup_operands(const WarpId&, CopyUse, std::uint32_t left) override;
  void warpgroup_met(const WarpId&) override;

 private:
  struct BlockState {
    HappensBefore order;
    ShadowMemory::Block shadow;
    CopiesInFlight copies;
    TensorOperands operands;
    /// Of its shared memory by other blocks, since its cluster met.
    struct RemoteUse {
      RawFault fault;  ///< what it is if nobody here knows of it at the end
      LaneMask lanes = 0;
      Epoch epoch = 0;
    };
    std::vector<RemoteUse> uses;
    bool met_cluster = false;
  };

  BlockState* find_state(std::uint64_t block);
  BlockState& state_of(std::uint64_t block) { return *find_state(block); }
  bool in_clusters() const { return launch_.cluster.count() > 1; }
  void look(BlockState&, const WarpAccess&);
  void synchronise(BlockState&, const WarpAccess&);
  template <class OtherOf>
  LaneMask report_met(const WarpAccess& access, OtherOf other_of);
  LaneMask report_overlapping(const CopiesInFlight*, const WarpAccess&);
  LaneMask report_multiplied(const TensorOperands&, const WarpAccess&);
  void remote_mbarrier(const WarpAccess&, MbarrierUse);
  void look_again(const BulkEnds::End&);
  BlockState* use_remotely(BlockState& own, const WarpAccess&);
  void report_unknown_uses(BlockState&);

  FaultLog* log_ = nullptr;
  LaunchInfo launch_;
  bool multiplies_ = false;  ///< the kernel has wgmma instructions
  Publications publications_;
  ShadowMemory shadow_;
  BulkEnds bulk_ends_;
  std::vector<std::unique_ptr<BlockState>> blocks_, idle_;
  BlockState* now_ = nullptr;  ///< of the block that made the last access
};

/// Where a race's line also reads what was not written yet, the race is the cause: it comes first.
void put_races_first(std::vector<RawFault>& faults);

}  // namespace fusebox::sim
