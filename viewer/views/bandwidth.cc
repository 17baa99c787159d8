#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "viewer/views/panel.h"

// Bandwidth against the threads of a block: of one puzzle, or of a ladder's steps.

namespace fusebox::view {
namespace {

/// One of four signs, so that series are told apart without colour.
void draw_sign(Ui& ui, int shape, ImVec2 at, float r, ImU32 colour) {
  switch (shape % 4) {
    case 0:
      return ui.draw().AddCircleFilled(at, r, colour, 20);
    case 1:
      return ui.fill({at.x - r, at.y - r, 2 * r, 2 * r}, colour);
    case 2:
      return ui.draw().AddTriangleFilled({at.x, at.y - r}, {at.x + r, at.y + r}, {at.x - r, at.y + r},
                                         colour);
    default: {
      const ImVec2 diamond[] = {{at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y}};
      return ui.draw().AddConvexPolyFilled(diamond, 4, colour);
    }
  }
}

/// The area of the plot, threads of a block from left to right and bandwidth upwards, both logarithmic.
struct BandwidthAxes {
  Axis x;  ///< of the logarithm to base 2
  Axis y;
  float top = 0, bottom = 0;
};

BandwidthAxes bandwidth_axes(const Panel& p, double copy_rate) {
  double most = copy_rate;
  double low = 32, high = 1024;
  for (const LadderPoint& point : p.models.ladder) {
    if (std::isfinite(point.bytes_per_second)) most = std::max(most, point.bytes_per_second);
    if (point.block > 0)
      low = std::min(low, static_cast<double>(point.block)),
      high = std::max(high, static_cast<double>(point.block));
  }
  double least = most;
  for (const LadderPoint& point : p.models.ladder)
    if (point.bytes_per_second > 0) least = std::min(least, point.bytes_per_second);
  const float left = p.x + p.ui.px(84), labels = p.ui.px(210);
  const float right = std::max(left + p.ui.px(120), std::min(p.right() - labels, left + p.ui.px(760)));
  const float top = p.y, bottom = p.y + p.ui.px(240);
  return {{std::log2(low) - 0.5, std::log2(high) + 0.5, false, left, right},
          {least / 2, most * 2, true, bottom, top},
          top,
          bottom};
}

void draw_bandwidth_heading(Panel& p) {
  std::set<std::string> sources;
  for (const LadderPoint& point : p.models.ladder) sources.insert(point.source);
  std::string note = "the least bytes that a run must move, by its time: ";
  for (const std::string& source : sources) note += (source == *sources.begin() ? "" : ", and ") + source;
  p.heading(
      p.book.ladder.size() > 1 ? "The ladder: bandwidth against block size" : "Bandwidth against block size",
      note);
}

/// The ticks of both axes, and how fast a large copy is.
void draw_bandwidth_grid(Ui& ui, const BandwidthAxes& axes, const GpuNumbers& gpu) {
  const float left = axes.x.from, right = axes.x.to;
  for (const Tick& tick : ticks(axes.y, ui.px(34))) {
    ui.hairline(left, right, tick.at, tick.value == 0 ? ui.theme.faint : ui.theme.hairline);
    ui.text_right(Font::small, left - ui.px(8), tick.at, ui.theme.muted,
                  axis_format(Unit::bytes_per_second)(tick.value));
  }
  for (int power = static_cast<int>(std::ceil(axes.x.lo)); power <= axes.x.hi; ++power) {
    ui.vertical(axes.x.at(power), axes.top, axes.bottom, ui.theme.hairline);
    ui.text_center(Font::small, axes.x.at(power), axes.bottom + ui.px(11), ui.theme.muted,
                   std::to_string(1u << power));
  }
  ui.text_center(Font::small, (left + right) / 2, axes.bottom + ui.px(29), ui.theme.muted,
                 "threads of a block");
  const float roof = axes.y.at(gpu.dram_copy_bytes_per_second);
  ui.hairline(left, right, roof, ui.theme.ink);
  ui.text_right(Font::small, right - ui.px(4), roof - ui.px(10), ui.theme.ink,
                "a large copy on " + short_name(gpu));
}

/// A series is a step: one line, one sign, one name at its end.
struct StepSeries {
  std::string name;
  std::vector<const LadderPoint*> points;  ///< from small blocks to large ones
  int shape = 0;                           ///< of its sign
  ImU32 colour = 0;
};

std::vector<StepSeries> step_series(const std::vector<LadderPoint>& points, const Theme& theme) {
  std::map<std::string, std::vector<const LadderPoint*>> by_name;
  for (const LadderPoint& point : points)
    if (point.bytes_per_second > 0)
      by_name[point.puzzle.empty() ? point.run : point.puzzle + " · " + point.run].push_back(&point);
  std::vector<StepSeries> all;
  all.reserve(by_name.size());
  for (auto& [name, line] : by_name) {
    std::sort(line.begin(), line.end(), [](const auto* a, const auto* b) { return a->block < b->block; });
    all.push_back({name, std::move(line), static_cast<int>(all.size()),
                   name.ends_with("you") ? theme.you : theme.reference});
  }
  return all;
}

ImVec2 place_of(const LadderPoint& point, const BandwidthAxes& axes) {
  return {axes.x.at(std::log2(std::max<double>(static_cast<double>(point.block), 1))),
          axes.y.at(point.bytes_per_second)};
}

void draw_step_points(Ui& ui, const StepSeries& series, const BandwidthAxes& axes, double copy_rate) {
  const auto& points = series.points;
  for (std::size_t i = 1; i < points.size(); ++i)
    ui.draw().AddLine(place_of(*points[i - 1], axes), place_of(*points[i], axes), faded(series.colour, 0.7f),
                      ui.px(1.5f));
  for (const LadderPoint* point : points) {
    const ImVec2 here = place_of(*point, axes);
    const float r = ui.px(5.5f);
    draw_sign(ui, series.shape, here, r, series.colour);
    if (ui.mark("rung", series.name + "." + std::to_string(point->block),
                {here.x - r, here.y - r, 2 * r, 2 * r}))
      ui.tip({series.name,
              {{"block", std::to_string(point->block) + " threads"},
               {"bandwidth", format_value(Unit::bytes_per_second, point->bytes_per_second)},
               {"of a large copy", format_value(Unit::ratio, point->bytes_per_second / copy_rate)}},
              "The least bytes by the time, " + point->source + "."});
  }
}

/// Behind the plot at the height where the series ends, or below the names that stand there.
void draw_step_name(Panel& p, const StepSeries& series, const BandwidthAxes& axes,
                    std::vector<float>& taken) {
  Ui& ui = p.ui;
  const float right = axes.x.to;
  const ImVec2 end = place_of(*series.points.back(), axes);
  float label = end.y;
  while (std::any_of(taken.begin(), taken.end(),
                     [&](float other) { return std::abs(other - label) < ui.px(15); }))
    label += ui.px(15);
  taken.push_back(label);
  draw_sign(ui, series.shape, {right + ui.px(14), label}, ui.px(4.5f), series.colour);
  ui.text_fit(Font::small, right + ui.px(26), label, p.right() - right - ui.px(26), ui.theme.ink,
              series.name);
  ui.draw().AddLine({end.x + ui.px(7), end.y}, {right + ui.px(6), label}, faded(series.colour, 0.25f),
                    ui.px(1));
}

}  // namespace

void draw_bandwidth(Panel& p) {
  const GpuNumbers& gpu = p.book.report.gpus[p.state.gpu];
  draw_bandwidth_heading(p);
  const BandwidthAxes axes = bandwidth_axes(p, gpu.dram_copy_bytes_per_second);
  draw_bandwidth_grid(p.ui, axes, gpu);
  std::vector<float> taken;
  for (const StepSeries& series : step_series(p.models.ladder, p.ui.theme)) {
    draw_step_points(p.ui, series, axes, gpu.dram_copy_bytes_per_second);
    draw_step_name(p, series, axes, taken);
  }
  p.y = axes.bottom + p.ui.px(60);
}

}  // namespace fusebox::view
