#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/judge/cases/case_runner.h"
#include "grader/judge/suspect/suspect.h"

namespace fusebox {

/// Of an answer of which several blanks are wrong: what is wrong with each, tried alone in the reference.
/// Only where that is known of each of them, and not by what the numbers look like: two blanks that agree on
/// something which the reference does otherwise are both wrong alone and right together. `programs` are the
/// reference with one blank each, as `trials` are. Empty: not known.
std::string what_is_wrong_with_each(const Suspect& suspect, const std::vector<BlankTrial>& trials,
                                    const std::vector<std::optional<CompiledFile>>& programs);

}  // namespace fusebox
