#include <fmt/format.h>

#include <algorithm>

#include "grader/judge/again/kept_state.h"
#include "grader/judge/again/second_call.h"
#include "grader/judge/grading.h"

namespace fusebox {

std::pair<const Case*, const Case*> Grading::cases_in_a_row() {
  return fusebox::cases_in_a_row(drawn_cases());
}

std::vector<Grading::CallsInARow> Grading::calls_before(const Case& first, const Case& second) {
  std::vector<CallsInARow> rows;
  std::vector<std::string> sizes = sizes_between(first, second, *problem_for(second));
  // Each costs the second case once more.
  if (sizes.size() > 1 && static_places(student_->source.text).empty()) sizes.resize(1);
  rows.reserve(std::max<std::size_t>(sizes.size(), 1));
  for (const std::string& size : sizes)
    rows.push_back({{problem_for(first), problem_for(case_between(first, second, size))}, size});
  if (rows.empty()) rows.push_back({{problem_for(first)}, ""});
  return rows;
}

Result<std::optional<SecondCall>> Grading::call_in_a_row(const Entry& entry, const CallsInARow& row,
                                                         const Problem& last) {
  const auto ahead = recorded_twice_.find({entry.name, row.same});
  const std::size_t function = *states_[entry.name].student_function;
  auto calls = ahead == recorded_twice_.end()
                   ? call_twice(services_, *student_, function, entry, row.before, last)
                   : judge_second_call(services_, *student_, entry, std::move(ahead->second.calls),
                                       ahead->second.result);
  if (ahead != recorded_twice_.end()) recorded_twice_.erase(ahead);
  if (calls && *calls && (*calls)->is_right()) return std::optional<SecondCall>();
  return calls;
}

std::optional<Error> Grading::call_behind_another(const Entry& entry, const Case& which, CaseResult& done) {
  const auto [first, second] = cases_in_a_row();
  if (!second || second->name != which.name) return std::nullopt;
  if (const Check* alone = kept(entry, "case " + first->name); alone && alone->outcome != Outcome::passed)
    return std::nullopt;
  const auto last = problem_for(*second);
  const std::size_t function = *states_[entry.name].student_function;
  CallsInARow wrong;
  std::optional<SecondCall> calls;
  for (const CallsInARow& row : calls_before(*first, *second)) {
    auto called = call_in_a_row(entry, row, *last);
    if (!called) return called.error();
    if (!*called) continue;
    wrong = row, calls = std::move(*called);
    if (row.same.empty()) break;
    // The case between is only spoken of where it is right by itself, and what is wrong needs it.
    const CallsInARow without{{row.before.front()}, ""};
    auto called_without = call_in_a_row(entry, without, *last);
    if (!called_without) return called_without.error();
    if (*called_without) {
      wrong = without, calls = std::move(*called_without);
      break;
    }
    const auto alone = run_call(services_, *student_, function, entry, *row.before.back(), false);
    if (!alone) return alone.error();
    if (alone->check.outcome == Outcome::passed) break;
    calls.reset();
  }
  if (!calls) return std::nullopt;

  Check& check = done.check;
  const Check& again = calls->result.check;
  check.outcome = Outcome::failed;
  check.summary =
      fmt::format("`{}` is wrong when a program calls it a second time{}", entry.signature.function,
                  wrong.same.empty() ? "" : fmt::format(" with the same `{}`", wrong.same));
  if (options_.explain)
    if (const std::string kept =
            what_is_kept(services_, *student_, function, entry, wrong.before, *last, *calls);
        !kept.empty())
      check.summary += ": " + kept;
  check.detail = fmt::format(
      "right in case {0} by itself, and wrong behind {1} in the same process: {2}\n"
      "seed {3}; again: {4}\n",
      which.name,
      wrong.same.empty() ? "case " + first->name
                         : fmt::format("a call with its `{}` and other sizes", wrong.same),
      again.summary, options_.seed, repeat_command(entry));
  return std::nullopt;
}

}  // namespace fusebox
