#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "grader/process/child.h"
#include "grader/report/result.h"

namespace fusebox {

/// What of a child's output is kept, and how much ends it.
struct OutputLimits {
  std::uint64_t kept = 0, max = 0;
};

/// How a child process ended. All of its session is gone by then.
struct ChildEnd : ProcessEnd {
  bool timed_out = false;
  std::string output;         ///< stdout and stderr merged, as far as the limit
  std::uint64_t printed = 0;  ///< bytes of all of it that were read
  bool flooded = false;       ///< it printed more than it may, and was not waited for
  bool output_cut() const { return printed > output.size(); }
};

/// Starts `program` without arguments, in a session of its own, with stdin closed, its output on a pipe,
/// `channel` as descriptor 3 and no other descriptor; waits until it ends or `wall_seconds` are over, and
/// kills what is left of its session: at once when it has printed more than `output.max`. An error when no
/// process can be started.
Result<ChildEnd> run_child(const std::filesystem::path& program, const Descriptor& channel,
                           double wall_seconds, const OutputLimits& output);

}  // namespace fusebox
