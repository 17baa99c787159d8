#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

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

/// The value as a format with `kMantissa` stored mantissa bits and smallest exponent `kLeast`, rounded to
/// nearest even, or truncated. The result is exact in double; overflow is the caller's.
template <int kMantissa, int kLeast, bool kTruncate>
inline double round_to_format(double v) {
  if (v == 0 || !std::isfinite(v)) return v;
  int exponent = std::max(std::ilogb(v), kLeast);
  double unit = std::ldexp(1.0, exponent - kMantissa);
  double scaled = v / unit;
  return (kTruncate ? std::trunc(scaled) : std::nearbyint(scaled)) * unit;
}

template <bool kTruncate = false>
inline std::uint16_t double_to_half(double v) {
  if (v != v) return 0x7fff;
  std::uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  double r = std::fabs(round_to_format<10, -14, kTruncate>(v));
  if (r > 65504.0) return sign | (kTruncate && !std::isinf(v) ? 0x7bff : 0x7c00);
  if (r < 0x1p-14) return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(r * 0x1p24));
  std::uint64_t bits = std::bit_cast<std::uint64_t>(r);
  return static_cast<std::uint16_t>(sign | (((bits >> 52) - 1023 + 15) << 10) | (bits >> 42 & 0x3ff));
}

template <bool kTruncate = false>
inline std::uint16_t float_to_bf16(float v) {
  if (v != v) return 0x7fff;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(v);
  if (!kTruncate) bits += 0x7fff + (bits >> 16 & 1);
  return static_cast<std::uint16_t>(bits >> 16);
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

template <bool kTruncate = false>
inline std::uint16_t double_to_bf16(double v) {
  if (v != v) return 0x7fff;
  double r = round_to_format<7, -126, kTruncate>(v);
  if (std::fabs(r) > 0x1.fep127)
    r = kTruncate && !std::isinf(v) ? std::copysign(0x1.fep127, v) : std::copysign(INFINITY, v);
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(r)) >> 16);
}

}  // namespace fusebox::sim
