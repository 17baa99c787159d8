#pragma once

#include <string_view>

#include "grader/host/channel.h"
#include "grader/host/recorder.h"

namespace fusebox::recording {

/// Maps the channel, closes its descriptor, reads the request and shuts the answer away. False: this is not a
/// recorder's child, or the request does not read.
bool open_channel(RecordRequest& request);

channel::Scratch& scratch();

/// Ends the process with a verdict. Allocates nothing, so that signal handlers may call it.
[[noreturn]] void refuse(FailureKind kind, std::string_view what, std::string_view hint);

/// Ends the process with the plan.
[[noreturn]] void finish(const LaunchPlan& plan);

}  // namespace fusebox::recording
