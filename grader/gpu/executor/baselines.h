#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/gpu/executor/session.h"

namespace fusebox::gpu {

/// What a library does, timed beside the variants.
struct Baseline {
  std::string name;                            ///< "cuDNN RMSNorm"
  std::function<void(std::uint32_t)> enqueue;  ///< one run on a buffer set
};

/// Those that the request asks for and this machine has: a library that is absent, or has no kernel for the
/// shape, has no line, and that is no error. The workspace is theirs for as long as they are used.
std::vector<Baseline> library_baselines(ExecutorSession& session, const TimeRequest& request,
                                        cu::DevicePointer workspace, std::uint64_t workspace_bytes);

}  // namespace fusebox::gpu
