#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/exec/state/fault_log.h"
#include "grader/simulator/exec/state/observer.h"

namespace fusebox::sim {

/// Plain stores to shared memory that a bulk copy or a wgmma reads before any thread of the block has run
/// fence.proxy.async: the copy engine may read what was there before them, whatever barrier lies between. One
/// fence of any thread behind the store is taken as the one that is needed, so that some mistakes are missed
/// and none is made up.
class UnfencedWrites : public Observer {
 public:
  /// Where to put what is found; set before each launch.
  void set_log(FaultLog* log) { log_ = log; }

  void launch_begin(const LaunchInfo&) override;
  void block_begin(std::uint64_t block) override;
  void block_end(std::uint64_t block) override;
  void access(const WarpAccess&) override;
  void proxy_fence(const WarpId&, LaneMask) override;
  void bulk_access(const WarpAccess& part, int lane) override;

 private:
  struct Write {
    std::uint64_t stretch = 0;  ///< between two fences; 0: none
    const ptx::Function* function = nullptr;
    std::uint32_t instruction = 0, thread = 0;
    AccessKind kind = AccessKind::store;
  };
  struct BlockState {
    std::uint64_t block = 0, stretch = 1;
    std::vector<Write> words;  ///< of its shared memory, 4 bytes each
  };
  BlockState& state_of(std::uint64_t block);
  void read_by_engine(const WarpAccess& pieces);

  FaultLog* log_ = nullptr;
  std::vector<BlockState> blocks_, idle_;
};

}  // namespace fusebox::sim
