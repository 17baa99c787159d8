#pragma once

#include "grader/gpu/executor/session.h"

namespace fusebox::gpu {

/// Times the variants of a request against each other, and against copies, in this one process: graphs over
/// rotated buffer sets, cold single runs, and each operation by itself.
TimeReply time_variants(ExecutorSession& session, const TimeRequest& request);

}  // namespace fusebox::gpu
