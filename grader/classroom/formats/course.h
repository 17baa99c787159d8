#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/report/result.h"

namespace fusebox::classroom {

/// What one puzzle is in a course.
struct Due {
  std::string puzzle;
  double weight = 1;    ///< points for an answer that passes
  unsigned hidden = 0;  ///< further seeds, drawn from the class's, with which it must pass too
  std::string cases;    ///< further ones, by their sizes; what they mean is not asked here
};

/// The puzzles that are due: a CSV table with the column puzzle, and weight, hidden and cases where they are
/// not 1, 0 and none. `file` is for messages. Whether there are such puzzles is not asked here.
Result<std::vector<Due>> read_course(std::string_view text, const std::string& file);

}  // namespace fusebox::classroom
