#pragma once

#include <string>
#include <vector>

#include "grader/judge/repair/repair.h"

/// One change in the learner's device code with which every case comes out right. All changes are compiled at
/// once, each behind a switch in device memory, and carried out one by one.
namespace fusebox {

/// The likeliest of those changes, two at most; only in `blanks`, where there are any. Empty: none of them
/// mends every case.
std::vector<Repair> find_text_repairs(const Suspect& suspect, const std::vector<std::string>& blanks);

}  // namespace fusebox
