#pragma once

#include <string>

#include "grader/judge/patterns/facts/wrong_output.h"

namespace fusebox::patterns {

/// A few elements of a wrong output around the first wrong one, what they should be above what they are, the
/// wrong ones marked with `*`; a neighbour that is right is among them where there is one. Up to 4 rows and 6
/// columns, at most 80 characters wide; empty when nothing is wrong.
std::string corner(const WrongOutput& output);

}  // namespace fusebox::patterns
