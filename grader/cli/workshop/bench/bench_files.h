#pragma once

#include <string>
#include <vector>

#include "grader/cli/verbs/options.h"
#include "grader/cli/workshop/bench/bench_table.h"
#include "grader/judge/workshop/bench.h"
#include "grader/report/workspace_paths.h"

namespace fusebox {

/// What `bench` times of a puzzle: yours when its blanks are filled in, the reference, its optimized form,
/// the other steps of its ladder and, with options.mistakes, the reference with each known mistake that
/// breaks a budget. With block sizes: yours (or else the reference) in all of them.
Result<std::vector<BenchFile>> files_for(const WorkspacePaths& paths, const Options& options,
                                         const Puzzle& puzzle);

/// Do both compute the same, by the same function? Then they are steps of one ladder.
bool same_ladder(const Puzzle& a, const Puzzle& b);

/// What was recorded of a GPU, "h200", in assets/recorded.
Result<BenchRecord> recorded_of(const WorkspacePaths& paths, const std::string& gpu);

/// Every size at which a puzzle is timed; its full size is one of them.
std::vector<TimedCase> sizes_of(const Puzzle& puzzle);

}  // namespace fusebox
