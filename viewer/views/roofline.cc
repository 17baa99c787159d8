#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

std::string flops_text(double rate) {
  constexpr const char* kUnits[] = {"flop/s", "kflop/s", "Mflop/s", "Gflop/s", "Tflop/s", "Pflop/s"};
  int unit = 0;
  while (unit < 5 && rate >= 999.5) rate /= 1000, ++unit;
  return fmt::format("{:.3g} {}", rate, kUnits[unit]);
}

std::string intensity_text(double value) {
  return value >= 0.01 ? fmt::format("{:.3g}", value) : fmt::format("{:.0e}", value);
}

}  // namespace

void draw_roofline(Panel& p) {
  Ui& ui = p.ui;
  const RooflineModel& model = p.models.roofline;
  if (p.book.report.gpus.empty() || model.points.empty()) {
    p.nothing("No launch to place under the roof",
              "The counted case did not run, or this report is from an older version.");
    return;
  }
  draw_gpu_choice(p);
  p.heading("Roofline, " + model.gpu,
            p.state.gpu == 0
                ? "operations and compulsory bytes counted, time modelled"
                : "operations and compulsory bytes counted, time modelled, caches as modelled for " +
                      model.modelled);
  double low = 0.05, high = std::max(model.ridge * 4, 64.0), slow = model.peak / 1e4;
  for (const RooflinePoint& point : model.points) {
    if (point.intensity > 0 && std::isfinite(point.intensity))
      low = std::min(low, point.intensity / 2), high = std::max(high, point.intensity * 2);
    if (point.rate && *point.rate > 0 && std::isfinite(*point.rate)) slow = std::min(slow, *point.rate / 3);
  }
  slow = std::max(slow, model.peak * 1e-9);
  const float left = p.x + ui.px(90), height = std::clamp(p.height - ui.px(190), ui.px(260), ui.px(620));
  const Axis x{low, high, true, left, p.right() - ui.px(20)};
  const Axis y{slow, model.peak * 2.5, true, p.y + height, p.y};
  for (const Tick& tick : ticks(y, ui.px(30))) {
    ui.hairline(left, x.to, tick.at, ui.theme.hairline);
    ui.text_right(Font::small, left - ui.px(8), tick.at, ui.theme.muted, flops_text(tick.value));
  }
  for (const Tick& tick : ticks(x, ui.px(60))) {
    ui.vertical(tick.at, p.y, p.y + height, ui.theme.hairline);
    ui.text_center(Font::small, tick.at, p.y + height + ui.px(11), ui.theme.muted,
                   intensity_text(tick.value));
  }
  ui.text_center(Font::small, (left + x.to) / 2, p.y + height + ui.px(30), ui.theme.muted,
                 "floating-point operations per compulsory byte");
  // The roof: bandwidth up to the ridge, then the lanes.
  ui.draw().PushClipRect({left, p.y}, {x.to, p.y + height}, true);
  const auto roof = [&](double intensity) {
    return ImVec2{x.at(intensity), y.at(std::min(model.peak, intensity * model.bandwidth))};
  };
  // Where the slope leaves the picture at the bottom, or at its left edge.
  const double start = std::max(low, slow / model.bandwidth);
  ui.draw().AddLine(roof(start), roof(model.ridge), ui.theme.ink, ui.px(2));
  ui.draw().AddLine(roof(model.ridge), roof(high), ui.theme.ink, ui.px(2));
  ui.draw().PopClipRect();
  ui.text(Font::small, x.at(model.ridge) + ui.px(8), y.at(model.peak) - ui.px(12), ui.theme.ink,
          flops_text(model.peak) + " in fp32");
  const ImVec2 middle = roof(std::sqrt(start * model.ridge));
  ui.text_right(Font::small, middle.x - ui.px(10), middle.y - ui.px(8), ui.theme.ink,
                format_value(Unit::bytes_per_second, model.bandwidth) + ", a large copy");
  if (ui.mark("roof", "ridge",
              {x.at(model.ridge) - ui.px(8), y.at(model.peak) - ui.px(8), ui.px(16), ui.px(16)}))
    ui.tip({"ridge",
            {{"at", fmt::format("{:.3g} operations per byte", model.ridge)}},
            "Left of it the memory is the limit, right of it the arithmetic."});
  std::vector<Rect> labels;
  // The reference's below the learner's, so that of two that agree both are seen.
  std::vector<std::size_t> order;
  std::set<std::tuple<bool, int, int>> spots;  // launches that fall on the same spot are one point
  for (const bool mine : {false, true}) {
    for (std::size_t i = 0; i < model.points.size(); ++i) {
      const RooflinePoint& point = model.points[i];
      if ((point.label == "you") != mine || !point.rate || !(point.intensity > 0) || !(*point.rate > 0))
        continue;
      const auto spot = [](float pixel) { return static_cast<int>(pixel / 3); };
      if (spots.emplace(mine, spot(x.at(point.intensity)), spot(y.at(*point.rate))).second)
        order.push_back(i);
    }
  }
  for (const std::size_t at : order) {
    const RooflinePoint& point = model.points[at];
    if (!point.rate || !(point.intensity > 0)) continue;
    const float x0 = x.at(point.intensity), y0 = y.at(*point.rate);
    labels.push_back({x0 - ui.px(7), y0 - ui.px(7), ui.px(14), ui.px(14)});
  }
  const std::size_t points = labels.size();
  std::vector<std::string> named;
  for (const std::size_t which : order) {
    const RooflinePoint& point = model.points[which];
    const std::size_t index = which + 1;
    if (!(point.intensity > 0) || !point.rate || !(*point.rate > 0)) continue;
    const ImVec2 at{x.at(point.intensity), y.at(*point.rate)};
    const ImU32 colour = side_colour(ui.theme, point.label);
    const float r = ui.px(point.label == "you" ? 5.5f : 9.0f);
    if (point.label == "you") {
      ui.draw().AddCircleFilled(at, r, colour, 24);
    } else {
      const ImVec2 diamond[] = {{at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y}};
      ui.draw().AddConvexPolyFilled(diamond, 4, faded(colour, 0.35f));
      ui.draw().AddPolyline(diamond, 4, colour, ImDrawFlags_Closed, ui.px(1.5f));
    }
    ui.draw().AddLine({at.x, at.y - r}, {at.x, roof(point.intensity).y}, faded(colour, 0.35f), ui.px(1));
    // Names only where they do not cover each other.
    const std::string name = point.kernel;
    Rect label{0, at.y - ui.px(8), ui.width(Font::small, name), ui.px(16)};
    const auto is_free = [&](const Rect& r) {
      return std::none_of(labels.begin(), labels.end(), [&](const Rect& o) {
        return r.x < o.right() && o.x < r.right() && r.y < o.bottom() && o.y < r.bottom();
      });
    };
    const bool known = std::find(named.begin(), named.end(), name) != named.end();
    for (const float side : {at.x + ui.px(12), at.x - ui.px(12) - label.w}) {
      label.x = side;
      if (known || label.right() > x.to || label.x < left || !is_free(label) || labels.size() >= points + 24)
        continue;
      ui.text(Font::small, label.x, label.middle(), ui.theme.ink, name);
      labels.push_back(label);
      named.push_back(name);
      break;
    }
    if (ui.mark("point", point.run + "." + std::to_string(index), {at.x - r, at.y - r, 2 * r, 2 * r})) {
      Tip tip{point.kernel, {}, "Operations and bytes counted; time modelled for " + model.gpu + "."};
      tip.lines = {{"run", point.run},
                   {"operations per byte", fmt::format("{:.3g}", point.intensity)},
                   {"reached", flops_text(*point.rate)},
                   {"of what this intensity allows",
                    format_value(Unit::ratio, point.roof > 0 ? *point.rate / point.roof : 0)},
                   {"time", format_value(Unit::seconds, point.seconds)},
                   {"floor", format_seconds(point.floor_seconds)}};
      if (!point.bound_by.empty()) tip.lines.push_back({"limited by", point.bound_by});
      ui.tip(std::move(tip));
    }
  }
  p.y += height + ui.px(48);
  float key = p.x;
  ui.draw().AddCircleFilled({key + ui.px(6), p.y}, ui.px(5), ui.theme.you, 20);
  ui.text(Font::small, key + ui.px(18), p.y, ui.theme.muted, "a launch of yours");
  key += ui.px(40) + ui.width(Font::small, "a launch of yours");
  const float r = ui.px(5);
  const ImVec2 diamond[] = {{key + r, p.y - r}, {key + 2 * r, p.y}, {key + r, p.y + r}, {key, p.y}};
  ui.draw().AddConvexPolyFilled(diamond, 4, ui.theme.reference);
  ui.text(Font::small, key + ui.px(18), p.y, ui.theme.muted,
          "of the reference; launches without floating-point operations have no place here");
  p.space(28);
}

void draw_occupancy(Panel& p) {
  Ui& ui = p.ui;
  const auto& rows = p.models.occupancy;
  if (p.book.report.gpus.empty() || rows.empty()) {
    p.nothing("No launch occupies an SM",
              "The counted case did not run, or this report is from an older version.");
    return;
  }
  draw_gpu_choice(p);
  const GpuNumbers& gpu = p.book.report.gpus[p.state.gpu];
  const double most = gpu.max_threads_per_sm / 32.0;
  p.heading(
      "Occupancy on " + gpu.full_name,
      fmt::format(
          "warps that one of {} SMs holds at once, of {:.0f}; worked out from registers, shared memory and block size",
          gpu.sms, most));
  const char* heads[] = {"threads", "registers", "shared", "blocks / SM", "waves"};
  float names = ui.px(120);
  for (const OccupancyRow& row : rows) names = std::max(names, ui.width(Font::body, row.kernel) + ui.px(16));
  names = std::min(names, p.width * 0.28f);
  const float column = ui.px(88), numbers = column * 5;
  const float bars = p.x + names,
              bar_width = std::clamp(p.width - names - numbers - ui.px(150), ui.px(90), ui.px(520));
  const float first = bars + bar_width + ui.px(150);
  for (int i = 0; i < 5; ++i)
    ui.text_right(Font::small, first + column * static_cast<float>(i) + ui.px(64), p.y + ui.px(6),
                  ui.theme.muted, heads[i]);
  ui.text(Font::small, bars, p.y + ui.px(6), ui.theme.muted, "warps, and what allows no more");
  p.space(18);
  std::string run;
  for (const OccupancyRow& row : rows) {
    if (row.run != run) {
      run = row.run;
      p.space(6);
      ui.text(Font::bold, p.x, p.y + ui.px(12), ui.theme.ink, run);
      p.space(26);
      ui.hairline(p.x, std::min(first + numbers - ui.px(20), p.right()), p.y, ui.theme.hairline);
    }
    const float middle = p.y + ui.px(18);
    const bool mine = run.ends_with("you");
    ui.text_fit(Font::body, p.x, middle, names - ui.px(10), ui.theme.ink, row.kernel);
    const Axis axis{0, most, false, bars, bars + bar_width};
    ui.fill({bars, middle - ui.px(8), bar_width, ui.px(16)}, ui.theme.raised, ui.px(2));
    const Rect bar{bars, middle - ui.px(8), axis.at(static_cast<double>(row.occupancy.warps_per_sm)) - bars,
                   ui.px(16)};
    ui.fill(bar, faded(mine ? ui.theme.you : ui.theme.reference, mine ? 1 : 0.35f), ui.px(2));
    if (!mine) ui.hatch(bar, ui.theme.reference);
    ui.text(Font::body, bars + bar_width + ui.px(10), middle - ui.px(7), ui.theme.ink,
            format_value(Unit::ratio, row.occupancy.ratio));
    ui.text(Font::small, bars + bar_width + ui.px(10), middle + ui.px(9), ui.theme.muted,
            row.occupancy.blocks_per_sm == 0 ? "does not fit: " + row.occupancy.limited_by
                                             : "by " + row.occupancy.limited_by);
    const std::string values[] = {
        std::to_string(row.threads), row.registers ? std::to_string(*row.registers) : "n/a",
        format_bytes(static_cast<double>(row.shared_bytes)), std::to_string(row.occupancy.blocks_per_sm),
        fmt::format("{:.2f}", row.waves)};
    for (int i = 0; i < 5; ++i)
      ui.text_right(Font::body, first + column * static_cast<float>(i) + ui.px(64), middle,
                    values[i] == "n/a" ? ui.theme.faint : ui.theme.ink, values[i]);
    if (ui.mark("occupancy", row.run + "." + row.kernel, {p.x, p.y, p.width, ui.px(36)})) {
      Tip tip{row.kernel,
              {},
              "Blocks that each limit allows on an SM; the smallest counts. A wave fills the GPU once."};
      for (const Limit& limit : row.limits)
        tip.lines.push_back(
            {"by " + limit.name, limit.known ? std::to_string(limit.blocks) + " blocks" : "n/a"});
      tip.lines.push_back({"warps on an SM", fmt::format("{} of {:.0f}", row.occupancy.warps_per_sm, most)});
      ui.tip(std::move(tip));
    }
    p.space(36);
  }
  p.space(24);
}

}  // namespace fusebox::view
