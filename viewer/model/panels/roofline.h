#pragma once

#include <string>
#include <vector>

#include "viewer/model/book/book.h"

namespace fusebox::view {

/// fp32 operations a second: 64 lanes an SM before compute capability 8.6 (but for 6.1), 128 from there on
/// and in 9.0, an fma is two. From the table of arithmetic throughput in NVIDIA's CUDA programming guide.
double peak_flops(const GpuNumbers& gpu);

/// Duration of a launch on `gpu`: the terms that the grader modelled for `own`, each scaled by how much
/// faster or slower that part of `gpu` is. Cache traffic and latencies in cycles are taken to be the same.
/// Absent when the report holds no model.
std::optional<LaunchModel> remodel(const GpuNumbers& own, const GpuNumbers& gpu, const LaunchRecord& launch);

struct RooflinePoint {
  std::string run, label, kernel;
  std::size_t launch = 0;       ///< of the run
  double flops = 0, bytes = 0;  ///< counted: operations, and compulsory bytes
  double intensity = 0;         ///< operations per byte
  std::optional<double> rate;   ///< operations a second in the modelled time
  double roof = 0;              ///< the most that this intensity allows
  double floor_seconds = 0;     ///< what no kernel with these bytes and operations can beat
  std::optional<double> seconds;
  std::string bound_by;
};

struct RooflineModel {
  std::string gpu;       ///< full name
  std::string modelled;  ///< the GPU whose caches were modelled
  double bandwidth = 0, peak = 0, ridge = 0;
  std::vector<RooflinePoint> points;
};
RooflineModel roofline_model(const Book& book, const GpuNumbers& gpu);
std::string to_text(const RooflineModel& model);

/// A piece of a run's time.
struct TimePart {
  std::string name;  ///< "launch overhead", the term that binds its launches, or "not overlapped"
  double seconds = 0;
  bool binds = false;  ///< a term that binds launches
};

/// What a GPU took for the same run, as it was recorded.
struct RecordedTime {
  std::string gpu, date;
  double seconds = 0;
  std::optional<double> dram_bytes;
};

/// One bar of the timings.
struct TimeRow {
  std::string name, label, description;
  std::optional<double> seconds, before;
  double floor_seconds = 0;  ///< compulsory bytes at the bandwidth of a large copy, and one launch
  Source source = Source::modelled;
  std::size_t launches = 0;
  bool remodelled = false;           ///< for another GPU than the report's
  std::vector<TimePart> parts;       ///< of `seconds`, which they sum to; empty: it was not modelled
  std::string bound_by, next;        ///< of the longest launch: what binds it, and what would bind it next
  double next_seconds = 0;           ///< all launches, if nothing but what binds each next did
  std::optional<double> dram_bytes;  ///< modelled
  std::vector<RecordedTime> recorded;
};
std::vector<TimeRow> time_rows(const Book& book, const GpuNumbers& gpu);
std::string to_text(const std::vector<TimeRow>& rows);

/// A step of a ladder: one kernel's bandwidth at its block size. Modelled for a ladder of reports; recorded
/// where a GPU was measured with several block sizes.
struct LadderPoint {
  std::string puzzle, run;  ///< no puzzle: of the book's own
  std::uint64_t block = 0;
  double bytes_per_second = 0;
  std::string source;  ///< "modelled", or "recorded on NVIDIA H200"
};
std::vector<LadderPoint> ladder_points(const Book& book, const GpuNumbers& gpu);

}  // namespace fusebox::view
