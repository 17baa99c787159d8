#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/simulator/exec/state/fault_log.h"
#include "grader/simulator/exec/state/observer.h"
#include "grader/simulator/exec/state/texture.h"
#include "grader/simulator/exec/state/warp.h"
#include "grader/simulator/exec/state/warpgroup.h"

namespace fusebox::sim {

class DeviceHeap;
class GlobalMemory;
class LoadedModule;
class UndoLog;

/// What all blocks of a launch share.
struct Launch {
  const LoadedModule* module = nullptr;
  const Program* program = nullptr;
  LaunchInfo info;
  GlobalMemory* memory = nullptr;
  std::span<Observer* const> observers;
  std::vector<Observer*> run_observers;  ///< those that listen to run_ended()
  FaultLog* faults = nullptr;
  std::string* output = nullptr;  ///< where what the kernel prints goes, block after block; null: nowhere
  std::uint64_t max_printed_bytes = ~std::uint64_t{0};  ///< bytes that one block may print; more is a fault
  std::vector<std::byte> arguments;
  std::uint32_t dynamic_shared_bytes = 0;
  const Textures* textures = nullptr;     ///< null: there are none
  DeviceHeap* heap = nullptr;             ///< null: `malloc` gives null
  bool cooperative = false;               ///< all blocks take turns, so that they may wait for each other
  DeviceAddress grid_workspace = 0;       ///< what grid barriers count in; %envreg1 and 2 say it; 0: none
  std::optional<std::uint64_t> schedule;  ///< seed of a shuffled order; none: in order
  std::uint32_t sms = 1;                  ///< what %nsmid reads; blocks are dealt to SMs in turn
  std::uint64_t grid_id = 0;
  std::uint64_t first_block = 0, block_count = ~std::uint64_t{0};  ///< of the grid, those that are run
  const std::atomic<bool>* abandon = nullptr;  ///< set by what carries the launch out on several threads: the
                                               ///< result is not wanted; may be null
  const std::atomic<bool>* stop = nullptr;     ///< set from outside: there is no time left; may be null
  std::atomic<std::uint64_t>* blocks_done = nullptr;  ///< counted up as blocks end; may be null
  std::uint64_t work = 0;  ///< what it cost so far or in the end, in warp instructions
  UndoLog* undo_log =
      nullptr;  ///< keeps what stores to global memory overwrite; null: nothing will be undone

  std::uint64_t end_block() const {
    const std::uint64_t blocks = info.grid.count();
    return block_count < blocks - first_block ? first_block + block_count : blocks;
  }
  /// Blocks run on several threads at once.
  bool in_parallel() const { return abandon != nullptr; }
  bool abandoned() const {
    for (const std::atomic<bool>* flag : {abandon, stop})
      if (flag != nullptr && flag->load(std::memory_order_relaxed)) return true;
    return false;
  }
};

/// A block barrier (bar.sync 0 to 15): who has come so far.
struct Barrier {
  struct Waiting {
    Warp* warp = nullptr;
    const Program* program = nullptr;
    std::uint32_t at = 0;  ///< its instruction
    LaneMask lanes = 0;
    bool waits = true;  ///< bar.arrive does not
  };
  std::vector<Waiting> here;
  std::uint32_t threads = 0;         ///< arrived
  std::uint32_t expected = 0;        ///< 0: all threads of the block
  std::uint32_t reduce_count = 0;    ///< bar.red: threads whose predicate was true
  std::uint32_t reduce_threads = 0;  ///< bar.red: threads that took part

  /// As new, but keeps its memory: barriers come by the million.
  void clear() {
    here.clear();
    threads = expected = reduce_count = reduce_threads = 0;
  }
};

struct Cluster;

/// A block in execution.
struct Block {
  Launch* launch = nullptr;
  std::uint64_t index = 0;  ///< linear, x fastest
  std::array<std::uint32_t, 3> position{};
  std::vector<std::uint8_t> shared, shared_shadow;  ///< shadow as in GlobalMemory
  std::array<Barrier, 16> barriers;
  std::uint64_t barriers_passed = 0;  ///< that somebody waited at
  std::vector<Warp> warps;
  std::vector<Warpgroup> warpgroups;  ///< empty until one of them executes its first wgmma instruction
  std::uint32_t alive = 0;            ///< threads that have not left the kernel
  std::uint64_t clock = 0;            ///< what %clock reads
  std::string output;                 ///< what its threads printed, as far as it is kept
  std::uint64_t printed = 0;          ///< bytes of all of it
  std::int64_t* budget = nullptr;     ///< warp instructions left; what costs more than one takes more
  bool stopped = false;               ///< by a fault after which nothing sensible follows
  std::uint32_t waits = 0;            ///< fragments at an InstructionKind::wait
  std::uint32_t failed_polls = 0;     ///< since a wait last succeeded
  std::uint32_t polling = 0;          ///< warps, a bit for each, that spin until another block writes a word
  Cluster* cluster = nullptr;         ///< that it belongs to, when the launch has clusters
  std::shared_ptr<Cluster> alone;     ///< itself, when it has none; made when somebody asks
  Barrier completed;                  ///< the one that is being told of
  std::vector<BarrierParty> parties;  ///< of it

  void report(const WarpAccess& access) const {
    for (Observer* observer : launch->observers) observer->access(access);
  }
};

}  // namespace fusebox::sim
