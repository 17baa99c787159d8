#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "grader/device/plan.h"
#include "grader/simulator/observe/requests/named_range.h"

// How fault_text.cc names places in memory and threads.
namespace fusebox::sim {

/// No buffer starts below this; a null pointer plus an index usually still ends below it.
inline constexpr std::uint64_t kNullZone = 64 << 10;
/// Further from a buffer than this, an address has nothing to do with it.
inline constexpr std::uint64_t kNear = 16 << 20;

/// "1 byte", "12 bytes".
std::string bytes_text(std::uint64_t bytes);
/// "`out` (512 bytes)".
std::string range_text(const NamedRange& range);
/// Null: none holds the address.
const NamedRange* range_of(std::uint64_t address, std::span<const NamedRange> ranges);
/// Null: there are none.
const NamedRange* nearest_to(std::uint64_t begin, std::uint64_t end, std::span<const NamedRange> ranges);
/// Where [begin, end), which leaves all ranges, lies as seen from the nearest.
std::string outside_text(std::uint64_t begin, std::uint64_t end, std::span<const NamedRange> ranges,
                         const char* in_none);
/// "at byte 8 of `out` (512 bytes)".
std::string inside_text(const NamedRange* range, std::uint64_t address);
/// The index of a linear one.
std::array<std::uint32_t, 3> unfold(std::uint64_t linear, const Dim3& extent);

}  // namespace fusebox::sim
