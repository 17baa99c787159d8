#pragma once

#include <cstddef>

#include "grader/host/child_process.h"
#include "grader/host/recorder.h"

namespace fusebox {

/// Whether the recorder program took the request out of this channel.
bool has_started(int channel);

/// What became of the host function, from how its process ended and from what it left in the channel. Every
/// byte there may be hostile.
RecordResult read_outcome(int channel, std::size_t request_bytes, ChildEnd end, const RecordRequest& request,
                          const RecordLimits& limits);

}  // namespace fusebox
