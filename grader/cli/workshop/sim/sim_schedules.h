#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/cli/render/style.h"
#include "grader/simulator/runtime/journal.h"

namespace fusebox {

/// One run of a program under one schedule, as far as runs are compared.
struct ScheduledRun {
  std::uint64_t seed = 0;  ///< of the schedule; means nothing for a run in order
  std::string ending;      ///< "exit code 0", "signal 11"
  std::string output;      ///< its stdout
  sim::Journal journal;
};

/// What a schedule changed, in words; empty: nothing. `again` repeats `first`, in the same order: what
/// differs between these two (a clock, an address) does not depend on the schedule. Lines may come in another
/// order, as what kernels print does.
std::string difference(const ScheduledRun& first, const ScheduledRun& again, const ScheduledRun& other);

/// What came of all, for the terminal: `command` is how to type the verb, `program` what it was given to run.
std::string render_schedules(const ScheduledRun& first, const ScheduledRun& again,
                             const std::vector<ScheduledRun>& others, const std::string& command,
                             const std::string& program, const Style& style);

}  // namespace fusebox
