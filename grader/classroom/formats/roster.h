#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/report/result.h"

namespace fusebox::classroom {

struct Student {
  std::string id;    ///< the name of the student's folder: letters, digits, . _ -
  std::string name;  ///< as the roster has it; may be empty
};

/// A table with the columns `id` and, if there is one, `name`; without a line of headings the first column is
/// the id and the second the name. An id that is no folder's name, or is there twice, is an error with its
/// line of the table. `file` is what errors call it.
Result<std::vector<Student>> read_roster(std::string_view text, const std::string& file);

}  // namespace fusebox::classroom
