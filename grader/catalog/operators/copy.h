#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

/// What the copies of the book's first part share: out[i] = x[i] of N floats, exactly.
namespace fusebox {

/// The host function: x, out, N.
Signature copy_signature();

/// Sizes at which wrong copies show, and the counted case of `counted` elements.
std::vector<Case> copy_cases(std::int64_t counted);

/// `count` floats to be copied: "normal", or "extremes": both zeros, subnormal numbers, and magnitudes up to
/// the largest float.
std::vector<double> draw_to_copy(const std::string& kind, std::int64_t count, Random& random);

/// A copy rounds nothing.
Tolerance exactly_the_same();

/// Arguments for copy_signature(): x [N], out [N], N.
Problem make_copy(const Case& which, Random& random);
Formula copy_formula();

/// One launch, and each element read once and written once, in whole sectors.
std::vector<Budget> copy_budgets(const Case& counted);

/// The size at which copies are timed and simulated: 2^25 floats, 134 MB each way.
std::vector<TimedCase> copy_timed();
FullSizeCase copy_full_size();
std::vector<Budget> copy_full_size_budgets();

}  // namespace fusebox
