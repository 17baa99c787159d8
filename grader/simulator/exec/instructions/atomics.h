#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"

namespace fusebox::ptx {
struct Instruction;
}

namespace fusebox::sim {

// The handlers of atom and red; null for a form that is not supported.

Handler atomic_handler(const ptx::Instruction&, Type type);
Handler atomic_vector_handler(const ptx::Instruction&, Type type);

}  // namespace fusebox::sim
