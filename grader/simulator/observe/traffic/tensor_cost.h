#pragma once

#include <cstdint>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

/// What a product of matrices costs an H200's SM (bench/pipes/products.cu measured mma).
///
/// One wgmma of a whole warpgroup takes 18, 32, 64 and 128 cycles of the tensor cores with n = 8, 64, 128 and
/// 256, whatever the types and wherever A lies; and as many wavefronts of shared memory as there are 128
/// bytes in B, and in A where it lies there.
///
/// mma of one warp goes by pieces of 16 x 8 results: 1.5 cycles where a row of A has 32 bytes, which is two
/// thirds of wgmma's rate, 1 where it has 16; double precision 128 products a cycle, and half that with 8
/// rows. wmma is several of them.
struct TensorCost {
  double tensor_cycles = 0;
  std::uint64_t shared_cycles = 0;
};

/// Zeros for any other instruction.
TensorCost tensor_cost(const ptx::Instruction& instruction);

}  // namespace fusebox::sim
