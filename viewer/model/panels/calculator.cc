#include "viewer/model/panels/calculator.h"

#include <algorithm>
#include <cmath>

namespace fusebox::view {

CalculatorResult calculate(const CalculatorInput& in) {
  CalculatorResult result;
  const double tensor = in.rows * in.columns * in.element_bytes;
  const auto finish = [&](Path& path) {
    path.memory_seconds = in.bandwidth > 0 ? path.bytes() / in.bandwidth : 0;
    path.launch_seconds = path.launches * in.launch_cost;
  };
  result.unfused.read_bytes = (in.passes + in.sums) * tensor;
  result.unfused.write_bytes = in.passes * tensor;
  result.unfused.launches = in.kernels;
  result.fused.read_bytes = in.fused_reads * tensor;
  result.fused.write_bytes = in.fused_writes * tensor;
  result.fused.launches = 1;
  finish(result.unfused);
  finish(result.fused);
  if (result.fused.seconds() > 0) result.speed_up = result.unfused.seconds() / result.fused.seconds();
  if (result.fused.bytes() > 0) result.byte_ratio = result.unfused.bytes() / result.fused.bytes();
  return result;
}

namespace {

struct Moved {
  double read = 0, written = 0, largest = 0, vector = 0;  ///< bytes; of the largest tensor and a vector
};

Moved moved_by(const SideRun& run) {
  Moved moved;
  for (const LaunchRecord& launch : run.launches)
    for (const TensorTraffic& t : launch.tensors) {
      moved.read += static_cast<double>(t.compulsory_read);
      moved.written += static_cast<double>(t.compulsory_write);
      moved.largest = std::max(moved.largest, static_cast<double>(t.buffer_bytes));
    }
  // One number for each column (a weight, a bias) is the smallest tensor that is only read.
  for (const LaunchRecord& launch : run.launches)
    for (const TensorTraffic& t : launch.tensors) {
      const auto bytes = static_cast<double>(t.buffer_bytes);
      if (t.requested_write == 0 && bytes < moved.largest && std::fmod(moved.largest, bytes) == 0 &&
          (moved.vector == 0 || bytes < moved.vector))
        moved.vector = bytes;
    }
  return moved;
}

}  // namespace

CalculatorInput calculator_input(const Book& book) {
  CalculatorInput in;
  const Report& report = book.report;
  if (!report.gpus.empty()) {
    in.bandwidth = report.gpus[0].dram_copy_bytes_per_second;
    in.launch_cost = report.gpus[0].launch_overhead_s;
  }
  if (report.entries.empty()) return in;
  const auto run = [&](const std::string& entry) {
    const SideRun* found = reference_of(book, entry);
    return found && !found->launches.empty() ? found : student_of(book, entry);
  };
  const SideRun* fused = run(report.entries.back().entry);
  if (!fused || fused->launches.empty()) return in;
  const Moved one = moved_by(*fused);
  if (!(one.largest >= 4)) return in;
  const auto passes = [&](double bytes) { return std::round(bytes / one.largest); };
  in.element_bytes = 4;
  in.columns = std::max(one.vector / 4, 1.0);
  in.rows = one.largest / 4 / in.columns;
  in.fused_reads = passes(one.read), in.fused_writes = passes(one.written);
  const SideRun* chain = report.entries.size() > 1 ? run(report.entries.front().entry) : nullptr;
  if (!chain || chain->launches.empty()) return in;
  const Moved many = moved_by(*chain);
  in.kernels = static_cast<double>(chain->launches.size());
  in.passes = std::min(passes(many.written), passes(many.read));
  in.sums = std::max(passes(many.read) - in.passes, 0.0);
  return in;
}

}  // namespace fusebox::view
