#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/judge/patterns/facts/facts.h"

namespace fusebox::patterns {

/// Some of the elements of an output, among those that are looked at.
struct Selection {
  std::vector<bool> in, of;
  std::int64_t inside = 0, all = 0;
  void count_up();
};

/// A shape that a selection has: a box, all but a box, or every so many.
struct Region {
  std::string key;                ///< what shape and along which axes: "columns on"
  std::string text;               ///< "columns 256 and on"
  std::string aside;              ///< "256 is the number of threads in a block, and the kernel has no loop"
  bool always_aside = false;      ///< it says what the shape means, in every case
  std::vector<Reading> readings;  ///< their sentences are texts that take the place of `text`
  std::int64_t volume = 0;        ///< how many of the elements looked at it has
  bool exact = false;             ///< all of those are selected
  bool singular = false;          ///< the text is of one row, column or element
  bool of_right = false;          ///< the text is of the elements that are not selected
  bool proven = false;
  int weight = 0;
};

/// The shapes that hold the whole selection and little else, simple ones first.
std::vector<Region> regions_of(const Facts& facts, const Selection& selection);

/// Sizes that whole groups may have: those of a launch's blocks, then larger ones first.
std::vector<std::int64_t> likely_groups(const Facts& facts);

/// The elements of squares whose row is their column.
Region diagonal();

/// Whole pieces of four elements behind whole groups, without readings; and one of its readings.
Region pieces_of_rest(const std::string& word);
Reading piece_reading(const std::string& word, std::int64_t group);

/// How the rest behind whole groups is spoken of.
Reading group_reading(const std::string& word, std::int64_t group);

}  // namespace fusebox::patterns
