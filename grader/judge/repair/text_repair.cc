#include "grader/judge/repair/text_repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "grader/judge/budgets/budgets.h"
#include "grader/judge/budgets/ledger.h"
#include "grader/judge/budgets/metrics.h"
#include "grader/judge/cases/both_devices.h"
#include "grader/judge/cases/other_device_code.h"
#include "grader/judge/repair/plan_places.h"
#include "grader/judge/repair/text_edit.h"
#include "grader/judge/source/source_code.h"
#include "grader/judge/source/source_lines.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

/// So many are compiled together: fewer wait for the compiler more often, more make it and the kernel slower
/// (240 of p26's edits take nvcc 0.6 s, 512 take 17).
constexpr std::size_t kEditsTogether = 256;
/// Of each likelihood no more are tried, and of those that are compiled together as many as take so many warp
/// instructions on the first case.
constexpr std::size_t kMaxEdits = 1300, kAlwaysTried = 64;
constexpr std::uint64_t kMaxWork = 50'000'000;
/// A change that does not compile is left out, and what is left compiled again, so often.
constexpr int kMaxCompiles = 4;
constexpr std::size_t kMaxSaid = 2;
/// A kernel with hundreds of switches is slow: it is tried on so many cases, and what is right there is made
/// in the file itself and tried on all, so many changes at most.
constexpr std::size_t kCasesWithSwitches = 3, kMaxConfirmed = 8;

/// Lines of functions of the learner's own: each of their lines may stand somewhere in the solution too.
std::vector<LineRange> own_functions(const Suspect& suspect) {
  const std::string own = code_of(suspect.student.text), given = code_of(suspect.reference.text);
  const DeviceCode read = read_device_code(own), known = read_device_code(given);
  std::vector<LineRange> ranges;
  for (const DeviceFunction& function : read.functions) {
    const auto has_its_name = [&](const DeviceFunction& other) { return other.name == function.name; };
    if (std::none_of(known.functions.begin(), known.functions.end(), has_its_name))
      ranges.push_back({read.tokens[function.open].line, read.tokens[function.close].line});
  }
  return ranges;
}

/// None where the file has no markers of them, or such as cannot be read.
std::vector<Blank> blanks_of(const Suspect& suspect) {
  auto found = find_blanks(suspect.student.text);
  if (!found) return {};
  return std::move(*found);
}

/// What the learner wrote: these blanks, or all, and lines and functions around them that the solution does
/// not have.
std::vector<LineRange> lines_to_change(const Suspect& suspect, const std::vector<std::string>& blanks) {
  const auto lines = trimmed_lines(suspect.student.text);
  const LineRange everything{1, static_cast<int>(lines.size())};
  const auto given = trimmed_lines(suspect.reference.text);
  const std::set<std::string_view> known(given.begin(), given.end());
  const auto& names = blanks.empty() ? suspect.entry.blanks : blanks;
  std::vector<LineRange> in_blanks, ranges;
  for (const Blank& blank : blanks_of(suspect)) {
    in_blanks.push_back({blank.first_line, blank.last_line});
    if (std::find(names.begin(), names.end(), blank.name) != names.end()) ranges.push_back(in_blanks.back());
  }
  for (const LineRange& function : own_functions(suspect)) ranges.push_back(function);
  for (int line = 1; line <= everything.last; ++line)
    if (!known.contains(lines[static_cast<std::size_t>(line) - 1]) && !is_in(line, in_blanks))
      ranges.push_back({line, line});
  return ranges.empty() ? std::vector{everything} : ranges;
}

/// The learner's file with a switch for each edit that compiles; `keep` says which those are.
std::optional<CompiledFile> compile_switched(const Suspect& suspect, std::span<const TextEdit> edits,
                                             std::vector<bool>& keep) {
  for (int round = 0; round < kMaxCompiles; ++round) {
    const SwitchedText switched = with_switches(suspect.student.text, edits, keep);
    const SourceFile source{suspect.student.path, switched.text};
    auto compiled = with_device_code(suspect.services, *suspect.student_program, source);
    if (!compiled) return std::nullopt;
    if (auto* program = std::get_if<CompiledFile>(&compiled.value())) return std::move(*program);
    bool dropped = false;
    for (const Diagnostic& message : std::get<CompileFailure>(*compiled).diagnostics) {
      const auto line = static_cast<std::size_t>(message.line);
      if (message.severity != "error" || line == 0 || line > switched.edits_of_line.size()) continue;
      for (const std::size_t edit : switched.edits_of_line[line - 1]) keep[edit - 1] = false, dropped = true;
    }
    if (!dropped) return std::nullopt;
  }
  return std::nullopt;
}

/// Sets the switch before anything else is done.
void set_switch(LaunchPlan& plan, std::uint32_t value) {
  CopyOp copy;
  copy.bytes = sizeof(value);
  copy.symbol = kEditSwitch;
  copy.host_bytes.resize(sizeof(value));
  std::memcpy(copy.host_bytes.data(), &value, sizeof(value));
  plan.insert(0, std::move(copy));
}

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

/// Lines of the learner's text that load from global memory, or store there.
std::set<int> lines_with_requests(const Suspect& suspect, const CaseResult& result) {
  std::set<int> lines;
  for (const LaunchRecord& launch : result.launches)
    for (const LineTraffic& line : launch.lines)
      if (line.requests > 0 && fs::path(line.file).filename() == suspect.student.path.filename())
        lines.insert(line.line);
  return lines;
}

/// What becomes of the file in which an edit is made. too_dear: every case is right, and a budget broken that
/// was kept, as when a condition that spares work no longer does, or something is read or written more often,
/// or in pieces, or what read or wrote it is not carried out any more.
enum class Mending { none, too_dear, whole };

Mending try_in_file(const Suspect& suspect, const TextEdit& edit) {
  const SourceFile source{suspect.student.path, with_edit(suspect.student.text, edit)};
  const auto compiled = with_device_code(suspect.services, *suspect.student_program, source);
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
    lines_before.merge(lines_with_requests(suspect, *answer.result));
    lines_now.merge(lines_with_requests(suspect, *result));
    if (!answer.which->counted) continue;
    const auto before = broken_budgets(suspect.entry, *answer.result);
    for (const std::string& metric : broken_budgets(suspect.entry, *result))
      if (!before.contains(metric)) mending = Mending::too_dear;
  }
  // A loop or a branch that is not entered any more makes nothing wrong. Where lines have moved they say
  // nothing.
  const auto was = std::string_view(suspect.student.text).substr(edit.begin, edit.end - edit.begin);
  if (edit.also.empty() && was.find('\n') == was.npos &&
      !std::includes(lines_now.begin(), lines_now.end(), lines_before.begin(), lines_before.end()))
    mending = Mending::too_dear;
  return mending;
}

/// Those of `part`, places in `all`, with which the first cases are right: compiled together, tried on the
/// suspect's first device.
std::vector<std::size_t> promising(const Suspect& suspect, std::span<const TextEdit> all,
                                   std::span<const std::size_t> part) {
  std::vector<TextEdit> edits;
  edits.reserve(part.size());
  for (const std::size_t e : part) edits.push_back(all[e]);
  std::vector<bool> keep(edits.size(), true);
  const auto program = compile_switched(suspect, edits, keep);
  if (!program) return {};
  std::vector<PlanEdit> tried;
  std::vector<std::size_t> which;
  for (std::size_t e = 0; e < edits.size(); ++e) {
    if (!keep[e]) continue;
    PlanEdit one;
    one.change = [value = static_cast<std::uint32_t>(e + 1)](LaunchPlan& plan, const Call&) {
      set_switch(plan, value);
      return true;
    };
    tried.push_back(std::move(one));
    which.push_back(part[e]);
  }
  Suspect switched = suspect;
  switched.student_program = &*program;
  std::vector<std::size_t> found;
  for (const std::size_t m : edits_that_mend(switched, tried, {kCasesWithSwitches, kMaxWork}))
    found.push_back(which[m]);
  return found;
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

struct TextRepairs {
  std::vector<Repair> whole;
  std::vector<Repair> too_dear;  ///< see Mending
};

/// In parts that are compiled together, by their places in `edits`: where two lie across each other, the
/// second is of a later part. Neighbours go to different parts, for each part may end before its last is
/// tried.
std::vector<std::vector<std::size_t>> compiled_together(std::span<const TextEdit> edits) {
  std::vector<std::vector<std::size_t>> parts;
  std::vector<TextEdit> left(edits.begin(), edits.end());
  std::vector<std::size_t> places(left.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  while (!left.empty()) {
    const std::vector<bool> across = lie_across(left);
    const auto apart = static_cast<std::size_t>(std::count(across.begin(), across.end(), false));
    const std::size_t first = parts.size(), more = (apart + kEditsTogether - 1) / kEditsTogether;
    parts.resize(first + more);
    std::vector<TextEdit> later;
    std::vector<std::size_t> later_places;
    std::size_t dealt = 0;
    for (std::size_t e = 0; e < left.size(); ++e) {
      if (!across[e]) {
        parts[first + dealt++ % more].push_back(places[e]);
        continue;
      }
      later.push_back(std::move(left[e]));
      later_places.push_back(places[e]);
    }
    left = std::move(later), places = std::move(later_places);
  }
  return parts;
}

/// Those of `edits` that mend every case, said.
TextRepairs repairs_among(const Suspect& suspect, std::span<const TextEdit> edits) {
  const std::vector<std::vector<std::size_t>> parts = compiled_together(edits);
  std::vector<std::vector<std::size_t>> of_parts(parts.size());
  on_both_devices(suspect.services, parts.size(), [&](std::size_t i, const Services& own) {
    Suspect alone = suspect;
    alone.services = own;
    of_parts[i] = promising(alone, edits, parts[i]);
  });
  std::vector<std::size_t> all;
  for (const auto& part : of_parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  TextRepairs found;
  std::size_t confirmed = 0;
  for (const std::size_t e : all) {
    const TextEdit& edit = edits[e];
    if (found.whole.size() == kMaxSaid || ++confirmed > kMaxConfirmed) return found;
    // Of one line the first says it.
    const auto is_of_line = [&](const Repair& repair) { return repair.line == edit.line; };
    if (std::any_of(found.whole.begin(), found.whole.end(), is_of_line)) continue;
    const Mending mending = try_in_file(suspect, edit);
    if (mending == Mending::none) continue;
    const bool dear = mending == Mending::too_dear;
    if (dear && !found.too_dear.empty()) continue;
    (dear ? found.too_dear : found.whole)
        .push_back({fmt::format("{} in {}", edit.says, lines_of(edit, suspect.line_shift)),
                    suspect.cases.size(), false, edit.line,
                    dear || edit.likelihood == TextEdit::Likelihood::by_accident, dear});
  }
  return found;
}

/// Lines of a kernel and of what it calls.
std::vector<LineRange> lines_of_kernel(std::string_view code, std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  if (const std::size_t scope = kernel.rfind(':'); scope != kernel.npos) kernel.remove_prefix(scope + 1);
  DeviceCode read = read_device_code(code);
  keep_reachable(read, {fmt::format("{}{}", kernel.size(), kernel)});  // as in a mangled name
  std::vector<LineRange> lines;
  for (const DeviceFunction& function : read.functions)
    lines.push_back({read.tokens[function.open].line, read.tokens[function.close].line});
  return lines;
}

/// As many of them as there is time for, in their order; the first, which are likeliest, wherever they are,
/// and where no line is known to be near those that are one of many last.
std::vector<TextEdit> nearest(std::vector<TextEdit> edits, std::string_view code, const NearBy& near_by) {
  if (edits.size() <= kMaxEdits) return edits;
  const auto lines =
      near_by.kernel.empty() ? std::vector<LineRange>() : lines_of_kernel(code, near_by.kernel);
  std::vector<std::tuple<bool, bool, int, std::size_t>> order;
  for (std::size_t e = 0; e < edits.size(); ++e)
    order.emplace_back(e >= kAlwaysTried && !lines.empty() && !is_in(edits[e].line, lines),
                       e >= kAlwaysTried && near_by.line == 0 && edits[e].one_of_many,
                       e < kAlwaysTried || near_by.line == 0 ? 0 : std::abs(edits[e].line - near_by.line), e);
  std::sort(order.begin(), order.end());
  order.resize(kMaxEdits);
  std::set<std::pair<bool, std::size_t>> kept;
  for (const auto& [elsewhere, many, distance, e] : order) kept.insert({many, e});
  std::vector<TextEdit> near;
  near.reserve(kept.size());
  for (const auto& [many, e] : kept) near.push_back(std::move(edits[e]));
  return near;
}

/// Edits by what they put where.
using Tried = std::set<std::tuple<std::size_t, std::size_t, std::string>>;

/// Those that are made in these lines and were not tried yet.
std::vector<Repair> repairs_in(const Suspect& suspect, const std::vector<LineRange>& lines,
                               const NearBy& near_by, Tried& tried) {
  const std::string code = code_of(suspect.student.text);
  std::vector<TextEdit> all = edits_of_text(code, lines, launched_by(suspect).anywhere);
  std::erase_if(all, [&](const TextEdit& edit) { return tried.contains({edit.begin, edit.end, edit.with}); });
  using Likelihood = TextEdit::Likelihood;
  std::vector<Repair> too_dear;
  for (const Likelihood likelihood : {Likelihood::likely, Likelihood::seldom, Likelihood::by_accident}) {
    std::vector<TextEdit> edits;
    for (const TextEdit& edit : all)
      if (edit.likelihood == likelihood) edits.push_back(edit);
    edits = nearest(std::move(edits), code, near_by);
    for (const TextEdit& edit : edits) tried.insert({edit.begin, edit.end, edit.with});
    TextRepairs repairs = repairs_among(suspect, edits);
    if (!repairs.whole.empty()) return repairs.whole;
    if (too_dear.empty()) too_dear = std::move(repairs.too_dear);
    // Of so much code the likely ones are all that there is time for.
    if (edits.size() == kMaxEdits) break;
  }
  return too_dear;
}

}  // namespace

std::vector<Repair> find_text_repairs(const Suspect& suspect, const std::vector<std::string>& blanks,
                                      const NearBy& near_by) {
  if (!can_be_repaired(suspect) || !suspect.services.compile) return {};
  Tried tried;
  std::vector<Repair> found = repairs_in(suspect, lines_to_change(suspect, blanks), near_by, tried);
  // Of a file without markers a line may be the learner's that the solution has too.
  if (found.empty() && blanks_of(suspect).empty())
    found = repairs_in(suspect, {{1, static_cast<int>(trimmed_lines(suspect.student.text).size())}}, near_by,
                       tried);
  return found;
}

}  // namespace fusebox
