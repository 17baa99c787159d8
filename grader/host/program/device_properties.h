#pragma once

#include <optional>

#include "grader/device/gpu_profile.h"

namespace fusebox::recording {

/// cudaDeviceProp lost fields in the middle between CUDA 12 and 13.
enum class PropertiesLayout { cuda12, cuda13 };

/// Fills a cudaDeviceProp from the profile; what the profile does not know is 0.
void write_device_properties(const GpuProfile& gpu, PropertiesLayout layout, void* target);

/// The answer of cudaDeviceGetAttribute; absent for a number that is no attribute. Features that cannot be
/// recorded, and what the profile does not know, are 0.
std::optional<int> device_attribute(const GpuProfile& gpu, int attribute);

}  // namespace fusebox::recording
