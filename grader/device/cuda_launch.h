#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/device/cuda_abi.h"
#include "grader/device/gpu_profile.h"
#include "grader/device/launch_limits.h"
#include "grader/device/plan.h"

// What every CUDA runtime does around a launch, whoever carries it out.
namespace fusebox::cuda {

inline Dim3 dim3_of(const Extent& extent) { return {extent.x, extent.y, extent.z}; }

/// What <<<...>>> pushed and the kernel's host stub has not popped yet, per thread.
struct CallConfiguration {
  Extent grid, block;
  std::size_t shared = 0;
  void* stream = nullptr;
};
void push_call(const CallConfiguration& configuration);
std::optional<CallConfiguration> pop_call();

/// What cudaLaunchKernelExC's attributes ask for.
struct LaunchOptions {
  bool cooperative = false;
  Dim3 cluster = {};          ///< blocks of a cluster; (1, 1, 1): none
  std::vector<void*> events;  ///< recorded when the launch triggers them: at its end is always allowed
  std::string refused;        ///< the first that cannot be had: "thread block clusters"; empty: none
};
LaunchOptions read_attributes(const LaunchConfig& config);

/// The kernel's .param space out of the pointers to its arguments.
std::vector<std::byte> pack_arguments(const KernelParameters& parameters, void** arguments);

/// What cudaFuncGetAttributes answers, as far as limits and resources say.
FunctionAttributes function_attributes(const GpuProfile& gpu, const KernelParameters& parameters,
                                       std::uint64_t dynamic_shared_allowed);

/// cudaFuncSetAttribute: success changes `dynamic_shared_allowed` where that is what was asked for.
Error set_function_attribute(const GpuProfile& gpu, const KernelParameters& parameters, int attribute,
                             int value, std::uint64_t& dynamic_shared_allowed);

}  // namespace fusebox::cuda
