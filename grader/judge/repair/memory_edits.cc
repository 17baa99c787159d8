#include <fmt/format.h>

#include <utility>

#include "grader/judge/repair/plan_places.h"
#include "grader/judge/repair/repair.h"
#include "grader/judge/source/source_code.h"

namespace fusebox {
namespace {

/// Indices of the operations that fill memory: memsets, and copies from one place of the device to another.
std::vector<std::size_t> fills_in(const LaunchPlan& plan) {
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < plan.ops.size(); ++i) {
    const auto* copy = std::get_if<CopyOp>(&plan.ops[i]);
    if (std::holds_alternative<MemsetOp>(plan.ops[i]) ||
        (copy && copy->host_bytes.empty() && copy->symbol.empty()))
      at.push_back(i);
  }
  return at;
}

/// What a memset and a copy have in common.
struct Fill {
  DeviceAddress* to = nullptr;
  std::uint64_t* bytes = nullptr;
  DeviceAddress from = 0;  ///< 0: a memset
};

Fill fill_of(LaunchPlan& plan, std::size_t number) {
  const auto at = fills_in(plan);
  if (number >= at.size()) return {};
  if (auto* set = std::get_if<MemsetOp>(&plan.ops[at[number]])) return {&set->address, &set->bytes};
  auto& copy = std::get<CopyOp>(plan.ops[at[number]]);
  return {&copy.to, &copy.bytes, copy.from};
}

/// "the memset of `rstd`", "the copy to `biased`".
std::string place_of_fill(bool is_copy, const std::string& buffer) {
  return fmt::format("the {} {}", is_copy ? "copy to" : "memset of", buffer);
}

bool holds(const AddressRange& region, DeviceAddress begin, std::uint64_t bytes) {
  return begin >= region.begin && begin - region.begin <= region.bytes &&
         bytes <= region.bytes - (begin - region.begin);
}

/// The bytes of a memset or a copy were counted in elements.
void add_sizes(std::size_t number, std::uint64_t old, const std::string& place,
               std::vector<PlanEdit>& edits) {
  for (const std::uint64_t times : {4, 2}) {
    PlanEdit edit;
    edit.change = [=](LaunchPlan& plan, const Call& call) {
      const Fill fill = fill_of(plan, number);
      if (!fill.to || *fill.bytes == 0) return false;
      const Regions regions = regions_of(plan, call);
      const std::uint64_t bytes = *fill.bytes * times;
      for (const DeviceAddress end : {*fill.to, fill.from}) {
        const auto region = region_with(regions, end);
        if (end != 0 && (!region || !holds(regions[*region], end, bytes))) return false;
      }
      *fill.bytes = bytes;
      return true;
    };
    edit.with = [=](const LaunchPlan&) {
      return fmt::format("{} bytes in place of {}, {} times as many, at {}", times * old, old, times, place);
    };
    edits.push_back(std::move(edit));
  }
}

/// A memset of one buffer, whose name is `was`, is one of another, which the host function may write.
void add_targets(std::size_t number, const std::string& was, const std::vector<std::string>& names,
                 std::vector<PlanEdit>& edits) {
  for (std::size_t other = 0; other < names.size(); ++other) {
    PlanEdit edit;
    edit.change = [number, other](LaunchPlan& plan, const Call& call) {
      const Fill fill = fill_of(plan, number);
      if (!fill.to || (other < call.tensors.size() && call.tensors[other]->role == Role::in)) return false;
      const Regions regions = regions_of(plan, call);
      const auto region = region_with(regions, *fill.to);
      if (!region || *region == other || other >= regions.size()) return false;
      const DeviceAddress to = regions[other].begin + (*fill.to - regions[*region].begin);
      if (!holds(regions[other], to, *fill.bytes)) return false;
      *fill.to = to;
      return true;
    };
    edit.with = [now = names[other], was](const LaunchPlan&) {
      return fmt::format("a memset of {} in place of one of {}", now, was);
    };
    edits.push_back(std::move(edit));
  }
}

/// A pointer stands at the beginning of its tensor where another of the same launch is moved on: it lacks the
/// same offset.
void add_offsets(const Suspect& suspect, const std::string& code, std::size_t number, const LaunchOp& launch,
                 std::vector<PlanEdit>& edits) {
  const Arguments arguments = arguments_of(suspect, code, launch.kernel);
  for (std::size_t a = 0; a < arguments.slots.size(); ++a)
    for (std::size_t b = 0; b < arguments.slots.size(); ++b) {
      if (a == b || arguments.slots[a].bytes != 8 || arguments.slots[b].bytes != 8) continue;
      PlanEdit edit;
      edit.change = [number, one = arguments.slots[a], other = arguments.slots[b]](LaunchPlan& plan,
                                                                                   const Call& call) {
        LaunchOp* at = launch_of(plan, number);
        if (!at) return false;
        const Regions regions = regions_of(plan, call);
        const std::uint64_t pointer = value_of(*at, one), moved = value_of(*at, other);
        const auto region = region_with(regions, pointer), moved_in = region_with(regions, moved);
        if (!region || !moved_in || *region == *moved_in || pointer != regions[*region].begin) return false;
        const std::uint64_t by = moved - regions[*moved_in].begin;
        if (by == 0 || by >= regions[*region].bytes) return false;
        set_value(*at, one, pointer + by);
        return true;
      };
      edit.with = [=](const LaunchPlan& before) {
        return fmt::format("{} moved on as far as {} is at {}", arguments.name(a), arguments.name(b),
                           place_of_launch(before, number));
      };
      edits.push_back(std::move(edit));
    }
}

}  // namespace

std::vector<PlanEdit> edits_of_memory(const Suspect& suspect, const LaunchPlan& plan, const Call& call) {
  std::vector<PlanEdit> edits;
  LaunchPlan own = plan;
  const Regions regions = regions_of(plan, call);
  const std::vector<std::string> names = region_names(suspect, plan, call);
  const auto fills = fills_in(plan);
  for (std::size_t number = 0; number < fills.size() && number < kMaxChangedOps; ++number) {
    const Fill fill = fill_of(own, number);
    if (!fill.to) continue;
    const auto region = region_with(regions, *fill.to);
    const bool is_copy = fill.from != 0;
    add_sizes(number, *fill.bytes, place_of_fill(is_copy, region ? names[*region] : "its buffer"), edits);
    if (!is_copy && region) add_targets(number, names[*region], names, edits);
  }
  const std::string code = code_of(suspect.student.text);
  const auto launches = launches_in(plan);
  if (launches.size() > kMaxChangedOps) return edits;
  for (std::size_t number = 0; number < launches.size(); ++number)
    add_offsets(suspect, code, number, std::get<LaunchOp>(plan.ops[launches[number]]), edits);
  return edits;
}

}  // namespace fusebox
