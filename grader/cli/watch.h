#pragma once

#include "grader/catalog/puzzle.h"
#include "grader/cli/house.h"
#include "grader/cli/options.h"

namespace fusebox {

/// Grades the puzzle, and again whenever its file is saved, until the learner quits. Keys: n next, h hint, l
/// list, r run, d where its counters differ from the reference's, q quit. Standard input and output are a
/// terminal. Each grading is a process of its own: a save that comes in the middle of one stops it and starts
/// the next.
int watch(const House& house, const Options& options, const Puzzle& puzzle);

/// The last kept report's counters, summed over the launches of each entry, where yours are not the
/// reference's. Says so when they all are, or when there is nothing to compare.
std::string render_differences(const House& house, const Puzzle& puzzle);

}  // namespace fusebox
