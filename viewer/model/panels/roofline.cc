#include "viewer/model/panels/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "grader/report/text/format.h"
#include "viewer/model/panels/occupancy.h"

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

/// The one that the report was modelled for.
const GpuNumbers& own_gpu(const Book& book, const GpuNumbers& otherwise) {
  return book.report.gpus.empty() ? otherwise : book.report.gpus.front();
}

std::optional<double> seconds_on(const Book& book, const GpuNumbers& gpu, const LaunchRecord& launch) {
  if (is_own(book, gpu) || launch.time.source != Source::modelled) return launch.time.value;
  const auto again = remodel(own_gpu(book, gpu), gpu, launch);
  return again ? std::optional(again->seconds) : std::nullopt;
}

}  // namespace

double peak_flops(const GpuNumbers& gpu) {
  const int version = gpu.compute_major * 10 + gpu.compute_minor;
  const double lanes = version >= 86 || version == 61 ? 128 : 64;
  return lanes * 2 * gpu.sms * gpu.clock_hz;
}

std::optional<LaunchModel> remodel(const GpuNumbers& own, const GpuNumbers& gpu, const LaunchRecord& launch) {
  if (!launch.model || launch.model->terms.empty()) return std::nullopt;
  LaunchModel model = *launch.model;
  model.gpu = gpu.name;
  const double blocks = number(count_of(launch.grid));
  const Occupancy before = occupancy_of(own, launch).occupancy;
  // Of a copy or a memset no block runs.
  if (model.occupancy.blocks_per_sm > 0) model.occupancy = occupancy_of(gpu, launch).occupancy;
  const auto used_sms = [&](const GpuNumbers& on) { return std::min(blocks, static_cast<double>(on.sms)); };
  const auto rounds = [&](const GpuNumbers& on, const Occupancy& occupancy) {
    return std::max(ratio(blocks, std::max(number(occupancy.blocks_per_sm), 1.0) * used_sms(on)), 1.0);
  };
  const double used_cycles = ratio(used_sms(own) * own.clock_hz, used_sms(gpu) * gpu.clock_hz),
               all_cycles = ratio(own.sms * own.clock_hz, gpu.sms * gpu.clock_hz);
  for (ModelTerm& term : model.terms) {
    if (term.name == "DRAM")
      term.seconds *= ratio(own.dram_copy_bytes_per_second, gpu.dram_copy_bytes_per_second);
    else if (term.name == "L2")
      term.seconds *= ratio(own.l2_bytes_per_second, gpu.l2_bytes_per_second);
    else if (term.name == "latency")
      term.seconds *= ratio(rounds(gpu, model.occupancy) * own.clock_hz, rounds(own, before) * gpu.clock_hz);
    else
      term.seconds *= term.name == "block launch" ? all_cycles : used_cycles;
  }
  model.decide(gpu.launch_overhead_s);
  return model;
}

RooflineModel roofline_model(const Book& book, const GpuNumbers& gpu) {
  RooflineModel model;
  model.gpu = gpu.full_name;
  model.modelled = book.report.gpus.empty() ? "" : book.report.gpus.front().full_name;
  model.bandwidth = gpu.dram_copy_bytes_per_second;
  model.peak = peak_flops(gpu);
  model.ridge = ratio(model.peak, model.bandwidth);
  for (const Side& side : sides_of(book)) {
    for (std::size_t index = 0; index < side.run->launches.size(); ++index) {
      const LaunchRecord& launch = side.run->launches[index];
      RooflinePoint point;
      point.launch = index;
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
      if (const auto again = remodel(own_gpu(book, gpu), gpu, launch)) point.bound_by = again->bound_by;
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

namespace {

constexpr const char* kOverhead = "launch overhead";

void add_part(std::vector<TimePart>& parts, const TimePart& part) {
  if (!(part.seconds > 0)) return;
  const auto known =
      std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.name == part.name; });
  if (known != parts.end())
    known->seconds += part.seconds;
  else
    parts.push_back(part);
}

/// What binds a launch, what the others add to it, and what the next one is.
void add_launch(TimeRow& row, const LaunchModel& model, double& longest_launch) {
  const auto binds = [&](const ModelTerm& term) { return term.name == model.bound_by; };
  std::vector<ModelTerm> others;
  std::remove_copy_if(model.terms.begin(), model.terms.end(), std::back_inserter(others), binds);
  const auto next =
      std::max_element(others.begin(), others.end(),
                       [](const ModelTerm& a, const ModelTerm& b) { return a.seconds < b.seconds; });
  const auto bound = std::find_if(model.terms.begin(), model.terms.end(), binds);
  const double overhead = model.overhead(), longest = bound != model.terms.end() ? bound->seconds : 0;
  add_part(row.parts, {kOverhead, overhead, false});
  add_part(row.parts, {model.bound_by, longest, true});
  add_part(row.parts, {"not overlapped", model.seconds - overhead - longest, false});
  row.next_seconds += overhead + overlapped(others);
  if (model.seconds > longest_launch) {
    longest_launch = model.seconds;
    row.bound_by = model.bound_by, row.next = next != others.end() && next->seconds > 0 ? next->name : "";
  }
}

/// What a GPU took for the reference's run of this entry, where it was timed at the same shape.
void add_recorded(TimeRow& row, const Book& book, const Side& side) {
  if (side.label != "reference" || book.other) return;
  for (const Measured& measured : book.measured)
    for (const MeasuredRow& each : measured.rows)
      if (each.label == "reference" && each.median && same_shape(measured, side.run->counted_case) &&
          (each.entry == side.entry || book.report.entries.size() == 1))
        row.recorded.push_back({measured.gpu, measured.date, *each.median, each.dram_bytes});
}

}  // namespace

std::vector<TimeRow> time_rows(const Book& book, const GpuNumbers& gpu) {
  std::vector<TimeRow> rows;
  for (const Side& side : sides_of(book)) {
    TimeRow row;
    row.name = side.name;
    row.label = side.label;
    row.launches = side.run->launches.size();
    row.remodelled = !is_own(book, gpu);
    row.dram_bytes = value_of(side.run, "bytes.dram");
    add_recorded(row, book, side);
    double total = 0, bytes = 0, longest = 0;
    bool all = !side.run->launches.empty();
    for (const LaunchRecord& launch : side.run->launches) {
      const auto seconds = seconds_on(book, gpu, launch);
      all &= seconds.has_value();
      total += seconds.value_or(0);
      bytes += number(launch.counters.compulsory_bytes());
      row.source = launch.time.source;
      const auto again = remodel(own_gpu(book, gpu), gpu, launch);
      if (again && launch.time.source == Source::modelled)
        add_launch(row, is_own(book, gpu) ? *launch.model : *again, longest);
    }
    if (row.source != Source::modelled) row.parts.clear(), row.bound_by = row.next = "";
    // The overhead first, then what binds longest, and last what the rest adds.
    std::stable_sort(row.parts.begin(), row.parts.end(), [](const TimePart& a, const TimePart& b) {
      const bool first = a.name == kOverhead, second = b.name == kOverhead;
      if (first != second) return first;
      return a.binds != b.binds ? a.binds : a.seconds > b.seconds;
    });
    if (all) row.seconds = total;
    row.floor_seconds = ratio(bytes, gpu.dram_copy_bytes_per_second) + gpu.launch_overhead_s;
    if (side.label == "you" && is_own(book, gpu)) row.before = value_of(before_of(book, side.entry), "time");
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string to_text(const std::vector<TimeRow>& rows) {
  std::string text;
  for (const TimeRow& row : rows) {
    text += fmt::format("  {}: {}", row.name, format_value(Unit::seconds, row.seconds));
    for (const TimePart& part : row.parts)
      text += fmt::format(", {} {}", part.name, format_seconds(part.seconds));
    if (!row.next.empty()) text += fmt::format("; then {}, {}", row.next, format_seconds(row.next_seconds));
    for (const RecordedTime& time : row.recorded)
      text += fmt::format("; recorded on {} {}, {} through DRAM", time.gpu, format_seconds(time.seconds),
                          format_value(Unit::bytes, time.dram_bytes));
    text += "\n";
  }
  return text;
}

std::vector<LadderPoint> ladder_points(const Book& book, const GpuNumbers& gpu) {
  std::vector<LadderPoint> points;
  for (const Measured& measured : book.measured)
    for (const MeasuredRow& row : measured.rows)
      if (row.threads && row.bytes_per_second && std::isfinite(*row.bytes_per_second) &&
          *row.bytes_per_second > 0)
        points.push_back({"", row.entry.empty() ? row.program : row.entry + " · " + row.program,
                          static_cast<std::uint64_t>(*row.threads), *row.bytes_per_second,
                          "recorded on " + measured.gpu});
  if (book.ladder.size() < 2) return points;
  for (const Report& report : book.ladder) {
    Book step;
    step.report = report;
    for (const Side& side : sides_of(step)) {
      double bytes = 0, seconds = 0;
      std::uint64_t block = 0, most = 0;
      bool all = !side.run->launches.empty();
      for (const LaunchRecord& launch : side.run->launches) {
        const auto time = seconds_on(step, gpu, launch);
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
