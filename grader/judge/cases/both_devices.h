#pragma once

#include <atomic>
#include <cstddef>
#include <thread>

#include "grader/judge/cases/services.h"

namespace fusebox {

/// Calls `work(i, services)` for each i below `count`, two at a time where there is a second device: each
/// thread has one of the two for itself.
template <class Work>
void on_both_devices(const Services& services, std::size_t count, Work work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&](Device* device) {
    Services own = services;
    own.device = device;
    own.reference_device = nullptr;
    for (std::size_t i; (i = next++) < count;) work(i, own);
  };
  std::thread second;
  if (services.reference_device) second = std::thread(run, services.reference_device);
  run(services.device);
  if (second.joinable()) second.join();
}

}  // namespace fusebox
