#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/report/result.h"

namespace fusebox::classroom {

/// Larger than any answer.
inline constexpr std::size_t kLargestSubmission = 1 << 20;

/// What became of a file that a student may have handed in.
struct Handed {
  std::optional<std::string> text;  ///< absent: `why` it is no submission
  std::string why;
};

/// Reads `folder`/`name`, and nothing else: a regular file with one name, reached through no link. What else
/// lies in the folder is never opened.
Handed take_file(const std::filesystem::path& folder, const std::string& name);

}  // namespace fusebox::classroom
