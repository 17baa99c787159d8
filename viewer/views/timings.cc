#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

/// A colour for each part of the machine; the names stand in the bars, too.
ImU32 part_colour(const Theme& theme, const std::string& name) {
  if (name == "DRAM") return theme.dram;
  if (name == "L2") return theme.requested;
  if (name == "latency") return theme.open;
  if (name == "load-store") return theme.compulsory;
  return name == "issue" ? theme.heat : theme.faint;
}

std::string time_title(const Panel& p) {
  const auto& rows = p.models.times;
  const bool modelled = std::all_of(rows.begin(), rows.end(),
                                    [](const TimeRow& row) { return row.source == Source::modelled; });
  return modelled || rows.empty() ? "Time, modelled for " + p.book.report.gpus[p.state.gpu].full_name
                                  : "Time, " + source_text(rows.front().source, p.book.report);
}

Tip tip_of(const Panel& p, const TimeRow& row) {
  const GpuNumbers& gpu = p.book.report.gpus[p.state.gpu];
  Tip tip{
      row.name,
      {},
      (row.source == Source::modelled ? "Modelled for " + gpu.full_name
                                      : source_text(row.source, p.book.report)) +
          ". A model: it says which part of the machine is the limit, not to the last per cent how long it takes."};
  tip.lines = {{"all launches", format_value(Unit::seconds, row.seconds)},
               {"launches", std::to_string(row.launches)}};
  for (const TimePart& part : row.parts)
    tip.lines.push_back({part.binds ? "bound by " + part.name : part.name, format_seconds(part.seconds)});
  if (!row.next.empty())
    tip.lines.push_back({"if that were gone: " + row.next, format_seconds(row.next_seconds)});
  tip.lines.push_back({"floor", format_seconds(row.floor_seconds)});
  if (row.seconds && row.floor_seconds > 0)
    tip.lines.push_back(
        {"times the floor", format_value(Unit::per_request, *row.seconds / row.floor_seconds)});
  if (row.dram_bytes)
    tip.lines.push_back({"DRAM bytes, modelled", format_value(Unit::bytes, row.dram_bytes)});
  if (row.before) tip.lines.push_back({"the run before", format_value(Unit::seconds, row.before)});
  return tip;
}

/// The bar of a run: what binds its launches, one after the other, and the total behind it.
Rect draw_stack(Ui& ui, const TimeRow& row, const Axis& axis, float top, float height) {
  if (row.parts.empty() || !row.seconds)
    return draw_bar(
        ui, axis, top, height,
        {row.seconds, Unit::seconds, side_colour(ui.theme, row.label), side_look(row.label), row.before});
  double at = 0;
  const float middle = top + height / 2;
  for (const TimePart& part : row.parts) {
    const float from = axis.at(at), to = axis.at(at += part.seconds);
    const Rect rect{std::floor(from), std::floor(top), std::max(std::floor(to) - std::floor(from), 1.0f),
                    height};
    const ImU32 colour = part_colour(ui.theme, part.name);
    const bool mine = row.label == "you";
    ui.fill(rect, faded(colour, mine && part.binds ? 0.95f : 0.35f));
    if (!part.binds || !mine) ui.hatch(rect, faded(colour, 0.75f));
    if (!mine) ui.frame({rect.x, rect.y, rect.w - 1, rect.h - 1}, colour);
    const ImU32 ink = mine && part.binds ? ui.theme.panel : ui.theme.ink;
    const float name = rect.x + (rect.w - ui.width(Font::small, part.name)) / 2;
    if (ui.width(Font::small, part.name) + ui.px(10) < rect.w) {
      if (!mine || !part.binds)
        ui.fill({name - ui.px(3), rect.y + ui.px(2), ui.width(Font::small, part.name) + ui.px(6),
                 rect.h - ui.px(4)},
                faded(ui.theme.panel, 0.8f));
      ui.text(Font::small, name, middle, ink, part.name);
    }
  }
  const float end = axis.at(*row.seconds);
  const float floor = axis.at(row.floor_seconds);
  float label = floor > end && floor < end + ui.px(200) ? floor + ui.px(3) : end;  // not through the words
  if (row.before && std::abs(axis.at(*row.before) - end) >= 3)
    label =
        std::max(label, draw_ghost(ui, axis, top - ui.px(2), height + ui.px(4), *row.before, Unit::seconds));
  std::string text = format_value(Unit::seconds, row.seconds, Digits::narrow);
  if (row.dram_bytes) text += ", DRAM " + format_value(Unit::bytes, row.dram_bytes, Digits::narrow);
  ui.text(Font::small, label + ui.px(6), middle, ui.theme.ink, text);
  return {axis.from, top, std::max(end - axis.from, ui.px(24)), height};
}

/// What a GPU took, and moved, for the same run: below the modelled bar, on the same axis.
void draw_recorded(Panel& p, const TimeRow& row, const Axis& axis) {
  Ui& ui = p.ui;
  for (const RecordedTime& time : row.recorded) {
    const Rect bar{axis.from, std::floor(p.y), std::max(axis.at(time.seconds) - axis.from, ui.px(2)),
                   ui.px(11)};
    ui.frame({bar.x, bar.y, bar.w - 1, bar.h - 1}, ui.theme.ink);
    std::string text = format_seconds(time.seconds);
    if (time.dram_bytes) text += ", DRAM " + format_value(Unit::bytes, time.dram_bytes, Digits::narrow);
    ui.text(Font::small, bar.right() + ui.px(6), bar.middle(), ui.theme.ink, text + ", recorded");
    if (ui.mark("recorded", row.name, bar))
      ui.tip({row.name,
              {{"median", format_seconds(time.seconds)},
               {"DRAM bytes, each kernel from empty caches until it ended",
                format_value(Unit::bytes, time.dram_bytes)},
               {"modelled", format_value(Unit::seconds, row.seconds)}},
              "Recorded on " + time.gpu + ", " + time.date + ", at this size."});
    p.space(17);
  }
}

void draw_times_key(Panel& p) {
  Ui& ui = p.ui;
  float key = p.x;
  std::set<std::string> seen;
  bool recorded = false;
  for (const TimeRow& row : p.models.times) {
    recorded |= !row.recorded.empty();
    for (const TimePart& part : row.parts)
      if (seen.insert(part.name).second)
        key = draw_key(ui, key, p.y, part_colour(ui.theme, part.name),
                       part.binds ? Look::solid : Look::hatched, part.name);
  }
  if (recorded) key = draw_key(ui, key, p.y, ui.theme.ink, Look::outlined, "recorded on a GPU");
  ui.vertical(key + ui.px(2), p.y - ui.px(7), p.y + ui.px(7), ui.theme.ink, 2);
  ui.text_fit(Font::small, key + ui.px(10), p.y, p.right() - key, ui.theme.muted,
              "floor: one launch that copies the compulsory bytes");
  p.space(20);
}

/// Over what the bars go. A GPU's counters stop with the kernels: what they leave in L2 is not in its bytes.
std::string time_note(const Panel& p) {
  if (p.state.gpu != 0)
    return "caches as modelled for " + short_name(p.book.report.gpus[0]) +
           ", everything else as this GPU has it";
  const auto& rows = p.models.times;
  const bool recorded =
      std::any_of(rows.begin(), rows.end(), [](const TimeRow& row) { return !row.recorded.empty(); });
  return "all launches, " + size_text(p.book) +
         (recorded ? "; DRAM: modelled with what stays in L2 to be written, recorded without" : "");
}

void draw_times(Panel& p) {
  Ui& ui = p.ui;
  const auto& rows = p.models.times;
  double largest = 0;
  float names = 0, height = 0;
  for (const TimeRow& row : rows) {
    for (const double value : {row.seconds.value_or(0), row.before.value_or(0), row.floor_seconds})
      if (std::isfinite(value)) largest = std::max(largest, value);
    for (const RecordedTime& time : row.recorded) largest = std::max(largest, time.seconds);
    names = std::max(names, ui.width(Font::body, row.name));
    height += ui.px(row.next.empty() ? 34.0f : 44.0f) + ui.px(17) * static_cast<float>(row.recorded.size());
  }
  p.heading(time_title(p), time_note(p));
  draw_times_key(p);
  names = std::min(names + ui.px(18), p.width * 0.3f);
  const Axis axis{0, axis_end(largest, 1e-9), false, p.x + names, p.right() - ui.px(200)};
  const float bar = ui.px(18);
  draw_axis(ui, axis, p.y, p.y + height, axis_format(Unit::seconds));
  for (const TimeRow& row : rows) {
    const float top = p.y + ui.px(7), middle = top + bar / 2;
    ui.text_fit(Font::body, p.x, middle, names - ui.px(8), ui.theme.ink, row.name);
    const Rect rect = draw_stack(ui, row, axis, top, bar);
    const float floor = axis.at(row.floor_seconds);
    ui.vertical(floor - ui.px(1), top - ui.px(4), top + bar + ui.px(4), ui.theme.panel, 4);
    ui.vertical(floor, top - ui.px(4), top + bar + ui.px(4), ui.theme.ink, 2);
    if (ui.mark("time", row.name, rect)) ui.tip(tip_of(p, row));
    p.space(30);
    if (!row.next.empty()) {
      const float end = axis.at(row.next_seconds), y = top + bar + ui.px(4);
      ui.fill({axis.from, y, end - axis.from, ui.px(3)}, faded(part_colour(ui.theme, row.next), 0.9f));
      ui.text(Font::small, end + ui.px(6), y + ui.px(3), ui.theme.muted,
              "then " + row.next + ", " + format_seconds(row.next_seconds));
      p.space(10);
    }
    draw_recorded(p, row, axis);
    p.space(4);
  }
  p.space(44);
}

std::string name_of(const MeasuredRow& row) {
  return row.entry.empty() ? label_text(row) : row.entry + " · " + label_text(row);
}

Tip tip_of(const Measured& measured, const MeasuredRow& row) {
  Tip tip{name_of(row),
          {},
          "Recorded on " + measured.gpu + ", " + measured.date + ", " + std::to_string(measured.samples) +
              " samples."};
  tip.lines = {{"median", format_value(Unit::seconds, row.median)},
               {"one fifth is below", format_value(Unit::seconds, row.p20)},
               {"one fifth is above", format_value(Unit::seconds, row.p80)},
               {"bandwidth", format_value(Unit::bytes_per_second, row.bytes_per_second)},
               {"DRAM bytes, each kernel from empty caches until it ended",
                format_value(Unit::bytes, row.dram_bytes)}};
  return tip;
}

/// The bar of what was recorded, with its spread, or why there is none.
Rect draw_measured_bar(Panel& p, const MeasuredRow& row, const Axis& axis, float middle) {
  Ui& ui = p.ui;
  const float bar = ui.px(15);
  if (!row.median) {
    ui.text_fit(Font::small, axis.from + ui.px(6), middle, p.right() - axis.from, ui.theme.bad,
                row.problem.empty() ? "n/a" : row.problem);
    return {axis.from, middle - bar / 2, ui.px(60), bar};
  }
  const std::string side = row.program == "you" ? "you" : row.program == "reference" ? "reference" : "before";
  const Rect rect = draw_bar(ui, axis, middle - bar / 2, bar,
                             {row.median, Unit::seconds, side_colour(ui.theme, side), side_look(side),
                              std::nullopt, row.p80 ? axis.at(*row.p80) : 0});
  if (row.dram_bytes)
    ui.text_right(Font::small, p.right(), middle, ui.theme.muted,
                  "DRAM " + format_value(Unit::bytes, row.dram_bytes, Digits::narrow));
  if (row.p20 && row.p80) {
    const float from = axis.at(*row.p20), to = axis.at(*row.p80);
    ui.hairline(from, to, middle, ui.theme.ink);
    for (const float end : {from, to}) ui.vertical(end, middle - ui.px(5), middle + ui.px(5), ui.theme.ink);
  }
  return rect;
}

/// What a GPU really took, with the middle three fifths of its samples.
void draw_measured(Panel& p, const Measured& measured) {
  Ui& ui = p.ui;
  p.heading(
      "Time, recorded on " + measured.gpu + (measured.date.empty() ? "" : ", " + measured.date),
      measured.sizes + "; medians, and from where to where the middle three fifths of the samples reach");
  double largest = 0;
  float names = 0;
  std::vector<const MeasuredRow*> rows;  // those of several block sizes are in the plot below
  for (const MeasuredRow& row : measured.rows)
    if (!row.threads) rows.push_back(&row);
  for (const MeasuredRow* row : rows) {
    for (const auto& value : {row->median, row->p80})
      if (value && std::isfinite(*value)) largest = std::max(largest, *value);
    names = std::max(names, ui.width(Font::body, name_of(*row)));
  }
  names = std::min(names + ui.px(18), p.width * 0.34f);
  const Axis axis{0, axis_end(largest, 1e-9), false, p.x + names, p.right() - ui.px(180)};
  const float height = ui.px(28);
  draw_axis(ui, axis, p.y, p.y + height * static_cast<float>(rows.size()), axis_format(Unit::seconds));
  for (const MeasuredRow* row : rows) {
    const float middle = p.y + height / 2;
    ui.text_fit(Font::body, p.x, middle, names - ui.px(8), ui.theme.ink, name_of(*row));
    const Rect rect = draw_measured_bar(p, *row, axis, middle);
    if (ui.mark("measured", name_of(*row), rect)) ui.tip(tip_of(measured, *row));
    p.y += height;
  }
  p.space(44);
}

/// What was recorded at the size that is shown first.
void draw_all_measured(Panel& p) {
  std::string shape;
  for (const Side& side : sides_of(p.book)) shape = side.run->counted_case;
  for (const bool same : {true, false})
    for (const Measured& measured : p.book.measured)
      if (same_shape(measured, shape) == same) draw_measured(p, measured);
}

}  // namespace

void draw_timings(Panel& p) {
  if (p.book.report.gpus.empty() || p.models.times.empty()) {
    if (!p.book.measured.empty()) {
      draw_all_measured(p);
      return;
    }
    p.nothing("Nothing was timed", p.book.report.gpus.empty()
                                       ? "This report is older than the GPUs in it; grade again."
                                       : why_empty(p.book));
    return;
  }
  draw_size_choice(p);
  draw_gpu_choice(p);
  draw_headline(p, p.models.of_times);
  draw_times(p);
  draw_all_measured(p);
  if (!p.models.ladder.empty()) draw_bandwidth(p);
}

}  // namespace fusebox::view
