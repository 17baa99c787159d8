#include "viewer/plot/draw.h"

#include <algorithm>
#include <cmath>

namespace fusebox::view {

Formatter axis_format(Unit unit) {
  return [unit](double value) -> std::string {
    if (value == 0) return "0";
    std::string text = format_value(unit, value, Digits::narrow);
    // Ticks are round: "200 KiB", not "200.00 KiB"; "1 ms", not "1.00 ms".
    const std::size_t point = text.find('.'), space = text.find_first_of(" %", point);
    if (point != std::string::npos) {
      std::size_t end = std::min(space, text.size());
      std::size_t keep = end;
      while (keep > point + 1 && text[keep - 1] == '0') --keep;
      if (keep == point + 1) keep = point;
      text.erase(keep, end - keep);
    }
    return text;
  };
}

void draw_axis(Ui& ui, const Axis& axis, float top, float bottom, const Formatter& format, bool binary) {
  float widest = 0;
  for (const Tick& tick : ticks(axis, ui.px(40), binary))
    widest = std::max(widest, ui.width(Font::small, format(tick.value)));
  for (const Tick& tick : ticks(axis, std::max(ui.px(60), widest + ui.px(24)), binary)) {
    ui.vertical(tick.at, top, bottom,
                tick.value == axis.lo && !axis.log ? ui.theme.faint : ui.theme.hairline);
    ui.text_center(Font::small, tick.at, bottom + ui.px(11), ui.theme.muted, format(tick.value));
  }
}

float draw_ghost(Ui& ui, const Axis& axis, float top, float height, double value, Unit unit) {
  const float start = axis.at(axis.lo);
  const Rect old{start, top, std::floor(axis.at(value)) - start, height};
  if (value <= axis.hi) {
    ui.ghost(old);
    return old.right();
  }
  // Open at its end, with an arrow and its number: it goes on.
  const float tip = ui.px(7), middle = top + height / 2;
  ui.ghost_sides(old);
  for (const float back : {0.0f, tip * 0.8f}) {
    ui.draw().AddLine({old.right() - tip - back, middle - tip * 0.7f}, {old.right() - back, middle},
                      ui.theme.before, ui.px(1.5f));
    ui.draw().AddLine({old.right() - tip - back, middle + tip * 0.7f}, {old.right() - back, middle},
                      ui.theme.before, ui.px(1.5f));
  }
  const std::string text = "before: " + format_value(unit, value, Digits::narrow);
  ui.text_right(Font::small, old.right() - 2 * tip - ui.px(6), middle, ui.theme.muted, text);
  return old.right();
}

Rect draw_bar(Ui& ui, const Axis& axis, float top, float height, const Bar& shown) {
  const auto& [value, unit, colour, look, ghost, label_from] = shown;
  const float start = axis.at(axis.lo), y = std::floor(top), middle = y + height / 2;
  if (!value) {
    ui.text(Font::small, start + ui.px(6), middle, ui.theme.faint, "n/a");
    return {start, y, ui.px(60), height};
  }
  float end = std::floor(axis.at(*value));
  if (*value > 0) end = std::max(end, start + ui.px(2));  // something is something
  const Rect bar{start, y, std::max(end - start, 0.0f), height};
  if (look == Look::solid) {
    ui.fill(bar, colour);
  } else if (bar.w > 0) {
    ui.fill(bar, faded(colour, look == Look::hatched ? 0.28f : 0.12f));
    if (look == Look::hatched) ui.hatch(bar, faded(colour, 0.75f));
    ui.frame({bar.x, bar.y, bar.w - 1, bar.h - 1}, colour);
  }
  float label = std::max(bar.right(), label_from);
  if (ghost && *ghost > 0 && std::isfinite(*ghost) && std::abs(axis.at(*ghost) - bar.right()) >= 3)
    label = std::max(label, draw_ghost(ui, axis, y - ui.px(2), height + ui.px(4), *ghost, unit));
  const std::string text = format_value(unit, value, Digits::narrow);
  ui.text(Font::small, label + ui.px(6), middle, ui.theme.ink, text);
  return {start, y, std::max(bar.w, ui.px(24)), height};
}

ImU32 side_colour(const Theme& theme, const std::string& label) {
  return label == "you" ? theme.you : label == "before" ? theme.before : theme.reference;
}

Look side_look(const std::string& label) { return label == "you" ? Look::solid : Look::hatched; }

float draw_key(Ui& ui, float x, float y, ImU32 colour, Look look, std::string_view label) {
  const Rect sample{x, y - ui.px(5), ui.px(16), ui.px(10)};
  if (look == Look::solid) {
    ui.fill(sample, colour);
  } else {
    ui.fill(sample, faded(colour, look == Look::hatched ? 0.28f : 0.12f));
    if (look == Look::hatched) ui.hatch(sample, faded(colour, 0.75f));
    ui.frame({sample.x, sample.y, sample.w - 1, sample.h - 1}, colour);
  }
  ui.text(Font::small, sample.right() + ui.px(6), y, ui.theme.muted, label);
  return sample.right() + ui.px(22) + ui.width(Font::small, label);
}

}  // namespace fusebox::view
