#include "grader/judge/suspect/suspect.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "grader/judge/cases/both_devices.h"
#include "grader/judge/cases/mistakes.h"
#include "grader/judge/compare/evidence.h"
#include "grader/judge/source/function_match.h"
#include "grader/judge/source/source_lines.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
std::int64_t elements_of(const Problem& problem) {
  std::int64_t count = 0;
  for (const Argument& argument : problem.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument)) count += tensor->count();
  return count;
}

namespace {

/// Calls `work(i, suspect)` for each i below `count`, on both devices where there are two and no GPU, which
/// is one for all.
template <class Work>
void on_all_devices(const Suspect& suspect, std::size_t count, Work work) {
  Services services = suspect.services;
  if (services.gpu_device) services.reference_device = nullptr;
  on_both_devices(services, count, [&](std::size_t i, const Services& own) {
    Suspect alone = suspect;
    alone.services = own;
    work(i, alone);
  });
}

/// Outputs of a case against those of another program.
Agreement agreement_of(const CaseAnswer& answer, const CaseResult& other) {
  Agreement all;
  const CaseResult& mine = *answer.result;
  if (mine.outputs.size() != other.outputs.size()) all.refuted = true;
  std::size_t output = 0;
  for (const Argument& argument : answer.problem->arguments) {
    const auto* tensor = std::get_if<Tensor>(&argument);
    if (!tensor || tensor->role == Role::in || all.refuted) continue;
    all += agreement(*tensor, {mine.outputs[output], mine.written[output]},
                     {other.outputs[output], other.written[output]});
    ++output;
  }
  return all;
}

/// Does a mistake make of every case what the learner's file made of it? How many elements tell, if so.
std::optional<std::int64_t> telling_elements(const Suspect& suspect, const CompiledFile& program) {
  std::int64_t telling = 0;
  for (const CaseAnswer* answer : suspect.wrong()) {
    const auto other = suspect.run(program, *answer);
    if (!other || !other->wrong_answer) return std::nullopt;
    const Agreement agreed = agreement_of(*answer, *other);
    if (agreed.refuted) return std::nullopt;
    telling += agreed.telling;
  }
  if (telling < kMinTelling) return std::nullopt;
  for (const CaseAnswer& answer : suspect.cases) {
    if (answer.result->check.outcome != Outcome::passed) continue;
    const auto other = suspect.run(program, answer);
    if (!other || other->check.outcome != Outcome::passed) return std::nullopt;
  }
  return telling;
}

}  // namespace

std::vector<const CaseAnswer*> Suspect::wrong() const {
  std::vector<const CaseAnswer*> found;
  for (const CaseAnswer& answer : cases)
    if (answer.result->wrong_answer) found.push_back(&answer);
  std::stable_sort(found.begin(), found.end(), [](const CaseAnswer* a, const CaseAnswer* b) {
    return elements_of(*a->problem) < elements_of(*b->problem);
  });
  return found;
}

std::optional<RecordedCase> Suspect::record(const CompiledFile& program, const CaseAnswer& answer) const {
  const auto function = match_function(entry.signature, program.artifact.functions).index;
  if (!function) return std::nullopt;
  auto call = prepare_call(services, program, *function, entry, *answer.problem);
  if (!call) return std::nullopt;
  // As the learner's file is graded; its numbers are not asked for.
  call->races = !answer.which->counted;
  auto recorded = services.record(call->request);
  if (!recorded) return std::nullopt;
  return RecordedCase{std::move(*call), std::move(*recorded)};
}

std::optional<CaseResult> Suspect::run(const CompiledFile& program, const CaseAnswer& answer) const {
  const auto recorded = record(program, answer);
  if (!recorded) return std::nullopt;
  // What is not launched need not be read either.
  CompiledFile launched = program;
  if (const Recording* recording = recorded->recording()) {
    std::set<std::string, std::less<>> kernels;
    for (const PlanOp& op : recording->plan.ops)
      if (const auto* launch = std::get_if<LaunchOp>(&op)) kernels.insert(launch->kernel);
    launched.artifact.module.ptx = with_kernels(program.artifact.module.ptx, kernels);
  }
  auto result = judge_call(services, launched, entry, recorded->call, recorded->result);
  if (!result) return std::nullopt;
  return std::move(*result);
}

std::vector<KnownMistake> known_mistakes(const Suspect& suspect) {
  std::vector<KnownMistake> found;
  if (suspect.wrong().empty()) return found;
  for (const std::string& blank : suspect.entry.blanks) {
    const auto programs = compile_wrong_answers(suspect.services, suspect.reference, suspect.mutants, blank);
    if (!programs) continue;
    std::vector<std::optional<std::int64_t>> telling(programs->size());
    on_all_devices(suspect, programs->size(), [&](std::size_t i, const Suspect& alone) {
      telling[i] = telling_elements(alone, (*programs)[i].program);
    });
    for (std::size_t i = 0; i < programs->size(); ++i)
      if (telling[i]) found.push_back({(*programs)[i].mutant, *telling[i]});
  }
  return found;
}

std::vector<SourceFile> one_blank_each(const Entry& entry, const SourceFile& reference,
                                       const std::string& student) {
  const auto blanks = find_blanks(student);
  if (!blanks || entry.blanks.size() < 2) return {};
  std::vector<SourceFile> sources;
  for (const std::string& name : entry.blanks) {
    const auto blank =
        std::find_if(blanks->begin(), blanks->end(), [&](const Blank& b) { return b.name == name; });
    if (blank == blanks->end()) return {};
    auto text = graft_blank(reference.text, name, blank->body);
    if (!text) return {};
    sources.push_back({reference.path, std::move(*text)});
  }
  return sources;
}

std::vector<std::optional<CompiledFile>> compile_blanks(const Suspect& suspect) {
  const auto sources = one_blank_each(suspect.entry, suspect.reference, suspect.student.text);
  if (sources.empty()) return {};
  auto programs = compile_together(suspect.services, suspect.reference, sources);
  return programs ? std::move(*programs) : std::vector<std::optional<CompiledFile>>();
}

bool same_but_for_indentation(const std::string& a, const std::string& b) {
  const auto lines_of = [](const std::string& text) {
    std::vector<std::string_view> lines = trimmed_lines(text);
    std::erase_if(lines, [](std::string_view line) { return line.empty(); });
    return lines;
  };
  return lines_of(a) == lines_of(b);
}

std::vector<BlankTrial> try_blanks(const Suspect& suspect,
                                   const std::vector<std::optional<CompiledFile>>& programs) {
  using Verdict = BlankTrial::Verdict;
  std::vector<BlankTrial> trials(programs.size());
  on_all_devices(suspect, programs.size(), [&](std::size_t i, const Suspect& one) {
    BlankTrial& trial = trials[i];
    trial = {suspect.entry.blanks[i], programs[i] ? Verdict::right : Verdict::unknown};
    // The reference itself need not be run to be right.
    if (programs[i] && same_but_for_indentation(programs[i]->source.text, suspect.reference.text)) return;
    for (const CaseAnswer& answer : suspect.cases) {
      if (!programs[i] || answer.result->check.outcome != Outcome::failed) continue;
      const auto alone = one.run(*programs[i], answer);
      if (alone && alone->check.outcome == Outcome::passed) continue;
      trial.verdict = alone ? Verdict::wrong : Verdict::unknown;
      break;
    }
  });
  return trials;
}

}  // namespace fusebox
