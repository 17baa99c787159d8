#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "grader/simulator/exec/program/warpgroup_op.h"

namespace fusebox::sim {

/// A factor as the tensor cores take it apart: significand * 2^(exponent - 10).
struct TensorFactor {
  std::int32_t significand = 0;  ///< below 2^11
  std::int16_t exponent = 0;     ///< of a significand in [1, 2); the smallest one where it is subnormal or 0
  enum class Kind : std::uint8_t { finite, infinite, nan } kind = Kind::finite;
  void negate() { significand = -significand; }
};

/// An element of a matrix whose type is no integer.
TensorFactor tensor_factor(std::uint32_t bits, MatrixElement type);

/// c + a[0] * b[0] + a[1] * b[1] + ..., as the bits of `sum`, f32 or f16, of which `c` has the bits too. This
/// is an H200's arithmetic, bit by bit: products are exact; they and c are cut off, towards 0, so many bits
/// below the largest exponent among them (`kept`); what is left is added exactly, and then cut off to f32,
/// or rounded to the nearest f16.
std::uint32_t tensor_sum(std::span<const TensorFactor> a, std::span<const TensorFactor> b, std::uint32_t c,
                         MatrixElement sum, int kept);

/// What tensor_sum ends with: value * 2^exponent, cut off to f32 or rounded to the nearest f16.
std::uint32_t tensor_sum_bits(std::int64_t value, int exponent, MatrixElement sum, int kept);

/// 25 bits, and 13 for factors of 8 bits.
int bits_kept(MatrixElement factor);

}  // namespace fusebox::sim
