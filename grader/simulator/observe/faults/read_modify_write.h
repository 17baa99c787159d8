#pragma once

#include "grader/simulator/exec/state/fault.h"

namespace fusebox::sim {

/// Of a race: one of the two stores, at the address that the other loads, what it makes of the value that is
/// loaded there, as `x += y` does. What others have stored in between is lost.
bool is_read_modify_write(const RawFault& race);

}  // namespace fusebox::sim
