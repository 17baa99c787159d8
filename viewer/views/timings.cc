#include <algorithm>
#include <cmath>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

void draw_times(Panel& p) {
  Ui& ui = p.ui;
  const auto& rows = p.models.times;
  const GpuNumbers& gpu = p.book.report.gpus[p.state.gpu];
  const bool own = p.state.gpu == 0;
  double largest = 0;
  for (const TimeRow& row : rows)
    for (const double value : {row.seconds.value_or(0), row.before.value_or(0), row.floor_seconds})
      if (std::isfinite(value)) largest = std::max(largest, value);
  const bool modelled = std::all_of(rows.begin(), rows.end(),
                                    [](const TimeRow& row) { return row.source == Source::modelled; });
  std::string title = modelled || rows.empty() ? "Time, modelled for " + gpu.full_name
                                               : "Time, " + source_text(rows.front().source, p.book.report);
  p.heading(title, own ? "all launches of the counted case"
                       : "caches as modelled for " + p.book.report.gpus[0].name +
                             ", everything else as this GPU has it");
  float key = draw_key(ui, p.x, p.y, ui.theme.you, Look::solid, "you");
  key = draw_key(ui, key, p.y, ui.theme.reference, Look::hatched, "reference");
  ui.vertical(key + ui.px(2), p.y - ui.px(7), p.y + ui.px(7), ui.theme.ink, 2);
  ui.text(Font::small, key + ui.px(10), p.y, ui.theme.muted,
          "the roofline's floor: compulsory bytes at the speed of a large copy, and one launch");
  p.space(20);
  float names = 0;
  for (const TimeRow& row : rows) names = std::max(names, ui.width(Font::body, row.name));
  names = std::min(names + ui.px(18), p.width * 0.3f);
  const Axis axis{0, axis_end(largest, 1e-9), false, p.x + names, p.right() - ui.px(90)};
  const float row_height = ui.px(34), bar = ui.px(18);
  draw_axis(ui, axis, p.y, p.y + row_height * static_cast<float>(rows.size()), axis_format(Unit::seconds));
  for (const TimeRow& row : rows) {
    const float middle = p.y + row_height / 2;
    ui.text_fit(Font::body, p.x, middle, names - ui.px(8), ui.theme.ink, row.name);
    const Rect rect = draw_bar(ui, axis, middle - bar / 2, bar, row.seconds, Unit::seconds,
                               side_colour(ui.theme, row.label), side_look(row.label), row.before);
    const float floor = axis.at(row.floor_seconds);
    ui.vertical(floor - ui.px(1), middle - bar / 2 - ui.px(5), middle + bar / 2 + ui.px(5), ui.theme.panel,
                4);
    ui.vertical(floor, middle - bar / 2 - ui.px(5), middle + bar / 2 + ui.px(5), ui.theme.ink, 2);
    if (ui.mark("time", row.name, rect)) {
      Tip tip{row.name,
              {},
              (row.source == Source::modelled ? "Modelled for " + gpu.full_name
                                              : source_text(row.source, p.book.report)) +
                  ". A model: it says which part of the machine is the limit, not to the last per cent how "
                  "long it takes."};
      tip.lines = {{"all launches", format_value(Unit::seconds, row.seconds)},
                   {"launches", std::to_string(row.launches)},
                   {"floor", format_seconds(row.floor_seconds)}};
      if (row.seconds && row.floor_seconds > 0)
        tip.lines.push_back(
            {"times the floor", format_value(Unit::per_request, *row.seconds / row.floor_seconds)});
      if (row.before) tip.lines.push_back({"the run before", format_value(Unit::seconds, row.before)});
      ui.tip(std::move(tip));
    }
    p.y += row_height;
  }
  p.space(44);
}

void draw_bandwidth(Panel& p) {
  Ui& ui = p.ui;
  const auto& points = p.models.rungs;
  if (points.empty()) return;
  const GpuNumbers& gpu = p.book.report.gpus[p.state.gpu];
  p.heading(
      p.book.rungs.size() > 1 ? "The ladder: bandwidth against block size" : "Bandwidth against block size",
      "compulsory bytes by the time above; a line joins the runs of one rung");
  double most = gpu.dram_copy_bytes_per_second;
  double low = 32, high = 1024;
  for (const RungPoint& point : points) {
    if (std::isfinite(point.bytes_per_second)) most = std::max(most, point.bytes_per_second);
    if (point.block > 0)
      low = std::min(low, static_cast<double>(point.block)),
      high = std::max(high, static_cast<double>(point.block));
  }
  const float left = p.x + ui.px(84), height = ui.px(240), labels = ui.px(170);
  const float x_right = std::max(left + ui.px(120), std::min(p.right() - labels, left + ui.px(760)));
  const Axis y{0, axis_end(most), false, p.y + height, p.y};
  Axis x{std::log2(low) - 0.5, std::log2(high) + 0.5, false, left, x_right};
  for (const Tick& tick : ticks(y, ui.px(34))) {
    ui.hairline(left, x_right, tick.at, tick.value == 0 ? ui.theme.faint : ui.theme.hairline);
    ui.text_right(Font::small, left - ui.px(8), tick.at, ui.theme.muted,
                  axis_format(Unit::bytes_per_second)(tick.value));
  }
  for (int power = static_cast<int>(std::ceil(x.lo)); power <= x.hi; ++power) {
    ui.vertical(x.at(power), p.y, p.y + height, ui.theme.hairline);
    ui.text_center(Font::small, x.at(power), p.y + height + ui.px(11), ui.theme.muted,
                   std::to_string(1u << power));
  }
  ui.text_center(Font::small, (left + x_right) / 2, p.y + height + ui.px(29), ui.theme.muted,
                 "threads of a block");
  const float roof = y.at(gpu.dram_copy_bytes_per_second);
  ui.hairline(left, x_right, roof, ui.theme.ink);
  ui.text(Font::small, x_right + ui.px(8), roof, ui.theme.ink, "a large copy on " + gpu.name);
  constexpr int kShapes = 4;
  std::string last;
  int shape = -1;
  ImVec2 before{};
  float label_y = -1e9f;
  for (const RungPoint& point : points) {
    const std::string rung = point.puzzle;
    const ImVec2 at{x.at(std::log2(std::max<double>(static_cast<double>(point.block), 1))),
                    y.at(point.bytes_per_second)};
    if (rung != last) {
      ++shape;
    } else {
      ui.draw().AddLine(before, at, ui.theme.faint, ui.px(1.5f));
    }
    const bool mine = point.run.ends_with("you");
    const ImU32 colour = mine ? ui.theme.you : ui.theme.reference;
    const float r = ui.px(6);
    switch (shape % kShapes) {
      case 0:
        ui.draw().AddCircleFilled(at, r, colour, 20);
        break;
      case 1:
        ui.fill({at.x - r, at.y - r, 2 * r, 2 * r}, colour);
        break;
      case 2:
        ui.draw().AddTriangleFilled({at.x, at.y - r}, {at.x + r, at.y + r}, {at.x - r, at.y + r}, colour);
        break;
      default: {
        const ImVec2 diamond[] = {{at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y}};
        ui.draw().AddConvexPolyFilled(diamond, 4, colour);
      }
    }
    const std::string name = p.book.rungs.size() > 1 ? rung + " " + point.run : point.run;
    float text_y = at.y;
    if (std::abs(text_y - label_y) < ui.px(14)) text_y = label_y + ui.px(14);
    label_y = text_y;
    ui.text(Font::small, at.x + ui.px(11), text_y, ui.theme.ink, name);
    if (ui.mark("rung", name, {at.x - r, at.y - r, 2 * r, 2 * r}))
      ui.tip({name,
              {{"block", std::to_string(point.block) + " threads"},
               {"bandwidth", format_value(Unit::bytes_per_second, point.bytes_per_second)},
               {"of a large copy",
                format_value(Unit::ratio, point.bytes_per_second / gpu.dram_copy_bytes_per_second)}},
              "Compulsory bytes, counted, by the time of all launches."});
    before = at, last = rung;
  }
  p.y += height + ui.px(60);
}

}  // namespace

void draw_timings(Panel& p) {
  if (p.book.report.gpus.empty() || p.models.times.empty()) {
    p.nothing("Nothing was timed", p.book.report.gpus.empty()
                                       ? "This report is older than the GPUs in it; grade again."
                                       : "The counted case did not run; the Verdict says what comes first.");
    return;
  }
  draw_gpu_choice(p);
  draw_times(p);
  if (p.book.rungs.size() > 1) draw_bandwidth(p);
}

}  // namespace fusebox::view
