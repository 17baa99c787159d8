#include "grader/judge/repair/plan_places.h"

#include <fmt/format.h>

#include <cstring>

#include "grader/judge/cases/mistakes.h"
#include "grader/judge/source/allocation_names.h"
#include "grader/judge/source/source_code.h"
#include "grader/report/text/demangle.h"

namespace fusebox {
namespace {

/// "layernorm_kernel" of its mangled name.
std::string name_of(const std::string& kernel) {
  std::string name = as_if_alone(kernel_name(kernel));
  name = name.substr(0, name.find('<'));
  if (const auto scope = name.rfind("::"); scope != name.npos) name.erase(0, scope + 2);
  return name;
}

}  // namespace

std::string shown_name(const std::string& kernel) {
  std::string name = as_if_alone(kernel_name(kernel));
  if (const auto scope = name.rfind("::", name.find('<')); scope != name.npos) name.erase(0, scope + 2);
  return name;
}

Launched launched_by(const Suspect& suspect) {
  Launched launched;
  for (const CaseAnswer& answer : suspect.cases) {
    const auto recorded = suspect.record(*suspect.student_program, answer);
    if (!recorded || !recorded->recording()) continue;
    for (const PlanOp& op : recorded->recording()->plan.ops) {
      const auto* launch = std::get_if<LaunchOp>(&op);
      if (!launch) continue;
      launched.anywhere.insert(launch->kernel);
      if (answer.result->check.outcome == Outcome::passed) launched.where_right.insert(launch->kernel);
    }
  }
  return launched;
}

std::vector<std::size_t> launches_in(const LaunchPlan& plan) {
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < plan.ops.size(); ++i)
    if (std::holds_alternative<LaunchOp>(plan.ops[i])) at.push_back(i);
  return at;
}

LaunchOp* launch_of(LaunchPlan& plan, std::size_t number) {
  const auto at = launches_in(plan);
  return number < at.size() ? &std::get<LaunchOp>(plan.ops[at[number]]) : nullptr;
}

std::string in_place_of(const Dim3& now, const Dim3& old) {
  const int axes = now.z != 1 || old.z != 1 ? 3 : now.y != 1 || old.y != 1 ? 2 : 1;
  const auto text = [&](const Dim3& size) {
    return axes == 3   ? fmt::format("({}, {}, {})", size.x, size.y, size.z)
           : axes == 2 ? fmt::format("({}, {})", size.x, size.y)
                       : fmt::format("{}", size.x);
  };
  return fmt::format("{} in place of {}", text(now), text(old));
}

std::string place_of_launch(const LaunchPlan& plan, std::size_t number) {
  const auto at = launches_in(plan);
  const std::string name = name_of(std::get<LaunchOp>(plan.ops[at[number]]).kernel);
  return at.size() == 1 ? fmt::format("the launch of `{}`", name)
                        : fmt::format("launch {} of {}, `{}`", number + 1, at.size(), name);
}

std::string place_of_launches(const LaunchPlan& plan, const std::vector<std::size_t>& numbers) {
  if (numbers.size() == 1) return place_of_launch(plan, numbers.front());
  const auto& first = std::get<LaunchOp>(plan.ops[launches_in(plan)[numbers.front()]]);
  return fmt::format("all {} launches of `{}`", numbers.size(), name_of(first.kernel));
}

std::uint64_t value_of(const LaunchOp& launch, const KernelParameters::Slot& slot) {
  std::uint64_t value = 0;
  if (slot.offset + slot.bytes <= launch.arguments.size() && slot.bytes <= sizeof value)
    std::memcpy(&value, launch.arguments.data() + slot.offset, slot.bytes);
  return value;
}
void set_value(LaunchOp& launch, const KernelParameters::Slot& slot, std::uint64_t value) {
  std::memcpy(launch.arguments.data() + slot.offset, &value, slot.bytes);
}

std::string Arguments::name(std::size_t i) const {
  return names.size() == slots.size() ? fmt::format("`{}`", names[i]) : fmt::format("argument {}", i + 1);
}

Arguments arguments_of(const Suspect& suspect, const std::string& code, const std::string& name) {
  Arguments made;
  for (const KernelParameters& kernel : suspect.student_program->kernels)
    if (kernel.kernel == name) made.slots = kernel.slots, made.max_threads = kernel.max_threads;
  made.names = parameters_of(code, name_of(name));
  return made;
}

Regions regions_of(const LaunchPlan& plan, const Call& call) {
  Regions regions;
  for (const Buffer& buffer : call.buffers) regions.push_back({buffer.address, buffer.bytes});
  for (const PlanOp& op : plan.ops)
    if (const auto* made = std::get_if<AllocOp>(&op)) regions.push_back({made->address, made->bytes});
  return regions;
}

std::optional<std::size_t> region_with(const Regions& regions, DeviceAddress address) {
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (address >= regions[i].begin && address - regions[i].begin < regions[i].bytes) return i;
  return std::nullopt;
}

std::vector<std::string> region_names(const Suspect& suspect, const LaunchPlan& plan, const Call& call) {
  std::vector<std::string> names;
  for (const Buffer& buffer : call.buffers) names.push_back(fmt::format("`{}`", buffer.name));
  const auto own =
      allocation_names(suspect.student, suspect.entry.signature.function, plan, suspect.entry.intermediates);
  const std::size_t count = regions_of(plan, call).size() - call.buffers.size();
  for (std::size_t i = 0; i < count; ++i)
    names.push_back(own.size() == count ? fmt::format("`{}`", own[i]) : fmt::format("allocation {}", i + 1));
  return names;
}

}  // namespace fusebox
