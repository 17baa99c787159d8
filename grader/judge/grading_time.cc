#include <fmt/format.h>

#include <algorithm>

#include "grader/judge/budgets/meaning.h"
#include "grader/judge/grading.h"
#include "grader/judge/source/function_match.h"
#include "grader/report/text/format.h"

// Budgets on the modelled time at a puzzle's judged shapes. The yardstick is in the same file: the fastest of
// the entries that a choice is made between.

namespace fusebox {

Result<const FullSizeRun*> Grading::judged_run(const Entry& entry, const FullSizeCase& size) {
  auto& runs = states_[entry.name].judged;
  if (const auto done = runs.find(size.which.name); done != runs.end()) return &done->second;
  FullSizeRun found;
  const auto match = match_function(entry.signature, student_->artifact.functions);
  if (match.index) {
    FullSizeCase drawn = size;
    drawn.which = as_drawn(size.which);
    FullSizeOptions options;
    options.seconds = services_.seconds;
    auto run = fusebox::run_full_size(services_, *student_, *match.index, entry, drawn, options);
    if (!run) return run.error();
    found = std::move(run.value());
  } else {
    found.problem = match.problem;
  }
  return &runs.emplace(size.which.name, std::move(found)).first->second;
}

Check Grading::check_time(const Entry& entry, const Budget& budget) {
  Check check;
  check.name = "budget " + budget.metric;
  EntryState& state = states_[entry.name];
  const auto wrong = [](const Check& done) {
    return done.name.starts_with("case ") && done.outcome != Outcome::passed;
  };
  if (std::any_of(state.checks.begin(), state.checks.end(), wrong)) {
    check.outcome = Outcome::skipped;
    check.summary = "right answers come first";
    return keep(entry, std::move(check));
  }
  const auto size =
      std::find_if(puzzle_.judged_at.begin(), puzzle_.judged_at.end(),
                   [&](const FullSizeCase& each) { return "time." + each.which.name == budget.metric; });
  const auto stop = [&](const Error& error) {
    check.outcome = Outcome::skipped;
    check.summary = stop_with(error).summary;
    return check;
  };
  const auto mine = judged_run(entry, *size);
  if (!mine) return stop(mine.error());
  const FullSizeRun* best = nullptr;
  std::string best_name;
  for (const std::string& name : budget.fastest_of) {
    const auto other = judged_run(*puzzle_.find_entry(name), *size);
    if (!other) return stop(other.error());
    if (!(*other)->problem.empty() || (best && best->seconds <= (*other)->seconds)) continue;
    best = *other;
    best_name = name;
  }
  const std::string shape = shape_of(as_drawn(size->which));
  if (const FullSizeRun& run = **mine; !run.problem.empty() || best == nullptr) {
    check.outcome = Outcome::failed;
    check.summary =
        fmt::format("at {} there is no time: {}", shape,
                    run.problem.empty() ? "none of what it could choose can be run there" : run.problem);
    return keep(entry, std::move(check));
  }
  const double seconds = (*mine)->seconds;
  state.time_limits[budget.metric] = budget.limit * best->seconds;
  state.cases.at(puzzle_.counted_case().name)
      .metrics.push_back({budget.metric, "time " + size->which.name,
                          "At " + shape + ", by the model of the GPU.", Unit::seconds, seconds,
                          Source::modelled});
  const auto shown = [](double value) { return format_value(Unit::seconds, value); };
  if (seconds <= budget.limit * best->seconds) {
    check.summary = fmt::format("{} at {}, the fastest {}", shown(seconds), shape, shown(best->seconds));
  } else {
    check.outcome = Outcome::failed;
    check.summary =
        fmt::format("at {} it takes {} where `{}` takes {}, modelled on {}", shape, shown(seconds), best_name,
                    shown(best->seconds), with_article(services_.gpu.full_name));
    check.detail = "try: choose that one for such a shape\n";
  }
  return keep(entry, std::move(check));
}

std::vector<Budget> Grading::known_limits(const Entry& entry) {
  const auto& limits = states_[entry.name].time_limits;
  std::vector<Budget> known;
  for (Budget budget : entry.budgets) {
    if (!budget.fastest_of.empty()) {
      const auto limit = limits.find(budget.metric);
      if (limit == limits.end()) continue;
      budget.limit = limit->second;
    }
    known.push_back(std::move(budget));
  }
  return known;
}

}  // namespace fusebox
