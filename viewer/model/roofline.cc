#include "viewer/model/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/report/format.h"
#include "viewer/model/occupancy.h"

namespace fusebox::view {
namespace {

double number(std::uint64_t value) { return static_cast<double>(value); }
double ratio(double a, double b) { return b > 0 ? a / b : 0; }

std::uint64_t count_of(const std::array<std::uint32_t, 3>& extent) {
  return std::uint64_t{extent[0]} * extent[1] * extent[2];
}

bool is_own(const Book& book, const GpuNumbers& gpu) {
  return book.report.gpus.empty() || book.report.gpus.front().name == gpu.name;
}

std::optional<double> seconds_on(const Book& book, const GpuNumbers& gpu, const LaunchRecord& launch) {
  if (is_own(book, gpu) || launch.time.source != Source::modelled) return launch.time.value;
  const auto again = remodel(gpu, launch);
  return again ? std::optional(again->seconds) : std::nullopt;
}

}  // namespace

double peak_flops(const GpuNumbers& gpu) {
  const int version = gpu.compute_major * 10 + gpu.compute_minor;
  const double lanes = version >= 86 || version == 61 ? 128 : 64;
  return lanes * 2 * gpu.sms * gpu.clock_hz;
}

std::optional<LaunchModel> remodel(const GpuNumbers& gpu, const LaunchRecord& launch) {
  if (!launch.model || launch.model->warps == 0) return std::nullopt;
  const LaunchModel& old = *launch.model;
  const Counters& c = launch.counters;
  LaunchModel model = old;
  model.gpu = gpu.name;
  model.occupancy = occupancy_of(gpu, launch).occupancy;
  const double sms = std::min(number(count_of(launch.grid)), static_cast<double>(gpu.sms));
  const double cycles = sms * gpu.clock_hz;
  const double wavefronts =
      number(c.shared_load.wavefronts + c.shared_store.wavefronts + c.global_load.lines +
             c.global_store.lines + c.global_atomic.sectors + c.local_load_requests + c.local_store_requests);
  const double own_cycles =
      number(old.shared_waits) * gpu.shared_latency_cycles + number(old.l1_waits) * gpu.l1_latency_cycles +
      number(old.l2_waits) * gpu.l2_latency_cycles + number(old.dram_waits) * gpu.dram_latency_cycles +
      number(c.warp_instructions) * 4;
  const double resident = std::max(number(model.occupancy.warps_per_sm), 1.0) * sms;
  const double waves = std::max(number(old.warps) / resident, 1.0);
  model.terms = {
      {"DRAM", ratio(number(old.dram_read_bytes + old.dram_write_bytes), gpu.dram_copy_bytes_per_second)},
      {"L2", ratio(number(old.l2_bytes), gpu.l2_bytes_per_second)},
      {"load-store", ratio(wavefronts, cycles)},
      {"issue", ratio(number(c.warp_instructions), cycles * 4)},
      {"special functions", ratio(number(c.special_functions), cycles * 16)},
      {"latency", ratio(own_cycles / number(old.warps) * waves, gpu.clock_hz)},
  };
  const auto longest =
      std::max_element(model.terms.begin(), model.terms.end(),
                       [](const ModelTerm& a, const ModelTerm& b) { return a.seconds < b.seconds; });
  model.bound_by = longest->name;
  model.seconds = gpu.launch_overhead_s + longest->seconds;
  return model;
}

RooflineModel roofline_model(const Book& book, const GpuNumbers& gpu) {
  RooflineModel model;
  model.gpu = gpu.full_name;
  model.modelled = book.report.gpus.empty() ? "" : book.report.gpus.front().name;
  model.bandwidth = gpu.dram_copy_bytes_per_second;
  model.peak = peak_flops(gpu);
  model.ridge = ratio(model.peak, model.bandwidth);
  for (const Side& side : sides_of(book)) {
    for (const LaunchRecord& launch : side.run->launches) {
      RooflinePoint point;
      point.run = side.name;
      point.label = side.label;
      point.kernel = launch.kernel;
      point.flops = number(launch.counters.flops);
      point.bytes = number(launch.counters.compulsory_bytes());
      point.intensity = ratio(point.flops, point.bytes);
      point.roof = std::min(model.peak, point.intensity * model.bandwidth);
      point.floor_seconds = std::max(ratio(point.bytes, model.bandwidth), ratio(point.flops, model.peak)) +
                            gpu.launch_overhead_s;
      point.seconds = seconds_on(book, gpu, launch);
      if (const auto again = remodel(gpu, launch)) point.bound_by = again->bound_by;
      if (point.seconds && *point.seconds > 0) point.rate = point.flops / *point.seconds;
      model.points.push_back(std::move(point));
    }
  }
  return model;
}

std::string to_text(const RooflineModel& model) {
  std::string text =
      fmt::format("{}: {} and {:.3g} flop/s, ridge at {:.3g} flop/B\n", model.gpu,
                  format_value(Unit::bytes_per_second, model.bandwidth), model.peak, model.ridge);
  for (const RooflinePoint& p : model.points)
    text += fmt::format("  {} {}: {:.3g} flop/B, {} flop/s, floor {}, time {}, by {}\n", p.run, p.kernel,
                        p.intensity, p.rate ? fmt::format("{:.3g}", *p.rate) : "n/a",
                        format_seconds(p.floor_seconds), format_value(Unit::seconds, p.seconds),
                        p.bound_by.empty() ? "n/a" : p.bound_by);
  return text;
}

std::vector<TimeRow> time_rows(const Book& book, const GpuNumbers& gpu) {
  std::vector<TimeRow> rows;
  for (const Side& side : sides_of(book)) {
    TimeRow row;
    row.name = side.name;
    row.label = side.label;
    row.launches = side.run->launches.size();
    row.remodelled = !is_own(book, gpu);
    double total = 0, bytes = 0;
    bool all = !side.run->launches.empty();
    for (const LaunchRecord& launch : side.run->launches) {
      const auto seconds = seconds_on(book, gpu, launch);
      all &= seconds.has_value();
      total += seconds.value_or(0);
      bytes += number(launch.counters.compulsory_bytes());
      row.source = launch.time.source;
    }
    if (all) row.seconds = total;
    row.floor_seconds = ratio(bytes, gpu.dram_copy_bytes_per_second) + gpu.launch_overhead_s;
    if (side.label == "you" && is_own(book, gpu)) row.before = value_of(before_of(book, side.entry), "time");
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<RungPoint> rung_points(const Book& book, const GpuNumbers& gpu) {
  std::vector<RungPoint> points;
  for (const Measured& measured : book.measured)
    for (const MeasuredRow& row : measured.rows)
      if (row.threads && row.bytes_per_second && std::isfinite(*row.bytes_per_second) &&
          *row.bytes_per_second > 0)
        points.push_back({"", row.entry.empty() ? row.rung : row.entry + " · " + row.rung,
                          static_cast<std::uint64_t>(*row.threads), *row.bytes_per_second,
                          "recorded on " + measured.gpu});
  if (book.rungs.size() < 2) return points;
  for (const Report& report : book.rungs) {
    Book rung;
    rung.report = report;
    for (const Side& side : sides_of(rung)) {
      double bytes = 0, seconds = 0;
      std::uint64_t block = 0, most = 0;
      bool all = !side.run->launches.empty();
      for (const LaunchRecord& launch : side.run->launches) {
        const auto time = seconds_on(rung, gpu, launch);
        all &= time.has_value();
        seconds += time.value_or(0);
        bytes += number(launch.counters.compulsory_bytes());
        // The block size is that of the launch that moves most.
        if (launch.counters.requested_bytes() >= most)
          most = launch.counters.requested_bytes(), block = count_of(launch.block);
      }
      if (all && seconds > 0)
        points.push_back({report.puzzle, side.name, block, bytes / seconds, "modelled for " + gpu.full_name});
    }
  }
  return points;
}

}  // namespace fusebox::view
