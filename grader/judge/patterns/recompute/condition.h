#pragma once

#include <map>
#include <span>
#include <string>

namespace fusebox::patterns {

/// The numbers of a case by their names: sizes, and floats, which are no sizes and are not looked at.
using Numbers = std::map<std::string, double>;

/// What is true of one size in all cases of `shown` and in none of `not_shown`: "`N` is a multiple of 4";
/// of several sizes where it is true of each, "`M` or `N`".
/// Empty where nothing simple is, or where there are fewer than two of either, which anything would part.
std::string what_parts(std::span<const Numbers> shown, std::span<const Numbers> not_shown);

/// The same of two sizes: "`M` and `N` differ", "`M` is smaller than `N`".
std::string relation_that_parts(std::span<const Numbers> shown, std::span<const Numbers> not_shown);

}  // namespace fusebox::patterns
