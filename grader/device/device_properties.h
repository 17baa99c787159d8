#pragma once

#include <optional>

#include "grader/device/gpu_profile.h"

namespace fusebox::cuda {

/// cudaDeviceProp lost fields in the middle between CUDA 12 and 13.
enum class PropertiesLayout { cuda12, cuda13 };

/// What depends on who carries the work out, and not on the GPU.
struct DeviceFeatures {
  bool managed_memory = false;
  bool mapped_host_memory = false;
};

/// Fills a cudaDeviceProp from the profile; what the profile does not know is 0.
void write_device_properties(const GpuProfile& gpu, const DeviceFeatures& features, PropertiesLayout layout,
                             void* target);

/// The answer of cudaDeviceGetAttribute; absent for a number that is no attribute. Features that are not
/// offered, and what the profile does not know, are 0.
std::optional<int> device_attribute(const GpuProfile& gpu, const DeviceFeatures& features, int attribute);

}  // namespace fusebox::cuda
