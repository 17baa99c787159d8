#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/report/launch_record.h"
#include "grader/report/metric.h"

namespace fusebox {

/// What one call of an entry's host function costs at a puzzle's full size. Counters are exact; DRAM bytes
/// and seconds are those of the cache and time model, for the report's GPU.
struct FullSizeRun {
  /// Kernels, copies and memsets in their order. Counters, tensors and lines are of the whole launch, also
  /// where only some of its blocks were run; no sample accesses are kept.
  std::vector<LaunchRecord> launches;
  std::uint64_t requested_bytes = 0;                        ///< 32 x sectors that the SMs asked for
  std::uint64_t compulsory_bytes = 0;                       ///< 32 x distinct sectors of each launch, summed
  std::uint64_t dram_read_bytes = 0, dram_write_bytes = 0;  ///< while the launches ran
  /// Written, and still in L2 alone when the last launch ends: goes to DRAM when something else needs room.
  std::uint64_t left_in_l2_bytes = 0;
  double seconds = 0;            ///< all launches, each with its overhead
  std::vector<ModelTerm> terms;  ///< of all launches, by name, largest first; those of 0 s are left out
  std::string bound_by;          ///< the term that decides the longest launch
  std::string next;              ///< the term that would decide it if that one were gone; empty: none
  double fills = 0;              ///< share_of_gpu() of the longest launch
  std::uint64_t blocks = 0, blocks_run = 0;  ///< of all launches; fewer were run where blocks are alike
  std::string problem;                       ///< why there are no numbers; empty: there are

  std::uint64_t dram_bytes() const { return dram_read_bytes + dram_write_bytes + left_in_l2_bytes; }
};

/// A limit at full size: shown, and no part of the verdict.
struct FullSizeBudget {
  Metric student;  ///< carries tag, name, unit: "bytes.dram" (modelled) or "bytes.requested"
  std::optional<double> reference;
  double limit = 0;
  bool within = false;
};

struct FullSizeEntry {
  std::string entry;
  std::optional<FullSizeRun> student, reference;  ///< absent: not run, for instance because a case failed
  std::vector<FullSizeBudget> budgets;
};

/// A puzzle at the size where bytes decide: tensors larger than the L2 wherever the operation is bound by
/// memory.
struct FullSize {
  std::string shape;             ///< "B32 H64 O64 S1024"
  std::string gpu, gpu_name;     ///< "h200", "NVIDIA H200"
  std::uint64_t l2_bytes = 0;    ///< what the model lets data count on
  std::uint64_t min_bytes = 0;   ///< what any kernel must read and write there
  std::string sentence;          ///< what the numbers mean; empty: nothing was run
  std::string counted_sentence;  ///< the same of the counted case, where that is too small to tell; or empty
  std::vector<FullSizeEntry> entries;  ///< in the order of the report's
};

/// Fills everything of a run that follows from its launches.
void sum_up(FullSizeRun& run, int sms);

/// Of the blocks of this launch that a GPU with so many SMs could hold at once, those that there are; at most
/// 1. 0 where it was not modelled.
double share_of_gpu(const LaunchRecord& launch, int sms);

}  // namespace fusebox
