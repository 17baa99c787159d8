#pragma once

#include <string>
#include <vector>

#include "grader/judge/repair/edits/text_edit.h"
#include "grader/judge/suspect/suspect.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {

/// The blanks of the learner's file. None where it has no markers of them, or such as cannot be read.
std::vector<Blank> blanks_of(const Suspect& suspect);

/// What the learner wrote: these blanks, or all, and lines and functions around them that the solution does
/// not have.
std::vector<LineRange> lines_to_change(const Suspect& suspect, const std::vector<std::string>& blanks);
/// Functions of the device's with lines outside of blanks that the solution does not have: what is as it was
/// there may be what is wrong by now.
std::vector<LineRange> functions_made_over(const Suspect& suspect);
/// All lines of the learner's file.
LineRange all_lines(const Suspect& suspect);

}  // namespace fusebox
