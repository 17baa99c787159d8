#pragma once

#include <string>

#include "grader/judge/patterns/facts/wrong_output.h"

namespace fusebox::patterns {

/// Of a vector that is made of partial sums: which rows of `partial` were added up, and which should have
/// been. "`dgamma` is the sum of rows 0 to 15 of `partial`, of 255 values each, where rows 0, 2, 4 and so on
/// to 30 belong." Empty where the numbers do not prove both.
std::string rows_summed(const WrongOutput& output, const NamedTensor& partial);

}  // namespace fusebox::patterns
