#include "grader/simulator/exec/instructions/warpgroup/tensor_sum.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace fusebox::sim {
namespace {

struct Format {
  int mantissa = 0, exponent = 0;  ///< bits
  bool has_infinity = true;
};

constexpr Format format_of(MatrixElement type) {
  switch (type) {
    case MatrixElement::f16:
      return {10, 5};
    case MatrixElement::bf16:
      return {7, 8};
    case MatrixElement::tf32:
      return {10, 8};
    case MatrixElement::e4m3:
      return {3, 4, false};
    case MatrixElement::e5m2:
      return {2, 5};
    default:
      return {23, 8};
  }
}

struct Parts {
  std::int64_t significand = 0;
  int exponent = 0;
  TensorFactor::Kind kind = TensorFactor::Kind::finite;
};

Parts take_apart(std::uint32_t bits, const Format& format) {
  const std::uint32_t top = (1u << format.exponent) - 1, whole = 1u << format.mantissa;
  const std::uint32_t exponent = bits >> format.mantissa & top, mantissa = bits & (whole - 1);
  Parts parts;
  if (exponent == top && format.has_infinity)
    parts.kind = mantissa != 0 ? TensorFactor::Kind::nan : TensorFactor::Kind::infinite;
  else if (exponent == top && mantissa == whole - 1)
    parts.kind = TensorFactor::Kind::nan;
  parts.significand = exponent == 0 ? mantissa : mantissa | whole;
  if ((bits >> (format.mantissa + format.exponent) & 1) != 0) parts.significand = -parts.significand;
  parts.exponent = static_cast<int>(std::max(exponent, 1u)) - static_cast<int>(top / 2);
  return parts;
}

/// Towards 0. A zero may have any exponent, also one beside which there is nothing.
std::int64_t shifted(std::int64_t value, int left) {
  if (value == 0) return 0;
  if (left >= 0) return value * (std::int64_t{1} << left);
  if (left <= -63) return 0;
  const std::int64_t magnitude = std::abs(value) >> -left;
  return value < 0 ? -magnitude : magnitude;
}

/// value * 2^exponent as f32, cut off to so many bits behind the point. What is left of nothing has no sign.
std::uint32_t cut_to_f32(std::int64_t value, int exponent, int bits) {
  if (value == 0) return 0;
  const std::uint32_t sign = value < 0 ? 0x80000000u : 0;
  const auto magnitude = static_cast<std::uint64_t>(std::abs(value));
  const int top = static_cast<int>(std::bit_width(magnitude)) - 1 + exponent;
  if (top > 127) return sign | 0x7f800000u;
  const int unit = std::max(top, -126) - 23;
  const int left = exponent - unit;
  const auto mantissa = static_cast<std::uint32_t>(left >= 0     ? magnitude << left
                                                   : left <= -64 ? 0
                                                                 : magnitude >> -left);
  const std::uint32_t kept = mantissa & ~0u << (23 - bits);
  if (kept == 0) return 0;
  return sign | (top < -126 ? kept : static_cast<std::uint32_t>(top + 127) << 23 | (kept & 0x7fffffu));
}

/// value * 2^exponent as the nearest f16.
std::uint32_t round_to_f16(std::int64_t value, int exponent) {
  if (value == 0) return 0;
  const std::uint32_t sign = value < 0 ? 0x8000u : 0;
  const auto magnitude = static_cast<std::uint64_t>(std::abs(value));
  const int top = std::max(static_cast<int>(std::bit_width(magnitude)) - 1 + exponent, -14);
  const int right = top - 10 - exponent;
  if (right >= 63) return 0;
  std::uint64_t mantissa = right > 0 ? magnitude >> right : magnitude << -right;
  if (right > 0) {
    const std::uint64_t rest = magnitude & ((std::uint64_t{1} << right) - 1),
                        half = std::uint64_t{1} << (right - 1);
    if (rest > half || (rest == half && (mantissa & 1) != 0)) ++mantissa;
  }
  // A carry goes on into the exponent.
  const std::uint64_t bits = (static_cast<std::uint64_t>(top + 14) << 10) + mantissa;
  return bits == 0 ? 0 : sign | static_cast<std::uint32_t>(std::min<std::uint64_t>(bits, 0x7c00));
}

}  // namespace

std::uint32_t tensor_sum_bits(std::int64_t value, int exponent, MatrixElement sum, int kept) {
  return sum == MatrixElement::f16 ? round_to_f16(value, exponent)
                                   : cut_to_f32(value, exponent, std::min(kept, 23));
}

int bits_kept(MatrixElement factor) {
  return factor == MatrixElement::e4m3 || factor == MatrixElement::e5m2 ? 13 : 25;
}

TensorFactor tensor_factor(std::uint32_t bits, MatrixElement type) {
  const Format format = format_of(type);
  if (type == MatrixElement::tf32) bits >>= 13;  // the lowest bits are not looked at
  const Parts parts = take_apart(bits, format);
  return {static_cast<std::int32_t>(parts.significand) * (1 << std::max(10 - format.mantissa, 0)),
          static_cast<std::int16_t>(parts.exponent), parts.kind};
}

std::uint32_t tensor_sum(std::span<const TensorFactor> a, std::span<const TensorFactor> b, std::uint32_t c,
                         MatrixElement sum, int kept) {
  using Kind = TensorFactor::Kind;
  const bool halves = sum == MatrixElement::f16;
  const Format format = format_of(sum);
  const Parts start = take_apart(c, format);
  bool nan = start.kind == Kind::nan, up = false, down = false;
  const auto add_infinity = [&](bool negative) { (negative ? down : up) = true; };
  if (start.kind == Kind::infinite) add_infinity(start.significand < 0);
  int largest = start.significand == 0 ? -100000 : start.exponent;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].kind != Kind::finite || b[k].kind != Kind::finite) {
      nan = nan || a[k].kind == Kind::nan || b[k].kind == Kind::nan || a[k].significand == 0 ||
            b[k].significand == 0;
      add_infinity((a[k].significand < 0) != (b[k].significand < 0));
    }
    if (a[k].significand != 0 && b[k].significand != 0)
      largest = std::max(largest, a[k].exponent + b[k].exponent);
  }
  if (nan || (up && down)) return halves ? 0x7fffu : 0x7fffffffu;
  if (up || down) return (down ? (halves ? 0x8000u : 0x80000000u) : 0) | (halves ? 0x7c00u : 0x7f800000u);
  std::int64_t total = start.significand == 0
                           ? 0
                           : shifted(start.significand, start.exponent - format.mantissa - largest + kept);
  for (std::size_t k = 0; k < a.size(); ++k)
    total += shifted(std::int64_t{a[k].significand} * b[k].significand,
                     a[k].exponent + b[k].exponent - 20 - largest + kept);
  return tensor_sum_bits(total, largest - kept, sum, kept);
}

}  // namespace fusebox::sim
