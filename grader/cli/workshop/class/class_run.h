#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/classroom/batch.h"
#include "grader/classroom/results/results.h"
#include "grader/report/workspace_paths.h"

/// What a class that is graded here and one on Slurm share: how a run holds its folder, and what it leaves
/// there.
namespace fusebox {

/// What a row depends on besides the file: this program, the references, GPUs as they are modelled, known
/// mistakes.
Result<std::string> version_of(const WorkspacePaths& paths, const std::filesystem::path& grader,
                               const std::vector<classroom::Wanted>& wanted);

/// An error where --out holds results that no run of ours has written: they would be replaced.
std::optional<Error> refuse_what_is_not_ours(const std::filesystem::path& out);
/// What a run makes in --out and takes away again.
std::filesystem::path scratch_in(const std::filesystem::path& out);
/// The folders in --out that are ours.
inline constexpr const char* kFolders[] = {"rows",     "students", "gradescope",
                                           "exercism", "slurm",    "fusebox-scratch"};

/// Alone, or beside others of a class's tasks.
enum class LockKind { alone, beside_others };
/// Held until unlock_class() or this process ends.
std::optional<Error> lock_class(const std::filesystem::path& out, LockKind kind);
void unlock_class();

/// The best confinement of this machine, for the answers of this class: its tier stays empty where that is
/// limits alone.
void choose_confinement(const WorkspacePaths& paths, classroom::BatchSettings& settings);

/// Below `scratch`, by a name that nothing else has: what a killed run has left running still writes to its
/// own.
Result<std::filesystem::path> own_folder(const std::filesystem::path& scratch);

/// Everything that an instructor takes home.
std::optional<Error> write_results(const std::filesystem::path& out, const classroom::Results& results);

/// A line for an answer that was graded; why not, where the machine has prevented it.
void print_row(const classroom::Row& row, std::size_t done, std::size_t all);
void print_verdicts(const classroom::Results& results);
void print_places(const std::filesystem::path& out);

/// From then on a signal by which a terminal or a queue would end this process is a request: nothing new is
/// begun.
void handle_stop_signals();
const std::atomic<bool>* stop_sign();

}  // namespace fusebox
