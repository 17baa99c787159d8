#include "grader/judge/faults/short_fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

namespace fusebox {
namespace {

struct Fill {
  const char* what;
  DeviceAddress to = 0;
  std::uint64_t bytes = 0;
};

std::optional<Fill> fill_of(const PlanOp& op) {
  if (const auto* set = std::get_if<MemsetOp>(&op)) return Fill{"cudaMemset sets", set->address, set->bytes};
  if (const auto* copy = std::get_if<CopyOp>(&op); copy && copy->symbol.empty())
    return Fill{"cudaMemcpy fills", copy->to, copy->bytes};
  return std::nullopt;
}

/// Bytes of what people put into arrays: of halves, floats, doubles, and structs and vectors of them.
constexpr std::uint64_t kElementBytes[] = {2, 4, 8, 12, 16, 24, 32};

}  // namespace

std::string short_fill(const LaunchPlan& plan, const std::string& name, DeviceAddress address,
                       std::uint64_t bytes) {
  std::string found;
  for (const PlanOp& op : plan.ops) {
    const auto fill = fill_of(op);
    if (!fill || fill->bytes == 0 || fill->to < address || fill->to >= address + bytes) continue;
    const bool short_by_elements =
        fill->to == address && std::any_of(std::begin(kElementBytes), std::end(kElementBytes),
                                           [&](std::uint64_t each) { return fill->bytes * each == bytes; });
    // With more than one it is not known which should have filled the rest.
    if (!short_by_elements || !found.empty()) return {};
    found = fmt::format(
        "{} {} of the {} bytes of `{}`: was the size counted in elements? It takes bytes: multiply by sizeof of one element",
        fill->what, fill->bytes, bytes, name);
  }
  return found;
}

}  // namespace fusebox
