#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/state/block.h"
#include "grader/simulator/exec/state/warp.h"

namespace fusebox::sim {

// Matrix instructions of a whole warp.

/// mma.sync and wmma.mma: D = A * B + C. Products are exact and summed in double, then rounded once to the
/// accumulator's type; hardware sums in an order of its own. DecodedInstruction::extra is the index of the
/// MatrixOp.
void matrix_multiply(Warp&, const DecodedInstruction&, LaneMask);
/// wmma.load and wmma.store. a: address, b: stride in elements (kNoOperand: the natural one).
/// DecodedInstruction::extra is the index of the FragmentMove.
void fragment_load(Warp&, const DecodedInstruction&, LaneMask);
void fragment_store(Warp&, const DecodedInstruction&, LaneMask);
/// ldmatrix, stmatrix: `elements` 8 x 8 matrices of 16 bits; flag: transposed.
void matrix_load(Warp&, const DecodedInstruction&, LaneMask);
void matrix_store(Warp&, const DecodedInstruction&, LaneMask);
/// movmatrix.trans
void matrix_transpose(Warp&, const DecodedInstruction&, LaneMask);

}  // namespace fusebox::sim
