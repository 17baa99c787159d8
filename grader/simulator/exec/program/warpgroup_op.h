#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/exec/program/decoded_instruction.h"

namespace fusebox::sim {

/// What the matrices of wgmma.mma_async are made of.
enum class MatrixElement : std::uint8_t { none, f16, bf16, tf32, e4m3, e5m2, s8, u8, b1, f32, s32 };

constexpr std::uint32_t bits_of(MatrixElement element) {
  switch (element) {
    case MatrixElement::f16:
    case MatrixElement::bf16:
      return 16;
    case MatrixElement::tf32:
    case MatrixElement::f32:
    case MatrixElement::s32:
      return 32;
    case MatrixElement::b1:
      return 1;
    default:
      return 8;
  }
}

/// One wgmma.mma_async, D = A * B + D, of which each of four warps computes 16 rows. D is 64 x n; a row of A
/// and a column of B have 32 bytes.
struct WarpgroupOp {
  /// One of the factors, and which way it lies.
  struct Factor {
    MatrixElement type = MatrixElement::none;
    std::uint32_t descriptor = kNoOperand;  ///< a register; none: A lies in registers
    bool k_apart = false;  ///< in memory the elements along m or n are neighbours, not those along k
    bool negated = false;
  } a, b;
  std::vector<std::uint32_t> d_registers, a_registers;
  std::uint32_t n = 0;
  MatrixElement d_type = MatrixElement::f32;
  std::uint32_t keeps_d = kNoOperand;  ///< a predicate: false, and D begins with 0; none: see below
  bool begins_with_zero = false;       ///< where there is no predicate
  bool keeps_d_negated = false;
  bool saturate = false;
};

}  // namespace fusebox::sim
