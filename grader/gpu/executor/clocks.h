#pragma once

#include <string>

#include "grader/gpu/executor/driver.h"

namespace fusebox::gpu {

/// What the GPU's clocks are at this moment, through NVML where it is there. Read only: settings are not
/// ours.
class Clocks {
 public:
  Clocks(const cu::Driver& driver, cu::Device device);

  double sm_hz() const { return read(1); }  ///< 0: unknown
  double memory_hz() const { return read(2); }

 private:
  double read(int which) const;

  int (*clock_)(void*, int, unsigned*) = nullptr;
  void* device_ = nullptr;
};

}  // namespace fusebox::gpu
