#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fusebox::patterns {

enum class Kind { unwritten, place, ratio, difference, equality, error_size, not_finite };
const char* to_string(Kind kind);

/// One way to say a pattern that holds whatever the sizes are: "N times", "256 times". Cases are compared by
/// these.
struct Reading {
  std::string key;       ///< equal keys mean the same; empty: the weakest way, which fits every case
  std::string sentence;  ///< complete, without numbers that belong to one case
};

/// Something that the numbers of a wrong answer show.
struct Pattern {
  Kind kind = Kind::place;
  std::string key;       ///< what it says but for its numbers; equal keys can be one thing in two cases
  std::string sentence;  ///< for this one case
  std::vector<Reading> readings;  ///< the most specific first
  std::int64_t explained = 0;     ///< wrong elements that are as it says
  std::int64_t wrong = 0;         ///< all that are wrong or were never written
  std::int64_t fitted = 0;        ///< numbers that were taken from the wrong answer itself
  int weight = 0;                 ///< how much it says: decides among those that explain as many
  /// At least 8 finite, written elements could have refuted it and did not, and chance would not have done so
  /// once in 10^12. Otherwise nothing speaks against it, which is enough for further cases only.
  bool proven = false;
  bool everywhere = true;  ///< of values: no right element speaks against it
  std::string evidence;    ///< "512 of 512 wrong elements"

  double share() const { return wrong > 0 ? static_cast<double>(explained) / static_cast<double>(wrong) : 0; }
};

/// Is it about what the values are, and not about where they are wrong?
bool is_about_values(const Pattern& pattern);

/// Best first: what explains more, then what says more.
void rank(std::vector<Pattern>& patterns);

/// Leaves out what was fitted to more numbers of the wrong answer than something before it that explains as
/// much.
void drop_what_is_said(std::vector<Pattern>& ranked);

}  // namespace fusebox::patterns
