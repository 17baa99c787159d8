#include "grader/judge/grading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <future>

#include "grader/judge/budgets/budgets.h"
#include "grader/judge/compare/compare.h"
#include "grader/judge/source/function_match.h"
#include "grader/judge/verdict.h"
#include "grader/toolchain/blanks.h"
#include "grader/toolchain/cache/sha256.h"

namespace fusebox {
namespace {

Check check_named(std::string name, Outcome outcome, std::string summary, std::string detail = {}) {
  Check check;
  check.name = std::move(name);
  check.outcome = outcome;
  check.summary = std::move(summary);
  check.detail = std::move(detail);
  return check;
}

}  // namespace

std::string quoted(const std::vector<std::string>& names) {
  return fmt::format("`{}`", fmt::join(names, "`, `"));
}

std::uint64_t case_seed(std::uint64_t seed, const std::string& case_name) {
  std::uint64_t hash = 0xcbf29ce484222325 ^ seed;
  for (unsigned char c : case_name) hash = (hash ^ c) * 0x100000001b3;
  hash ^= hash >> 31;
  return hash * 0x9e3779b97f4a7c15;
}

Grading::Grading(const Puzzle& puzzle, Services services, GradingOptions options)
    : puzzle_(puzzle), services_(std::move(services)), options_(std::move(options)) {
  for (const Entry& entry : puzzle_.entries) {
    const auto& wanted = options_.entries;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), entry.name) != wanted.end())
      entries_.push_back(&entry);
  }
  file_check_.name = "file";
}

Check Grading::stop_with(Error error) {
  if (!error_) error_ = std::move(error);
  return check_named("", Outcome::skipped, error_->what);
}

Check& Grading::keep(const Entry& entry, Check check) {
  auto& checks = states_[entry.name].checks;
  checks.push_back(std::move(check));
  return checks.back();
}

const Check* Grading::kept(const Entry& entry, const std::string& name) {
  for (const Check& check : states_[entry.name].checks)
    if (check.name == name) return &check;
  return nullptr;
}

// ---- the file
// -------------------------------------------------------------------------------------------------------

Check Grading::check_file() {
  prepare();
  if (error_) return check_named("file", Outcome::skipped, error_->what);
  for (const Entry* entry : entries_)
    if (!kept(*entry, "file")) keep(*entry, file_check_);
  return file_check_;
}

Check Grading::check_signature(const Entry& entry) {
  prepare();
  if (error_) return check_named("signature", Outcome::skipped, error_->what);
  if (const Check* done = kept(entry, "signature")) return *done;
  const EntryState& state = states_[entry.name];
  if (file_check_.outcome != Outcome::passed)
    return keep(entry, check_named("signature", Outcome::skipped, "the file comes first"));
  if (state.signature_problem.empty())
    return keep(entry, check_named("signature", Outcome::passed, "void " + entry.signature.demangled()));
  return keep(entry,
              check_named("signature", Outcome::failed,
                          fmt::format("the grader cannot call `{}`", entry.signature.function),
                          state.signature_problem +
                              "try: put the declaration back as it was; `git diff` shows what changed\n"));
}

Check Grading::check_blanks(const Entry& entry) {
  prepare();
  if (error_) return check_named("blanks", Outcome::skipped, error_->what);
  if (const Check* done = kept(entry, "blanks")) return *done;
  const auto& empty = states_[entry.name].empty_blanks;
  const auto& unmarked = states_[entry.name].unmarked_blanks;
  if (file_check_.outcome != Outcome::passed)
    return keep(entry, check_named("blanks", Outcome::skipped, "the file comes first"));
  if (!empty.empty())
    return keep(
        entry,
        check_named("blanks", Outcome::unsolved,
                    fmt::format("{} {} {} empty", empty.size() == 1 ? "blank" : "blanks", quoted(empty),
                                empty.size() == 1 ? "is" : "are"),
                    rewritten_around_
                        ? "try: take its two marker lines out if your code stands elsewhere in the file\n"
                        : ""));
  if (!damaged_marker_.empty())
    return keep(entry,
                check_named("blanks", Outcome::passed,
                            fmt::format("judged as a whole, not blank by blank: {}", damaged_marker_)));
  if (!unmarked.empty())
    return keep(entry, check_named("blanks", Outcome::passed,
                                   fmt::format("judged as a whole, not blank by blank: no markers of {}",
                                               quoted(unmarked))));
  return keep(entry,
              check_named("blanks", Outcome::passed, entry.blanks.empty() ? "none" : quoted(entry.blanks)));
}

// ---- cases
// ----------------------------------------------------------------------------------------------------------

std::optional<Check> Grading::obstacle(const Entry& entry) {
  prepare();
  const EntryState& state = states_[entry.name];
  if (error_) return check_named("", Outcome::skipped, error_->what);
  if (file_check_.outcome != Outcome::passed)
    return check_named("", Outcome::skipped, "the file comes first");
  if (!state.empty_blanks.empty())
    return check_named("", Outcome::unsolved,
                       fmt::format("{} {} empty", quoted(state.empty_blanks),
                                   state.empty_blanks.size() == 1 ? "is" : "are"));
  if (!state.student_function) return check_named("", Outcome::skipped, "the signature comes first");
  if (!state.stopped_by.empty())
    return check_named("", Outcome::skipped,
                       fmt::format("not tried, because `{}` never ended", state.stopped_by));
  return std::nullopt;
}

const Case& Grading::as_drawn(const Case& which) {
  if (which.drawn.empty()) return which;
  Random random(case_seed(options_.seed, which.name + " sizes"));
  return drawn_.try_emplace(which.name, with_drawn_sizes(which, random)).first->second;
}

std::shared_ptr<const Problem> Grading::problem_for(const Case& which) {
  auto& problem = problems_[which.name];
  if (!problem) problem = make_problem(as_drawn(which));
  return problem;
}

std::shared_ptr<const Problem> Grading::make_problem(const Case& drawn) const {
  Random random(case_seed(options_.seed, drawn.name));
  return std::make_shared<const Problem>(puzzle_.make(drawn, random));
}

std::vector<const Case*> Grading::drawn_cases() {
  std::vector<const Case*> cases;
  for (const Case& each : puzzle_.cases) cases.push_back(&as_drawn(each));
  return cases;
}

Result<CaseResult> Grading::run(const CompiledFile& program, std::size_t function, const Entry& entry,
                                const Case& which) {
  return run_call(services_, program, function, entry, *problem_for(which), which.counted);
}

Check Grading::check_case(const Entry& entry, const Case& which) {
  const std::string name = "case " + which.name;
  if (const Check* done = kept(entry, name)) return *done;
  if (auto found = obstacle(entry)) {
    found->name = name;
    return error_ ? *found : keep(entry, *found);
  }
  EntryState& state = states_[entry.name];
  std::optional<Result<CaseResult>> result;
  if (const auto ahead = recorded_.find({entry.name, which.name}); ahead != recorded_.end()) {
    result = judge_call(services_, *student_, entry, ahead->second.call, ahead->second.result);
    recorded_.erase(ahead);
  } else {
    result = run(*student_, *state.student_function, entry, which);
  }
  if (!*result) {
    Check skipped = stop_with(result->error());
    skipped.name = name;
    return skipped;
  }
  CaseResult& done = result->value();
  done.check.name = name;
  if (done.check.outcome == Outcome::failed) {
    if (const std::string& purpose = as_drawn(which).purpose; !purpose.empty())
      done.check.detail += "this case is there for: " + purpose + "\n";
    done.check.detail += fmt::format("seed {}; again: {}\n", options_.seed, repeat_command(entry));
  }
  if (done.check.outcome == Outcome::passed && options_.schedules > 0) {
    if (auto changed = other_schedules(entry, which, done); !changed)
      return stop_with(changed.error());
    else
      done.check.detail += *changed;
  }
  if (done.check.outcome == Outcome::passed)
    if (auto error = call_behind_another(entry, which, done)) return stop_with(std::move(*error));
  if (done.check.outcome == Outcome::passed)
    if (auto error = grow(entry, which, done)) return stop_with(std::move(*error));
  if (done.hopeless) state.stopped_by = which.name;
  // What a wrong answer is explained with.
  if (!done.wrong_answer) {
    done.outputs.clear();
    if (!which.counted) done.launches.clear();
  }
  return keep(entry, state.cases.emplace(which.name, std::move(done)).first->second.check);
}

/// The same call under other orders of warps and blocks: a check that fails there fails. Bytes that differ
/// within what the puzzle tolerates (sums by atomics) are worth a word.
Result<std::string> Grading::other_schedules(const Entry& entry, const Case& which, CaseResult& done) {
  std::size_t differ = 0;
  std::uint64_t example = 0;
  for (std::uint64_t i = 0; i < options_.schedules; ++i) {
    Services services = services_;
    services.schedule = services_.schedule.value_or(0) + 1 + i;
    auto other = run_call(services, *student_, *states_[entry.name].student_function, entry,
                          *problem_for(which), which.counted);
    if (!other) return other.error();
    if (other->check.outcome != Outcome::passed) {
      done.check.outcome = other->check.outcome;
      done.check.summary = "in another order of warps and blocks: " + other->check.summary;
      done.check.fault = other->check.fault;
      done.check.max_error = other->check.max_error;
      return other->check.detail + fmt::format("seed {}; again: {} --schedule {}\n", options_.seed,
                                               repeat_command(entry), *services.schedule);
    }
    if (other->outputs == done.outputs) continue;
    ++differ;
    example = *services.schedule;
  }
  done.check.summary +=
      fmt::format(", and in {} other schedule{}", options_.schedules, options_.schedules == 1 ? "" : "s");
  if (differ == 0) return std::string{};
  return fmt::format(
      "the bytes of the results depend on the order of warps and blocks, within what is allowed: {} of {} schedules, for instance --schedule {}\n",
      differ, options_.schedules, example);
}

std::string Grading::repeat_command(const Entry& entry) const {
  std::string command = options_.command.empty() ? "grader " + puzzle_.id : options_.command;
  if (puzzle_.entries.size() > 1)
    command +=
        entry.name == "fused" || entry.name == "unfused" ? " --" + entry.name : " --entry " + entry.name;
  return fmt::format("{} --seed {}", command, options_.seed);
}

std::optional<Cause> Grading::cause_of_first(const EntryReport& report) const {
  for (const Check& check : report.checks) {
    if (check.outcome != Outcome::failed) continue;
    if (report.student)
      for (const BudgetLine& line : report.budgets)
        if (check.name == "budget " + line.student.tag && check.detail.empty())
          return cause_of_cost(line, *report.student, report.reference ? &*report.reference : nullptr,
                               student_->source);
    return cause_of_check(check);
  }
  return std::nullopt;
}

Findings Grading::cause_of(const Entry& entry, const EntryReport& report,
                           const std::function<void(const std::string&)>& step) {
  const EntryState& state = states_[entry.name];
  if (!student_ || error_) return {cause_of_first(report), {}};
  Suspect suspect{puzzle_, entry, student_->source, student_.get(), reference_source_, reference_.get(),
                  {},      {},    services_};
  suspect.mutants = options_.mutants;
  suspect.patterns = options_.patterns;
  suspect.services.step = step;
  for (const Case& which : puzzle_.cases)
    if (const auto found = state.cases.find(which.name); found != state.cases.end()) {
      const bool grown = state.grown && state.grown->name == which.name;
      suspect.cases.push_back({grown ? &*state.grown : &as_drawn(which),
                               grown ? state.grown_problem : problem_for(which), &found->second});
    } else if (!state.stopped_by.empty()) {
      static const CaseResult kNone;
      suspect.untried.push_back({&as_drawn(which), problem_for(which), &kNone});
    }
  // What the simulator has found wrong it explains alone, in the words of a machine without a GPU.
  if (std::none_of(suspect.cases.begin(), suspect.cases.end(),
                   [](const CaseAnswer& answer) { return answer.result->told_by_gpu; }))
    suspect.services.gpu_device = nullptr;
  Findings findings = find_cause(suspect, state.checks);
  if (!findings.cause) findings.cause = cause_of_first(report);
  if (findings.cause) findings.cause->again = repeat_command(entry);
  return findings;
}

// ---- budgets, tables, report
// ----------------------------------------------------------------------------------------

void Grading::start_references() {
  if (options_.reference_use != ReferenceUse::always || !services_.reference_device || !reference_ ||
      references_started_)
    return;
  references_started_ = true;
  Services services = services_;
  services.device = services_.reference_device;
  std::vector<std::pair<const Entry*, std::size_t>> calls;
  for (const Entry* entry : entries_)
    if (const auto function = states_[entry->name].reference_function) calls.emplace_back(entry, *function);
  const Case& counted = puzzle_.counted_case();
  reference_job_ = std::async(std::launch::async, [services = std::move(services), calls = std::move(calls),
                                                   program = reference_, problem = problem_for(counted)] {
    std::map<std::string, Result<CaseResult>> results;
    for (const auto& [entry, function] : calls)
      results.emplace(entry->name, run_call(services, *program, function, *entry, *problem, true));
    return results;
  });
}

const CaseResult* Grading::reference_run(const Entry& entry) {
  EntryState& state = states_[entry.name];
  if (!state.reference_run) {
    if (reference_job_.valid()) {
      for (auto& [name, result] : reference_job_.get()) {
        if (!result) {
          stop_with(result.error());
          continue;
        }
        result->outputs.clear();
        states_[name].reference_run = std::move(result.value());
      }
      return reference_run(entry);
    }
    if (error_ || !reference_ || !state.reference_function) return nullptr;
    auto result = run(*reference_, *state.reference_function, entry, puzzle_.counted_case());
    if (!result) {
      stop_with(result.error());
      return nullptr;
    }
    state.reference_run = std::move(result.value());
    state.reference_run->outputs.clear();
  }
  return state.reference_run->executed ? &*state.reference_run : nullptr;
}

std::optional<Check> Grading::run_counted(const Entry& entry) {
  const Case& counted = puzzle_.counted_case();
  EntryState& state = states_[entry.name];
  if (auto found = obstacle(entry); found && !state.cases.contains(counted.name)) return found;
  if (!state.cases.contains(counted.name)) {
    // Budgets can be selected without the case that they are of.
    auto result = run(*student_, *state.student_function, entry, counted);
    if (!result) return stop_with(result.error());
    state.cases.emplace(counted.name, std::move(result.value()));
  }
  if (state.cases.at(counted.name).executed) return std::nullopt;
  return check_named("", Outcome::skipped, fmt::format("`{}` did not run to its end", counted.name));
}

Check Grading::check_budget(const Entry& entry, std::size_t index) {
  const Budget& budget = entry.budgets[index];
  const std::string name = "budget " + budget.metric;
  if (const Check* done = kept(entry, name)) return *done;
  if (auto found = run_counted(entry)) {
    found->name = name;
    return error_ ? *found : keep(entry, *found);
  }
  if (!budget.fastest_of.empty()) return check_time(entry, budget);
  const CaseResult& run = states_[entry.name].cases.at(puzzle_.counted_case().name);
  const BudgetLine line = check_budgets({&budget, 1}, run.metrics, {}).front();
  Check check = check_named(name, line.within ? Outcome::passed : Outcome::failed, describe_budget(line));
  return keep(entry, std::move(check));
}

}  // namespace fusebox
