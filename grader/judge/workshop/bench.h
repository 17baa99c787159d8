#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/gpu/gpu.h"
#include "grader/judge/cases/case_runner.h"
#include "grader/judge/cases/services.h"
#include "grader/report/metric.h"

namespace fusebox {

/// Median and the middle three fifths of some samples.
struct Spread {
  double median = 0, p20 = 0, p80 = 0;
};
std::optional<Spread> spread_of(std::vector<double> samples);

/// One file to be timed at the sizes of a puzzle.
struct BenchFile {
  std::string label;  ///< "you", "reference", "rung p08", "you, 128 threads", "mistake row_alone"
  SourceFile source;
  std::string entry{};  ///< the only one to be timed; empty: all
};

/// As a table has the sizes of a case: "M 8192, N 4096".
std::string sizes_text(const Case& which);

/// One of the GPU's own counters.
struct HardwareCounter {
  const char* metric;   ///< Nsight Compute's name
  const char* heading;  ///< of a column
  Unit unit;
  double scale;  ///< what the metric's own unit is worth in ours
};
/// What `--ncu-style` counts of each launch, in the order of BenchStep::counters.
std::span<const HardwareCounter> hardware_counters();

/// How long one step of a variant takes by itself.
struct BenchStep {
  std::string name;
  double seconds = 0;
  std::optional<double> gap_after;  ///< seconds until the next one begins
  /// As many as hardware_counters(), for a launch that was counted; absent: this GPU has no such counter.
  std::vector<std::optional<double>> counters;
};

/// One line of a table.
struct BenchRow {
  std::string label, entry;
  std::optional<Spread> seconds;            ///< of one run, out of a graph over rotated buffers
  std::optional<Spread> cold_seconds;       ///< of one run that finds nothing in the caches
  std::optional<double> bytes_per_second;   ///< the least bytes over the median: what the run achieved
  std::optional<double> share_of_copy;      ///< time of a copy of as many bytes over this time
  std::optional<Spread> against_reference;  ///< this time over the reference's, sample by sample
  std::optional<double> over_unfused;       ///< the unfused entry's time over this one
  std::vector<BenchStep> steps;
  std::string problem;  ///< why there are no times
};

/// A puzzle's sizes, timed.
struct BenchTable {
  std::string puzzle, slug, title, sizes;
  std::string date, command;  ///< "2026-11-21", "grader bench p04 --from solutions"; empty: not known
  std::uint64_t seed = 0, min_bytes = 0;
  std::vector<BenchRow> rows;
  std::string gpu, driver, cuda;
  double sheet_bytes_per_second = 0, large_copy_bytes_per_second = 0;
  double sm_clock_hz = 0, memory_clock_hz = 0;
  std::uint64_t rotated_bytes = 0, l2_bytes = 0;
  std::uint32_t sets = 0, samples = 0, runs_per_graph = 0, dropped = 0;
  std::string step_source;       ///< what timed the steps: "CUPTI, API 130001" or "events"
  std::string counters_problem;  ///< why the hardware's counters, which were asked for, are not here
};

struct BenchOptions {
  std::uint64_t seed = 0;
  double seconds = 2;     ///< for each kind of sample
  bool counters = false;  ///< also what the hardware counts of each launch, from empty caches
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// Times files against each other at one size of a puzzle: every entry of every file that has it, launch by
/// launch in one process, next to copies of as many bytes. A file that does not compile, or is wrong before
/// or after it was timed, or is faster than memory can be, has a row that says so. The reference's label is
/// "reference".
Result<BenchTable> bench(const Puzzle& puzzle, const TimedCase& timed, const std::vector<BenchFile>& files,
                         const Services& services, gpu::Gpu& gpu, const BenchOptions& options);

/// The file with its `constexpr int kThreads = ...;` changed; absent when it has none.
std::optional<std::string> with_block_size(const std::string& source, int threads);

}  // namespace fusebox
