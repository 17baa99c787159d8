#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/report.h"
#include "grader/report/result.h"

namespace fusebox::classroom {

enum class Verdict {
  pass,
  wrong_answer,
  over_budget,
  compile_error,
  compile_limit,
  runtime_error,
  time_limit,
  memory_limit,
  output_limit,
  protocol_error,
  invalid_submission,
  infra_error,  ///< the machine's fault, and no zero: it is graded again
};
/// "PASS", "WRONG_ANSWER", ...
const char* to_string(Verdict verdict);
std::optional<Verdict> verdict_from(std::string_view text);

/// One check of one entry: "fused: case rows_33".
struct RowCase {
  std::string name;
  std::string outcome;  ///< "passed", "failed", "skipped", "unsolved"
  std::string summary;
};

/// What is known of one student's answer to one puzzle.
struct Row {
  std::string student, puzzle;
  Verdict verdict = Verdict::infra_error;
  std::string text;   ///< one sentence, in the grader's words; may quote the student's
  std::string cause;  ///< what the judge names as the cause; empty where it names none
  std::vector<RowCase> cases;
  double seconds = 0;  ///< by the clock
  std::string tier;    ///< how it was confined
  std::string key;     ///< of everything that the verdict depends on; another key is another row
};

/// From the report of a grade that came to its end.
Row row_of(const Report& report);

/// One line of JSON, and the way back; text that is none is an error.
std::string to_json(const Row& row);
Result<Row> row_from_json(std::string_view text);

}  // namespace fusebox::classroom
