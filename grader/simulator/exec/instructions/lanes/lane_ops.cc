// One build's table of lane loops; compiled once per instruction set, like the loops themselves.

#include "grader/simulator/exec/instructions/lanes/lanes.h"

#ifndef FUSEBOX_ISA
#define FUSEBOX_ISA plain
#endif

namespace fusebox::sim::FUSEBOX_ISA {

std::optional<Form> integer_form(const ptx::Instruction&);
std::optional<Form> float_form(const ptx::Instruction&);
std::optional<Form> half_form(const ptx::Instruction&);
std::optional<Form> approximate_form(const ptx::Instruction&);
std::optional<Form> convert_form(const ptx::Instruction&);
std::optional<Form> compare_form(const ptx::Instruction&);
Handler load_handler(const Step&);
Handler store_handler(const Step&);

extern const LaneOps kLaneOps;
const LaneOps kLaneOps{integer_form, approximate_form, float_form,   half_form,
                       convert_form, compare_form,     load_handler, store_handler};

}  // namespace fusebox::sim::FUSEBOX_ISA
