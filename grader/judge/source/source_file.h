#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "grader/report/result.h"

namespace fusebox {

/// A puzzle file as it was when grading began.
struct SourceFile {
  std::filesystem::path path;
  std::string text;

  /// Line `number` (from 1) without its line end; empty when there is none.
  std::string line(int number) const;
};

/// Reads a learner's file. Missing, empty, a directory, not UTF-8 are the file's fault
/// (ErrorKind::not_passed: a verdict); a file or folder that may not be read is the machine's (missing_part).
Result<SourceFile> read_source(const std::filesystem::path& path);

/// Position of the first byte that is not UTF-8 (overlong forms and surrogates included); npos when all is
/// well.
std::size_t first_bad_utf8(std::string_view text);

}  // namespace fusebox
