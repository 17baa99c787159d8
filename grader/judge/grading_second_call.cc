#include <fmt/format.h>

#include "grader/judge/again/kept_state.h"
#include "grader/judge/again/second_call.h"
#include "grader/judge/grading.h"

namespace fusebox {

std::pair<const Case*, const Case*> Grading::cases_in_a_row() {
  return fusebox::cases_in_a_row(drawn_cases());
}

std::vector<std::shared_ptr<const Problem>> Grading::problems_before(const Case& first, const Case& second) {
  std::vector<std::shared_ptr<const Problem>> before{problem_for(first)};
  if (const auto between = case_between(first, second, *problem_for(second)))
    before.push_back(problem_for(*between));
  return before;
}

std::optional<Error> Grading::call_behind_another(const Entry& entry, const Case& which, CaseResult& done) {
  const auto [first, second] = cases_in_a_row();
  if (!second || second->name != which.name) return std::nullopt;
  if (const Check* alone = kept(entry, "case " + first->name); alone && alone->outcome != Outcome::passed)
    return std::nullopt;
  auto before = problems_before(*first, *second);
  const auto second_problem = problem_for(*second);
  const std::size_t function = *states_[entry.name].student_function;
  const auto ahead = recorded_twice_.find(entry.name);
  auto calls = ahead == recorded_twice_.end()
                   ? call_twice(services_, *student_, function, entry, before, *second_problem)
                   : judge_second_call(services_, *student_, entry, std::move(ahead->second.calls),
                                       ahead->second.result);
  if (ahead != recorded_twice_.end()) recorded_twice_.erase(ahead);
  if (!calls) return calls.error();
  if (!*calls || (*calls)->is_right()) return std::nullopt;
  // The case between is only spoken of where it is right by itself, and what is wrong needs it.
  std::string same;
  if (before.size() > 1) {
    auto without =
        call_twice(services_, *student_, function, entry, CallsBefore(before).first(1), *second_problem);
    if (!without) return without.error();
    if (*without && !(*without)->is_right()) {
      before.resize(1), calls = std::move(without);
    } else {
      const auto alone = run_call(services_, *student_, function, entry, *before.back(), false);
      if (!alone) return alone.error();
      if (alone->check.outcome != Outcome::passed) return std::nullopt;
      same = size_between(*first, *second, *second_problem);
    }
  }

  Check& check = done.check;
  const Check& again = (*calls)->result.check;
  check.outcome = Outcome::failed;
  check.summary =
      fmt::format("`{}` is wrong when a program calls it a second time{}", entry.signature.function,
                  same.empty() ? "" : fmt::format(" with the same `{}`", same));
  if (options_.explain)
    if (const std::string kept =
            what_is_kept(services_, *student_, function, entry, before, *second_problem, **calls);
        !kept.empty())
      check.summary += ": " + kept;
  check.detail = fmt::format(
      "right in case {0} by itself, and wrong behind {1} in the same process: {2}\n"
      "seed {3}; again: {4}\n",
      which.name,
      same.empty() ? "case " + first->name : fmt::format("a call with its `{}` and other sizes", same),
      again.summary, options_.seed, repeat_command(entry));
  return std::nullopt;
}

}  // namespace fusebox
