#pragma once

#include "grader/simulator/exec/program/program.h"

namespace fusebox::sim {

/// For an instruction whose result is a float or double that numbers may make no number: does what it does,
/// and raises the fault not_a_number in lanes where no operand is NaN and the result is, or one is of a
/// register without a value. Null: of others. Program::unwatched says what the instruction itself is.
Handler first_nan(const ptx::Instruction& instruction);

}  // namespace fusebox::sim
