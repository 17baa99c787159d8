#include "grader/judge/repair/host_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "grader/judge/cases/both_devices.h"
#include "grader/judge/repair/edits/text_edit.h"
#include "grader/judge/repair/learners_lines.h"
#include "grader/judge/repair/mending.h"
#include "grader/judge/repair/switched_text.h"
#include "grader/judge/source/source_code.h"

namespace fusebox {
namespace {

/// No more are tried, but for typical ones, and of them as many as take so many warp instructions on the
/// first case: each is a process of its own.
constexpr std::size_t kMaxEdits = 240;
constexpr std::uint64_t kMaxWork = 100'000'000;
/// Of a function that asks for more than this, or does not end as soon as one with a change has to, none is
/// tried.
constexpr std::size_t kMaxOps = 256;

/// A suspect whose host function is called with the change of this number made.
Suspect with_change(const Suspect& suspect, std::uint32_t number) {
  Suspect changed = suspect;
  changed.services.record = [record = suspect.services.record, number](RecordRequest request) {
    request.edit = number;
    return record(request);
  };
  return changed;
}

/// Those of `edits` that mend every case, said.
TextRepairs repairs_among(const Suspect& suspect, std::span<const TextEdit> edits) {
  std::vector<bool> keep = lie_across(edits);
  keep.flip();
  tell_step(suspect.services, fmt::format("trying {} changes of the host function", edits.size()));
  const auto program = compile_switched(suspect, edits, keep, Side::host);
  if (!program) return {};
  const auto order = in_order_of_trial(suspect);
  const auto unchanged =
      with_change(suspect, static_cast<std::uint32_t>(edits.size() + 1)).record(*program, *order.front());
  const bool is_refused = order.front()->result->launches.empty();  // then there is nothing recorded of it
  if (!unchanged ||
      (!is_refused && (!unchanged->recording() || unchanged->recording()->plan.ops.size() > kMaxOps)))
    return {};
  const std::uint64_t affordable = kMaxWork / std::max<std::uint64_t>(work_of(*order.front()), 1);
  std::vector<std::size_t> tried;
  for (std::size_t e = 0; e < edits.size() && tried.size() < affordable; ++e)
    if (keep[e]) tried.push_back(e);
  const std::uint64_t longest = std::max<std::uint64_t>(longest_launch_of(*order.front()), 1);
  std::vector<char> right(tried.size());
  const auto is_right = [&](std::size_t e, const Services& services, const TrialLimits& limits) {
    Suspect alone = suspect;
    alone.services = services;
    alone.student_program = &*program;
    PlanEdit as_recorded;
    as_recorded.change = [](LaunchPlan&, const Call&) { return true; };
    return !edits_that_mend(with_change(alone, static_cast<std::uint32_t>(e + 1)), {as_recorded}, limits)
                .empty();
  };
  on_both_devices(suspect.services, tried.size(), [&](std::size_t i, const Services& own) {
    right[i] = is_right(tried[i], own, {.cases = kCasesWithSwitches, .longest = longest});
  });
  std::vector<std::size_t> mending;
  for (std::size_t i = 0; i < tried.size(); ++i)
    if (right[i]) mending.push_back(tried[i]);
  // Small cases are right with many a change, as where none takes the way that is wrong any more.
  if (mending.size() > kFewMending)
    std::erase_if(mending, [&](std::size_t e) { return !is_right(e, suspect.services, TrialLimits{}); });
  std::vector<TextEdit> promising;
  promising.reserve(mending.size());
  for (const std::size_t e : mending) promising.push_back(edits[e]);
  return confirmed(suspect, promising, Side::host);
}

}  // namespace

std::vector<Repair> find_host_repairs(const Suspect& suspect, const std::vector<std::string>& blanks,
                                      HostEdits wanted) {
  if (!can_be_repaired(suspect) || !suspect.services.compile) return {};
  const std::string code = code_of(suspect.student.text);
  const auto lines =
      blanks_of(suspect).empty() ? std::vector{all_lines(suspect)} : lines_to_change(suspect, blanks);
  const std::vector<TextEdit> all = edits_of_host_code(code, lines, suspect.entry.signature.function);
  // A kernel that looks where its elements end is right with many a grid that is larger than it has to be:
  // what is not likely would be named for that.
  std::vector<TextEdit> edits;
  std::copy_if(all.begin(), all.end(), std::back_inserter(edits),
               [](const TextEdit& edit) { return edit.likelihood == TextEdit::Likelihood::likely; });
  const auto others =
      std::stable_partition(edits.begin(), edits.end(), [](const TextEdit& edit) { return edit.is_typical; });
  // Of a group of threads a text has few, and of bounds many, one of which may mend by accident.
  std::stable_sort(edits.begin(), others, [](const TextEdit& a, const TextEdit& b) { return a.kin < b.kin; });
  const auto typical = static_cast<std::size_t>(others - edits.begin());
  const std::size_t most = wanted == HostEdits::typical ? typical : std::max(typical, kMaxEdits);
  edits.erase(edits.begin() + static_cast<std::ptrdiff_t>(std::min(most, edits.size())), edits.end());
  return edits.empty() ? std::vector<Repair>() : repairs_among(suspect, edits).whole;
}

void prefer_host_repairs(const Suspect& suspect, const std::vector<std::string>& blanks,
                         std::vector<Repair>& in_text) {
  if (!std::all_of(in_text.begin(), in_text.end(), [](const Repair& repair) { return repair.dear; })) return;
  if (auto in_host = find_host_repairs(suspect, blanks); !in_host.empty()) in_text = std::move(in_host);
}

}  // namespace fusebox
