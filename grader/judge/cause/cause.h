#pragma once

#include <optional>
#include <vector>

#include "grader/judge/suspect/suspect.h"
#include "grader/report/report.h"

namespace fusebox {

/// What was found out about an entry that did not pass.
struct Findings {
  std::optional<Cause> cause;
  std::vector<BlankReport> blanks;
  /// Of a wrong answer: the cause was carried out, as a known mistake, a change of the formula or one that
  /// mends it.
  bool is_proven = false;
};

/// The true cause, named on evidence that could have refuted it, in this order: what the host function did,
/// faults in the order of cause, a known mistake that agrees in every case, the blank or launch that is wrong
/// by itself, what the numbers prove; else the bare numbers. `checks` are all of the entry's.
Findings find_cause(const Suspect& suspect, const std::vector<Check>& checks);

/// What a check that is neither a wrong answer nor a fault says itself: its summary, what to try, its lines.
Cause cause_of_check(const Check& check);

/// Why the answer is right and too dear.
Cause cause_of_cost(const BudgetLine& line, const SideRun& student, const SideRun* reference,
                    const SourceFile& source);

}  // namespace fusebox
