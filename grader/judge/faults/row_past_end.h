#pragma once

#include <span>
#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/report/launch_record.h"

namespace fusebox {

/// Of an access just past the end of a tensor whose rows an index tensor picks: does that hold the number of
/// rows itself, in the case of the fault, and in none of `without`, the cases that had no such fault? Then
/// that one number got past the check: "`ids` holds 50, and ...". Empty where it cannot be told.
std::string row_past_end(const Fault& fault, const Problem& problem, std::span<const Problem* const> without);

}  // namespace fusebox
