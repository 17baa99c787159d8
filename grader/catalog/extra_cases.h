#pragma once

#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/report/result.h"

namespace fusebox {

/// Further cases of `puzzle` by their sizes alone, as in "M=33 N=7; M=1 N=40": every size that its own cases
/// have, from 1 to the largest of theirs. They are called extra_1, extra_2, ...; their values each seed
/// draws. An error says which word is wrong.
Result<std::vector<Case>> extra_cases(const Puzzle& puzzle, const std::string& text);

}  // namespace fusebox
