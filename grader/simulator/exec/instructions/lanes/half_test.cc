#include "grader/simulator/exec/instructions/lanes/half.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace fusebox::sim {
namespace {

/// A short format, by the list of all its values from 0 up, the last one infinite.
struct Format {
  std::vector<double> values;

  /// Found among the values, which is slow and sure: the nearest one, of two the one whose last bit is 0.
  std::uint16_t nearest(double v) const {
    if (std::isnan(v)) return 0x7fff;
    const double magnitude = std::fabs(v);
    const auto above = std::upper_bound(values.begin(), values.end(), magnitude);
    std::size_t place = static_cast<std::size_t>(above - values.begin()) - 1;
    if (place + 1 < values.size()) {
      // Infinity is as far from the largest number as the next one would be.
      const double step =
          place + 2 < values.size() ? values[place + 1] - values[place] : values[place] - values[place - 1];
      const double rest = magnitude - values[place];
      if (rest > step / 2 || (rest == step / 2 && place % 2 == 1)) ++place;
    }
    return static_cast<std::uint16_t>(place | (std::signbit(v) ? 0x8000u : 0u));
  }
};

Format f16() {
  Format format;
  for (int h = 0; h < 0x7c00; ++h)
    format.values.push_back(h < 0x400 ? std::ldexp(h, -24) : std::ldexp(0x400 + (h & 0x3ff), (h >> 10) - 25));
  format.values.push_back(INFINITY);
  return format;
}

Format bf16() {
  Format format;
  for (std::uint32_t b = 0; b <= 0x7f80; ++b) format.values.push_back(std::bit_cast<float>(b << 16));
  return format;
}

/// Each exponent with digits on both sides of what is kept and of what lies half way between.
std::vector<float> floats() {
  std::vector<float> all;
  for (std::uint32_t upper = 0; upper < 0x20000; ++upper)
    for (const std::uint32_t lower : {0x0000u, 0x0001u, 0x0fffu, 0x1000u, 0x1001u, 0x7fffu})
      all.push_back(std::bit_cast<float>(upper << 15 | lower));
  return all;
}

TEST(Half, FloatsAreRoundedToTheNearest) {
  const Format half = f16(), bfloat = bf16();
  for (const float v : floats()) {
    ASSERT_EQ(float_to_half(v), half.nearest(v)) << v;
    ASSERT_EQ(float_to_bf16(v), bfloat.nearest(v)) << v;
  }
}

TEST(Half, DoublesAreRoundedToTheNearestAndInEachDirection) {
  const Format half = f16(), bfloat = bf16();
  for (const float exact : floats())
    for (const double v : {double{exact}, exact * (1 + 0x1p-40), exact * (1 - 0x1p-40)}) {
      ASSERT_EQ(double_to_half(v), half.nearest(v)) << v;
      ASSERT_EQ(double_to_bf16(v), bfloat.nearest(v)) << v;
      if (!std::isfinite(v)) continue;
      const double down = half_to_float(double_to_half<Rounding::down>(v)),
                   up = half_to_float(double_to_half<Rounding::up>(v)),
                   cut = half_to_float(double_to_half<Rounding::toward_zero>(v));
      ASSERT_TRUE(down <= v && v <= up && std::fabs(cut) <= std::fabs(v)) << v;
      ASSERT_TRUE(cut == (v < 0 ? up : down)) << v;
      ASSERT_TRUE(down == up
                      ? down == v
                      : double_to_half(v) == double_to_half(down) || double_to_half(v) == double_to_half(up))
          << v;
    }
}

TEST(Half, EveryValueIsItselfAgain) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto h = static_cast<std::uint16_t>(bits);
    if ((h & 0x7fffu) > 0x7c00u) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(half_converted(h)), 0x7fffffffu);
    } else {
      EXPECT_EQ(float_to_half(half_converted(h)), h);
    }
    if ((h & 0x7fffu) > 0x7f80u) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(bf16_converted(h)), 0x7fffffffu);
    } else {
      EXPECT_EQ(float_to_bf16(bf16_converted(h)), h);
    }
  }
}

}  // namespace
}  // namespace fusebox::sim
