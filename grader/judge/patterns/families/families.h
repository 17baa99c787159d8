#pragma once

#include <limits>
#include <vector>

#include "grader/judge/patterns/facts/facts.h"

/// One function for each kind of explanation. Each gives all that fits, also what the numbers do not prove
/// (Pattern::proven).
namespace fusebox::patterns {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// got / expected is one number, one for each row or column, or another tensor; also after something that was
/// added, or what stood there before, is taken off both.
std::vector<Pattern> ratios(const Facts& facts);

/// got - expected is a number, one for each row or column, or a multiple of another tensor.
std::vector<Pattern> differences(const Facts& facts);

/// got is zero, one value, what stood there before, another tensor, or the right answer of another place.
std::vector<Pattern> equalities(const Facts& facts);

/// Whole rows are rows of an input that has as many columns, by an index that follows a rule or not.
std::vector<Pattern> table_rows(const Facts& facts);

/// Where elements are wrong, and where none was written.
std::vector<Pattern> places(const Facts& facts);

/// Errors as small as those of a narrower type.
std::vector<Pattern> error_sizes(const Facts& facts);

/// Where values are NaN or infinite, and what is true of the inputs there and nowhere else.
std::vector<Pattern> not_finite(const Facts& facts);

}  // namespace fusebox::patterns
