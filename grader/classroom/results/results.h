#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/classroom/formats/roster.h"
#include "grader/classroom/results/row.h"

/// What an instructor takes home, as text: pure functions of the rows. Everything that a student can have
/// written is escaped for the format that it goes into.
namespace fusebox::classroom {

/// The rows of one class.
struct Results {
  std::vector<Student> students;
  std::vector<std::string> puzzles;                         ///< ids, in the order of the book
  std::map<std::pair<std::string, std::string>, Row> rows;  ///< by student and puzzle

  std::map<std::string, double> weights;  ///< points for each puzzle, of a course; empty: there is none

  void add(Row row);
  double weight(const std::string& puzzle) const;
  double points(const Student& student) const;
  double max_points() const;
  /// Null: not graded yet.
  const Row* find(const std::string& student, const std::string& puzzle) const;
};

/// A line for each student: id, name, how many passed, the points of a course, a column for each puzzle with
/// its verdict.
std::string results_csv(const Results& results);
/// A line for each check: student, puzzle, check, outcome, summary.
std::string cases_csv(const Results& results);
std::string rows_jsonl(const Results& results);
/// A suite for each puzzle, a case for each student.
std::string junit_xml(const Results& results);

/// Gradescope's results.json for one student: a test for each puzzle, worth its weight. Its schema: scores
/// are numbers, a score beside `tests` would override theirs, what students wrote is of format "text".
std::string gradescope_json(const Results& results, const Student& student);
/// exercism's results.json, version 3, of one row.
std::string exercism_json(const Row& row);

/// Static pages, without scripts: one for the class, one for each student.
std::string summary_page(const Results& results);
std::string student_page(const Results& results, const Student& student);

}  // namespace fusebox::classroom
