#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "grader/report/launch_record.h"
#include "grader/simulator/exec/state/observer.h"
#include "grader/simulator/exec/state/reduction.h"
#include "grader/simulator/observe/requests/named_range.h"
#include "grader/simulator/observe/requests/sectors.h"
#include "grader/simulator/observe/traffic/joined_loads.h"
#include "grader/simulator/observe/traffic/touched_map.h"

namespace fusebox::sim {

/// Counts one launch after the other: global, shared and local memory, instructions, branches, barriers; in
/// total, per buffer and per source line. All integers; the order of warps and blocks changes none of them.
///
/// Counted is what was asked for: a guarded instruction (`@%p add`) counts as issued for all lanes of its
/// run, while a guarded access counts the lanes that made it.
class Traffic : public Observer {
 public:
  /// Whether reductions are kept apart from other reads and writes until merge(), so that meets() can tell.
  enum class Reductions { together, apart };

  /// `module` outlives it.
  explicit Traffic(const ptx::Module& module, Reductions reductions = Reductions::together);

  /// The buffers from the next launch on, sorted by address and not overlapping. An access that lies in
  /// none, as those to the grid's workspace, is in no ledger and no compulsory byte, and counts as waiting.
  void set_ranges(std::vector<NamedRange> ranges);

  void launch_begin(const LaunchInfo& launch) override;
  void launch_end() override;
  void access(const WarpAccess& access) override;
  void bulk_access(const WarpAccess& part, int lane) override;
  void executed(const RunCount& run) override;
  void divided_slowly(std::uint64_t of_f32, std::uint64_t of_f64) override {
    slow_divisions_ += of_f32, slow_double_divisions_ += of_f64;
  }
  void barrier(const WarpId& warp, std::uint32_t instruction, std::uint32_t id, LaneMask lanes) override;

  /// As if no launch had been; what is known of the module's code stays.
  void restart();

  /// Adds what `other` saw of the same launch (other blocks of it) over the same ranges; before launch_end of
  /// this one.
  void merge(const Traffic& other);

  /// Did one of the two write to a sector that the other one touched? Where both did no more there than
  /// reduce, in one manner, that does not count. Of the same launch over the same ranges, both with their
  /// reductions apart.
  bool meets_writes_of(const Traffic& other) const;

  /// After launch_end: did any warp get to this instruction?
  bool was_executed(const ptx::Function& function, std::uint32_t instruction) const;

  /// Distinct sectors of one range (by its place in set_ranges) that the launch read or wrote; and those that
  /// both did, of the same launch over the same ranges.
  std::uint64_t touched(std::size_t range, bool written) const;
  std::uint64_t touched_by_both(const Traffic& other, std::size_t range, bool written) const;

  /// After launch_end: counters, tensors and lines of the launch.
  void fill(LaunchRecord& record) const;

 private:
  /// One instruction's accesses to one space in one manner, or what its bulk copies moved.
  struct Site {
    const ptx::Function* function = nullptr;
    std::uint32_t instruction = 0;
    std::uint8_t channel = 0;
    std::uint32_t range = 0;  ///< the last one it touched, as a guess for the next time
    std::uint64_t requests = 0, lanes = 0;
    std::uint64_t sectors = 0, lines = 0, useful_bytes = 0, ideal_sectors = 0;  ///< global
    std::uint64_t outside = 0;  ///< sectors of requests that begin in no buffer
    std::uint64_t outside_requests = 0;
    std::uint64_t wavefronts = 0, ideal_wavefronts = 0;  ///< shared
    const JoinedLoad* joined = nullptr;                  ///< shared: null: the assembler leaves it alone
    std::uint64_t data_stage_cycles =
        0;  ///< of loads and stores, of local memory too, as the assembler has them; of shared atomics turns
    std::uint64_t max_lanes_on_one_address = 0;  ///< atomics
    Reduction reduction = Reduction::none;       ///< atomics, where these are kept apart
  };
  /// One buffer's share, in sectors.
  struct Ledger {
    std::uint64_t requested_read = 0, requested_write = 0;
    TouchedMap read, written;
    std::map<Reduction, TouchedMap> reduced;
    void begin_launch(std::uint8_t launch);
    void clear();
    bool touches(const TouchedMap& map) const;
  };
  /// How an instruction's issues differ from those of the one before it: running sums give the counts of
  /// each.
  struct Issues {
    std::uint64_t warps = 0, lanes = 0;
  };
  /// The kernel, or a function that it called.
  struct Code {
    const ptx::Function* function = nullptr;
    std::vector<Site*> site_of;  ///< [instruction][channel]: in sites_; null: none yet
    std::vector<Issues> issues;
    const std::map<std::uint32_t, JoinedLoad>* joined = nullptr;  ///< in joined_
  };
  class RecordWriter;

  Code& code(const ptx::Function* function) {
    if (!function) function = kernel_;
    return code_now_->function == function ? *code_now_ : find_code(function);
  }
  Code& find_code(const ptx::Function* function);
  Site& site(const ptx::Function* function, std::uint32_t instruction, std::uint8_t channel);
  Site& new_site(Code& executed, std::uint32_t instruction, std::uint8_t channel);
  void global(const WarpAccess& access, const Footprint& footprint, Site& site);
  void shared(const WarpAccess& access, Site& site);
  void constant(const WarpAccess& access);
  void enter(std::uint32_t range, const WarpAccess& access, const Footprint& footprint, Reduction reduction);
  void mark(TouchedMap& map, const NamedRange& range, const WarpAccess& access, const Footprint& footprint);
  void enter_split(const WarpAccess& access, Reduction reduction);
  std::uint32_t find_range(std::uint64_t address) const;

  const ptx::Module& module_;
  Reductions reductions_;
  std::map<const ptx::Function*, std::map<std::uint32_t, JoinedLoad>> joined_;  // of all launches
  std::vector<NamedRange> ranges_;
  std::vector<Ledger> ledgers_;  // beside ranges_
  std::uint8_t launch_ = 0;

  const ptx::Function* kernel_ = nullptr;
  std::deque<Code> code_;
  Code* code_now_ = nullptr;  // of the last event, in code_
  std::deque<Site> sites_;
  std::uint64_t branches_ = 0, divergent_branches_ = 0, barriers_ = 0;
  std::uint64_t slow_divisions_ = 0, slow_double_divisions_ = 0;
  /// Loads from constant memory whose lanes name different addresses, and how many they name, summed.
  std::uint64_t divergent_constants_ = 0, constant_places_ = 0;
};

}  // namespace fusebox::sim
