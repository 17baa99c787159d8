#pragma once

#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/cli/verbs/options.h"
#include "grader/report/result.h"
#include "grader/report/workspace_paths.h"

namespace fusebox {

/// One function for each verb; each returns the program's exit code: 0 passed, 1 not passed, 2 wrong usage, 3
/// something is missing on this machine, 4 internal error.
int grade_verb(const WorkspacePaths& paths, const Options& options);
int all_verb(const WorkspacePaths& paths, const Options& options);
int next_verb(const WorkspacePaths& paths, const Options& options);
int list_verb(const WorkspacePaths& paths, const Options& options);
int hint_verb(const WorkspacePaths& paths, const Options& options);
int lesson_verb(const WorkspacePaths& paths, const Options& options);
int reset_verb(const WorkspacePaths& paths, const Options& options);
int solution_verb(const WorkspacePaths& paths, const Options& options);
int sim_verb(const WorkspacePaths& paths, const Options& options);
int bench_verb(const WorkspacePaths& paths, const Options& options);
int class_verb(const WorkspacePaths& paths, const Options& options);
int class_task_verb(const WorkspacePaths& paths, const Options& options);
int collect_verb(const WorkspacePaths& paths, const Options& options);
int compare_verb(const WorkspacePaths& paths, const Options& options);
int doctor_verb(const WorkspacePaths& paths, const Options& options);
int dev_answers_verb(const WorkspacePaths& paths, const Options& options);
int dev_slips_verb(const WorkspacePaths& paths, const Options& options);
int dev_check_verb(const WorkspacePaths& paths, const Options& options);
int dev_new_verb(const WorkspacePaths& paths, const Options& options);
int dev_skeletons_verb(const WorkspacePaths& paths, const Options& options);
int dev_parity_verb(const WorkspacePaths& paths, const Options& options);
int dev_warm_verb(const WorkspacePaths& paths, const Options& options);

/// Prints an error and its remedy to stderr; its exit code.
int fail(const Error& error);
/// The puzzle that was asked for. An unknown name is an error that lists the nearest (exit 2).
Result<const Puzzle*> asked_puzzle(const Options& options);
/// Folder of the files to grade. One that is given and not there is a mistyped command, not a learner's
/// mistake.
Result<std::filesystem::path> folder_of(const WorkspacePaths& paths, const Options& options);
/// "p08..p13": every puzzle of the book from the one to the other; nothing where that is no range.
std::vector<const Puzzle*> puzzles_between(const std::string& range);
/// The puzzle behind this one in the book; null for the last.
const Puzzle* neighbour_of(const Puzzle& puzzle);
/// The first puzzle that is not solved yet; null when all are.
const Puzzle* next_unsolved(const WorkspacePaths& paths);

}  // namespace fusebox
