#include "viewer/plot/axis.h"

#include <algorithm>
#include <cmath>

namespace fusebox::view {
namespace {

constexpr std::size_t kMaxTicks = 200;

/// The smallest step of 1, 2, 5 x 10^k (binary: 2^k) that is not below `least`.
double step_above(double least, bool binary) {
  if (binary) return std::exp2(std::ceil(std::log2(least) - 1e-9));
  const double decade = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (decade * factor >= least * (1 - 1e-9)) return decade * factor;
  return decade * 10;
}

}  // namespace

float Axis::at(double value) const {
  if (std::isnan(value)) return from;
  double share = 0;
  if (log) {
    const double low = std::log10(std::max(lo, 1e-300)), high = std::log10(std::max(hi, 1e-300));
    share = value > 0 && high > low ? (std::log10(value) - low) / (high - low) : 0;
  } else if (hi > lo) {
    share = (value - lo) / (hi - lo);
  }
  return from + (to - from) * static_cast<float>(std::clamp(share, 0.0, 1.0));
}

std::vector<Tick> ticks(const Axis& axis, float pitch, bool binary) {
  std::vector<Tick> result;
  const float length = std::abs(axis.to - axis.from);
  if (!(axis.hi > axis.lo) || !std::isfinite(axis.lo) || !std::isfinite(axis.hi) || length < 1 || pitch <= 0)
    return result;
  if (axis.log) {
    if (axis.lo <= 0) return result;
    const int first = static_cast<int>(std::ceil(std::log10(axis.lo) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(axis.hi) + 1e-9));
    const double decades = std::log10(axis.hi / axis.lo);
    const int every = std::max(1, static_cast<int>(std::ceil(pitch * decades / length)));
    for (int k = first; k <= last && result.size() < kMaxTicks; k += every) {
      const double value = std::pow(10.0, k);
      result.push_back({value, axis.at(value)});
    }
    return result;
  }
  const double step = step_above((axis.hi - axis.lo) * pitch / length, binary);
  if (!(step > 0)) return result;
  for (double n = std::ceil(axis.lo / step - 1e-9); result.size() < kMaxTicks; ++n) {
    const double value = n * step;
    if (value > axis.hi * (1 + 1e-12)) break;
    result.push_back({value, axis.at(value)});
  }
  return result;
}

double axis_end(double largest, double least) {
  if (!std::isfinite(largest) || largest < least) return least;
  return largest * 1.04;
}

float snap(float pixel) { return std::floor(pixel) + 0.5f; }

}  // namespace fusebox::view
