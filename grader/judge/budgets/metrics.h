#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/launch_record.h"
#include "grader/report/metric.h"

namespace fusebox {

/// The numbers of one execution that tables and budgets speak of, in the order in which they are shown:
/// "launches" (kernels), "copies" (and memsets), "bytes.requested", "bytes.compulsory", "requests",
/// "sectors_per_request", "sectors_over_ideal" (global loads and stores), "intermediate_bytes", "registers"
/// (largest of any kernel), "shared_bytes" (largest of any launch), "bank_conflicts", "spill_bytes",
/// "local_requests", "waits", "bytes.dram", "time" (all modelled), "time.gpu" (measured), "flops",
/// "matrix_flops", "warp_instructions", "divergent_branches", "barriers", "atomics". Sums over the launches
/// where nothing else is said. A number that the compiler did not report is absent.
std::vector<Metric> metrics_of(std::span<const LaunchRecord> launches, std::uint64_t intermediate_bytes);

/// Null when there is no such tag.
const Metric* find_metric(std::span<const Metric> metrics, std::string_view tag);

/// Sectors of global loads and stores over the fewest that hold what their lanes asked for; absent where
/// there are none.
std::optional<double> sectors_over_ideal(std::span<const LaunchRecord> launches);

}  // namespace fusebox
