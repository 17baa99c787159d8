#include "grader/parity/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace fusebox {
namespace {

constexpr std::uint64_t kColdBytes = 1'000'000;
constexpr double kLongSeconds = 10e-6, kDramTolerance = 0.05, kTimeTolerance = 0.25;

/// Every sector that it touches it touches once: what it reads has to come from DRAM, whatever the caches do.
bool is_cold(const LaunchRecord& launch) {
  const Counters& c = launch.counters;
  return c.requested_bytes() <= c.compulsory_bytes() * 101 / 100;
}

// What the model's constants were fitted to: the microkernels, and the counted cases of these puzzles. What
// they say of the others is a prediction.
constexpr std::string_view kFitted[] = {"p04", "p08", "p09", "p20", "p22", "p25", "p29"};
bool is_held_out(std::string_view row) {
  const bool of_puzzle = row.size() >= 3 && row[0] == 'p' && row[1] >= '0' && row[1] <= '9';
  return of_puzzle &&
         std::find(std::begin(kFitted), std::end(kFitted), row.substr(0, 3)) == std::end(kFitted);
}

bool near(double ratio, double tolerance) { return std::fabs(ratio - 1) <= tolerance; }

}  // namespace

bool ParityPair::same_counts() const {
  const Counters& c = simulated.counters;
  return c.global_load.requests == hardware.load_requests && c.global_load.sectors == hardware.load_sectors &&
         c.global_store.requests == hardware.store_requests &&
         c.global_store.sectors == hardware.store_sectors;
}

double ParityPair::dram_read_ratio() const {
  if (!simulated.model || hardware.dram_read_bytes == 0) return 0;
  return static_cast<double>(simulated.model->dram_read_bytes) /
         static_cast<double>(hardware.dram_read_bytes);
}

double ParityPair::time_ratio() const {
  if (!simulated.model || hardware.seconds <= 0) return 0;
  return simulated.model->seconds / hardware.seconds;
}

ParitySummary summarise(const std::vector<ParityPair>& pairs) {
  ParitySummary summary;
  for (const ParityPair& pair : pairs) {
    ++summary.launches;
    summary.same_counts += pair.same_counts();
    if (pair.hardware.dram_read_bytes >= kColdBytes) {
      const bool good = near(pair.dram_read_ratio(), kDramTolerance);
      ++(is_cold(pair.simulated) ? summary.cold : summary.warm);
      (is_cold(pair.simulated) ? summary.dram_read_near : summary.warm_near) += good;
    }
    if (pair.hardware.seconds > kLongSeconds) {
      const bool held_out = is_held_out(pair.hardware.row);
      ++(held_out ? summary.held_out : summary.long_ones);
      (held_out ? summary.held_out_near : summary.time_near) += near(pair.time_ratio(), kTimeTolerance);
    }
    if (pair.hardware.same_bytes) {
      ++summary.compared;
      summary.same_bytes += *pair.hardware.same_bytes;
    }
  }
  return summary;
}

std::string render_parity(const HardwareTable& table, const std::vector<ParityPair>& pairs) {
  std::string text = fmt::format(
      "Counted by the simulator against the counters of an {} (driver {}, CUDA {}, {}).\n\n"
      "| launch | ld requests | ld sectors | st requests | st sectors | counts | DRAM read, MB | modelled | time, µs | modelled | bound by | bytes |\n|---|--:|--:|--:|--:|---|--:|--:|--:|--:|---|---|\n",
      table.gpu, table.driver, table.cuda, table.date);
  for (const ParityPair& pair : pairs) {
    const HardwareLaunch& hw = pair.hardware;
    const LaunchModel model = pair.simulated.model.value_or(LaunchModel{});
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {:.2f} | {:+.1f} % | {:.2f} | {:+.0f} % | {} | {} |\n", hw.row,
        hw.load_requests, hw.load_sectors, hw.store_requests, hw.store_sectors,
        pair.same_counts() ? "equal" : "DIFFER", static_cast<double>(hw.dram_read_bytes) * 1e-6,
        (pair.dram_read_ratio() - 1) * 100, hw.seconds * 1e6, (pair.time_ratio() - 1) * 100, model.bound_by,
        !hw.same_bytes   ? "not compared"
        : *hw.same_bytes ? "same"
                         : fmt::format("up to {:.1e} apart", hw.largest_difference));
  }
  const ParitySummary s = summarise(pairs);
  text += fmt::format(
      "\nRequests and sectors: {} of {} launches equal. DRAM reads within 5 %: {} of the {} that read 1 MB or more and touch each sector once, {} of the other {}. Time within 25 %: {} of the {} over 10 µs, and {} of the {} that the fit had not seen. Same bytes: {} of {}.\n",
      s.same_counts, s.launches, s.dram_read_near, s.cold, s.warm_near, s.warm, s.time_near, s.long_ones,
      s.held_out_near, s.held_out, s.same_bytes, s.compared);
  return text;
}

}  // namespace fusebox
