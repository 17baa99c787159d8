#pragma once

#include "grader/catalog/puzzle.h"

namespace fusebox {

/// The same puzzle, but what a case is given and should give is worked out once for each seed, whoever asks:
/// for many gradings, two of them at a time perhaps. It is all kept as long as a copy of that puzzle is.
Puzzle with_problems_once(Puzzle puzzle);

}  // namespace fusebox
