#include "grader/judge/repair/text_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "grader/judge/cases/both_devices.h"
#include "grader/judge/repair/edits/read_code.h"
#include "grader/judge/repair/edits/text_edit.h"
#include "grader/judge/repair/learners_lines.h"
#include "grader/judge/repair/mending.h"
#include "grader/judge/repair/plan_places.h"
#include "grader/judge/repair/switched_text.h"
#include "grader/judge/source/source_code.h"

namespace fusebox {
namespace {

/// So many are compiled together: fewer wait for the compiler more often, more make it and the kernel slower
/// (240 of p26's edits take nvcc 0.6 s, 512 take 17).
constexpr std::size_t kEditsTogether = 256;
/// Fewer are not divided. More are, in two at least, however many cores there are: what is tried must not
/// differ.
constexpr std::size_t kLeastTogether = 64;
/// Of each likelihood no more are tried, and of kEditsTogether as many as take so many warp instructions on
/// the first case.
constexpr std::size_t kMaxEdits = 1300, kAlwaysTried = 64;
constexpr std::uint64_t kMaxWork = 220'000'000;
/// Where a launch does not end so many are tried, and each may go on for eight times as long as one of so
/// many instructions.
constexpr std::size_t kMaxOfEndless = 192;
constexpr std::uint64_t kLongestOfEndless = 1 << 19;
/// A kernel with switches in it takes about so many times as many as without.
constexpr std::uint64_t kOfSwitches = 4;

/// Sets the switch before anything else is done.
void set_switch(LaunchPlan& plan, std::uint32_t value) {
  CopyOp copy;
  copy.bytes = sizeof(value);
  copy.symbol = kEditSwitch;
  copy.host_bytes.resize(sizeof(value));
  std::memcpy(copy.host_bytes.data(), &value, sizeof(value));
  plan.insert(0, std::move(copy));
}

/// Places of edits: those of which a text has few, and others behind them.
std::vector<std::size_t> fewest_first(std::span<const TextEdit> edits) {
  std::vector<std::size_t> places(edits.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return edits[a].kin < edits[b].kin; });
  return places;
}

/// Those of `part`, places in `all`, with which the first cases are right: compiled together, tried on the
/// suspect's first device, for so many warp instructions on the first case.
std::vector<std::size_t> promising(const Suspect& suspect, std::span<const TextEdit> all,
                                   std::span<const std::size_t> part, std::uint64_t work,
                                   std::uint64_t longest) {
  std::vector<TextEdit> edits;
  edits.reserve(part.size());
  for (const std::size_t e : part) edits.push_back(all[e]);
  std::vector<bool> keep(edits.size(), true);
  const auto program = compile_switched(suspect, edits, keep, Side::device);
  if (!program) return {};
  std::vector<PlanEdit> tried;
  std::vector<std::size_t> which;
  for (const std::size_t e : fewest_first(edits)) {
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
  std::vector<std::size_t> mending = edits_that_mend(switched, tried, {kCasesWithSwitches, work, longest});
  // Small cases are right with many a change.
  if (mending.size() > kFewMending) {
    const auto order_of = [&](std::size_t m) {
      const TextEdit& edit = all[which[m]];
      return std::tuple(edit.likelihood, !edit.is_typical, which[m]);
    };
    std::sort(mending.begin(), mending.end(),
              [&](std::size_t a, std::size_t b) { return order_of(a) < order_of(b); });
    std::vector<PlanEdit> again;
    again.reserve(mending.size());
    for (const std::size_t m : mending) again.push_back(tried[m]);
    std::vector<std::size_t> in_all;
    const TrialLimits limits{.work = work, .longest = longest, .enough = kMaxConfirmed};
    for (const std::size_t m : edits_that_mend(switched, again, limits)) in_all.push_back(mending[m]);
    if (!in_all.empty()) mending = std::move(in_all);
  }
  std::vector<std::size_t> found;
  found.reserve(mending.size());
  for (const std::size_t m : mending) found.push_back(which[m]);
  return found;
}

/// In parts that are compiled together, by their places in `edits`: where two lie across each other, the
/// second is of a later part. Neighbours stay together: where one makes another type of an integer, as an
/// unsigned one does of a 0 beside it, the others of its part may be wrong for that, and no more.
std::vector<std::vector<std::size_t>> compiled_together(std::span<const TextEdit> edits) {
  std::vector<std::vector<std::size_t>> parts;
  const std::size_t most = std::clamp((edits.size() + 1) / 2, kLeastTogether, kEditsTogether);
  std::vector<TextEdit> left(edits.begin(), edits.end());
  std::vector<std::size_t> places(left.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  while (!left.empty()) {
    const std::vector<bool> across = lie_across(left);
    const std::size_t first = parts.size();
    std::vector<TextEdit> later;
    std::vector<std::size_t> later_places;
    for (std::size_t e = 0; e < left.size(); ++e) {
      if (across[e]) {
        later.push_back(std::move(left[e]));
        later_places.push_back(places[e]);
        continue;
      }
      if (parts.size() == first || parts.back().size() == most) parts.emplace_back();
      parts.back().push_back(places[e]);
    }
    left = std::move(later), places = std::move(later_places);
  }
  return parts;
}

/// As many of them as there is work for, by their places: of a large kernel, which is slow, those of which a
/// text has few. What is not tried need not be compiled.
std::vector<std::size_t> affordable(std::span<const TextEdit> edits, std::uint64_t work,
                                    std::uint64_t of_one) {
  std::vector<std::size_t> places = fewest_first(edits);
  const std::uint64_t most =
      std::max<std::uint64_t>(work / (kOfSwitches * std::max<std::uint64_t>(of_one, 1)), 1);
  places.resize(std::min<std::uint64_t>(places.size(), most));
  std::sort(places.begin(), places.end());
  return places;
}

/// Those of `edits` that may mend, by their places there.
std::set<std::size_t> promising_of(const Suspect& suspect, std::span<const TextEdit> edits,
                                   const NearBy& near_by) {
  const std::uint64_t work = kMaxWork * ((edits.size() + kEditsTogether - 1) / kEditsTogether);
  const std::vector<std::size_t> places =
      affordable(edits, work, near_by.is_endless ? 1 : work_of(*in_order_of_trial(suspect).front()));
  std::vector<TextEdit> tried;
  tried.reserve(places.size());
  for (const std::size_t place : places) tried.push_back(edits[place]);
  tell_step(suspect.services, fmt::format("trying {} changes of the kernels", tried.size()));
  const std::vector<std::vector<std::size_t>> parts = compiled_together(tried);
  std::vector<std::vector<std::size_t>> of_parts(parts.size());
  on_both_devices(suspect.services, parts.size(), [&](std::size_t i, const Services& own) {
    Suspect alone = suspect;
    alone.services = own;
    of_parts[i] = near_by.is_endless
                      ? promising(alone, tried, parts[i], TrialLimits::kAny, kLongestOfEndless)
                      : promising(alone, tried, parts[i], work * parts[i].size() / tried.size(), 0);
  });
  std::set<std::size_t> all;
  for (const auto& part : of_parts)
    for (const std::size_t e : part) all.insert(places[e]);
  return all;
}

/// Lines of a kernel and of what it calls.
std::vector<LineRange> lines_of_kernel(std::string_view code, std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  if (const std::size_t scope = kernel.rfind(':'); scope != kernel.npos) kernel.remove_prefix(scope + 1);
  ReadCode read = read_device_code(code);
  keep_reachable(read, {fmt::format("{}{}", kernel.size(), kernel)});  // as in a mangled name
  std::vector<LineRange> lines;
  lines.reserve(read.functions.size());
  for (const ReadFunction& function : read.functions)
    lines.push_back({read.tokens[function.open].line, read.tokens[function.close].line});
  return lines;
}

/// As many of them as there is time for, in their order: those of which a text has few, wherever they are in
/// the kernel, before the others; of these the nearest ones, and where no line is known to be near those last
/// of which there are most.
std::vector<TextEdit> nearest(std::vector<TextEdit> edits, std::string_view code, const NearBy& near_by) {
  const std::size_t most = near_by.is_endless ? kMaxOfEndless : kMaxEdits;
  if (edits.size() <= most) return edits;
  const auto lines =
      near_by.kernel.empty() ? std::vector<LineRange>() : lines_of_kernel(code, near_by.kernel);
  using Kin = TextEdit::Kin;
  std::vector<std::tuple<bool, Kin, int, std::size_t>> order;
  for (std::size_t e = 0; e < edits.size(); ++e) {
    const bool always = e < kAlwaysTried && !near_by.is_endless,
               few = edits[e].kin == Kin::few && !near_by.is_endless;
    order.emplace_back(!always && !lines.empty() && !is_in(edits[e].line, lines),
                       always || few       ? Kin::few
                       : near_by.line == 0 ? edits[e].kin
                                           : Kin::many,
                       always || few || near_by.line == 0 ? 0 : std::abs(edits[e].line - near_by.line), e);
  }
  std::sort(order.begin(), order.end());
  order.resize(most);
  std::set<std::pair<bool, std::size_t>> kept;
  for (const auto& [elsewhere, kin, distance, e] : order) kept.insert({kin == Kin::most, e});
  std::vector<TextEdit> near;
  near.reserve(kept.size());
  for (const auto& [many, e] : kept) near.push_back(std::move(edits[e]));
  return near;
}

/// Edits of one likelihood, in the lines of one pass.
struct Group {
  std::size_t pass = 0;
  bool is_likely = false;
  std::vector<TextEdit> edits;
};

/// Those that are made in the lines of each pass and of none before it, in the order in which they are said.
std::vector<Group> groups_of(const Suspect& suspect, const std::vector<std::vector<LineRange>>& passes,
                             const NearBy& near_by) {
  const std::string code = code_of(suspect.student.text);
  const std::set<std::string> kernels = launched_by(suspect).anywhere;
  std::vector<Group> groups;
  std::set<std::tuple<std::size_t, std::size_t, std::string>> grouped;  // by what they put where
  for (std::size_t pass = 0; pass < passes.size(); ++pass) {
    std::vector<TextEdit> all = edits_of_device_code(code, passes[pass], kernels);
    if (near_by.only_typical) std::erase_if(all, [](const TextEdit& edit) { return !edit.is_typical; });
    std::erase_if(all, [&](const TextEdit& edit) {
      return grouped.contains({edit.begin, edit.end, edit.with});
    });
    using Likelihood = TextEdit::Likelihood;
    bool few_alone = false;  // where the likely ones are as many as there is time for
    for (const Likelihood likelihood : {Likelihood::likely, Likelihood::seldom, Likelihood::by_accident}) {
      std::vector<TextEdit> edits;
      for (const TextEdit& edit : all)
        if (edit.likelihood == likelihood && (!few_alone || edit.kin == TextEdit::Kin::few))
          edits.push_back(edit);
      edits = nearest(std::move(edits), code, near_by);
      for (const TextEdit& edit : edits) grouped.insert({edit.begin, edit.end, edit.with});
      few_alone |= edits.size() == kMaxEdits;
      if (!edits.empty()) groups.push_back({pass, likelihood == Likelihood::likely, std::move(edits)});
      if (near_by.is_endless || (few_alone && likelihood == Likelihood::seldom)) break;
    }
  }
  return groups;
}

/// How many groups are compiled together: likely ones alone, and the others of a pass, since most of the time
/// the compiler takes for a few is that of the headers.
std::size_t tried_at_once(std::span<const Group> groups) {
  const Group& first = groups.front();
  const auto is_other = [&](const Group& group) { return group.is_likely || group.pass != first.pass; };
  const auto end =
      first.is_likely ? groups.begin() + 1 : std::find_if(groups.begin(), groups.end(), is_other);
  return static_cast<std::size_t>(end - groups.begin());
}

/// The first of the groups of which one mends every case, said; of the first pass that has none what mends
/// and is too dear.
std::vector<Repair> first_repairs(const Suspect& suspect, std::span<const Group> groups,
                                  const NearBy& near_by) {
  std::vector<Repair> too_dear;
  std::size_t pass = 0;
  while (!groups.empty()) {
    const std::span<const Group> now = groups.first(tried_at_once(groups));
    groups = groups.subspan(now.size());
    std::vector<TextEdit> edits;
    for (const Group& group : now) edits.insert(edits.end(), group.edits.begin(), group.edits.end());
    const std::set<std::size_t> all = promising_of(suspect, edits, near_by);
    std::size_t first = 0;
    for (const Group& group : now) {
      if (group.pass != pass && !too_dear.empty()) return too_dear;
      pass = group.pass;
      std::vector<TextEdit> likely;
      for (auto e = all.lower_bound(first); e != all.end() && *e < first + group.edits.size(); ++e)
        likely.push_back(edits[*e]);
      first += group.edits.size();
      TextRepairs repairs = confirmed(suspect, likely, Side::device);
      if (!repairs.whole.empty()) {
        // What only takes something away says less than a change beside it that mends as well.
        const auto drops = [](const Repair& repair) { return repair.drops; };
        if (!std::all_of(repairs.whole.begin(), repairs.whole.end(), drops))
          std::erase_if(repairs.whole, drops);
        return repairs.whole;
      }
      if (too_dear.empty()) too_dear = std::move(repairs.too_dear);
    }
  }
  return too_dear;
}

}  // namespace

std::vector<Repair> find_text_repairs(const Suspect& suspect, const std::vector<std::string>& blanks,
                                      const NearBy& near_by) {
  if (!can_be_repaired(suspect) || !suspect.services.compile) return {};
  std::vector<std::vector<LineRange>> passes = {lines_to_change(suspect, blanks)};
  // Of a file without markers a line may be the learner's that the solution has too.
  if (blanks_of(suspect).empty()) passes.push_back({all_lines(suspect)});
  if (auto made_over = functions_made_over(suspect); !made_over.empty())
    passes.push_back(std::move(made_over));
  return first_repairs(suspect, groups_of(suspect, passes, near_by), near_by);
}

}  // namespace fusebox
