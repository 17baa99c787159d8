#include "grader/catalog/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace fusebox {
namespace {

double to_float(double value) { return static_cast<double>(static_cast<float>(value)); }

}  // namespace

double Random::uniform(double low, double high) {
  // 53 random bits make every multiple of 2^-53 in [0, 1) equally likely.
  const double unit = std::ldexp(static_cast<double>(engine_() >> 11), -53);
  // Rounding may bring the sum up to `high`, which is not part of the range.
  return std::min(low + (high - low) * unit, std::nextafter(high, low));
}

double Random::normal(double mean, double deviation) {
  // 1 - uniform is in (0, 1], so that the logarithm is finite.
  const double radius = std::sqrt(-2 * std::log(1 - uniform(0, 1)));
  return mean + deviation * radius * std::cos(2 * std::numbers::pi * uniform(0, 1));
}

std::int64_t Random::below(std::int64_t bound) {
  if (bound <= 1) return 0;
  // Values past the last whole multiple of `bound` would make the small results likelier: draw again.
  const auto range = static_cast<std::uint64_t>(bound);
  const std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t limit = last - last % range;
  std::uint64_t drawn = engine_();
  while (drawn >= limit) drawn = engine_();
  return static_cast<std::int64_t>(drawn % range);
}

std::vector<double> Random::normals(std::int64_t count, double mean, double deviation) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = to_float(normal(mean, deviation));
  return values;
}

std::vector<double> Random::signed_uniforms(std::int64_t count, double low, double high) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) {
    const double magnitude = to_float(uniform(low, high));
    value = below(2) == 0 ? magnitude : -magnitude;
  }
  return values;
}

double round_to_bf16(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  constexpr int kSignificantBits = 8, kSmallestStep = -133;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int step = std::max(exponent - kSignificantBits, kSmallestStep);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
  constexpr double kLargest = 0x1.fep127;
  return std::fabs(rounded) > kLargest ? std::copysign(std::numeric_limits<double>::infinity(), value)
                                       : rounded;
}

}  // namespace fusebox
