#pragma once

#include <optional>
#include <string>

#include "grader/judge/suspect/suspect.h"

namespace fusebox {

/// Where a NaN comes from that is in an output.
struct NanOrigin {
  std::string sentence;  ///< "NaN begins in line 12, where 0 / 0 is worked out"
  int line = 0;          ///< of the learner's file
};

/// Carries out the smallest case with a NaN in its outputs once more. Nothing where none of the learner's
/// lines makes NaN of numbers there, or more than two do, or two of different numbers: some of them may do no
/// harm.
std::optional<NanOrigin> origin_of_nan(const Suspect& suspect);

}  // namespace fusebox
