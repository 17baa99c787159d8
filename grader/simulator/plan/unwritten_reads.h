#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/device/device.h"
#include "grader/simulator/exec/memory/memory.h"
#include "grader/simulator/exec/state/fault.h"

namespace fusebox::sim {

/// Follows what was read before anybody wrote it to who writes it after all, and says so in the fault.
class UnwrittenReads {
 public:
  explicit UnwrittenReads(const GlobalMemory& memory) : memory_(memory) {}

  /// The run's last launch, and the facts behind its faults.
  void launched(Run& run, const std::vector<RawFault>& faults);
  /// Something else was carried out: "`bias_kernel`", "a memset".
  void carried_out(Run& run, const std::string& name);
  /// The buffer at this address is about to be freed: nobody writes it any more.
  void freeing(Run& run, DeviceAddress address);
  /// Nothing more comes.
  void finish(Run& run);

 private:
  struct Read {
    std::size_t launch = 0, fault = 0;  ///< in the run
    DeviceAddress address = 0;
    std::uint64_t bytes = 0;
  };
  template <class Tell>
  void settle(Run& run, Tell tell);
  void never_written(Run& run, const Read& read, const Allocation& buffer) const;
  const Allocation* buffer_of(DeviceAddress address) const;

  const GlobalMemory& memory_;
  std::vector<Read> open_;
};

}  // namespace fusebox::sim
