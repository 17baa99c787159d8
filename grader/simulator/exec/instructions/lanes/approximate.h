#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "grader/simulator/exec/instructions/lanes/approximate_tables.h"

// The special function unit (MUFU) of an H200, bit for bit: a parabola in each interval, its square taken
// without the low columns of the multiplier's array, the sum cut off after 24 bits. The scheme is that of S.
// Oberman and M. Siu, "A High-Performance Area-Efficient Multifunction Interpolator" (ARITH 2005); widths,
// tables and ends are what the recorded sweeps show. Subnormal operands are zeros, subnormal results too,
// except for tanh.

namespace fusebox::sim::mufu {

constexpr float kNaN = std::bit_cast<float>(0x7fffffffu);
constexpr float kInfinity = std::bit_cast<float>(0x7f800000u);

/// x * x for kBits bits, without those partial products (bit i times bit j) that lie below column 2 kBits
/// - 15. Of the products of two bits of the lower half none is left, of those of two bits of the upper half
/// all but one.
template <int kBits>
constexpr std::uint64_t short_square(std::uint32_t x) {
  constexpr int kHalf = (kBits + 1) / 2, kDropped = 2 * kBits - 15;
  std::uint32_t low = x & ((1u << kHalf) - 1), high = x >> kHalf;
  std::uint64_t sum = (std::uint64_t{high} * high - (high & 1)) << (2 * kHalf);
  for (int j = kHalf + 1; j < kBits; ++j) {
    std::uint32_t partners = low >> (kDropped - 1 - j) << (kDropped - 1 - j);  // i + j + 1 >= kDropped
    sum += std::uint64_t{(0u - (x >> j & 1)) & partners} << (j + 1);
  }
  return sum;
}

/// The parabola at the fraction x of its interval, in 2^-kBits of the table's unit. `bias` rounds.
template <int kBits>
constexpr std::int64_t interpolate(const Parabola& p, std::uint32_t x, std::int64_t bias) {
  return (static_cast<std::int64_t>(p.c0) << (kBits - 2)) + bias + std::int64_t{p.c1} * x +
         p.c2 * static_cast<std::int64_t>(short_square<kBits>(x) >> kBits);
}

constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// sum * 2^exponent, cut off after 24 bits.
constexpr float cut_off(std::int64_t sum, int exponent) {
  double wide = static_cast<double>(sum) * power_of_two(exponent);  // exact: sums have fewer than 53 bits
  wide = std::bit_cast<double>(std::bit_cast<std::uint64_t>(wide) & ~((std::uint64_t{1} << 29) - 1));
  return static_cast<float>(wide > -0x1p-126 && wide < 0x1p-126 ? wide * 0 : wide);
}

constexpr std::uint32_t bits_of(float v) { return std::bit_cast<std::uint32_t>(v); }
constexpr int exponent_of(float v) { return static_cast<int>(bits_of(v) >> 23 & 0xff) - 127; }
constexpr std::uint32_t mantissa_of(float v) { return bits_of(v) & 0x7fffff; }
constexpr bool is_zero(float v) { return exponent_of(v) == -127; }
constexpr bool is_negative(float v) { return bits_of(v) >> 31 != 0; }
constexpr float with_sign_of(float v, float sign) {
  return std::bit_cast<float>(bits_of(v) | (bits_of(sign) & 0x80000000u));
}

constexpr float rcp(float x) {
  if (x != x) return kNaN;
  if (is_zero(x)) return with_sign_of(kInfinity, x);
  if (exponent_of(x) == 128) return with_sign_of(0, x);
  std::uint32_t m = mantissa_of(x);
  return with_sign_of(cut_off(interpolate<16>(kReciprocal[m >> 16], m & 0xffff, 4046), -40 - exponent_of(x)),
                      x);
}

/// What rsqrt and sqrt look up: x is 4^half times a number from 1 to 4.
struct Quartic {
  int half;
  std::uint32_t row, rest;
  constexpr explicit Quartic(float x)
      : half(exponent_of(x) >> 1),
        row((exponent_of(x) & 1) * 64 + (mantissa_of(x) >> 17)),
        rest(mantissa_of(x) & 0x1ffff) {}
};

constexpr float rsqrt(float x) {
  if (x != x) return kNaN;
  if (is_zero(x)) return with_sign_of(kInfinity, x);
  if (is_negative(x)) return kNaN;
  if (exponent_of(x) == 128) return 0;
  Quartic at(x);
  if (at.row == 0 && at.rest == 0) return static_cast<float>(power_of_two(-at.half));
  return cut_off(interpolate<17>(kReciprocalRoot[at.row], at.rest, -2), -41 - at.half);
}

constexpr float sqrt(float x) {
  if (x != x) return kNaN;
  if (is_zero(x)) return with_sign_of(0, x);
  if (is_negative(x)) return kNaN;
  if (exponent_of(x) == 128) return x;
  Quartic at(x);
  return cut_off(interpolate<17>(kRoot[at.row], at.rest, -2), -41 + at.half);
}

constexpr float lg2(float x) {
  if (x != x) return kNaN;
  if (is_zero(x)) return -kInfinity;
  if (is_negative(x)) return kNaN;
  if (exponent_of(x) == 128) return x;
  if (x == 1) return 0;
  std::uint32_t m = mantissa_of(x);
  std::int64_t fraction = interpolate<17>(kLogarithm[m >> 17], m & 0x1ffff, 6688);
  std::int64_t sum = (fraction >> 5) + exponent_of(x) * (std::int64_t{1} << 36);
  return sum < 0 ? -cut_off(~sum, -36) : cut_off(sum, -36);  // negated by its complement
}

/// A negative fraction counts down from one by its complement, a place too far.
constexpr float ex2(float x) {
  if (x != x) return kNaN;
  if (x >= 128) return kInfinity;
  if (x <= -127) return 0;
  auto magnitude = static_cast<std::int32_t>((x < 0 ? -x : x) * 0x1p23f);
  std::int32_t fixed = x >= 0 ? magnitude : (magnitude & 0x7fffff) != 0 ? ~magnitude : -magnitude;
  std::uint32_t m = static_cast<std::uint32_t>(fixed) & 0x7fffff;
  return cut_off(interpolate<17>(kPowerOfTwo[m >> 17], m & 0x1ffff, 24456), -40 + (fixed >> 23));
}

/// The sine of x radians, `quarter` quarters of a turn further on. The unit takes turns: the compiler
/// multiplies.
constexpr float sine(float x, std::uint32_t quarter) {
  if (x != x || exponent_of(x) == 128) return kNaN;
  double turns = static_cast<double>(x < 0 ? -x : x) * static_cast<double>(0.15915494f);
  turns = std::bit_cast<double>(std::bit_cast<std::uint64_t>(turns) & ~((std::uint64_t{1} << 29) - 1));
  std::uint32_t at =
      turns < 0x1p24 ? static_cast<std::uint32_t>(static_cast<std::uint64_t>(turns * 0x1p25)) : 0;
  quarter += at >> 23;
  std::uint32_t m = at & 0x7fffff;
  bool one = (quarter & 1) != 0 && m == 0;
  if (quarter & 1) m ^= 0x7fffff;
  float v = one ? 1.0f : cut_off(interpolate<17>(kQuarterSine[m >> 17], m & 0x1ffff, 0), -41);
  return (quarter & 2) != 0 ? -v : v;
}
constexpr float sin(float x) {
  float v = sine(x, 0);
  return v == v && is_negative(x) ? -v : v;
}
constexpr float cos(float x) { return sine(x, 1); }

constexpr float tanh(float x) {
  if (x != x) return kNaN;
  int octave = exponent_of(x) + 8;
  if (octave < 0) return x;
  if (octave > 10) return with_sign_of(1, x);
  int row = 0;
  for (int i = 0; i < octave; ++i) row += 1 << kTangentParts[i];
  int parts = kTangentParts[octave];
  std::uint32_t m = mantissa_of(x);
  std::uint32_t rest = (m & ((1u << (23 - parts)) - 1)) >> (6 - parts);
  return with_sign_of(
      cut_off(interpolate<17>(kTangent[row + static_cast<int>(m >> (23 - parts))], rest, 0), -41), x);
}

}  // namespace fusebox::sim::mufu
