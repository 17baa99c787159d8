#pragma once

#include <vector>

#include "grader/simulator/ptx/module.h"

namespace fusebox::ptx {

/// Branches that the assembler turns into predicates: forward, on a condition, over at most seven
/// instructions that neither branch nor wait (of a choice among values that are there, its comparisons do not
/// count), to a label that nothing else jumps to. What lies behind such a
/// label is scheduled together with what lies before the branch: their loads are in flight at a time.
struct ShortBranches {
  std::vector<bool> branch;  ///< by instruction: it is such a branch
  std::vector<bool> join;    ///< by instruction, and one more: it stands behind such a label
};
ShortBranches short_branches(const Function& function);

}  // namespace fusebox::ptx
