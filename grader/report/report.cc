#include "grader/report/report.h"

#include <algorithm>

namespace fusebox {

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::unsolved:
      return "unsolved";
    case Outcome::skipped:
      return "skipped";
  }
  return "unknown";
}

std::string shown_name(const EntryReport& entry, const Check& check) {
  const std::string prefix = "budget ";
  if (!check.name.starts_with(prefix)) return check.name;
  std::string tag = check.name.substr(prefix.size());
  for (const BudgetLine& line : entry.budgets)
    if (line.student.tag == tag && line.student.name != tag) return prefix + line.student.name;
  std::replace_if(
      tag.begin(), tag.end(), [](char c) { return c == '.' || c == '_'; }, ' ');
  return prefix + tag;
}

}  // namespace fusebox
