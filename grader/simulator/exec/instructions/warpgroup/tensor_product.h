#pragma once

#include <cstdint>
#include <span>

#include "grader/simulator/exec/instructions/warpgroup/tensor_sum.h"

namespace fusebox::sim {

/// What the tensor cores are given at once: a matrix of m rows of k factors, and one of n columns of k.
struct TensorFactors {
  std::span<const TensorFactor> rows, columns;  ///< m * k and n * k of them, those along k side by side
  std::uint32_t k = 0;                          ///< up to 32
  MatrixElement type = MatrixElement::none;     ///< of the factors
};

/// sums[r * n + c] = tensor_sum(row r, column c, sums[r * n + c]), eight columns at a time.
void add_tensor_product(const TensorFactors& factors, MatrixElement sum, std::span<std::uint32_t> sums);

}  // namespace fusebox::sim
