#pragma once

#include <string_view>

#include "grader/host/channel.h"
#include "grader/host/recorder.h"

namespace fusebox::recording {

/// Maps the channel, closes its descriptor, reads the request and shuts the answer away. False: this is not a
/// recorder's child, or the request does not read.
bool open_channel(RecordRequest& request);

channel::Scratch& scratch();

/// What is registered for the end of the process from here on, the learner's, is carried out; what was
/// before, ours, is not. False: no memory.
bool end_behind_what_follows();

/// Ends the process with a verdict. Allocates nothing, so that signal handlers may call it.
[[noreturn]] void refuse(FailureKind kind, std::string_view what, std::string_view hint);

/// Leaves the plan in the channel and ends the process as a program ends: destructors of the learner's static
/// objects and what was given to atexit() run, but the answer is out of their reach by then.
[[noreturn]] void finish(const LaunchPlan& plan);

}  // namespace fusebox::recording
