#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/device/gpu_profile.h"
#include "grader/device/plan.h"
#include "grader/host/recorder.h"

namespace fusebox {

/// What a kernel asks for when it is launched, or when occupancy is asked about.
struct LaunchShape {
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint64_t dynamic_shared_allowed = 0;  ///< by cudaFuncSetAttribute; 0: never asked
  bool cooperative = false;
};

/// A launch that hardware refuses.
struct LaunchRefusal {
  int error = 0;       ///< the cudaError_t that the launch returns
  std::string reason;  ///< a clause with the limit in it: "a block has 2048 threads, but the limit is 1024"
};

/// CUDA's limits on a launch, in the order in which the runtime checks them.
std::optional<LaunchRefusal> check_launch(const GpuProfile& gpu, const KernelParameters& kernel,
                                          const LaunchShape& shape);

/// Blocks of a kernel that are resident on one SM at a time; 0 when not even one fits.
int resident_blocks_per_sm(const GpuProfile& gpu, const KernelParameters& kernel,
                           std::uint64_t threads_per_block, std::uint64_t dynamic_shared_bytes);

/// Most threads that a block of this kernel can have: launch bounds, and what the registers leave.
int max_threads_per_block(const GpuProfile& gpu, const KernelParameters& kernel);

}  // namespace fusebox
