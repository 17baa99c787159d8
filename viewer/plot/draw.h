#pragma once

#include <functional>
#include <optional>
#include <string>

#include "grader/report/text/format.h"
#include "viewer/plot/axis.h"
#include "viewer/ui.h"

namespace fusebox::view {

using Formatter = std::function<std::string(double)>;
/// Numbers of an axis: short, with their unit.
Formatter axis_format(Unit unit);

/// Gridlines from `top` to `bottom` at the ticks of a horizontal axis, and their labels below.
void draw_axis(Ui& ui, const Axis& axis, float top, float bottom, const Formatter& format,
               bool binary = false);

/// How a bar looks: its colour, and a sign that is not colour.
enum class Look { solid, hatched, outlined };

/// The run before, as a dashed outline. One that is longer than the axis has no end, but an arrow and its
/// number. Returns its right edge.
float draw_ghost(Ui& ui, const Axis& axis, float top, float height, double value, Unit unit);

/// What one bar shows.
struct Bar {
  std::optional<double> value;  ///< absent: "n/a"
  Unit unit;
  ImU32 colour;
  Look look = Look::solid;
  std::optional<double> ghost = std::nullopt;  ///< the run before
  float label_from = 0;                        ///< the number stands no further left than this
};

/// A horizontal bar from the axis' beginning; nothing for 0. The number stands behind the bar, or inside its
/// end where there is no room. Returns the bar's rectangle, at least as wide as can be pointed at.
Rect draw_bar(Ui& ui, const Axis& axis, float top, float height, const Bar& shown);

/// The look of a side: the learner's bars are solid, the reference's hatched.
ImU32 side_colour(const Theme& theme, const std::string& label);
Look side_look(const std::string& label);

/// A little sample of a look, for legends: returns the x behind its label.
float draw_key(Ui& ui, float x, float y, ImU32 colour, Look look, std::string_view label);

}  // namespace fusebox::view
