#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fusebox {

/// What a process needs of /dev to use one NVIDIA GPU, and no other.
struct GpuNodes {
  std::vector<std::filesystem::path> nodes;  ///< the driver's two, and the GPU's own; empty: it is not known
  std::string visible;                       ///< its name for CUDA_VISIBLE_DEVICES where it is the only one
  std::string why_none;
};

/// The GPU that CUDA would take first: `wanted` is CUDA_VISIBLE_DEVICES, of which the first name or number
/// counts. Numbers are those of CUDA_DEVICE_ORDER=PCI_BUS_ID, of the GPUs that may be opened. `dev` is /dev,
/// `driver` what the driver tells of its GPUs.
GpuNodes find_gpu_nodes(const std::string& wanted, const std::filesystem::path& dev = "/dev",
                        const std::filesystem::path& driver = "/proc/driver/nvidia");

}  // namespace fusebox
