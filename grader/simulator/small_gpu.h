#pragma once

#include "grader/device/gpu_profile.h"

namespace fusebox::sim {

/// A GPU for tests: with so small an L2 that little work fills it.
inline GpuProfile small_gpu(int sms) {
  GpuProfile gpu;
  gpu.name = "test";
  gpu.sms = sms;
  gpu.max_threads_per_block = 1024;
  gpu.max_threads_per_sm = 2048;
  gpu.max_shared_bytes_per_block = 48 << 10;
  gpu.registers_per_sm = 65536;
  gpu.l2_bytes = gpu.l2_effective_bytes = 64 << 10;
  gpu.l1_and_shared_bytes_per_sm = gpu.shared_bytes_per_sm = 64 << 10;
  return gpu;
}

}  // namespace fusebox::sim
