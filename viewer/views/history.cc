#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

void draw_trail(Panel& p, const std::vector<const HistoryPoint*>& points) {
  Ui& ui = p.ui;
  double max_bytes = 0, max_seconds = 0;
  for (const HistoryPoint* point : points) {
    if (std::isfinite(*point->bytes)) max_bytes = std::max(max_bytes, *point->bytes);
    if (std::isfinite(*point->seconds)) max_seconds = std::max(max_seconds, *point->seconds);
  }
  const float left = p.x + ui.px(84), height = std::clamp(p.height * 0.45f, ui.px(200), ui.px(420));
  const Axis x{0, axis_end(max_seconds, 1e-9), false, left,
               std::min(p.right() - ui.px(60), left + ui.px(900))};
  const Axis y{0, axis_end(max_bytes), false, p.y + height, p.y};
  for (const Tick& tick : ticks(y, ui.px(34), true)) {
    ui.hairline(left, x.to, tick.at, tick.value == 0 ? ui.theme.faint : ui.theme.hairline);
    ui.text_right(Font::small, left - ui.px(8), tick.at, ui.theme.muted,
                  axis_format(Unit::bytes)(tick.value));
  }
  for (const Tick& tick : ticks(x, ui.px(90))) {
    ui.vertical(tick.at, p.y, p.y + height, tick.value == 0 ? ui.theme.faint : ui.theme.hairline);
    ui.text_center(Font::small, tick.at, p.y + height + ui.px(11), ui.theme.muted,
                   axis_format(Unit::seconds)(tick.value));
  }
  ui.text_center(Font::small, (left + x.to) / 2, p.y + height + ui.px(30), ui.theme.muted,
                 "time of all launches, modelled; up: bytes requested, counted");
  const auto at = [&](const HistoryPoint& point) { return ImVec2{x.at(*point.seconds), y.at(*point.bytes)}; };
  for (std::size_t i = 1; i < points.size(); ++i)
    ui.draw().AddLine(at(*points[i - 1]), at(*points[i]), faded(ui.theme.you, 0.4f), ui.px(1.5f));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const HistoryPoint& point = *points[i];
    const ImVec2 here = at(point);
    const bool last = i + 1 == points.size();
    const ImU32 colour = colour_of(ui.theme, point.verdict);
    const float r = ui.px(last ? 8.0f : 5.5f);
    if (point.verdict == Outcome::passed)
      ui.draw().AddCircleFilled(here, r, colour, 24);
    else
      ui.draw().AddCircle(here, r, colour, 24, ui.px(2));
    if (last) ui.text(Font::small, here.x + ui.px(13), here.y, ui.theme.ink, "now");
    if (ui.mark("attempt", std::to_string(i + 1), {here.x - r, here.y - r, 2 * r, 2 * r}))
      ui.tip({when_text(point.milliseconds),
              {{"verdict", to_string(point.verdict)},
               {"bytes requested", format_value(Unit::bytes, point.bytes)},
               {"time, modelled", format_value(Unit::seconds, point.seconds)}},
              point.sentence});
  }
  p.y += height + ui.px(56);
}

}  // namespace

void draw_history(Panel& p) {
  Ui& ui = p.ui;
  if (p.history.empty()) {
    p.nothing("No attempt at " + p.book.report.puzzle + " yet",
              "Every grading is kept here: save the puzzle, or press F5.");
    return;
  }
  std::vector<const HistoryPoint*> counted;
  for (const HistoryPoint& point : p.history)
    if (point.bytes && point.seconds && std::isfinite(*point.bytes) && std::isfinite(*point.seconds))
      counted.push_back(&point);
  p.heading("The trail", counted.empty()
                             ? "no attempt ran far enough to be counted"
                             : fmt::format("{} of {} attempts ran far enough to be counted{}", counted.size(),
                                           p.history.size(),
                                           p.book.report.entries.size() > 1 ? "; of the last entry" : ""));
  if (!counted.empty()) draw_trail(p, counted);
  p.heading("Attempts", "newest first");
  const float when = ui.px(170), verdict = ui.px(110), number = ui.px(110);
  const char* heads[] = {"bytes requested", "time"};
  ui.text(Font::small, p.x, p.y + ui.px(6), ui.theme.muted, "when");
  ui.text(Font::small, p.x + when, p.y + ui.px(6), ui.theme.muted, "verdict");
  for (int i = 0; i < 2; ++i)
    ui.text_right(Font::small, p.x + when + verdict + number * static_cast<float>(i + 1), p.y + ui.px(6),
                  ui.theme.muted, heads[i]);
  const float rest = p.x + when + verdict + 2 * number + ui.px(24);
  p.space(20);
  for (auto point = p.history.rbegin(); point != p.history.rend(); ++point) {
    ui.hairline(p.x, p.right(), p.y, ui.theme.hairline);
    const float middle = p.y + ui.px(13);
    ui.text(Font::body, p.x, middle, ui.theme.ink, when_text(point->milliseconds));
    ui.text(Font::body, p.x + when, middle, colour_of(ui.theme, point->verdict),
            std::string(sign_of(point->verdict)) + " " + to_string(point->verdict));
    ui.text_right(Font::body, p.x + when + verdict + number, middle,
                  point->bytes ? ui.theme.ink : ui.theme.faint, format_value(Unit::bytes, point->bytes));
    ui.text_right(Font::body, p.x + when + verdict + 2 * number, middle,
                  point->seconds ? ui.theme.ink : ui.theme.faint,
                  format_value(Unit::seconds, point->seconds));
    const bool cut =
        ui.text_fit(Font::small, rest, middle, p.right() - rest, ui.theme.muted, point->sentence);
    if (ui.mark("row", std::to_string(point->milliseconds), {p.x, p.y, p.width, ui.px(26)}) && cut)
      ui.tip({when_text(point->milliseconds), {}, point->sentence});
    p.space(26);
  }
  p.space(24);
}

}  // namespace fusebox::view
