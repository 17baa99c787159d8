#include "grader/judge/repair/mending.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "grader/judge/budgets/budgets.h"
#include "grader/judge/budgets/ledger.h"
#include "grader/judge/budgets/metrics.h"
#include "grader/judge/cases/both_devices.h"
#include "grader/judge/cases/other_device_code.h"
#include "grader/judge/repair/switched_text.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

/// A change that does not compile is left out, and what is left compiled again, so often.
constexpr int kMaxCompiles = 6;
/// From this one on with all others of its line.
constexpr int kWholeLines = 4;
constexpr std::size_t kMaxSaid = 2;

/// Budgets that the numbers of the counted case do not keep, but for those of time. What a run without
/// machine code cannot tell breaks none.
std::set<std::string> broken_budgets(const Entry& entry, const CaseResult& counted) {
  std::set<std::string> broken;
  for (const Budget& budget : entry.budgets) {
    if (!counted.executed || !budget.fastest_of.empty()) continue;
    const BudgetLine line = check_budgets({&budget, 1}, counted.metrics, {}).front();
    if (line.student.value && !line.within) broken.insert(budget.metric);
  }
  return broken;
}

/// Nearly half as much again: by a third more or so right answers differ.
constexpr double kMuchMore = 1.45;

/// Whether the same is asked for much more often than before.
bool is_again(std::uint64_t before, std::uint64_t after) {
  return after > before + std::max<std::uint64_t>(before / 8, 256);
}

/// Whether a case that was right takes twice as many requests with a change, as when no thread loads a float4
/// any more.
bool is_undone(const CaseAnswer& answer, const CaseResult& mended) {
  if (answer.result->check.outcome != Outcome::passed) return false;
  const Metric *before = find_metric(answer.result->metrics, "requests"),
               *after = find_metric(mended.metrics, "requests");
  return before && after && after->value.value_or(0) >= 2 * before->value.value_or(0) + 8;
}

/// Whether the same of a tensor is read or written much more often with a change than without it, and much
/// more is asked for, also than by the reference: then what is wrong may only be written over, or gone
/// around. Of many cases that passed nothing is known any more.
bool goes_around(const Suspect& suspect, const CaseAnswer& answer, const CaseResult& mended) {
  const auto lines = fusion_ledger(ledger_of(answer.result->launches), ledger_of(mended.launches));
  const auto more = [](const FusionLine& line) {
    if (!line.before || !line.after) return false;
    const TensorTraffic &was = *line.before, &is = *line.after;
    return (was.compulsory_read == is.compulsory_read && is_again(was.requested_read, is.requested_read)) ||
           (was.compulsory_write == is.compulsory_write && is_again(was.requested_write, is.requested_write));
  };
  if (std::none_of(lines.begin(), lines.end(), more)) return false;
  const auto right = suspect.run(*suspect.reference_program, answer);
  if (!right) return false;
  const auto asked = [](const CaseResult& result) {
    const Metric* metric = find_metric(result.metrics, "bytes.requested");
    return metric ? metric->value.value_or(0) : 0;
  };
  const auto is_much_more = [&](const CaseResult& than) { return asked(mended) > kMuchMore * asked(than); };
  return is_much_more(*answer.result) && is_much_more(*right);
}

/// Whether other grids or blocks are launched in a case that was right without a change: then more threads
/// than there have to be, or fewer blocks, go around what is wrong elsewhere.
bool launches_otherwise(const Suspect& suspect, const CaseAnswer& answer, const CaseResult& mended) {
  if (answer.result->check.outcome != Outcome::passed) return false;
  // Of a case that is right its launches are not kept.
  const auto before = suspect.run(*suspect.student_program, answer);
  const auto sizes = [](const CaseResult& result) {
    std::multiset<std::array<std::array<std::uint32_t, 3>, 2>> all;
    for (const LaunchRecord& launch : result.launches) all.insert({launch.grid, launch.block});
    return all;
  };
  return before && sizes(*before) != sizes(mended);
}

/// Lines of the learner's text that load from global memory, or store there.
std::set<int> lines_with_requests(const Suspect& suspect, const CaseResult& result) {
  std::set<int> lines;
  for (const LaunchRecord& launch : result.launches)
    for (const LineTraffic& line : launch.lines)
      if (line.requests > 0 && fs::path(line.file).filename() == suspect.student.path.filename())
        lines.insert(line.line);
  return lines;
}

/// "line 4", "lines 4 and 6".
std::string lines_of(const TextEdit& edit, int shift) {
  std::set<int> lines{edit.line + shift};
  for (const EditedPlace& other : edit.also) lines.insert(other.line + shift);
  if (lines.size() == 1) return fmt::format("line {}", *lines.begin());
  const int last = *lines.rbegin();
  lines.erase(last);
  return fmt::format("lines {} and {}", fmt::join(lines, ", "), last);
}

/// ", where `k` is launched" of a place in a launch of k; else empty.
std::string launched_there(std::string_view text, std::size_t place) {
  const std::size_t before = text.find_last_of(";{}", place), behind = text.find(';', place);
  const std::size_t begin = before == text.npos ? 0 : before + 1;
  const std::size_t sign = text.substr(0, behind).find("<<<", begin);
  if (sign == text.npos) return {};
  const auto is_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  std::size_t end = sign;
  if (end > 0 && text[end - 1] == '>') end = std::max(text.find('<', begin), begin);  // of a template
  std::size_t first = end;
  while (first > begin && is_of_name(static_cast<unsigned char>(text[first - 1]))) --first;
  return first == end ? "" : fmt::format(", where `{}` is launched", text.substr(first, end - first));
}

/// The learner's file with another text.
Result<ProgramResult> compile_changed(const Suspect& suspect, std::string text, Side side) {
  const SourceFile source{suspect.student.path, std::move(text)};
  if (side == Side::device) return with_device_code(suspect.services, *suspect.student_program, source);
  auto compiled = suspect.services.compile(source);
  if (!compiled) return compiled.error();
  if (auto* failure = std::get_if<CompileFailure>(&compiled.value()))
    return ProgramResult(std::move(*failure));
  auto& artifact = std::get<Artifact>(*compiled);
  auto kernels = kernel_parameters(artifact.module);
  if (!kernels) return kernels.error();
  return ProgramResult(CompiledFile{source, std::move(artifact), std::move(*kernels)});
}

/// What becomes of the file in which an edit is made. too_dear: see TextRepairs.
enum class Mending { none, too_dear, whole };

Mending try_in_file(const Suspect& suspect, const TextEdit& edit, Side side) {
  const auto compiled = compile_changed(suspect, with_edit(suspect.student.text, edit), side);
  const auto* program = compiled ? std::get_if<CompiledFile>(&compiled.value()) : nullptr;
  if (!program) return Mending::none;
  Mending mending = Mending::whole;
  std::set<int> lines_before, lines_now;
  for (const CaseAnswer& answer : suspect.cases) {
    const auto result = suspect.run(*program, answer);
    if (!result || result->check.outcome != Outcome::passed) return Mending::none;
    if (answer.result->executed && suspect.reference_program && goes_around(suspect, answer, *result))
      mending = Mending::too_dear;
    if (is_undone(answer, *result)) mending = Mending::too_dear;
    if (side == Side::host && !edit.is_typical && launches_otherwise(suspect, answer, *result))
      mending = Mending::too_dear;
    lines_before.merge(lines_with_requests(suspect, *answer.result));
    lines_now.merge(lines_with_requests(suspect, *result));
    if (!answer.which->counted) continue;
    const auto before = broken_budgets(suspect.entry, *answer.result);
    for (const std::string& metric : broken_budgets(suspect.entry, *result))
      if (!before.contains(metric)) mending = Mending::too_dear;
  }
  for (const CaseAnswer& answer : suspect.untried) {
    const auto result = suspect.run(*program, answer);
    if (!result || result->check.outcome != Outcome::passed) return Mending::none;
  }
  // A loop or a branch that is not entered any more makes nothing wrong. Where lines have moved they say
  // nothing.
  const auto was = std::string_view(suspect.student.text).substr(edit.begin, edit.end - edit.begin);
  if (edit.also.empty() && was.find('\n') == was.npos &&
      !std::includes(lines_now.begin(), lines_now.end(), lines_before.begin(), lines_before.end()))
    mending = Mending::too_dear;
  return mending;
}

/// What becomes of an edit, and which one says it: the edit, or one that says no more than it has to.
struct TriedEdit {
  Mending mending = Mending::none;
  const TextEdit* said = nullptr;
};

TriedEdit try_edit(const Suspect& suspect, const TextEdit& edit, Side side) {
  const Mending mending = try_in_file(suspect, edit, side);
  if (mending == Mending::none) return {};
  for (const TextEdit& weaker : edit.weaker)
    if (const Mending without = try_in_file(suspect, weaker, side); without != Mending::none)
      return {without, &weaker};
  return {mending, &edit};
}

using Blamed = std::set<std::size_t>;

/// The numbers of the edits to leave out for what the compiler says. Those that a line of their own speaks of
/// come first: they may be why others are spoken of, whose lines several share. Once the compiler has lost
/// its way nothing that it says can be trusted.
Blamed blamed_by(std::span<const Diagnostic> messages,
                 const std::vector<std::vector<std::size_t>>& edits_of_line) {
  Blamed own, others;
  const auto edits_at = [&](int line) {
    const auto at = static_cast<std::size_t>(line);
    return line <= 0 || at > edits_of_line.size() ? std::vector<std::size_t>() : edits_of_line[at - 1];
  };
  for (const Diagnostic& message : messages) {
    if (message.text.starts_with("parsing restarts") && !(own.empty() && others.empty())) break;
    if (message.severity != "error") continue;
    const std::vector<std::size_t> meant = edits_at(message.line);
    const bool is_own = meant.size() == 1 && message.instantiated_at == 0;
    (is_own ? own : others).insert(meant.begin(), meant.end());
    // What a template was asked for with may be wrong, in a call that goes over several lines.
    std::vector<std::size_t> asked;
    for (int line = message.instantiated_at; asked.empty() && line > 0; --line) asked = edits_at(line);
    others.insert(asked.begin(), asked.end());
  }
  return own.empty() ? others : own;
}

}  // namespace

std::optional<CompiledFile> compile_switched(const Suspect& suspect, std::span<const TextEdit> edits,
                                             std::vector<bool>& keep, Side side) {
  for (int round = 0; round < kMaxCompiles; ++round) {
    const SwitchedText switched = with_switches(suspect.student.text, edits, keep, side);
    auto compiled = compile_changed(suspect, switched.text, side);
    if (!compiled) return std::nullopt;
    if (auto* program = std::get_if<CompiledFile>(&compiled.value())) return std::move(*program);
    const Blamed blamed = blamed_by(std::get<CompileFailure>(*compiled).diagnostics, switched.edits_of_line);
    if (blamed.empty()) return std::nullopt;
    for (const std::size_t number : blamed) {
      keep[number - 1] = false;
      // Of types that do not fit together the compiler names one at a time.
      for (std::size_t e = 0; round >= kWholeLines && e < edits.size(); ++e)
        if (edits[e].line == edits[number - 1].line) keep[e] = false;
    }
  }
  return std::nullopt;
}

namespace {

/// Adds to `found` what becomes of these edits, one after the other, until enough is said.
void confirm(const Suspect& suspect, std::span<const TextEdit* const> edits, Side side, TextRepairs& found) {
  // Of one line the first says it.
  const auto is_said = [&](const TextEdit& edit) {
    const auto is_of_line = [&](const Repair& repair) { return repair.line == edit.line; };
    return std::any_of(found.whole.begin(), found.whole.end(), is_of_line);
  };
  // The next one is tried on the second device meanwhile, also where it may not be needed.
  const std::size_t at_once = suspect.services.reference_device ? 2 : 1;
  while (!edits.empty()) {
    std::vector<const TextEdit*> next;
    for (; !edits.empty() && next.size() < at_once; edits = edits.subspan(1)) {
      if (is_said(*edits.front())) continue;
      if (!next.empty() && next.back()->line == edits.front()->line) break;
      next.push_back(edits.front());
    }
    std::vector<TriedEdit> tried(next.size());
    on_both_devices(suspect.services, next.size(), [&](std::size_t i, const Services& own) {
      Suspect alone = suspect;
      alone.services = own;
      tried[i] = try_edit(alone, *next[i], side);
    });
    for (std::size_t i = 0; i < next.size(); ++i) {
      const auto [mending, said] = tried[i];
      if (mending == Mending::none || is_said(*next[i])) continue;
      const bool dear = mending == Mending::too_dear && !said->asks_for_more;
      if (dear && !found.too_dear.empty()) continue;
      (dear ? found.too_dear : found.whole)
          .push_back({fmt::format("{} in {}{}", said->says, lines_of(*said, suspect.line_shift),
                                  launched_there(suspect.student.text, said->begin)),
                      suspect.count(), false, said->line,
                      dear || said->likelihood == TextEdit::Likelihood::by_accident, dear});
      if (found.whole.size() == kMaxSaid) return;
    }
  }
}

/// Whether an edit writes a number that did not stand there: 2 for a size may be right in the cases alone.
bool writes_number(const std::string& text, const TextEdit& edit) {
  const auto numbers = [](std::string_view code) {
    std::set<std::string> all;
    for (const Token& token : tokens_of(code))
      if (token.kind == Token::Kind::number) all.emplace(token.text);
    return all;
  };
  const auto was = numbers(std::string_view(text).substr(edit.begin, edit.end - edit.begin)),
             is = numbers(edit.with);
  return !std::includes(was.begin(), was.end(), is.begin(), is.end());
}

/// In one place a name says more than a number.
void put_names_first(const std::string& text, std::span<const TextEdit*> edits) {
  const auto place_of = [](const TextEdit* edit) { return std::pair(edit->begin, edit->end); };
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> first;
  for (std::size_t e = 0; e < edits.size(); ++e) first.try_emplace(place_of(edits[e]), e);
  const auto order_of = [&](const TextEdit* edit) {
    return std::pair(first.at(place_of(edit)), writes_number(text, *edit));
  };
  std::stable_sort(edits.begin(), edits.end(),
                   [&](const TextEdit* a, const TextEdit* b) { return order_of(a) < order_of(b); });
}

}  // namespace

TextRepairs confirmed(const Suspect& suspect, std::span<const TextEdit> edits, Side side) {
  std::vector<const TextEdit*> order;
  order.reserve(edits.size());
  for (const TextEdit& edit : edits) order.push_back(&edit);
  const auto others = std::stable_partition(order.begin(), order.end(),
                                            [](const TextEdit* edit) { return edit->is_typical; });
  const auto typical = static_cast<std::size_t>(others - order.begin());
  put_names_first(suspect.student.text, std::span(order).subspan(typical));
  const auto all = std::span<const TextEdit* const>(order).first(std::min(order.size(), kMaxConfirmed));
  TextRepairs found;
  confirm(suspect, all.first(std::min(typical, all.size())), side, found);
  if (found.whole.empty()) confirm(suspect, all.subspan(std::min(typical, all.size())), side, found);
  return found;
}

}  // namespace fusebox
