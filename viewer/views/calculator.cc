#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

struct Slider {
  const char* id;
  const char* name;
  double lo, hi;
};

/// One slider with its name before it and its value behind it; logarithmic between lo and hi.
void slide(Panel& p, const Slider& slider, double& value, bool whole_powers, const std::string& shown) {
  Ui& ui = p.ui;
  const float middle = p.y + ui.px(14), label = ui.px(166), number = ui.px(84);
  ui.text(Font::body, p.x, middle, ui.theme.ink, slider.name);
  const double range = std::log2(slider.hi / slider.lo);
  double position = std::log2(std::clamp(value, slider.lo, slider.hi) / slider.lo) / range;
  const Rect rect{p.x + label, p.y, std::max(p.width - label - number, ui.px(80)), ui.px(28)};
  const double step = whole_powers ? 1 / range : 1 / (range * 8);
  if (ui.slider(slider.id, rect, position, step)) {
    double power = position * range;
    if (whole_powers) power = std::round(power);
    value = slider.lo * std::exp2(power);
  }
  ui.text_right(Font::body, p.x + p.width, middle, ui.theme.ink, shown);
  p.space(32);
}

/// The same of a small whole number, in equal steps.
void slide_count(Panel& p, const Slider& slider, double& value) {
  Ui& ui = p.ui;
  const float middle = p.y + ui.px(14), label = ui.px(166), number = ui.px(84);
  ui.text(Font::body, p.x, middle, ui.theme.ink, slider.name);
  const double range = slider.hi - slider.lo;
  double position = (value - slider.lo) / range;
  if (ui.slider(slider.id, {p.x + label, p.y, std::max(p.width - label - number, ui.px(80)), ui.px(28)},
                position, 1 / range))
    value = std::round(slider.lo + position * range);
  ui.text_right(Font::body, p.x + p.width, middle, ui.theme.ink, fmt::format("{:.0f}", value));
  p.space(32);
}

void draw_stack(Panel& p, const char* name, const Path& path, const Axis& bytes, const Axis& time,
                ImU32 colour) {
  Ui& ui = p.ui;
  ui.text(Font::bold, p.x, p.y + ui.px(12), ui.theme.ink, name);
  p.space(28);
  ui.text(Font::small, p.x, p.y + ui.px(9), ui.theme.muted, "bytes");
  Rect rect = draw_bar(ui, bytes, p.y, ui.px(18), {path.bytes(), Unit::bytes, colour});
  if (ui.mark("path", std::string(name) + ".bytes", rect))
    ui.tip({std::string(name) + ": bytes",
            {{"read", format_bytes(path.read_bytes)},
             {"written", format_bytes(path.write_bytes)},
             {"both", format_bytes(path.bytes())}},
            "By the formula below."});
  p.space(26);
  ui.text(Font::small, p.x, p.y + ui.px(9), ui.theme.muted, "time");
  const float from = time.at(0), memory = time.at(path.memory_seconds), end = time.at(path.seconds());
  ui.fill({from, p.y, memory - from, ui.px(18)}, colour);
  const Rect launches{memory, p.y, std::max(end - memory, 0.0f), ui.px(18)};
  ui.fill(launches, faded(ui.theme.faint, 0.4f));
  ui.hatch(launches, ui.theme.faint);
  ui.text(Font::small, end + ui.px(6), p.y + ui.px(9), ui.theme.ink, format_seconds(path.seconds()));
  if (ui.mark("path", std::string(name) + ".time", {from, p.y, std::max(end - from, ui.px(24)), ui.px(18)}))
    ui.tip({std::string(name) + ": time",
            {{"moving bytes", format_seconds(path.memory_seconds)},
             {"launching", format_seconds(path.launch_seconds)},
             {"both", format_seconds(path.seconds())}},
            "By the formula below."});
  p.space(36);
}

/// What can be changed.
void draw_controls(Panel& controls, CalculatorInput& in) {
  const auto whole = [](double value) { return format_value(Unit::count, std::round(value)); };
  slide(controls, {"rows", "N, rows", 1, 1 << 20}, in.rows, true, whole(in.rows));
  slide(controls, {"columns", "D, elements of a row", 32, 1 << 17}, in.columns, true, whole(in.columns));
  slide(controls, {"bytes", "bytes of an element", 1, 8}, in.element_bytes, true, whole(in.element_bytes));
  slide_count(controls, {"kernels", "unfused kernels", 1, 16}, in.kernels);
  slide_count(controls, {"passes", "tensors read and written", 0, 16}, in.passes);
  slide_count(controls, {"sums", "tensors only read", 0, 16}, in.sums);
  slide_count(controls, {"fused_reads", "fused: tensors read", 0, 16}, in.fused_reads);
  slide_count(controls, {"fused_writes", "fused: written", 0, 16}, in.fused_writes);
  slide(controls, {"bandwidth", "bandwidth of DRAM", 1e11, 1e13}, in.bandwidth, false,
        format_value(Unit::bytes_per_second, in.bandwidth));
  slide(controls, {"launch", "cost of a launch", 1e-7, 1e-4}, in.launch_cost, false,
        format_seconds(in.launch_cost));
}

/// Both paths, one above the other, and what lies between them.
void draw_result(Panel& right, const CalculatorResult& result) {
  Ui& ui = right.ui;
  const float bars = right.x + ui.px(52), end = right.right() - ui.px(80);
  const Axis bytes{0, axis_end(std::max(result.unfused.bytes(), result.fused.bytes())), false, bars, end};
  const Axis time{0, axis_end(std::max(result.unfused.seconds(), result.fused.seconds()), 1e-12), false, bars,
                  end};
  draw_stack(right, "unfused", result.unfused, bytes, time, ui.theme.reference);
  draw_stack(right, "fused", result.fused, bytes, time, ui.theme.you);
  const std::string faster = result.speed_up >= 1 ? fmt::format("{:.2f}× faster", result.speed_up)
                                                  : fmt::format("{:.2f}× slower", 1 / result.speed_up);
  ui.text(Font::title, right.x, right.y + ui.px(12), ui.theme.ink, faster);
  ui.text(Font::body, right.x + ui.width(Font::title, faster) + ui.px(14), right.y + ui.px(13),
          ui.theme.muted,
          fmt::format("{:.2f}× fewer bytes, {:.0f} launches fewer", result.byte_ratio,
                      result.unfused.launches - result.fused.launches));
  right.space(40);
}

void draw_formula(Panel& p, const CalculatorInput& in, const CalculatorResult& result) {
  Ui& ui = p.ui;
  p.heading("The formula");
  const std::string tensor = format_bytes(in.rows * in.columns * in.element_bytes);
  const auto row = [](const std::string& name, const std::string& formula, const std::string& value) {
    return fmt::format("{:<14} = {:<40} = {}", name, formula, value);
  };
  const std::string lines[] = {
      row("T", "N · D · bytes", tensor),
      row("unfused bytes", fmt::format("{:.0f} · read T + {:.0f} · write T", in.passes + in.sums, in.passes),
          format_bytes(result.unfused.bytes())),
      row("fused bytes", fmt::format("{:.0f} · read T + {:.0f} · write T", in.fused_reads, in.fused_writes),
          format_bytes(result.fused.bytes())),
      row("unfused time", "bytes / bandwidth + launches · cost", format_seconds(result.unfused.seconds())),
      row("fused time", "bytes / bandwidth + cost", format_seconds(result.fused.seconds())),
  };
  for (const std::string& line : lines) {
    ui.text(Font::mono, p.x, p.y + ui.px(10), ui.theme.ink, line);
    p.space(22);
  }
  p.space(10);
  p.muted(
      "Limited by bandwidth. On both sides these are compulsory bytes: what a kernel must move even where a cache keeps whatever it asks for twice, each tensor once; vectors and numbers per row are left out, a kernel that touches nothing else costs a launch. The counts begin as those of the open puzzle.");
  p.space(24);
}

}  // namespace

void draw_calculator(Panel& p) {
  Ui& ui = p.ui;
  CalculatorInput& in = p.state.calculator;
  p.heading(
      "What does fusing save?",
      "an operation on N rows of D elements: a chain of kernels, or one; it begins with the open puzzle's own shape and passes");
  const float top = p.y, gap = ui.px(48), left = std::clamp(p.width * 0.50f, ui.px(380), ui.px(640));
  const bool beside = p.width > ui.px(840);
  Panel controls = p.part(p.x, p.y, beside ? left : p.width);
  draw_controls(controls, in);

  const CalculatorResult result = calculate(in);
  Panel right = p.part(beside ? p.x + left + gap : p.x, beside ? top : controls.y + ui.px(16),
                       beside ? p.width - left - gap : p.width);
  draw_result(right, result);
  p.y = std::max(controls.y, right.y) + ui.px(20);

  ui.hairline(p.x, p.right(), p.y, ui.theme.hairline);
  p.space(16);
  draw_formula(p, in, result);
}

}  // namespace fusebox::view
