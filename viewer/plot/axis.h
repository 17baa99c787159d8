#pragma once

#include <vector>

namespace fusebox::view {

/// A range of values on a stretch of pixels. No drawing in it.
struct Axis {
  double lo = 0, hi = 1;
  bool log = false;
  float from = 0, to = 1;  ///< pixels of lo and of hi

  /// Where a value lies. What is outside the range, infinite or NaN is put on the nearer end (NaN: the
  /// first).
  float at(double value) const;
};

struct Tick {
  double value = 0;
  float at = 0;  ///< pixel
};

/// Ticks at 1, 2 or 5 times a power of ten (or, for bytes, of two) that stand at least `pitch` pixels apart.
/// A logarithmic axis gets its decades, or every second, third ... of them.
std::vector<Tick> ticks(const Axis& axis, float pitch, bool binary = false);

/// The end of an axis that begins at 0 and shows `largest` with some room; never below `least`. Values that
/// are not finite do not count.
double axis_end(double largest, double least = 1);

/// Lines of one pixel are sharp when they run through the middle of it.
float snap(float pixel);

}  // namespace fusebox::view
