#pragma once

#include "grader/catalog/puzzle.h"
#include "grader/cli/verbs/options.h"
#include "grader/report/workspace_paths.h"

namespace fusebox {

/// Grades `first` now and whenever its file is saved, until it is told to end: q, Ctrl-D or Ctrl-C. Each run
/// is a process of its own, so that a save in the middle of one ends it and begins the next. Keys: h the next
/// hint, l the lesson, b the book (the list), d how the last run's counters differ from the reference's, n
/// the neighbour in the book, r run again. Before the first grade of a puzzle it asks for a prediction, once.
/// The exit code is that of the last run; a run that could not be made at all (2 and above) ends it.
int watch(const WorkspacePaths& paths, const Options& options, const Puzzle& first);

}  // namespace fusebox
