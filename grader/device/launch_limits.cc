#include "grader/device/launch_limits.h"

#include <algorithm>

#include "grader/device/cuda_abi.h"
#include "grader/report/hardware.h"
#include "grader/report/occupancy.h"

namespace fusebox {
namespace {

constexpr Dim3 kMaxGrid{2147483647, 65535, 65535};
constexpr Dim3 kMaxBlock{1024, 1024, 64};

std::optional<LaunchRefusal> check_extent(const char* what, const Dim3& extent, const Dim3& most) {
  const std::uint32_t values[] = {extent.x, extent.y, extent.z};
  const std::uint32_t limits[] = {most.x, most.y, most.z};
  for (int i = 0; i < 3; ++i) {
    const std::string name = std::string("the ") + what + "'s " + "xyz"[i];
    if (values[i] == 0)
      return LaunchRefusal{cuda::kInvalidConfiguration, name + " is 0, but must be at least 1"};
    if (values[i] > limits[i])
      return LaunchRefusal{
          cuda::kInvalidConfiguration,
          name + " is " + std::to_string(values[i]) + ", but the limit is " + std::to_string(limits[i])};
  }
  return std::nullopt;
}

}  // namespace

int max_threads_per_block(const GpuProfile& gpu, const KernelParameters& kernel) {
  std::uint64_t most = static_cast<std::uint64_t>(gpu.max_threads_per_block);
  if (kernel.max_threads > 0) most = std::min(most, static_cast<std::uint64_t>(kernel.max_threads));
  if (kernel.registers > 0) most = std::min(most, warps_by_registers(gpu, kernel.registers) * kWarpSize);
  return static_cast<int>(most);
}

Residency residency(const GpuProfile& gpu, const KernelParameters& kernel, std::uint64_t threads_per_block,
                    std::uint64_t dynamic_shared_bytes) {
  if (kernel.max_threads > 0 && threads_per_block > static_cast<std::uint64_t>(kernel.max_threads))
    return {0, "threads"};
  const auto limits =
      block_limits(gpu, {threads_per_block, kernel.registers,
                         static_cast<std::uint64_t>(kernel.static_shared_bytes) + dynamic_shared_bytes});
  const BlockLimit& least = tightest(limits);
  return {static_cast<int>(least.blocks), least.name};
}

int resident_blocks_per_sm(const GpuProfile& gpu, const KernelParameters& kernel,
                           std::uint64_t threads_per_block, std::uint64_t dynamic_shared_bytes) {
  return residency(gpu, kernel, threads_per_block, dynamic_shared_bytes).blocks;
}

std::optional<LaunchRefusal> check_launch(const GpuProfile& gpu, const KernelParameters& kernel,
                                          const LaunchShape& shape) {
  if (auto refusal = check_extent("grid", shape.grid, kMaxGrid)) return refusal;
  if (auto refusal = check_extent("block", shape.block, kMaxBlock)) return refusal;
  const std::uint64_t threads = shape.block.count();
  if (threads > static_cast<std::uint64_t>(gpu.max_threads_per_block))
    return LaunchRefusal{cuda::kInvalidConfiguration, "a block has " + std::to_string(threads) +
                                                          " threads, but the limit is " +
                                                          std::to_string(gpu.max_threads_per_block)};
  const std::uint64_t shared =
      static_cast<std::uint64_t>(kernel.static_shared_bytes) + shape.dynamic_shared_bytes;
  const auto unasked = static_cast<std::uint64_t>(gpu.max_shared_bytes_per_block),
             max_shared = static_cast<std::uint64_t>(gpu.max_shared_bytes_per_block_optin);
  if (shape.dynamic_shared_bytes > shape.dynamic_shared_allowed && shared > unasked) {
    const bool asked = shape.dynamic_shared_allowed > 0 && shared > max_shared;
    std::string reason = "a block asks for " + std::to_string(shared) +
                         " bytes of shared memory, but the limit is " +
                         std::to_string(asked ? max_shared : unasked);
    if (shared <= max_shared)
      reason += " without cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)";
    return LaunchRefusal{cuda::kInvalidValue, std::move(reason)};
  }
  if (threads > static_cast<std::uint64_t>(max_threads_per_block(gpu, kernel)))
    return LaunchRefusal{
        cuda::kLaunchOutOfResources,
        "a block has " + std::to_string(threads) + " threads, but " +
            (kernel.max_threads > 0 && threads > static_cast<std::uint64_t>(kernel.max_threads)
                 ? "the kernel's __launch_bounds__ allow "
                 : "its registers suffice for ") +
            std::to_string(max_threads_per_block(gpu, kernel))};
  if (shape.cluster != Dim3{}) {
    const std::uint64_t most = max_cluster_blocks(shape.large_clusters);
    const Dim3 &c = shape.cluster, &g = shape.grid;
    const std::string size = std::to_string(c.x) + " x " + std::to_string(c.y) + " x " + std::to_string(c.z);
    if (gpu.compute_major < 9)
      return LaunchRefusal{
          cuda::kInvalidClusterSize,
          "clusters of blocks need a GPU of compute capability 9.0, and " + gpu.name + " is older"};
    if (c.count() == 0 || c.count() > most)
      return LaunchRefusal{cuda::kInvalidClusterSize,
                           "a cluster of " + size + " blocks, but the limit is " + std::to_string(most)};
    if (g.x % c.x != 0 || g.y % c.y != 0 || g.z % c.z != 0)
      return LaunchRefusal{cuda::kInvalidClusterSize,
                           "the grid is no multiple of its clusters of " + size + " blocks"};
  }
  if (shape.cooperative) {
    const auto resident =
        static_cast<std::uint64_t>(resident_blocks_per_sm(gpu, kernel, threads, shape.dynamic_shared_bytes)) *
        static_cast<std::uint64_t>(gpu.sms);
    if (shape.grid.count() > resident)
      return LaunchRefusal{cuda::kCooperativeLaunchTooLarge,
                           "a cooperative grid has " + std::to_string(shape.grid.count()) +
                               " blocks, but only " + std::to_string(resident) + " are resident at once"};
  }
  return std::nullopt;
}

}  // namespace fusebox
