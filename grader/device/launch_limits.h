#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/device/gpu_profile.h"
#include "grader/device/plan.h"

namespace fusebox {

/// Where each argument of a kernel lies in its .param space; from the PTX.
struct KernelParameters {
  std::string kernel;  ///< mangled
  struct Slot {
    std::uint32_t offset = 0, bytes = 0;
  };
  std::vector<Slot> slots;
  std::uint32_t total_bytes = 0;
  // What launch limits and occupancy queries need to know; 0 means unknown and limits nothing.
  int registers = 0;  ///< per thread, from ptxas
  int static_shared_bytes = 0;
  int max_threads = 0;  ///< per block, from __launch_bounds__ (.maxntid)
};

/// Blocks of a cluster at most.
inline std::uint64_t max_cluster_blocks(bool large) { return large ? 16 : 8; }

/// What a kernel asks for when it is launched, or when occupancy is asked about.
struct LaunchShape {
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint64_t dynamic_shared_allowed = 0;  ///< by cudaFuncSetAttribute; 0: never asked
  bool cooperative = false;
  Dim3 cluster = {};  ///< blocks of a cluster; (1, 1, 1): none
  /// cudaFuncAttributeNonPortableClusterSizeAllowed: more than every GPU with clusters can do.
  bool large_clusters = false;
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
struct Residency {
  int blocks = 0;
  std::string limited_by;  ///< what allows no more: "threads", "blocks", "registers" or "shared memory"
};
Residency residency(const GpuProfile& gpu, const KernelParameters& kernel, std::uint64_t threads_per_block,
                    std::uint64_t dynamic_shared_bytes);
int resident_blocks_per_sm(const GpuProfile& gpu, const KernelParameters& kernel,
                           std::uint64_t threads_per_block, std::uint64_t dynamic_shared_bytes);

/// Most threads that a block of this kernel can have: launch bounds, and what the registers leave.
int max_threads_per_block(const GpuProfile& gpu, const KernelParameters& kernel);

}  // namespace fusebox
