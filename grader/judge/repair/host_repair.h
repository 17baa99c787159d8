#pragma once

#include <string>
#include <vector>

#include "grader/judge/repair/repair.h"

/// One change in the learner's host code with which every case comes out right: in how much is allocated or
/// copied, where something begins, which is launched first. All are compiled at once, each behind a switch,
/// and the host function is called with one after the other.
namespace fusebox {

/// `typical`: those that TextEdit calls so. Of a grid that is refused any change mends the launch that makes
/// it larger.
enum class HostEdits { likely, typical };

/// The likeliest of those changes, two at most; only in `blanks`, where there are any. Empty: none of them
/// mends every case.
std::vector<Repair> find_host_repairs(const Suspect& suspect, const std::vector<std::string>& blanks,
                                      HostEdits wanted = HostEdits::likely);
/// The same in place of `in_text`, if that has none, or none but what may only go around what is wrong.
void prefer_host_repairs(const Suspect& suspect, const std::vector<std::string>& blanks,
                         std::vector<Repair>& in_text);

}  // namespace fusebox
