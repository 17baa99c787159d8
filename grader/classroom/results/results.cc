#include "grader/classroom/results/results.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "grader/classroom/formats/csv.h"
#include "grader/classroom/formats/markup.h"
#include "grader/report/json/json_text.h"

namespace fusebox::classroom {
namespace {

using json = nlohmann::ordered_json;

bool passed(const Row* row) { return row != nullptr && row->verdict == Verdict::pass; }

std::string word_of(const Row* row) { return row == nullptr ? "" : to_string(row->verdict); }

// What a reader of one line needs: the cause where there is one.
std::string told(const Row& row) { return row.cause.empty() ? row.text : row.cause; }

}  // namespace

void Results::add(Row row) {
  auto key = std::make_pair(row.student, row.puzzle);
  rows.insert_or_assign(std::move(key), std::move(row));
}

const Row* Results::find(const std::string& student, const std::string& puzzle) const {
  const auto found = rows.find({student, puzzle});
  return found == rows.end() ? nullptr : &found->second;
}

double Results::weight(const std::string& puzzle) const {
  const auto found = weights.find(puzzle);
  return found == weights.end() ? 1 : found->second;
}

double Results::points(const Student& student) const {
  double sum = 0;
  for (const std::string& puzzle : puzzles)
    if (passed(find(student.id, puzzle))) sum += weight(puzzle);
  return sum;
}

double Results::max_points() const {
  double sum = 0;
  for (const std::string& puzzle : puzzles) sum += weight(puzzle);
  return sum;
}

std::string results_csv(const Results& results) {
  const bool course = !results.weights.empty();
  Cells heading{"id", "name", "passed"};
  if (course) heading.push_back("points");
  heading.insert(heading.end(), results.puzzles.begin(), results.puzzles.end());
  std::string text = csv_line(heading);
  for (const Student& student : results.students) {
    Cells words;
    int count = 0;
    for (const std::string& puzzle : results.puzzles) {
      const Row* row = results.find(student.id, puzzle);
      count += passed(row);
      words.push_back(word_of(row));
    }
    Cells cells{student.id, student.name, std::to_string(count)};
    if (course) cells.push_back(fmt::format("{:g}", results.points(student)));
    cells.insert(cells.end(), words.begin(), words.end());
    text += csv_line(cells);
  }
  return text;
}

std::string cases_csv(const Results& results) {
  std::string text = csv_line({"id", "puzzle", "check", "outcome", "summary"});
  for (const auto& [key, row] : results.rows)
    for (const RowCase& each : row.cases)
      text += csv_line({row.student, row.puzzle, each.name, each.outcome, each.summary});
  return text;
}

std::string rows_jsonl(const Results& results) {
  std::string text;
  for (const auto& [key, row] : results.rows) text += to_json(row);
  return text;
}

std::string junit_xml(const Results& results) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const std::string& puzzle : results.puzzles) {
    std::string cases;
    int count = 0, failures = 0, errors = 0;
    for (const Student& student : results.students) {
      const Row* found = results.find(student.id, puzzle);
      if (found == nullptr) continue;
      const Row& row = *found;
      ++count;
      cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(puzzle),
                           escaped(row.student), row.seconds);
      if (passed(&row)) {
        cases += "/>\n";
        continue;
      }
      const char* element = row.verdict == Verdict::infra_error ? "error" : "failure";
      ++(row.verdict == Verdict::infra_error ? errors : failures);
      cases += fmt::format("><{0} type=\"{1}\" message=\"{2}\"/></testcase>\n", element,
                           to_string(row.verdict), escaped(told(row)));
    }
    text +=
        fmt::format(" <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{} </testsuite>\n",
                    escaped(puzzle), count, failures, errors, cases);
  }
  return text + "</testsuites>\n";
}

std::string gradescope_json(const Results& results, const Student& student) {
  json tests = json::array();
  bool any = false;
  for (const std::string& puzzle : results.puzzles) {
    const Row* row = results.find(student.id, puzzle);
    any |= row != nullptr;
    tests.push_back({{"name", puzzle},
                     {"score", passed(row) ? results.weight(puzzle) : 0.0},
                     {"max_score", results.weight(puzzle)},
                     {"status", passed(row) ? "passed" : "failed"},
                     {"output", row == nullptr ? "not graded yet" : word_of(row) + ": " + plain(told(*row))},
                     {"output_format", "text"}});
  }
  return json_text(json{{"output", any ? "" : "not graded yet"}, {"output_format", "text"}, {"tests", tests}},
                   1) +
         "\n";
}

std::string exercism_json(const Row& row) {
  json tests = json::array();
  for (const RowCase& each : row.cases) {
    json test{{"name", plain(each.name)}, {"status", each.outcome == "passed" ? "pass" : "fail"}};
    if (each.outcome != "passed") test["message"] = plain(each.summary);
    tests.push_back(std::move(test));
  }
  const bool ran = row.verdict == Verdict::pass || row.verdict == Verdict::wrong_answer ||
                   row.verdict == Verdict::over_budget || row.verdict == Verdict::runtime_error;
  json result{{"version", 3}, {"status", passed(&row) ? "pass" : ran ? "fail" : "error"}};
  if (!passed(&row)) result["message"] = plain(told(row));
  result["tests"] = std::move(tests);
  return json_text(result, 1) + "\n";
}

}  // namespace fusebox::classroom
