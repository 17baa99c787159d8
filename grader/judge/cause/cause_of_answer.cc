#include "grader/judge/cause/cause_of_answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <utility>

#include "grader/judge/cause/blank_by_blank.h"
#include "grader/judge/cause/origin_of_nan.h"
#include "grader/judge/cause/outputs.h"
#include "grader/judge/cause/sentences.h"
#include "grader/judge/cause/where_it_shows.h"
#include "grader/judge/patterns/families/row_sums.h"
#include "grader/judge/patterns/find.h"
#include "grader/judge/repair/host_repair.h"
#include "grader/judge/repair/repair.h"
#include "grader/judge/repair/text_repair.h"
#include "grader/report/text/format.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

std::vector<std::string> blanks_that_are(const std::vector<BlankTrial>& trials, BlankTrial::Verdict verdict) {
  std::vector<std::string> names;
  for (const BlankTrial& trial : trials)
    if (trial.verdict == verdict) names.push_back(trial.blank);
  return names;
}

/// What the trials say of where the mistake is; empty when they say nothing.
std::string where(const std::vector<BlankTrial>& trials) {
  const auto wrong = blanks_that_are(trials, BlankTrial::Verdict::wrong);
  const auto right = blanks_that_are(trials, BlankTrial::Verdict::right);
  if (!wrong.empty())
    return fmt::format("{} {} {} wrong by {}", wrong.size() == 1 ? "Blank" : "Blanks", quoted_list(wrong),
                       wrong.size() == 1 ? "is" : "are", wrong.size() == 1 ? "itself" : "themselves");
  if (!right.empty() && right.size() == trials.size())
    return fmt::format(
        "Each blank is right by itself: {} work in the reference, so what stands around them, or how they fit together, is not",
        quoted_list(right));
  return {};
}

/// The bare numbers of the first wrong case.
std::string bare(const std::vector<Check>& checks) {
  for (const Check& check : checks)
    if (check.outcome == Outcome::failed) return fmt::format("{}: {}", check.name, check.summary);
  return "It did not pass.";
}

/// In which blank a known mistake is: its own, unless that blank of the learner's is right by itself. Then
/// the answers are the mistake's, and it was made elsewhere. Empty where that cannot be told.
std::string blank_of_mistake(const std::string& own, const std::vector<BlankTrial>& trials) {
  const auto right = blanks_that_are(trials, BlankTrial::Verdict::right);
  if (std::find(right.begin(), right.end(), own) == right.end()) return own;
  const auto wrong = blanks_that_are(trials, BlankTrial::Verdict::wrong);
  return wrong.size() == 1 ? wrong.front() : "";
}

bool has_blank(const SourceFile& file, const std::string& name) {
  const auto blanks = find_blanks(file.text);
  return blanks &&
         std::any_of(blanks->begin(), blanks->end(), [&](const Blank& b) { return b.name == name; });
}

Cause cause_of_mistakes(const std::vector<KnownMistake>& mistakes, std::size_t wrong, const Suspect& suspect,
                        const std::vector<BlankTrial>& trials) {
  std::vector<std::string> names;
  for (const KnownMistake& mistake : mistakes) {
    const std::string& says = mistake.mutant->says;
    if (std::find(names.begin(), names.end(), says) == names.end()) names.push_back(says);
  }
  Cause cause;
  const std::string& own = mistakes.front().mutant->blank;
  const std::string blank = blank_of_mistake(own, trials);
  cause.sentence =
      fmt::format("{} {}{}.", blank == own ? "This is" : "The answers are those of",
                  fmt::join(names, "; or "), names.size() > 1 ? ": the cases cannot tell which" : "");
  if (suspect.entry.blanks.size() > 1 && has_blank(suspect.student, blank))
    cause.sentence = fmt::format("In `{}`: {}", blank, lower_first(cause.sentence));
  cause.evidence =
      fmt::format("equal in {0} of {0} wrong cases, in {1} elements that are not the right answer", wrong,
                  mistakes.front().telling);
  return cause;
}

std::string say_launch(const WrongLaunch& launch) {
  return fmt::format(
      "Launch {} of {}, `{}`, is the first whose result is wrong: it leaves `{}` with {} of {} elements wrong",
      launch.index + 1, launch.count, launch.kernel, launch.tensor.name, launch.wrong, launch.tensor.count());
}

/// What the numbers of the wrong outputs prove, the most telling first.
std::vector<patterns::Explanation> patterns_of(const Suspect& suspect,
                                               const std::function<bool()>& is_named) {
  if (!suspect.patterns) return {};
  std::vector<patterns::WrongCase> cases;
  for (const CaseAnswer& answer : suspect.cases)
    if (answer.result->wrong_answer)
      for (OutputOfCase& of : outputs_of(suspect, answer))
        if (!of.right) cases.push_back({answer.which->name, std::move(of.output)});
  auto explained = patterns::explain(cases, is_named);
  // What one number a row says comes before what is made of it.
  const auto size_in = [&](const std::string& tensor) {
    for (const auto& each : cases)
      if (each.output.tensor.name == tensor) return each.output.tensor.count();
    return std::int64_t{0};
  };
  std::stable_sort(explained.begin(), explained.end(), [&](const auto& a, const auto& b) {
    return !a.patterns.empty() > !b.patterns.empty() ||
           (a.patterns.empty() == b.patterns.empty() && size_in(a.tensor) < size_in(b.tensor));
  });
  return explained;
}

/// What was found out of a wrong answer, before it is put into words.
struct AnswerFacts {
  std::vector<KnownMistake> mistakes;
  std::optional<OfFormula> formula;
  std::vector<BlankTrial> trials;
  std::vector<std::optional<CompiledFile>> programs;  ///< of the trials
  std::vector<patterns::Explanation> explained;       ///< what the numbers prove
};

AnswerFacts find_facts(const Suspect& suspect) {
  AnswerFacts facts;
  // None of the three hears of the others. Both that compile wait for a compiler.
  std::future<std::vector<patterns::Explanation>> explained_job;
  std::promise<bool> named;  // goes before the job that waits for it
  explained_job = std::async(std::launch::async, [&suspect, is_named = named.get_future().share()] {
    return patterns_of(suspect, [&] { return is_named.get(); });
  });
  auto blanks_job = std::async(std::launch::async, [&] { return compile_blanks(suspect); });
  facts.mistakes = known_mistakes(suspect);
  if (facts.mistakes.empty()) facts.formula = mistake_in_the_formula(suspect);
  named.set_value(!facts.mistakes.empty() || facts.formula);
  facts.programs = blanks_job.get();
  facts.trials = try_blanks(suspect, facts.programs);
  facts.explained = explained_job.get();
  return facts;
}

std::vector<BlankReport> reports_of(const std::vector<BlankTrial>& trials) {
  std::vector<BlankReport> reports;
  reports.reserve(trials.size());
  for (const BlankTrial& trial : trials)
    reports.push_back({trial.blank, trial.verdict == BlankTrial::Verdict::right   ? "right"
                                    : trial.verdict == BlankTrial::Verdict::wrong ? "wrong"
                                                                                  : "unknown"});
  return reports;
}

/// The sentences that the patterns of the outputs make.
std::vector<std::string> sentences_of(const std::vector<patterns::Explanation>& explained) {
  std::vector<std::string> said;
  for (const auto& explanation : explained)
    for (const std::string& sentence : explanation.sentences)
      said.push_back(explanation.only_in.empty()
                         ? sentence
                         : fmt::format("In case {}: {}", explanation.only_in, lower_first(sentence)));
  return said;
}

/// What the numbers prove of the buffer that the first wrong launch leaves, where that is not the output that
/// was looked at first.
std::vector<std::string> sentences_of_launch(const Suspect& suspect, const AnswerFacts& facts,
                                             const WrongLaunch& launch) {
  const auto& explained = facts.explained;
  if (!suspect.patterns) return {};
  std::vector<std::string> said;
  const patterns::WrongCase wrong = wrong_case_of(launch, *telling_case(suspect.wrong()));
  for (const patterns::NamedTensor& partial : launch.before)
    if (std::string rows = patterns::rows_summed(wrong.output, partial); !rows.empty())
      said.push_back(std::move(rows));
  if (launch.tensor.name == (explained.empty() ? "" : explained.front().tensor)) return said;
  const auto inner = patterns::explain(std::vector{wrong});
  for (const auto& explanation : inner)
    said.insert(said.end(), explanation.sentences.begin(), explanation.sentences.end());
  return said;
}

std::string evidence_for(const AnswerFacts& facts, const std::vector<Repair>& repairs) {
  if (!repairs.empty()) return evidence_of(repairs);
  if (facts.formula) return facts.formula->evidence;
  const auto& explained = facts.explained;
  return !explained.empty() && !explained.front().patterns.empty()
             ? explained.front().patterns.front().evidence
             : "";
}

/// Of an answer that is no known mistake's: where it goes wrong first, what it has in place of what, and what
/// mends it. `said`: what the patterns of the outputs say.
Findings cause_of_facts(const Suspect& suspect, const AnswerFacts& facts,
                        const std::vector<std::string>& said, const std::vector<Check>& checks) {
  // What explains one output of several leaves open what is wrong with the others.
  const bool is_explained = facts.formula && facts.formula->explains_all;
  auto repairs = is_explained ? std::vector<Repair>() : find_repairs(suspect);
  drop_accidents(suspect.student.text, suspect.reference.text, facts.trials, repairs);
  const auto launch = repairs.empty() ? first_wrong_launch(suspect) : std::nullopt;
  // A change in the text that mends all says what is wrong, and where; what it has done stands behind it.
  // Another kernel may go around what is wrong in the one that was chosen.
  std::vector<Repair> in_text;
  bool in_others = false;  // blanks than those that are wrong by themselves
  const bool chooses = !repairs.empty() && repairs.front().chooses;
  const auto wrong = blanks_that_are(facts.trials, BlankTrial::Verdict::wrong);
  if (!repairs.empty() && repairs.front().resizes) {
    // With more of them a kernel may be right that is not with these. Where the launch's blank does what it
    // has to, nearer to it is what mends the kernel.
    const auto right = blanks_that_are(facts.trials, BlankTrial::Verdict::right);
    if (!right.empty() && right.size() == facts.trials.size()) in_text = find_text_repairs(suspect, {});
    if (in_text.empty()) in_text = find_host_repairs(suspect, wrong);  // where the number comes from
  } else if (!is_explained && (repairs.empty() || chooses)) {
    const NearBy near_by{launch ? launch->kernel : first_kernel_behind_right_ones(suspect), 0};
    // In all, where none is known to be wrong. Of what does not compile beside the solution's others nothing
    // is known.
    auto suspected = wrong;
    const auto unknown = blanks_that_are(facts.trials, BlankTrial::Verdict::unknown);
    if (!wrong.empty()) suspected.insert(suspected.end(), unknown.begin(), unknown.end());
    in_text = find_text_repairs(suspect, suspected, near_by);
    // A blank that is right beside the solution's others may not fit these.
    const auto others = blanks_that_are(facts.trials, BlankTrial::Verdict::right);
    if (in_text.empty() && !wrong.empty() && !others.empty()) {
      in_text = find_text_repairs(suspect, others, near_by);
      in_others = !in_text.empty();
    }
    if (repairs.empty()) prefer_host_repairs(suspect, wrong, in_text);
  }
  if (!in_text.empty()) repairs.clear();
  // What mends all of it says where it is.
  const std::string place = repairs.empty() && !in_others ? where(facts.trials) : "";
  std::vector<std::string> of_launch;
  if (launch) of_launch = sentences_of_launch(suspect, facts, *launch);
  std::vector<std::string> what = of_launch.empty() ? said : of_launch;
  if (facts.formula)
    what.insert(what.begin(), facts.formula->sentence);
  else if (std::string coarse = repairs.empty() ? too_few_digits(suspect) : ""; !coarse.empty())
    what.insert(what.begin(), std::move(coarse));

  // What is known of the answer leads nearer to it than a way around.
  const auto is_dear = [](const Repair& repair) { return repair.dear; };
  if (!what.empty()) std::erase_if(in_text, is_dear);
  // One mistake that makes all of the numbers is nearer to what was thought than one in each of two blanks.
  std::string of_each;
  if (repairs.empty() && in_text.empty() && !is_explained)
    of_each = what_is_wrong_with_each(suspect, facts.trials, facts.programs);

  std::optional<NanOrigin> nan;
  if (repairs.empty() && in_text.empty() && of_each.empty() && !facts.formula) nan = origin_of_nan(suspect);

  std::vector<std::string> parts;
  if (!in_text.empty()) parts.push_back(without_stop(sentence_of(in_text)));
  if (nan) parts.push_back(nan->sentence);
  if (!of_each.empty()) {
    parts.push_back(without_stop(of_each));
  } else {
    if (!place.empty()) parts.push_back(place);
    if (launch) parts.push_back(say_launch(*launch));
    if (!what.empty())
      parts.push_back(without_stop(what.front()));
    else if (std::string alone = in_text.empty() ? wrong_outputs_alone(suspect) : ""; !alone.empty())
      parts.push_back(std::move(alone));
  }
  if (!repairs.empty()) parts.push_back(without_stop(sentence_of(repairs)));
  if (parts.empty()) parts.push_back(without_stop(bare(checks)));
  const bool is_told = facts.formula || (!repairs.empty() && !chooses) || !of_each.empty();
  if (std::string shown = is_told ? "" : where_it_shows(suspect); !shown.empty())
    parts.push_back(std::move(shown));
  for (std::size_t i = 1; i < parts.size(); ++i) parts[i] = lower_first(parts[i]);

  Findings findings;
  findings.is_proven = facts.formula || !repairs.empty() || !of_each.empty() ||
                       !std::all_of(in_text.begin(), in_text.end(), is_dear);
  Cause& cause = findings.cause.emplace();
  cause.sentence = fmt::format("{}.", fmt::join(parts, "; "));
  if (!what.empty()) cause.details.assign(what.begin() + (of_each.empty() ? 1 : 0), what.end());
  if (!of_launch.empty()) cause.details.insert(cause.details.end(), said.begin(), said.end());
  cause.evidence =
      of_each.empty() ? evidence_for(facts, in_text.empty() ? repairs : in_text)
                      : fmt::format("each carried out without the others, in {} cases", suspect.cases.size());
  if (!in_text.empty()) show_line(cause, suspect.student, in_text.front().line);
  if (nan) show_line(cause, suspect.student, nan->line);
  return findings;
}

}  // namespace

void show_line(Cause& cause, const SourceFile& source, int line) {
  cause.file = source.path.string();
  cause.line = line;
  const std::string text = source.line(line);
  cause.code = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

Findings explain_answer(const Suspect& suspect, const std::vector<Check>& checks) {
  const AnswerFacts facts = find_facts(suspect);
  const std::vector<std::string> said = sentences_of(facts.explained);
  Findings findings;
  if (!facts.mistakes.empty()) {
    findings.cause = cause_of_mistakes(facts.mistakes, suspect.wrong().size(), suspect, facts.trials);
    findings.cause->details = said;
    findings.is_proven = true;
  } else {
    findings = cause_of_facts(suspect, facts, said, checks);
  }
  if (!facts.explained.empty()) findings.cause->corner = facts.explained.front().corner;
  findings.blanks = reports_of(facts.trials);
  return findings;
}

}  // namespace fusebox
