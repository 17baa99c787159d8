#pragma once

#include <vector>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

/// What the puzzles share that add up the rows of a matrix: out[r] = sum over c of x[r][c].
namespace fusebox {

/// x, out, rows, columns.
Signature row_sum_signature();

/// Sizes at which wrong sums show, and the counted case of 64 x 1024.
std::vector<Case> row_sum_cases();

/// What a sum of `columns` floats in any order may be wrong by, in the row of the largest magnitudes.
Tolerance row_sum_tolerance(const std::vector<double>& x, std::int64_t columns);

/// Arguments for row_sum_signature(), and the sums in double.
Problem make_row_sum(const Case& which, Random& random);

/// What make_row_sum() computes.
Formula row_sum_formula();

/// One launch, x read once and whole, nothing allocated.
std::vector<Budget> row_sum_budgets(const Case& counted);

/// An x far larger than any cache, and the limits there.
FullSizeCase row_sum_full_size();
std::vector<Budget> row_sum_full_size_budgets();

}  // namespace fusebox
