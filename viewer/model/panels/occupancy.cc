#include "viewer/model/panels/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/hardware.h"
#include "grader/report/text/format.h"

namespace fusebox::view {
namespace {

std::uint64_t whole(int value) { return value > 0 ? static_cast<std::uint64_t>(value) : 0; }

std::uint64_t count_of(const std::array<std::uint32_t, 3>& extent) {
  return std::uint64_t{extent[0]} * extent[1] * extent[2];
}

}  // namespace

OccupancyRow occupancy_of(const GpuNumbers& gpu, const LaunchRecord& launch) {
  OccupancyRow row;
  row.kernel = launch.kernel;
  row.threads = count_of(launch.block);
  row.registers = launch.registers;
  row.shared_bytes = std::uint64_t{launch.static_shared_bytes} + launch.dynamic_shared_bytes;
  const std::uint64_t warps = warps_of(row.threads);
  row.limits = block_limits(gpu, {row.threads, launch.registers.value_or(0), row.shared_bytes});
  const BlockLimit& least = tightest(row.limits);
  row.occupancy.blocks_per_sm = least.blocks;
  row.occupancy.limited_by = least.name;
  row.occupancy.warps_per_sm = least.blocks * warps;
  const double most = static_cast<double>(gpu.max_threads_per_sm) / kWarpSize;
  row.occupancy.ratio = most > 0 ? static_cast<double>(row.occupancy.warps_per_sm) / most : 0;
  row.blocks = count_of(launch.grid);
  row.sms = std::min(row.blocks, whole(gpu.sms));
  row.resident_blocks =
      row.sms > 0 ? std::min(least.blocks, (row.blocks + whole(gpu.sms) - 1) / whole(gpu.sms)) : 0;
  row.resident_warps = row.resident_blocks * warps;
  row.resident = most > 0 ? static_cast<double>(row.resident_warps) / most : 0;
  const double resident = static_cast<double>(least.blocks) * gpu.sms;
  row.waves = resident > 0 ? static_cast<double>(count_of(launch.grid)) / resident : 0;
  return row;
}

std::vector<OccupancyRow> occupancy_model(const Book& book, const GpuNumbers& gpu) {
  std::vector<OccupancyRow> rows;
  for (const Side& side : sides_of(book)) {
    for (std::size_t index = 0; index < side.run->launches.size(); ++index) {
      const LaunchRecord& launch = side.run->launches[index];
      if (!launch.model && !launch.registers) continue;  // copies and memsets occupy no SM
      OccupancyRow row = occupancy_of(gpu, launch);
      row.run = side.name, row.launch = index;
      const bool known = std::any_of(rows.begin(), rows.end(), [&](const OccupancyRow& r) {
        return r.run == row.run && r.kernel == row.kernel && r.threads == row.threads &&
               r.blocks == row.blocks && r.shared_bytes == row.shared_bytes;
      });
      if (!known) rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::string to_text(const std::vector<OccupancyRow>& rows) {
  std::string text;
  for (const OccupancyRow& row : rows) {
    text += fmt::format(
        "{} {}: {} SMs have a block, {} warps are resident; {} warps fit, {}, by {}; {:.2f} waves;", row.run,
        row.kernel, row.sms, row.resident_warps, row.occupancy.warps_per_sm,
        format_value(Unit::ratio, row.occupancy.ratio), row.occupancy.limited_by, row.waves);
    for (const BlockLimit& limit : row.limits)
      text +=
          limit.known ? fmt::format(" {} {}", limit.name, limit.blocks) : fmt::format(" {} n/a", limit.name);
    text += "\n";
  }
  return text;
}

}  // namespace fusebox::view
