#pragma once

#include <cstdint>
#include <string>

#include "grader/device/plan.h"

namespace fusebox {

/// Of a buffer that was read where nothing had been written: the cudaMemset or cudaMemcpy of the plan that
/// begins where the buffer does and fills a half, a quarter, ... of it, as one does whose size was counted in
/// elements. "cudaMemset sets 64 of the 256 bytes of `sums`, ..."; empty where there is none.
std::string short_fill(const LaunchPlan& plan, const std::string& name, DeviceAddress address,
                       std::uint64_t bytes);

}  // namespace fusebox
