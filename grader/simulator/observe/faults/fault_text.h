#pragma once

#include <span>
#include <string>

#include "grader/report/launch_record.h"
#include "grader/simulator/exec/state/events.h"
#include "grader/simulator/exec/state/fault.h"
#include "grader/simulator/observe/requests/named_range.h"

namespace fusebox::sim {

/// What is known around a fault, so that it can be told in the learner's words.
struct FaultContext {
  const LaunchInfo* launch = nullptr;
  std::span<const std::string> files;   ///< ptx::Module::files
  std::span<const NamedRange> buffers;  ///< live device memory, sorted by address
  std::span<const NamedRange> freed;    ///< what cudaFree gave back, in any order
  std::span<const NamedRange>
      shared;  ///< arrays of the block's shared memory; addresses are offsets in its window
  std::span<const std::byte> arguments;  ///< of the launch
  AddressRange device;                   ///< all addresses that the device has; empty: not known
};

/// The fault as the report shows it. An address next to null becomes "null-pointer", one in a freed buffer
/// "use-after-free", one behind a parameter that is no device memory "host-address"; the other kinds keep the
/// name of their FaultKind, with dashes.
Fault describe(const RawFault& fault, const FaultContext& context);

}  // namespace fusebox::sim
