#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "grader/host/recorder.h"
#include "grader/host/wire.h"

namespace fusebox {

auto members(auto& s, const AddressRange&) { return std::tie(s.begin, s.bytes); }

// What travels between the grader and the recorder program.
namespace wire {

inline constexpr std::size_t kMaxOps =
    100'000;  ///< far above what a device carries out of one plan in seconds

std::vector<std::byte> encode(const RecordRequest& request);
std::optional<RecordRequest> decode_request(std::span<const std::byte> bytes);

/// Allocates nothing.
void put(Writer& writer, const LaunchPlan& plan);
/// Fails at more operations than a plan may have, and where one waits for what comes later.
void get(Reader& reader, LaunchPlan& plan);
std::optional<LaunchPlan> decode_plan(std::span<const std::byte> bytes);

}  // namespace wire
}  // namespace fusebox
