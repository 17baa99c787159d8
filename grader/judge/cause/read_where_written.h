#pragma once

#include <string>

#include "grader/judge/suspect/suspect.h"

namespace fusebox {

/// Of a race between a load and a store of global memory: whether its kernel is given one buffer for two of
/// its parameters, so that what some threads store lies where others have still to load. "`matmul` is given
/// `arena` for `a` and `c`: ..."; empty where it is not, or that cannot be told.
std::string read_where_written(const Suspect& suspect, const Fault& fault, const CaseAnswer& answer);

}  // namespace fusebox
