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

/// The plot: its two axes and where it stands.
struct Plot {
  Axis x, y;
  float left = 0, top = 0, height = 0;
  double low = 0, high = 0, slow = 0;  ///< intensities, and the slowest rate
};

Plot plot_of(const Panel& p, const RooflineModel& model) {
  Plot plot;
  plot.low = 0.05, plot.high = std::max(model.ridge * 4, 64.0), plot.slow = model.peak / 1e4;
  for (const RooflinePoint& point : model.points) {
    if (point.intensity > 0 && std::isfinite(point.intensity))
      plot.low = std::min(plot.low, point.intensity / 2),
      plot.high = std::max(plot.high, point.intensity * 2);
    if (point.rate && *point.rate > 0 && std::isfinite(*point.rate))
      plot.slow = std::min(plot.slow, *point.rate / 3);
  }
  plot.slow = std::max(plot.slow, model.peak * 1e-9);
  plot.left = p.x + p.ui.px(90), plot.top = p.y;
  plot.height = std::clamp(p.height - p.ui.px(280), p.ui.px(240), p.ui.px(1000));
  plot.x = {plot.low, plot.high, true, plot.left, p.right() - p.ui.px(20)};
  plot.y = {plot.slow, model.peak * 2.5, true, plot.top + plot.height, plot.top};
  return plot;
}

void draw_grid(Ui& ui, const Plot& plot) {
  const float bottom = plot.top + plot.height;
  for (const Tick& tick : ticks(plot.y, ui.px(30))) {
    ui.hairline(plot.left, plot.x.to, tick.at, ui.theme.hairline);
    ui.text_right(Font::small, plot.left - ui.px(8), tick.at, ui.theme.muted, flops_text(tick.value));
  }
  for (const Tick& tick : ticks(plot.x, ui.px(60))) {
    ui.vertical(tick.at, plot.top, bottom, ui.theme.hairline);
    ui.text_center(Font::small, tick.at, bottom + ui.px(11), ui.theme.muted, intensity_text(tick.value));
  }
  ui.text_center(Font::small, (plot.left + plot.x.to) / 2, bottom + ui.px(30), ui.theme.muted,
                 "floating-point operations per compulsory byte");
}

ImVec2 roof_at(const Plot& plot, const RooflineModel& model, double intensity) {
  return {plot.x.at(intensity), plot.y.at(std::min(model.peak, intensity * model.bandwidth))};
}

/// Bandwidth up to the ridge, then the lanes.
void draw_roof(Ui& ui, const Plot& plot, const RooflineModel& model) {
  const ImVec2 ridge = roof_at(plot, model, model.ridge);
  // Where the slope leaves the picture at the bottom, or at its left edge.
  const double start = std::max(plot.low, plot.slow / model.bandwidth);
  ui.draw().PushClipRect({plot.left, plot.top}, {plot.x.to, plot.top + plot.height}, true);
  ui.draw().AddLine(roof_at(plot, model, start), ridge, ui.theme.ink, ui.px(2));
  ui.draw().AddLine(ridge, roof_at(plot, model, plot.high), ui.theme.ink, ui.px(2));
  ui.draw().PopClipRect();
  ui.text(Font::small, ridge.x + ui.px(8), plot.y.at(model.peak) - ui.px(12), ui.theme.ink,
          flops_text(model.peak) + " in fp32");
  const ImVec2 middle = roof_at(plot, model, std::sqrt(start * model.ridge));
  ui.text_right(Font::small, middle.x - ui.px(10), middle.y - ui.px(8), ui.theme.ink,
                format_value(Unit::bytes_per_second, model.bandwidth) + ", a large copy");
  if (ui.mark("roof", "ridge", {ridge.x - ui.px(8), plot.y.at(model.peak) - ui.px(8), ui.px(16), ui.px(16)}))
    ui.tip({"ridge",
            {{"at", fmt::format("{:.3g} operations per byte", model.ridge)}},
            "Left of it the memory is the limit, right of it the arithmetic."});
}

/// The points to draw, as indices: the reference's below the learner's, so that of two that agree both are
/// seen. Launches that fall on the same spot are one point.
std::vector<std::size_t> points_to_draw(const Plot& plot, const RooflineModel& model) {
  std::vector<std::size_t> order;
  std::set<std::tuple<bool, int, int>> spots;
  for (const bool mine : {false, true}) {
    for (std::size_t i = 0; i < model.points.size(); ++i) {
      const RooflinePoint& point = model.points[i];
      if ((point.label == "you") != mine || !point.rate || !(point.intensity > 0) || !(*point.rate > 0))
        continue;
      const auto spot = [](float pixel) { return static_cast<int>(pixel / 3); };
      if (spots.emplace(mine, spot(plot.x.at(point.intensity)), spot(plot.y.at(*point.rate))).second)
        order.push_back(i);
    }
  }
  return order;
}

/// Names of points, each once, and only where they cover neither a point nor each other.
class Names {
 public:
  Names(Ui& ui, const Plot& plot) : ui_(ui), plot_(plot) {}
  void keep_free(const Rect& rect) { taken_.push_back(rect), ++max_taken_; }
  void draw(const std::string& name, ImVec2 at) {
    if (std::find(named_.begin(), named_.end(), name) != named_.end() || taken_.size() >= max_taken_) return;
    Rect label{0, at.y - ui_.px(8), ui_.width(Font::small, name), ui_.px(16)};
    for (const float side : {at.x + ui_.px(12), at.x - ui_.px(12) - label.w}) {
      label.x = side;
      if (label.right() > plot_.x.to || label.x < plot_.left || !is_free(label)) continue;
      ui_.text(Font::small, label.x, label.middle(), ui_.theme.ink, name);
      taken_.push_back(label);
      named_.push_back(name);
      return;
    }
  }

 private:
  bool is_free(const Rect& r) const {
    return std::none_of(taken_.begin(), taken_.end(), [&](const Rect& o) {
      return r.x < o.right() && o.x < r.right() && r.y < o.bottom() && o.y < r.bottom();
    });
  }
  Ui& ui_;
  const Plot& plot_;
  std::vector<Rect> taken_;
  std::vector<std::string> named_;
  std::size_t max_taken_ = 24;
};

Tip tip_of(const RooflinePoint& point, const RooflineModel& model) {
  Tip tip{point.kernel, {}, "Operations and bytes counted; time modelled for " + model.gpu + "."};
  tip.lines = {{"run", point.run},
               {"operations per byte", fmt::format("{:.3g}", point.intensity)},
               {"reached", flops_text(*point.rate)},
               {"of what this intensity allows",
                format_value(Unit::ratio, point.roof > 0 ? *point.rate / point.roof : 0)},
               {"time", format_value(Unit::seconds, point.seconds)},
               {"floor", format_seconds(point.floor_seconds)}};
  if (!point.bound_by.empty()) tip.lines.push_back({"limited by", point.bound_by});
  return tip;
}

void draw_diamond(Ui& ui, ImVec2 at, float r, ImU32 colour, float share) {
  const ImVec2 diamond[] = {{at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y}};
  ui.draw().AddConvexPolyFilled(diamond, 4, faded(colour, share));
  ui.draw().AddPolyline(diamond, 4, colour, ImDrawFlags_Closed, ui.px(1.5f));
}

void draw_point(Panel& p, const Plot& plot, std::size_t index, Names& names) {
  Ui& ui = p.ui;
  const RooflineModel& model = p.models.roofline;
  const RooflinePoint& point = model.points[index];
  const ImVec2 at{plot.x.at(point.intensity), plot.y.at(*point.rate)};
  const ImU32 colour = side_colour(ui.theme, point.label);
  const float r = ui.px(point.label == "you" ? 5.5f : 9.0f);
  if (point.run == p.selection().run && point.kernel == p.selection().kernel)
    ui.draw().AddCircle(at, ui.px(14), ui.theme.accent, 28, ui.px(2));
  if (point.label == "you")
    ui.draw().AddCircleFilled(at, r, colour, 24);
  else
    draw_diamond(ui, at, r, colour, 0.35f);
  ui.draw().AddLine({at.x, at.y - r}, {at.x, roof_at(plot, model, point.intensity).y}, faded(colour, 0.35f),
                    ui.px(1));
  names.draw(point.kernel, at);
  const bool hot =
      ui.mark("point", point.run + "." + std::to_string(index + 1), {at.x - r, at.y - r, 2 * r, 2 * r});
  if (ui.clicked()) p.state.choose(select_launch(p.book, p.models.accesses, point.run, point.launch));
  if (hot) ui.tip(tip_of(point, model));
}

void draw_legend(Panel& p) {
  Ui& ui = p.ui;
  float key = p.x;
  ui.draw().AddCircleFilled({key + ui.px(6), p.y}, ui.px(5), ui.theme.you, 20);
  ui.text(Font::small, key + ui.px(18), p.y, ui.theme.muted, "a launch of yours");
  key += ui.px(40) + ui.width(Font::small, "a launch of yours");
  draw_diamond(ui, {key + ui.px(5), p.y}, ui.px(5), ui.theme.reference, 1);
  ui.text(Font::small, key + ui.px(18), p.y, ui.theme.muted,
          "of the reference; launches without floating-point operations have no place here");
  p.space(28);
}

}  // namespace

void draw_roofline(Panel& p) {
  Ui& ui = p.ui;
  const RooflineModel& model = p.models.roofline;
  if (p.book.report.gpus.empty() || model.points.empty()) {
    p.nothing("No launch to place under the roof", why_empty(p.book));
    return;
  }
  draw_size_choice(p);
  draw_gpu_choice(p);
  draw_headline(p, p.models.of_roofline);
  p.heading("Roofline, " + model.gpu,
            p.state.gpu == 0
                ? "operations and compulsory bytes counted, time modelled"
                : "operations and compulsory bytes counted, time modelled, caches as modelled for " +
                      model.modelled);
  const Plot plot = plot_of(p, model);
  draw_grid(ui, plot);
  draw_roof(ui, plot, model);
  const std::vector<std::size_t> order = points_to_draw(plot, model);
  Names names(ui, plot);
  for (const std::size_t index : order) {
    const RooflinePoint& point = model.points[index];
    names.keep_free(
        {plot.x.at(point.intensity) - ui.px(7), plot.y.at(*point.rate) - ui.px(7), ui.px(14), ui.px(14)});
  }
  for (const std::size_t index : order) draw_point(p, plot, index, names);
  p.y += plot.height + ui.px(48);
  draw_legend(p);
}

}  // namespace fusebox::view
