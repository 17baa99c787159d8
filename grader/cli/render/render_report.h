#pragma once

#include <string>
#include <vector>

#include "grader/cli/render/style.h"
#include "grader/report/report.h"

namespace fusebox {

/// What is said of a run that is not in its report.
struct Around {
  std::string next;       ///< what to type next
  std::string changed;    ///< since the run before
  std::string predicted;  ///< what became of a prediction
};

/// All that is printed below the title: why, what was checked, what the compiler warned of, the numbers where
/// they are of use, and, last, the verdict. One mistake takes at most kLines lines with its title; nothing
/// but a command that is longer takes more than kWidth columns.
std::string render_report(const Report& report, const Around& around, const Style& style, bool verbose);

/// What the compiler warned of in lines that the learner wrote, each once: "line 49: variable ...". Lines of
/// the file as it was handed out are not theirs.
std::vector<std::string> warnings_of(const Report& report);

}  // namespace fusebox
