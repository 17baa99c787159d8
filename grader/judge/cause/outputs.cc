#include "grader/judge/cause/outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "grader/judge/budgets/ledger.h"
#include "grader/judge/cause/coarse_instruction.h"
#include "grader/judge/compare/compare.h"
#include "grader/judge/compare/tensor_bytes.h"
#include "grader/judge/patterns/facts/facts.h"
#include "grader/judge/patterns/from_problem.h"
#include "grader/judge/patterns/recompute/cancellation.h"
#include "grader/simulator/ptx/parser.h"

namespace fusebox {
namespace {

/// A tensor of more axes than the formula gives it is laid out as the formula has it: [B, S, O] as rows of O.
void name_axes(const Suspect& suspect, const CaseAnswer& answer, patterns::WrongOutput& output) {
  if (!suspect.puzzle.formula) return;
  const Formula formula = suspect.puzzle.formula();
  const Bindings bindings = bindings_of(formula, *answer.problem, answer.which->sizes);
  for (const auto& [name, node] : formula.outputs) {
    const auto& axes = formula.nodes[static_cast<std::size_t>(node)].axes;
    if (name != output.tensor.name || axes.size() >= output.tensor.shape.size()) continue;
    std::vector<std::int64_t> shape;
    shape.reserve(axes.size());
    for (const std::string& axis : axes) shape.push_back(bindings.lengths.at(axis));
    output.tensor.shape = shape;
    output.axes = axes;
  }
}

/// Of each block, where all launches agree; 0: they do not.
std::uint64_t threads_of_each_block(const CaseResult& result) {
  std::uint64_t all = 0;
  for (const LaunchRecord& launch : result.launches) {
    if (!is_kernel(launch)) continue;
    const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    if (all != 0 && all != threads) return 0;
    all = threads;
  }
  return all;
}

/// All that was written in each case that ended.
std::vector<patterns::CaseOutputs> outputs_of_cases(const Suspect& suspect, const Formula& formula) {
  std::vector<patterns::CaseOutputs> cases;
  for (const CaseAnswer& answer : suspect.cases) {
    if (!answer.result->wrong_answer && answer.result->check.outcome != Outcome::passed) continue;
    patterns::CaseOutputs each{answer.which->name,
                               bindings_of(formula, *answer.problem, answer.which->sizes),
                               {},
                               answer.result->wrong_answer};
    if (const std::uint64_t threads = threads_of_each_block(*answer.result); threads > 0)
      each.bindings.numbers[kThreadsOfABlock] = static_cast<double>(threads);
    if (each.wrong)
      for (OutputOfCase& of : outputs_of(suspect, answer)) each.outputs.push_back(std::move(of.output));
    else  // what is right is not kept
      for (const Argument& argument : answer.problem->arguments)
        if (const auto* tensor = std::get_if<Tensor>(&argument); tensor && tensor->role != Role::in)
          each.outputs.push_back(
              patterns::wrong_output(*answer.problem, answer.which->sizes, *tensor, tensor->expected, {}));
    cases.push_back(std::move(each));
  }
  return cases;
}

/// Is everything that is wrong off by so little of the largest value that a few digits less explain it? The
/// largest miss, if so.
std::optional<double> small_misses(const Suspect& suspect) {
  constexpr double kDigitsOfCoarse = 0x1p-8;
  double most = 0;
  for (const CaseAnswer* answer : suspect.wrong())
    for (const OutputOfCase& of : outputs_of(suspect, *answer)) {
      if (of.right) continue;
      const patterns::Facts facts(of.output);
      if (facts.unwritten() > 0 || facts.not_finite() > 0) return std::nullopt;
      double largest = 0, miss = 0;
      for (std::int64_t i = 0; i < facts.count(); ++i)
        largest = std::max(largest, std::abs(facts.expected(i)));
      for (const std::int64_t i : facts.wrong())
        miss = std::max(miss, std::abs(facts.got(i) - facts.expected(i)));
      if (miss > kDigitsOfCoarse * largest) return std::nullopt;
      most = std::max(most, miss);
    }
  return most;
}

}  // namespace

std::vector<patterns::LaunchedKernel> launches_of(const CaseResult& result) {
  std::vector<patterns::LaunchedKernel> shapes;
  for (const LaunchRecord& launch : result.launches)
    shapes.push_back({launch.kernel, launch.grid, launch.block, std::nullopt});
  return shapes;
}

std::vector<OutputOfCase> outputs_of(const Suspect& suspect, const CaseAnswer& answer) {
  std::vector<OutputOfCase> outputs;
  std::size_t output = 0;
  for (const Argument& argument : answer.problem->arguments) {
    const auto* tensor = std::get_if<Tensor>(&argument);
    if (!tensor || tensor->role == Role::in) continue;
    const auto& bytes = answer.result->outputs[output];
    const bool all_written = answer.result->written[output];
    ++output;
    const bool right = compare(*tensor, bytes, all_written).ok() && all_written;
    std::vector<double> got;
    std::vector<bool> written;
    const std::uint64_t width = size_of(tensor->dtype);
    for (std::int64_t i = 0; i < tensor->count(); ++i) {
      got.push_back(decode(bytes, i, tensor->dtype));
      if (!all_written)
        written.push_back(!is_poison(std::span(bytes).subspan(static_cast<std::size_t>(i) * width, width)));
    }
    auto wrong = patterns::wrong_output(*answer.problem, answer.which->sizes, *tensor, std::move(got),
                                        std::move(written));
    wrong.launches = launches_of(*answer.result);
    name_axes(suspect, answer, wrong);
    outputs.push_back({std::move(wrong), right});
  }
  return outputs;
}

patterns::WrongCase wrong_case_of(const WrongLaunch& launch, const CaseAnswer& answer) {
  auto wrong =
      patterns::wrong_output(*answer.problem, answer.which->sizes, launch.tensor, launch.got, launch.written);
  wrong.launches = launches_of(*answer.result);
  // A buffer of the plan's own has no shape; where it is as large as a tensor, it is laid out as that.
  for (const patterns::NamedTensor& other : wrong.others)
    if (wrong.tensor.shape.size() == 1 && other.values.size() == wrong.got.size())
      wrong.tensor.shape = other.shape;
  return {answer.which->name, std::move(wrong)};
}

std::string wrong_outputs_alone(const Suspect& suspect) {
  std::vector<std::string> all, wrong;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    const std::string shown = fmt::format("`{}`", name);
    if (std::find(names.begin(), names.end(), shown) == names.end()) names.push_back(shown);
  };
  for (const CaseAnswer* answer : suspect.wrong())
    for (const OutputOfCase& of : outputs_of(suspect, *answer)) {
      note(all, of.output.tensor.name);
      if (!of.right) note(wrong, of.output.tensor.name);
    }
  if (wrong.empty() || wrong.size() == all.size()) return {};
  return wrong.size() == 1 ? fmt::format("of the outputs {} alone is wrong", wrong[0])
                           : fmt::format("of the outputs {} are wrong, no other", fmt::join(wrong, " and "));
}

std::optional<OfFormula> mistake_in_the_formula(const Suspect& suspect) {
  if (!suspect.patterns || !suspect.puzzle.formula) return std::nullopt;
  const Formula formula = suspect.puzzle.formula();
  const auto cases = outputs_of_cases(suspect, formula);
  if (const auto found = patterns::recompute(formula, cases))
    return OfFormula{found->sentence(), found->evidence(), found->reads_elsewhere, found->explains_all};
  if (const auto found = patterns::cancelled(formula, cases))
    return OfFormula{found->sentence(), found->evidence()};
  return std::nullopt;
}

std::string too_few_digits(const Suspect& suspect) {
  if (!suspect.student_program || !suspect.reference_program) return {};
  const auto own = ptx::parse(suspect.student_program->artifact.module.ptx),
             reference = ptx::parse(suspect.reference_program->artifact.module.ptx);
  if (!own || !reference) return {};
  const auto found = coarse_instruction(*own, *reference, suspect.student.path.filename().string());
  if (!found) return {};
  const auto miss = small_misses(suspect);
  if (!miss) return {};
  return fmt::format(
      "Nothing is off by more than {:.1e}, and `{}`{}, which the reference does not use, has fewer digits than a float.",
      *miss, found->name, found->line > 0 ? fmt::format(" in line {}", found->line) : "");
}

}  // namespace fusebox
