#pragma once

#include <vector>

#include "grader/simulator/ptx/branches/short_branches.h"

namespace fusebox::ptx {

/// Branches and barriers that a warp comes to with loads under way of which it has used none: it waits for
/// them where it uses them, and not here. On a side to which nothing else leads the straight run goes on:
/// what is loaded there is under way together with what was loaded before.
struct OpenRuns {
  std::vector<bool> next, target;  ///< by instruction: the run goes on behind it, or where it leads
};
OpenRuns open_runs(const Function& function, const ShortBranches& short_ones);

}  // namespace fusebox::ptx
