#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/judge/workshop/answers.h"

/// How the judge fares with many answers, and the numbers below which it must not fall.
namespace fusebox {

inline constexpr std::size_t kWaysToFare = 7;  ///< of Fared

/// Answers by how the judge fared with them.
struct Tally {
  std::array<int, kWaysToFare> of{};
  int operator[](Fared how) const { return of[static_cast<std::size_t>(how)]; }
  int all() const;
};

/// Wrong answers by puzzle and class.
using TallyOfClasses = std::map<std::pair<std::string, std::string>, Tally>;

/// How many of the wrong answers of a puzzle and class are named, at least.
using NamedAtLeast = std::map<std::pair<std::string, std::string>, int>;

/// Lines of a puzzle, a class and a number; `#` begins a remark. A line that is none is an error with its
/// number; a file that is missing as well.
Result<NamedAtLeast> read_named(const std::filesystem::path& file);
/// As read_named() reads it.
std::string named_text(const NamedAtLeast& named);
NamedAtLeast named_of(const TallyOfClasses& classes);

/// A sentence for each class of the puzzles in `puzzles` of which fewer are named than recorded.
std::vector<std::string> fallen(const TallyOfClasses& classes, const NamedAtLeast& recorded,
                                const std::vector<std::string>& puzzles);

/// Nothing false is said of it, no wrong one passes, no right one fails.
bool is_fair(Fared how);

}  // namespace fusebox
