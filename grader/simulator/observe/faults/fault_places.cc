#include "grader/simulator/observe/faults/fault_places.h"

#include <fmt/format.h>

#include "grader/report/text/demangle.h"

namespace fusebox::sim {
namespace {

/// A shared array of a function is called `_ZZ6kernelE4tile` in PTX; the learner wrote `tile`. Of a small one
/// the compiler makes a variable of each element, `_ZZ6kernelE4tile_$_1`.
std::string written_name(const std::string& name) {
  const std::string text = demangle(name.substr(0, name.find("_$_")));
  if (text == name) return name;
  const std::size_t scope = text.rfind("::");
  return scope == std::string::npos ? text : text.substr(scope + 2);
}

std::uint64_t distance(std::uint64_t begin, std::uint64_t end, const NamedRange& range) {
  if (begin >= range.end()) return begin - range.end();
  if (end <= range.address) return range.address - end;
  return 0;
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

std::string range_text(const NamedRange& range) {
  return fmt::format("`{}` ({})", written_name(range.name), bytes_text(range.bytes));
}

std::array<std::uint32_t, 3> unfold(std::uint64_t linear, const Dim3& extent) {
  const std::uint64_t x = extent.x ? extent.x : 1, y = extent.y ? extent.y : 1;
  return {static_cast<std::uint32_t>(linear % x), static_cast<std::uint32_t>(linear / x % y),
          static_cast<std::uint32_t>(linear / x / y)};
}

const NamedRange* range_of(std::uint64_t address, std::span<const NamedRange> ranges) {
  for (const NamedRange& range : ranges) {
    if (range.holds(address, address + 1)) return &range;
  }
  return nullptr;
}

const NamedRange* nearest_to(std::uint64_t begin, std::uint64_t end, std::span<const NamedRange> ranges) {
  const NamedRange* nearest = nullptr;
  for (const NamedRange& range : ranges) {
    if (!nearest || distance(begin, end, range) < distance(begin, end, *nearest)) nearest = &range;
  }
  return nearest;
}

std::string outside_text(std::uint64_t begin, std::uint64_t end, std::span<const NamedRange> ranges,
                         const char* in_none) {
  const NamedRange* nearest = nearest_to(begin, end, ranges);
  if (!nearest) return in_none;
  if (distance(begin, end, *nearest) > kNear) {
    return fmt::format("{}; the nearest, {}, is {} away", in_none, range_text(*nearest),
                       bytes_text(distance(begin, end, *nearest)));
  }
  if (begin >= nearest->end()) {
    if (begin == nearest->end()) return fmt::format("just past the end of {}", range_text(*nearest));
    return fmt::format("{} past the end of {}", bytes_text(begin - nearest->end()), range_text(*nearest));
  }
  if (begin < nearest->address) {
    return fmt::format("{} before the start of {}", bytes_text(nearest->address - begin),
                       range_text(*nearest));
  }
  if (end > nearest->end()) return fmt::format("across the end of {}", range_text(*nearest));
  return fmt::format("inside {}", range_text(*nearest));
}

std::string inside_text(const NamedRange* range, std::uint64_t address) {
  if (!range) return fmt::format("at address {:#x}", address);
  return fmt::format("at byte {} of {}", address - range->address, range_text(*range));
}

}  // namespace fusebox::sim
