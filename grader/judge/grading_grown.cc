#include <fmt/format.h>

#include "grader/judge/again/grown_case.h"
#include "grader/judge/grading.h"

namespace fusebox {
namespace {

// Of a case that only few answers are tried in: whatever takes more is left out.
constexpr std::uint64_t kMaxWork = 12'000'000;

/// What a host function may not do at any size; that it takes long there, or asks for much, is no mistake.
bool is_mistake(FailureKind kind) {
  return kind == FailureKind::bad_launch || kind == FailureKind::bad_copy || kind == FailureKind::crash;
}

}  // namespace

std::optional<GrowingCase> Grading::growing_case(const Case& which) const {
  if (which.drawn.empty() || !puzzle_.full_size) return std::nullopt;
  return GrowingCase(which, puzzle_.full_size->which);
}

std::optional<RecordResult> Grading::record_large(const Entry& entry, const Case& which) {
  if (const auto ahead = recorded_large_.find({entry.name, shape_of(which)}); ahead != recorded_large_.end())
    return ahead->second;
  const auto call = prepare_call(services_, *student_, *states_[entry.name].student_function, entry,
                                 puzzle_.full_size->arguments(which));
  if (!call) return std::nullopt;
  auto result = services_.record(call->request);
  return result ? std::optional(std::move(result.value())) : std::nullopt;
}

std::optional<Error> Grading::grow(const Entry& entry, const Case& which, CaseResult& done) {
  const auto growing = growing_case(which);
  if (!growing) return std::nullopt;
  const std::string again = fmt::format("seed {}; again: {}\n", options_.seed, repeat_command(entry));
  bool refused = false;
  const auto grown = beyond_the_grid(*growing, drawn_cases(), [&](const Case& each) {
    std::vector<LaunchOp> launches;
    const auto recorded = record_large(entry, each);
    if (!recorded) return launches;
    if (const auto* recording = std::get_if<Recording>(&*recorded)) {
      for (const LaunchOp* launch : launches_of(recording->plan.ops)) launches.push_back(*launch);
      return launches;
    }
    const auto& failure = std::get<RecordFailure>(*recorded);
    if (refused || !is_mistake(failure.kind)) return launches;
    refused = true;
    done.check.outcome = Outcome::failed;
    done.check.summary = failure.what;
    done.check.detail = fmt::format("try: {}\nright in the puzzle's cases; this is at {}\n{}", failure.hint,
                                    shape_of(each), again);
    done.check.ended = failure.kind;
    return launches;
  });
  if (refused || !grown) return std::nullopt;
  const auto problem = make_problem(*grown);
  EntryState& state = states_[entry.name];
  auto result = run_call(services_, *student_, *state.student_function, entry, *problem, false, kMaxWork);
  if (!result) return result.error();
  if (result->check.outcome == Outcome::passed || result->hopeless) return std::nullopt;
  // Sizes that no case of the puzzle has: what the reference cannot do there, nobody is asked for.
  if (!reference_ || !state.reference_function) return std::nullopt;
  const auto reference =
      run_call(services_, *reference_, *state.reference_function, entry, *problem, false, kMaxWork);
  if (!reference) return reference.error();
  if (reference->check.outcome != Outcome::passed) return std::nullopt;
  done = std::move(result.value());
  done.check.name = "case " + which.name;
  done.check.detail += fmt::format(
      "this case was made larger, {}: a grid of your launches is as large there as at full size, so that a block may have more than one piece of work\n{}",
      shape_of(*grown), again);
  state.grown = *grown;
  state.grown_problem = problem;
  return std::nullopt;
}

}  // namespace fusebox
