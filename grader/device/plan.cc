#include "grader/device/plan.h"

#include <utility>

namespace fusebox {

void LaunchPlan::insert(std::size_t at, PlanOp op) {
  const auto place = static_cast<std::ptrdiff_t>(at);
  ops.insert(ops.begin() + place, std::move(op));
  of_calls_before += at < of_calls_before;
  if (order.empty()) return;
  const auto move_on = [&](std::vector<std::uint32_t>& indices) {
    for (std::uint32_t& index : indices) index += index >= at;
  };
  for (OpOrder& each : order) move_on(each.after);
  move_on(done_for_the_caller);
  order.insert(order.begin() + place, OpOrder{OpOrder::kHost, {}});
}

std::vector<const LaunchOp*> launches_of(std::span<const PlanOp> ops) {
  std::vector<const LaunchOp*> launches;
  for (const PlanOp& op : ops)
    if (const auto* launch = std::get_if<LaunchOp>(&op)) launches.push_back(launch);
  return launches;
}

}  // namespace fusebox
