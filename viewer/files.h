#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/result.h"
#include "grader/report/workspace_paths.h"
#include "viewer/model/book/book.h"

namespace fusebox::view {

/// A puzzle as the list shows it.
struct PuzzleEntry {
  std::string id, title;
  bool tried = false, solved = false;  ///< by the attempts kept
};
std::vector<PuzzleEntry> puzzles_in(const WorkspacePaths& paths);

/// One kept attempt; its time and verdict stand in its name.
struct AttemptFile {
  std::filesystem::path path;
  std::int64_t milliseconds = 0;
  std::string verdict;
};
/// Oldest first.
std::vector<AttemptFile> attempts_of(const WorkspacePaths& paths, const std::string& puzzle);

/// Reads a report; the error names the file, what is wrong and what to do.
Result<Report> read_report(const std::filesystem::path& path);

/// The newest attempt at a puzzle (and the one before it), otherwise its recording, otherwise a book without
/// numbers. "p20", "20" or the slug.
Result<Book> open_puzzle(const WorkspacePaths& paths, const std::string& name);
/// What the recording holds of the reference at full size, for a report without one: where no answer is right
/// yet, nothing was run there.
std::optional<FullSize> recorded_full_size(const WorkspacePaths& paths, const std::string& puzzle);
/// A book of files: what `--student` and `--reference` name; either may be empty.
Result<Book> open_files(const std::string& student, const std::string& reference);

/// The text of the graded file now; nothing when it cannot be read.
std::optional<std::string> text_now(const WorkspacePaths& paths, const Report& report);
/// The graded file itself; empty when it is not there.
std::filesystem::path source_path(const WorkspacePaths& paths, const Report& report);

}  // namespace fusebox::view
