#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "grader/classroom/formats/markup.h"
#include "grader/classroom/results/results.h"

namespace fusebox::classroom {
namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{0}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #222; }}
table {{ border-collapse: collapse; margin: 1rem 0; }}
th, td {{ border: 1px solid #ccc; padding: .2rem .6rem; text-align: left; vertical-align: top; }}
td.number {{ text-align: right; }}
.good {{ background: #e3f4e3; }} .bad {{ background: #fbe4e2; }} .open {{ background: #f4f0dc; }}
</style></head><body>
<h1>{0}</h1>
)";
constexpr const char* kTail = "</body></html>\n";

std::string head(const std::string& title) { return fmt::format(kHead, escaped(title)); }

std::string cell_of(const Row* row) {
  if (row == nullptr) return "<td class=\"open\">not graded</td>";
  return fmt::format("<td class=\"{}\">{}</td>",
                     row->verdict == Verdict::pass          ? "good"
                     : row->verdict == Verdict::infra_error ? "open"
                                                            : "bad",
                     to_string(row->verdict));
}

std::string name_of(const Student& student) {
  return student.name.empty() ? student.id : fmt::format("{} ({})", student.name, student.id);
}

struct Share {
  std::size_t passed = 0, all = 0;
};

std::string verdict_table(const Results& results) {
  const bool course = !results.weights.empty();
  std::string text = "<h2>Verdicts</h2>\n<table><tr><th>student</th>";
  if (course) text += fmt::format("<th>points of {:g}</th>", results.max_points());
  for (const std::string& puzzle : results.puzzles) text += fmt::format("<th>{}</th>", escaped(puzzle));
  text += "</tr>\n";
  for (const Student& student : results.students) {
    text += fmt::format("<tr><td><a href=\"students/{}.html\">{}</a></td>", escaped(student.id),
                        escaped(name_of(student)));
    if (course) text += fmt::format("<td class=\"number\">{:g}</td>", results.points(student));
    for (const std::string& puzzle : results.puzzles) text += cell_of(results.find(student.id, puzzle));
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

// Of the checks that somebody failed.
std::string check_table(const Results& results) {
  std::map<std::pair<std::string, std::string>, Share> checks;
  for (const auto& [key, row] : results.rows)
    for (const RowCase& each : row.cases) {
      Share& share = checks[{row.puzzle, each.name}];
      share.passed += each.outcome == "passed";
      ++share.all;
    }
  std::string text =
      "<h2>Checks that not everybody passes</h2>\n<table><tr><th>puzzle</th><th>check</th><th>passed</th></tr>\n";
  for (const auto& [name, share] : checks)
    if (share.passed < share.all)
      text += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"number\">{} of {}</td></tr>\n",
                          escaped(name.first), escaped(name.second), share.passed, share.all);
  return text + "</table>\n";
}

std::string mistake_table(const Results& results) {
  constexpr std::size_t kShown = 20;
  std::map<std::pair<std::string, std::string>, std::size_t> counted;
  for (const auto& [key, row] : results.rows)
    if (!row.cause.empty()) ++counted[{row.puzzle, row.cause}];
  std::vector<std::pair<std::size_t, std::pair<std::string, std::string>>> ordered;
  ordered.reserve(counted.size());
  for (const auto& [mistake, count] : counted) ordered.push_back({count, mistake});
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text =
      "<h2>Commonest mistakes</h2>\n<table><tr><th>students</th><th>puzzle</th><th>what the grader names</th></tr>\n";
  for (std::size_t i = 0; i < std::min(kShown, ordered.size()); ++i)
    text += fmt::format("<tr><td class=\"number\">{}</td><td>{}</td><td>{}</td></tr>\n", ordered[i].first,
                        escaped(ordered[i].second.first), escaped(ordered[i].second.second));
  return text + "</table>\n";
}

std::string row_list(const char* title, const std::vector<const Row*>& rows) {
  if (rows.empty()) return "";
  std::string text = fmt::format(
      "<h2>{}</h2>\n<table><tr><th>student</th><th>puzzle</th><th>seconds</th><th></th></tr>\n", title);
  for (const Row* row : rows)
    text += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"number\">{:.1f}</td><td>{}</td></tr>\n",
                        escaped(row->student), escaped(row->puzzle), row->seconds, escaped(row->text));
  return text + "</table>\n";
}

}  // namespace

std::string summary_page(const Results& results) {
  constexpr std::size_t kSlowest = 10;
  std::size_t passed = 0;
  std::vector<const Row*> machine, slowest;
  for (const auto& [key, row] : results.rows) {
    passed += row.verdict == Verdict::pass;
    if (row.verdict != Verdict::invalid_submission) slowest.push_back(&row);
    if (row.verdict == Verdict::infra_error) machine.push_back(&row);
  }
  std::stable_sort(slowest.begin(), slowest.end(),
                   [](const Row* a, const Row* b) { return a->seconds > b->seconds; });
  slowest.resize(std::min(slowest.size(), kSlowest));
  return head("The class") +
         fmt::format("<p>Students: {}, puzzles: {}; {} of {} answers pass.</p>\n", results.students.size(),
                     results.puzzles.size(), passed, results.students.size() * results.puzzles.size()) +
         row_list("Not graded because of the machine: run the same command again", machine) +
         verdict_table(results) + mistake_table(results) + check_table(results) +
         row_list("Slowest", slowest) + kTail;
}

std::string student_page(const Results& results, const Student& student) {
  std::string text = head(name_of(student));
  if (!results.weights.empty())
    text += fmt::format("<p>{:g} of {:g} points.</p>\n", results.points(student), results.max_points());
  for (const std::string& puzzle : results.puzzles) {
    const Row* row = results.find(student.id, puzzle);
    text += fmt::format("<h2>{}</h2>\n<table><tr><th>verdict</th>{}</tr></table>\n", escaped(puzzle),
                        cell_of(row));
    if (row == nullptr) continue;
    text += fmt::format("<p>{}</p>\n", escaped(row->text));
    if (!row->cause.empty() && row->cause != row->text)
      text += fmt::format("<p>{}</p>\n", escaped(row->cause));
    if (row->cases.empty()) continue;
    text += "<table><tr><th>check</th><th></th><th></th></tr>\n";
    for (const RowCase& each : row->cases)
      text += fmt::format("<tr><td>{}</td><td class=\"{}\">{}</td><td>{}</td></tr>\n", escaped(each.name),
                          each.outcome == "passed"   ? "good"
                          : each.outcome == "failed" ? "bad"
                                                     : "open",
                          escaped(each.outcome), escaped(each.summary));
    text += "</table>\n";
  }
  return text + kTail;
}

}  // namespace fusebox::classroom
