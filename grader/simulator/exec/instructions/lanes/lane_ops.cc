// One build's table of lane loops; compiled once per instruction set, like the loops themselves.

#include "grader/simulator/exec/instructions/lanes/lanes.h"

#ifndef FUSEBOX_ISA
#define FUSEBOX_ISA plain
#endif

namespace fusebox::sim::FUSEBOX_ISA {

std::optional<LaneKernel> integer_kernel(const ptx::Instruction&);
std::optional<LaneKernel> float_kernel(const ptx::Instruction&);
std::optional<LaneKernel> half_kernel(const ptx::Instruction&);
std::optional<LaneKernel> approximate_kernel(const ptx::Instruction&);
std::optional<LaneKernel> convert_kernel(const ptx::Instruction&);
std::optional<LaneKernel> compare_kernel(const ptx::Instruction&);
Handler load_handler(const DecodedInstruction&);
Handler store_handler(const DecodedInstruction&);

extern const LaneOps kLaneOps;
const LaneOps kLaneOps{integer_kernel, approximate_kernel, float_kernel, half_kernel,
                       convert_kernel, compare_kernel,     load_handler, store_handler};

}  // namespace fusebox::sim::FUSEBOX_ISA
