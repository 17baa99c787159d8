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

std::vector<LaunchOp> Grading::launches_in(const Entry& entry, const Case& which,
                                           std::optional<RecordFailure>& kept) {
  const auto ahead = recorded_large_.find({entry.name, shape_of(which)});
  const auto recorded = [&]() -> std::optional<RecordResult> {
    if (ahead != recorded_large_.end()) return ahead->second;
    const auto call = prepare_call(services_, *student_, *states_[entry.name].student_function, entry,
                                   puzzle_.full_size->arguments(which));
    if (!call) return std::nullopt;
    auto result = services_.record(call->request);
    return result ? std::optional(std::move(result.value())) : std::nullopt;
  }();
  if (!recorded) return {};
  std::vector<LaunchOp> launches;
  if (const auto* failure = std::get_if<RecordFailure>(&*recorded))
    kept = *failure;
  else
    for (const PlanOp& op : std::get<Recording>(*recorded).plan.ops)
      if (const auto* launch = std::get_if<LaunchOp>(&op)) launches.push_back(*launch);
  return launches;
}

std::optional<Error> Grading::grow(const Entry& entry, const Case& which, CaseResult& done) {
  const auto growing = growing_case(which);
  if (!growing) return std::nullopt;
  std::vector<const Case*> cases;
  for (const Case& each : puzzle_.cases) cases.push_back(&as_drawn(each));
  std::optional<RecordFailure> refused;
  const auto grown =
      beyond_the_grid(*growing, cases, [&](const Case& each) { return launches_in(entry, each, refused); });
  const std::string again = fmt::format("seed {}; again: {}\n", options_.seed, repeat_command(entry));
  if (refused && is_mistake(refused->kind)) {
    done.check.outcome = Outcome::failed;
    done.check.summary = refused->what;
    done.check.detail = fmt::format("try: {}\nright in smaller cases; this is at full size, {}\n{}",
                                    refused->hint, shape_of(growing->largest()), again);
    done.check.ended = refused->kind;
    return std::nullopt;
  }
  if (!grown) return std::nullopt;
  Random random(case_seed(options_.seed, grown->name));
  const auto problem = std::make_shared<const Problem>(puzzle_.make(*grown, random));
  const auto result_of = [&](const CompiledFile& program, std::size_t function) -> Result<CaseResult> {
    auto call = prepare_call(services_, program, function, entry, *problem);
    if (!call) return call.error();
    call->max_work = kMaxWork;
    const auto recorded = services_.record(call->request);
    if (!recorded) return recorded.error();
    return judge_call(services_, program, entry, call.value(), recorded.value());
  };
  EntryState& state = states_[entry.name];
  auto result = result_of(*student_, *state.student_function);
  if (!result) return result.error();
  if (result->check.outcome == Outcome::passed || result->hopeless) return std::nullopt;
  // Sizes that no case of the puzzle has: what the reference cannot do there, nobody is asked for.
  if (!reference_ || !state.reference_function) return std::nullopt;
  const auto reference = result_of(*reference_, *state.reference_function);
  if (!reference) return reference.error();
  if (reference->check.outcome != Outcome::passed) return std::nullopt;
  done = std::move(result.value());
  done.check.name = "case " + which.name;
  done.check.detail += fmt::format(
      "this case was made larger, {}, because the grids of your launches do not grow that far: each block has more than one piece of work here\n{}",
      shape_of(*grown), again);
  state.grown = *grown;
  state.grown_problem = problem;
  return std::nullopt;
}

}  // namespace fusebox
