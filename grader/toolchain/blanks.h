#pragma once

#include <string>
#include <vector>

#include "grader/report/result.h"

namespace fusebox {

/// A marked blank of a puzzle file: `// FILL ME IN: name (roughly N lines)` ... `// END: name`.
struct Blank {
  std::string name;
  int first_line = 0, last_line = 0;  ///< 1-based lines of the two markers
  std::string body;                   ///< what stands between them, verbatim
  bool empty = false;                 ///< nothing there but white space and comments
};

/// The blanks of a file in order. Markers that do not pair up, or a name twice, are an error with the line.
Result<std::vector<Blank>> find_blanks(const std::string& source);

/// The source with every blank emptied: what puzzles/ holds.
Result<std::string> strip_blanks(const std::string& source);

/// The source with blank `name` holding `body` instead.
Result<std::string> graft_blank(const std::string& source, const std::string& name, const std::string& body);

}  // namespace fusebox
