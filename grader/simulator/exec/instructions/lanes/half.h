#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "grader/simulator/exec/instructions/lanes/rounded.h"

// Software f16 and bf16, included into each build of the lane loops. Values travel as their bits.

namespace fusebox::sim {

inline float half_to_float(std::uint16_t h) {
  std::uint32_t sign = std::uint32_t{h & 0x8000u} << 16, magnitude = h & 0x7fffu;
  if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x400) return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
  float small = static_cast<float>(magnitude) * 0x1p-24f;  // subnormal: exact
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(small));
}

inline float bf16_to_float(std::uint16_t b) { return std::bit_cast<float>(std::uint32_t{b} << 16); }

/// What half_to_float and bf16_to_float do, but for a NaN, of which cvt knows only one.
inline float half_converted(std::uint16_t h) {
  return (h & 0x7fffu) > 0x7c00u ? std::bit_cast<float>(0x7fffffffu) : half_to_float(h);
}
inline float bf16_converted(std::uint16_t b) {
  return (b & 0x7fffu) > 0x7f80u ? std::bit_cast<float>(0x7fffffffu) : bf16_to_float(b);
}

/// Rounded to nearest even: what double_to_half and double_to_bf16 do, on the float's bits and without a
/// branch, so that 32 lanes at a time are a few instructions.
inline std::uint16_t float_to_half(float v) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(v), magnitude = bits & 0x7fffffffu;
  const std::uint32_t normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1)) >> 13;
  // Next to 0.5 the last place of a float is worth 2^-24, as that of a subnormal f16 is.
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  std::uint32_t half = magnitude < 0x38800000u ? subnormal : normal;
  half = magnitude >= 0x47800000u ? 0x7c00u : half;
  half |= bits >> 16 & 0x8000u;
  return static_cast<std::uint16_t>(magnitude > 0x7f800000u ? 0x7fffu : half);
}
inline std::uint16_t float_to_bf16(float v) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(v);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
  return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded);
}

/// The value as a format with `kMantissa` stored mantissa bits and smallest exponent `kMin`. The result is
/// exact in double; overflow is the caller's.
template <int kMantissa, int kMin, Rounding kMode = Rounding::nearest_even>
inline double round_to_format(double v) {
  if (v == 0 || !std::isfinite(v)) return v;
  const auto power_of_two = [](int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  };
  const int exponent =
      std::max(static_cast<int>(std::bit_cast<std::uint64_t>(v) >> 52 & 0x7ff) - 1023, kMin) - kMantissa;
  const double unit = power_of_two(exponent), scaled = v * power_of_two(-exponent);
  // Of numbers with so many digits the sum has none behind the point.
  constexpr double kNoFraction = 0x1.8p52;
  if constexpr (kMode == Rounding::nearest_even)
    return std::copysign(scaled + kNoFraction - kNoFraction, v) * unit;
  if constexpr (kMode == Rounding::down) return std::floor(scaled) * unit;
  if constexpr (kMode == Rounding::up) return std::ceil(scaled) * unit;
  return std::trunc(scaled) * unit;
}

/// Whether a finite value beyond the largest one becomes infinite, or that largest one.
template <Rounding kMode>
inline bool overflows_to_infinity(double v) {
  return kMode == Rounding::nearest_even || (kMode == Rounding::up && v > 0) ||
         (kMode == Rounding::down && v < 0);
}

template <Rounding kMode = Rounding::nearest_even>
inline std::uint16_t double_to_half(double v) {
  if (v != v) return 0x7fff;
  std::uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  double r = std::fabs(round_to_format<10, -14, kMode>(v));
  if (r > 65504.0) return sign | (std::isinf(v) || overflows_to_infinity<kMode>(v) ? 0x7c00 : 0x7bff);
  if (r < 0x1p-14) return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(r * 0x1p24));
  std::uint64_t bits = std::bit_cast<std::uint64_t>(r);
  return static_cast<std::uint16_t>(sign | (((bits >> 52) - 1023 + 15) << 10) | (bits >> 42 & 0x3ff));
}

/// a + b so rounded (to odd) that rounding it once more to a shorter format equals rounding the exact sum.
inline double add_to_odd(double a, double b) {
  double sum = a + b, other = sum - a;
  double error = (a - (sum - other)) + (b - other);
  if (error == 0 || !std::isfinite(sum)) return sum;
  std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  if (bits & 1) return sum;
  bool away = (error > 0) == (sum > 0);
  return std::bit_cast<double>(away ? bits + 1 : bits - 1);
}

template <Rounding kMode = Rounding::nearest_even>
inline std::uint16_t double_to_bf16(double v) {
  if (v != v) return 0x7fff;
  double r = round_to_format<7, -126, kMode>(v);
  if (std::fabs(r) > 0x1.fep127)
    r = std::copysign(std::isinf(v) || overflows_to_infinity<kMode>(v) ? INFINITY : 0x1.fep127, v);
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(r)) >> 16);
}

/// The 8-bit formats, saturating to their largest value; NaN is 0x7f in both.
inline std::uint8_t double_to_e4m3(double v) {
  if (v != v) return 0x7f;
  std::uint8_t sign = std::signbit(v) ? 0x80 : 0;
  double r = std::min(std::fabs(round_to_format<3, -6>(v)), 448.0);
  if (r < 0x1p-6) return static_cast<std::uint8_t>(sign | static_cast<std::uint8_t>(r * 0x1p9));
  std::uint64_t bits = std::bit_cast<std::uint64_t>(r);
  return static_cast<std::uint8_t>(sign | ((bits >> 52) - 1023 + 7) << 3 | (bits >> 49 & 7));
}
inline std::uint8_t double_to_e5m2(double v) {
  if (v != v) return 0x7f;
  double r = round_to_format<2, -14>(v);
  r = std::copysign(std::min(std::fabs(r), 57344.0), v);
  return static_cast<std::uint8_t>(double_to_half(r) >> 8);
}
inline double e4m3_to_double(std::uint8_t b) {
  int exponent = b >> 3 & 15, mantissa = b & 7;
  double v = exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
  if (exponent == 15 && mantissa == 7) v = NAN;
  return b & 0x80 ? -v : v;
}

}  // namespace fusebox::sim
