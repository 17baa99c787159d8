#pragma once

#include <filesystem>

#include "grader/host/recorder.h"

namespace fusebox::recording {

/// Dies with the grader, and takes the limits on time, memory, files and stack.
void limit_resources();

/// Reading only the system's libraries and `library`, writing nothing. Does nothing where the kernel has no
/// Landlock.
void confine_to(const std::filesystem::path& library);

/// System calls that start processes, change files, use the network or touch other processes end the process
/// with a verdict that says which. Where the kernel has no filters, the limit on processes has to do.
void confine_system_calls();

/// Remembers what kind of address a crash was at, and turns uncaught exceptions into a verdict.
void explain_crashes();

/// Ends the process with the verdict on the exception that is being handled.
[[noreturn]] void refuse_exception();

/// Stack of the main thread, in bytes.
inline constexpr unsigned long kStackBytes = 8ul << 20;

}  // namespace fusebox::recording
