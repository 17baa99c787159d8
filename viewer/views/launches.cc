#include <algorithm>
#include <cmath>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

constexpr std::size_t kShownByName = 60;  // more boxes than this are narrower than any name

void draw_box(Panel& p, const Lane& lane, const LaunchBox& box, const Axis& axis, float top, float height) {
  Ui& ui = p.ui;
  const float start = axis.at(box.start), begin = axis.at(box.start + box.overhead), end = axis.at(box.end());
  const ImU32 colour = side_colour(ui.theme, lane.label);
  if (box.overhead > 0 && begin - start >= 1) {
    const Rect gap{start, top + height * 0.35f, begin - start, height * 0.3f};
    ui.fill(gap, faded(ui.theme.faint, 0.35f));
    if (gap.w > ui.px(8)) ui.hatch(gap, faded(ui.theme.faint, 0.8f));
  }
  const Rect rect{std::floor(begin), top, std::max(std::floor(end) - std::floor(begin), 1.0f), height};
  ui.fill(rect, ui.theme.panel, rect.w > ui.px(9) ? ui.px(3) : 0);
  ui.fill(rect,
          faded(colour, lane.label == "you" ? 0.9f
                        : rect.w > 3        ? 0.3f
                                            : 0.7f),
          rect.w > ui.px(9) ? ui.px(3) : 0);
  if (lane.label != "you" && rect.w > 3) ui.frame({rect.x, rect.y, rect.w - 1, rect.h - 1}, colour, ui.px(3));
  if (rect.w > ui.px(36) && lane.boxes.size() <= kShownByName) {
    const ImU32 ink = lane.label == "you" ? ui.theme.panel : ui.theme.ink;
    ui.text_fit(Font::small, rect.x + ui.px(6), rect.middle() - ui.px(7), rect.w - ui.px(10), ink,
                box.kernel);
    ui.text_fit(Font::small, rect.x + ui.px(6), rect.middle() + ui.px(8), rect.w - ui.px(10), ink,
                box.timed ? format_seconds(box.duration) : "time n/a");
  }
  const Selection& chosen = p.selection();
  if (chosen.run == lane.name && chosen.kernel == box.kernel)
    ui.frame(rect.inset(-ui.px(2)), ui.theme.accent, ui.px(4), ui.px(2));
  const bool hot = ui.mark("launch", lane.name + "." + std::to_string(box.index + 1),
                           {start, top, std::max(end - start, ui.px(2)), height});
  if (ui.clicked()) p.state.choose(select_launch(p.book, p.models.accesses, lane.name, box.index));
  if (hot) {
    Tip tip{box.kernel,
            {},
            box.timed ? source_text(box.source, p.book.report) + "." : "Nothing says how long it took."};
    tip.lines = {{"launch", std::to_string(box.index + 1) + " of " + std::to_string(lane.boxes.size())},
                 {"grid", extent_text(box.grid)},
                 {"block", extent_text(box.block)}};
    if (box.timed) {
      tip.lines.push_back({"kernel", format_seconds(box.duration)});
      if (box.overhead > 0) tip.lines.push_back({"launch overhead", format_seconds(box.overhead)});
    }
    if (!box.bound_by.empty()) tip.lines.push_back({"limited by", box.bound_by});
    tip.lines.push_back({"bytes requested", format_bytes(static_cast<double>(box.requested))});
    tip.lines.push_back({"bytes compulsory", format_bytes(static_cast<double>(box.compulsory))});
    ui.tip(std::move(tip));
  }
}

void draw_spans(Panel& p, const Lane& lane, const Axis& axis, float top) {
  Ui& ui = p.ui;
  for (const BufferSpan& span : lane.spans) {
    const float from = axis.at(span.from), to = axis.at(span.to);
    const Rect rect{from, top + ui.px(22) * static_cast<float>(span.row), std::max(to - from, ui.px(3)),
                    ui.px(18)};
    ui.fill(rect, ui.theme.panel, ui.px(3));
    ui.fill(rect, faded(ui.theme.dram, 0.18f), ui.px(3));
    ui.vertical(rect.x, rect.y, rect.bottom(), ui.theme.dram, 2);
    ui.vertical(rect.right() - ui.px(2), rect.y, rect.bottom(), ui.theme.dram, 2);
    ui.hairline(rect.x, rect.right(), rect.bottom() - ui.px(1), ui.theme.dram);
    const std::string label = span.tensor + "  " + format_bytes(static_cast<double>(span.bytes));
    if (ui.width(Font::small, label) + ui.px(12) < rect.w)
      ui.text(Font::small, rect.x + ui.px(7), rect.middle(), ui.theme.ink, label);
    else
      ui.text(Font::small, rect.right() + ui.px(6), rect.middle(), ui.theme.ink, label);
    if (span.tensor == p.selection().tensor)
      ui.frame(rect.inset(-ui.px(1)), ui.theme.accent, ui.px(3), ui.px(2));
    const bool hot = ui.mark("buffer", lane.name + "." + span.tensor, rect);
    if (ui.clicked()) p.state.choose(select_tensor(p.models.accesses, span.tensor, lane.name));
    if (hot)
      ui.tip(
          {span.tensor,
           {{"size", format_bytes(static_cast<double>(span.bytes))},
            {"written by launch", std::to_string(span.written_by + 1)},
            {"last read by launch", std::to_string(span.read_by + 1)}},
           "An intermediate: one launch writes it so that another can read it. Fused, it stays on the chip."});
  }
}

}  // namespace

void draw_launches(Panel& p) {
  Ui& ui = p.ui;
  const LaunchesModel& model = p.models.launches;
  if (model.lanes.empty()) {
    p.nothing("Nothing was launched", why_empty(p.book));
    return;
  }
  draw_size_choice(p);
  draw_headline(p, p.models.of_launches);
  p.heading("Launches", model.longest > 0 ? "one time axis for all, " + model.time_source
                                          : "no source says how long they took");
  float key = draw_key(ui, p.x, p.y, ui.theme.you, Look::solid, "you");
  key = draw_key(ui, key, p.y, ui.theme.reference, Look::hatched, "reference");
  const Rect gap{key, p.y - ui.px(4), ui.px(16), ui.px(8)};
  ui.fill(gap, faded(ui.theme.faint, 0.35f));
  ui.hatch(gap, faded(ui.theme.faint, 0.8f));
  ui.text(Font::small, key + ui.px(22), p.y, ui.theme.muted, "launch overhead");
  key += ui.px(38) + ui.width(Font::small, "launch overhead");
  ui.fill({key, p.y - ui.px(6), ui.px(16), ui.px(12)}, faded(ui.theme.dram, 0.18f));
  ui.vertical(key, p.y - ui.px(6), p.y + ui.px(6), ui.theme.dram, 2);
  ui.vertical(key + ui.px(14), p.y - ui.px(6), p.y + ui.px(6), ui.theme.dram, 2);
  ui.text(Font::small, key + ui.px(22), p.y, ui.theme.muted,
          "a tensor in between, from its writing to its last reading");
  p.space(24);

  float names = 0;
  for (const Lane& lane : model.lanes) names = std::max(names, ui.width(Font::body, lane.name));
  names = std::min(std::max(names, ui.px(120)) + ui.px(18), p.width * 0.3f);
  const Axis axis{0, axis_end(model.longest, 1e-9), false, p.x + names, p.right() - ui.px(30)};
  const float box = ui.px(46), top = p.y;
  float height = 0;
  for (const Lane& lane : model.lanes)
    height += box + ui.px(22) * static_cast<float>(lane.span_rows) + ui.px(lane.span_rows ? 30.0f : 24.0f);
  draw_axis(ui, axis, top, top + height, axis_format(Unit::seconds));
  for (const Lane& lane : model.lanes) {
    p.space(8);
    ui.text_fit(Font::body, p.x, p.y + ui.px(15), names - ui.px(8), ui.theme.ink, lane.name);
    ui.text_fit(Font::small, p.x, p.y + ui.px(33), names - ui.px(8), ui.theme.muted,
                std::to_string(lane.boxes.size()) + (lane.boxes.size() == 1 ? " launch, " : " launches, ") +
                    (model.longest > 0 ? format_seconds(lane.seconds) : "time n/a"));
    // Thousands of launches: what falls on the same pixel is drawn once.
    float drawn = -1;
    for (const LaunchBox& each : lane.boxes) {
      const float end = std::floor(axis.at(each.end()));
      if (end <= drawn && lane.boxes.size() > kShownByName) continue;
      draw_box(p, lane, each, axis, p.y, box);
      drawn = end;
    }
    p.y += box + ui.px(6);
    draw_spans(p, lane, axis, p.y);
    p.y += ui.px(22) * static_cast<float>(lane.span_rows) + ui.px(lane.span_rows ? 16.0f : 10.0f);
  }
  p.space(40);
  if (!model.all_timed)
    p.muted("Launches without a time are drawn as a line of one pixel: copies and memsets are not modelled.");
}

}  // namespace fusebox::view
