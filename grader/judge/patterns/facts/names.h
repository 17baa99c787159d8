#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/judge/patterns/facts/facts.h"

namespace fusebox::patterns {

/// What a number is: {"N", "`N`"}, {"1/2", "half"}.
struct NumberName {
  std::string key;
  std::string text;
  bool worked_out = false;  ///< not a size, a scalar or one over it, but a root, a neighbour, a square
};

/// All that `value` is within `uncertainty`: sizes and scalars of the problem and their reciprocals, roots
/// and neighbours, numbers of the launches, well-known constants; the number itself comes last.
std::vector<NumberName> names_of(const Facts& facts, double value, double uncertainty);

/// "256 = N or the number of threads in a block"; "2"; "0.9372". A small number is not said to be a root or a
/// square of something: it is one of most sizes.
std::string described(const std::vector<NumberName>& names);

/// What cases are compared by: all that the number may be, the number alone, each thing that it may be.
std::vector<Reading> number_readings(const std::vector<NumberName>& names,
                                     const std::function<std::string(const std::string&)>& sentence);

/// What `k` on an axis is for the launches: {"block", "the number of threads in a block"}.
std::vector<NumberName> launch_names(const Facts& facts, std::int64_t k);

/// "rows", "indices".
std::string plural(const std::string& word);

/// "3, 4, 5 and 9"
std::string listed(const std::vector<std::string>& parts, const char* last = " and ");

}  // namespace fusebox::patterns
