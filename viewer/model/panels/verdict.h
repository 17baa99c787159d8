#pragma once

#include <string>
#include <vector>

#include "viewer/model/book/book.h"

namespace fusebox::view {

struct BudgetRow {
  std::string tag, name, description;
  Unit unit = Unit::count;
  Source source = Source::counted;
  std::optional<double> you, reference, before;
  double limit = 0;
  bool within = false;
};

struct CheckRow {
  std::string name, summary, detail;
  Outcome outcome = Outcome::passed;
  int line = 0;                ///< of the learner's file, where the fault is; 0: none is known
  std::vector<CheckRow> rows;  ///< of a group: "8 of 10 cases"
};

struct EntryVerdict {
  std::string entry;
  Outcome outcome = Outcome::failed;
  std::string tally;  ///< "14 of 17 checks passed"
  std::string counted_case;
  std::vector<BudgetRow> budgets;
  std::vector<CheckRow> checks;  ///< what is wrong first; cases in groups; budgets are not repeated here
  std::optional<Cause> cause;    ///< why it did not pass, as far as that is known
  std::vector<BlankReport> blanks;
};

struct VerdictModel {
  Outcome outcome = Outcome::failed;
  std::string word;      ///< "Passed", "Not passed", "Not solved yet", "Not graded yet"
  std::string sentence;  ///< what to do next
  std::vector<std::string> compiler_messages;
  std::vector<EntryVerdict> entries;  ///< those that did not pass first
};

VerdictModel verdict_model(const Book& book);
/// The same as text, for tests.
std::string to_text(const VerdictModel& model);

}  // namespace fusebox::view
