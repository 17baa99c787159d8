#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/judge/grading.h"

namespace fusebox {

/// How the checks are run.
struct GradeRun {
  std::vector<Grading*> gradings;
  std::vector<std::string> gtest;          ///< --gtest_* as typed
  std::string xml;                         ///< JUnit XML goes here; empty: none
  std::function<void(Grading&)> finished;  ///< called when the last selected check of a grading is done
};

/// What a run of GoogleTest came to.
struct GradeOutcome {
  bool listed = false;  ///< --gtest_list_tests, --gtest_help: nothing was to be run
  int selected = 0;     ///< tests that the filter left
};

/// Registers each check of each grading as a GoogleTest case ("p20_fused.case_rows_33") and runs those that
/// the filter selects. Once in a process: GoogleTest keeps what is registered.
GradeOutcome run_grades(const GradeRun& run);

/// "case rows_33" as the name of a test: letters, digits and underscores.
std::string test_name(const std::string& check);

}  // namespace fusebox
