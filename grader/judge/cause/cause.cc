#include "grader/judge/cause/cause.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/budgets/cost.h"
#include "grader/judge/cause/cause_of_answer.h"
#include "grader/judge/cause/outputs.h"
#include "grader/judge/cause/read_where_written.h"
#include "grader/judge/cause/sentences.h"
#include "grader/judge/cause/where_it_shows.h"
#include "grader/judge/compare/tensor_bytes.h"
#include "grader/judge/faults/fault_line.h"
#include "grader/judge/faults/fault_order.h"
#include "grader/judge/faults/row_past_end.h"
#include "grader/judge/patterns/find.h"
#include "grader/judge/repair/host_repair.h"
#include "grader/judge/repair/repair.h"
#include "grader/judge/repair/text_repair.h"
#include "grader/report/fault_key.h"
#include "grader/report/text/format.h"

namespace fusebox {
namespace {

/// Lines of a compiler or of what a host function printed that are shown.
constexpr std::size_t kMaxLines = 12;

/// The fault that the others follow from, over all cases, and its case.
std::pair<const Fault*, const CaseAnswer*> first_fault(const Suspect& suspect) {
  std::vector<FaultSeen> seen;
  for (const CaseAnswer& answer : suspect.cases)
    for (std::size_t i = 0; i < answer.result->faults.size(); ++i)
      seen.push_back({answer.which->name, answer.result->fault_launches[i], &answer.result->faults[i]});
  const Fault* root = root_fault(seen);
  for (const CaseAnswer& answer : suspect.cases)
    for (const Fault& fault : answer.result->faults)
      if (&fault == root) return {root, &answer};
  return {nullptr, nullptr};
}

/// Of a value that nobody had written: which launch before should have, by what the reference's has written
/// there by then. Empty where that cannot be told.
std::string who_skips_it(const Suspect& suspect, const Fault& fault) {
  if (!is_one_of(fault, {FaultKey::uninitialised_read}) || !suspect.student_program) return {};
  // The largest case but for the counted one: its shape says most.
  std::vector<const CaseAnswer*> same;
  for (const CaseAnswer& answer : suspect.cases)
    for (const Fault& each : answer.result->faults)
      if (each.kind == fault.kind && each.kernel == fault.kernel && (same.empty() || same.back() != &answer))
        same.push_back(&answer);
  std::stable_sort(same.begin(), same.end(), [](const CaseAnswer* a, const CaseAnswer* b) {
    return elements_of(*a->problem) < elements_of(*b->problem);
  });
  if (same.empty()) return {};
  const CaseAnswer& chosen = *telling_case(same);
  const auto launch = first_wrong_launch(suspect, chosen);
  if (!launch) return {};
  const auto explained = patterns::explain(std::vector{wrong_case_of(*launch, chosen)});
  for (const auto& explanation : explained)
    for (const auto& pattern : explanation.patterns)
      if (pattern.kind == patterns::Kind::unwritten)
        return fmt::format(
            "Launch {} of {}, `{}`, leaves a part of `{}` unwritten, which is read later. In case {}: {}",
            launch->index + 1, launch->count, launch->kernel, launch->tensor.name, chosen.which->name,
            lower_first(pattern.sentence));
  return {};
}

Cause cause_of_fault(const Fault& fault, const CaseAnswer& answer, const SourceFile& source) {
  Cause cause;
  std::string what = fault.what + (fault.where.empty() ? "" : ", " + fault.where);
  const bool own_line = is_line_of(fault, source);
  // An address far from everything says nothing; what the line indexes does.
  if (own_line && is_one_of(fault, {FaultKey::out_of_bounds}) && fault.where.find('`') == std::string::npos) {
    const bool writes = fault.what.find("store") != std::string::npos;
    const auto names = indexed_on(source.line(line_to_show(fault, source)), writes);
    if (!names.empty())
      what +=
          fmt::format(", on a line that {} {} by an index", writes ? "writes" : "reads", quoted_list(names));
  }
  what = capitalised(std::move(what));
  cause.sentence =
      fmt::format("{}{}{}", without_stop(what), fault.hint.empty() ? "." : ": ", lower_first(fault.hint));
  if (!cause.sentence.ends_with('.')) cause.sentence += '.';
  if (!fault.kernel.empty())
    cause.evidence =
        fmt::format("case {}, {}, block ({}), thread ({}){}", answer.which->name, fault.kernel,
                    fmt::join(fault.block, ","), fmt::join(fault.thread, ","),
                    fault.count > 1 ? fmt::format("; {} threads did the same", fault.count) : "");
  if (own_line) show_line(cause, source, line_to_show(fault, source));
  return cause;
}

/// Why an address is outside, or leads to what nobody wrote: by the index that led there, or by what the same
/// mistake makes of the cases without a fault. Empty where neither is known.
std::string what_else_shows(const Suspect& suspect, const Fault& fault, const CaseAnswer& faulty) {
  const bool outside = is_one_of(fault, {FaultKey::out_of_bounds});
  if (!outside && !is_one_of(fault, {FaultKey::uninitialised_read})) return {};
  std::vector<const Problem*> without;
  for (const CaseAnswer& answer : suspect.cases)
    if (answer.result->faults.empty()) without.push_back(answer.problem.get());
  if (std::string row = outside ? row_past_end(fault, *faulty.problem, without) : ""; !row.empty())
    return row;
  if (suspect.wrong().empty()) return {};
  const auto formula = mistake_in_the_formula(suspect);
  if (!formula || !formula->reads_elsewhere) return {};
  return fmt::format("{}, {}", outside ? "Where nothing is read outside" : "In the cases without a fault",
                     formula->sentence);
}

/// Lanes or threads that do not come where others wait for them: another bound may have sent them elsewhere.
bool is_of_lanes(const Fault& fault) {
  return is_one_of(fault, {FaultKey::missing_lanes, FaultKey::bad_mask, FaultKey::barrier_divergence});
}

/// A race that comes of a wrong index is told by that, and a loop that does not end by how it goes on: what
/// mends it is a change of the text and no barrier.
bool may_be_in_the_text(const Fault& fault) {
  return is_one_of(fault, {FaultKey::race, FaultKey::race_same_value, FaultKey::race_global,
                           FaultKey::endless_loop, FaultKey::unset_variable}) ||
         (is_one_of(fault, {FaultKey::race_shared}) && fault.between_stores) || is_of_lanes(fault);
}

/// Whether a case fails when it is called once and at its own sizes: with what is found out beyond that, at a
/// second call or at full size, every change would seem to mend it.
bool fails_by_itself(const Suspect& suspect, const CaseAnswer& answer) {
  if (!suspect.student_program) return false;
  const auto result = suspect.run(*suspect.student_program, answer);
  return result && result->check.outcome == Outcome::failed;
}

/// Grid and block exchanged, or two arguments: what makes more or fewer threads may only hide what is wrong.
std::vector<Repair> exchanges_of_launches(const Suspect& suspect) {
  auto repairs = find_repairs(suspect);
  std::erase_if(repairs, [](const Repair& repair) { return repair.may_go_around() || repair.replaces; });
  return repairs;
}

/// A race or a missing barrier may go away with another launch, and is still what is wrong; but not one
/// between blocks that are given the same elements.
bool may_be_the_launch(const Fault& fault) {
  if (is_one_of(fault, {FaultKey::race_global}) && fault.between == "blocks") return true;
  return is_one_of(fault, {FaultKey::out_of_bounds, FaultKey::misaligned, FaultKey::null_pointer,
                           FaultKey::uninitialised_read});
}

}  // namespace

Findings find_cause(const Suspect& suspect, const std::vector<Check>& checks) {
  if (const auto [fault, answer] = first_fault(suspect); fault) {
    Findings findings;
    Fault told = *fault;
    std::string where, mended;
    // What mends it says more than what such faults are mended by as a rule; of an index a change in the text
    // says most.
    const bool index = may_be_in_the_text(*fault);
    std::vector<Repair> in_text;
    const NearBy near_by{fault->kernel,
                         is_line_of(*fault, suspect.student) ? line_to_show(*fault, suspect.student) : 0,
                         is_one_of(*fault, {FaultKey::endless_loop}), is_of_lanes(*fault)};
    if (index) in_text = find_text_repairs(suspect, {}, near_by);
    if (may_be_the_launch(*fault)) {
      const auto repairs = find_repairs(suspect);
      const bool mends = !repairs.empty(), resizes = mends && repairs.front().resizes;
      const std::string hint =
          !mends || repairs.front().chooses ? what_else_shows(suspect, *fault, *answer) : "";
      if (mends && !repairs.front().may_go_around())
        told.hint = mended = sentence_of(repairs);
      else if (!hint.empty())
        told.hint = hint;
      else {
        if (!index) in_text = find_text_repairs(suspect, {}, near_by);
        if (resizes) std::erase_if(in_text, [](const Repair& r) { return r.dear; });
        if (!mends) prefer_host_repairs(suspect, {}, in_text);
        const bool is_told =
            std::any_of(in_text.begin(), in_text.end(), [](const Repair& r) { return !r.drops; });
        if (!is_told && (!resizes || !in_text.empty())) where = where_it_shows(suspect);
        if (in_text.empty() && mends) told.hint = mended = sentence_of(repairs);
      }
    }
    // A grid of far too many blocks takes as long.
    if (near_by.is_endless && in_text.empty()) in_text = find_host_repairs(suspect, {}, HostEdits::typical);
    if (index && in_text.empty() && !may_be_the_launch(*fault) && !is_of_lanes(*fault)) {
      const auto repairs = exchanges_of_launches(suspect);
      if (!repairs.empty()) told.hint = mended = sentence_of(repairs);
    }
    // What a wide access has to begin at leads nearer to the mistake than a way around wide accesses.
    if (is_one_of(*fault, {FaultKey::misaligned}))
      std::erase_if(in_text, [](const Repair& r) { return r.dear; });
    if (!in_text.empty()) told.hint = mended = sentence_of(in_text);
    if (mended.empty())
      if (std::string twice = read_where_written(suspect, *fault, *answer); !twice.empty())
        told.hint = std::move(twice);
    findings.cause = cause_of_fault(told, *answer, suspect.student);
    if (!where.empty())
      findings.cause->sentence = fmt::format("{}; {}.", without_stop(findings.cause->sentence), where);
    if (std::string skipped = who_skips_it(suspect, *fault); !skipped.empty()) {
      findings.cause->details.insert(findings.cause->details.begin(), findings.cause->sentence);
      findings.cause->sentence = mended.empty() ? std::move(skipped) : skipped + " " + mended;
    }
    return findings;
  }
  // A launch that was refused, or a host function that did not get to its end, comes before what it left
  // wrong.
  const auto is_refused = [](const CaseAnswer& answer) {
    return answer.result->check.outcome == Outcome::failed && !answer.result->wrong_answer;
  };
  const auto refused = std::find_if(suspect.cases.begin(), suspect.cases.end(), is_refused);
  if (refused != suspect.cases.end()) {
    Findings findings;
    std::vector<Repair> repairs;
    if (!refused->result->no_kernel && fails_by_itself(suspect, *refused)) {
      repairs = exchanges_of_launches(suspect);
      if (repairs.empty()) repairs = find_host_repairs(suspect, {}, HostEdits::typical);
    }
    if (repairs.empty() && suspect.wrong().empty()) return {};
    findings.cause = cause_of_check(refused->result->check);
    if (!repairs.empty())
      findings.cause->sentence = capitalised(without_stop(refused->result->check.summary)) + ": " +
                                 lower_first(sentence_of(repairs));
    const auto count = std::count_if(suspect.cases.begin(), suspect.cases.end(), is_refused);
    findings.cause->evidence =
        fmt::format("case {}; so in {} of {} cases", refused->which->name, count, suspect.cases.size());
    // Who launches in other cases knows how.
    const auto other = std::find_if(suspect.cases.begin(), suspect.cases.end(),
                                    [](const CaseAnswer& answer) { return answer.result->executed; });
    if (refused->result->no_kernel && other != suspect.cases.end())
      findings.cause->sentence = fmt::format(
          "{} in case {}, and it does in case {}: look at the condition or the count that leaves the first out.",
          refused->result->check.summary, refused->which->name, other->which->name);
    return findings;
  }
  if (suspect.wrong().empty()) return {};
  return explain_answer(suspect, checks);
}

Cause cause_of_check(const Check& check) {
  Cause cause;
  const std::size_t advice = check.detail.find("try: ");
  std::string hint;
  if (advice != std::string::npos)
    hint = check.detail.substr(advice + 5, check.detail.find('\n', advice) - advice - 5);
  cause.sentence =
      without_stop(check.summary) + (hint.empty() ? "." : ": " + without_stop(lower_first(hint)) + ".");
  cause.sentence = capitalised(std::move(cause.sentence));
  std::string rest = check.detail;
  if (advice != std::string::npos) rest.erase(advice, check.detail.find('\n', advice) - advice + 1);
  for (std::size_t at = 0; at < rest.size() && cause.details.size() < kMaxLines;) {
    const std::size_t end = std::min(rest.find('\n', at), rest.size());
    if (end > at) cause.details.push_back(rest.substr(at, end - at));
    at = end + 1;
  }
  return cause;
}

Cause cause_of_cost(const BudgetLine& line, const SideRun& student, const SideRun* reference,
                    const SourceFile& source) {
  CostCause cost = explain_cost(line, student, reference);
  Cause cause;
  cause.sentence = std::move(cost.sentence);
  cause.details = std::move(cost.details);
  if (cost.line > 0) show_line(cause, source, cost.line);
  return cause;
}

}  // namespace fusebox
