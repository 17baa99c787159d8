#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/report/result.h"

namespace fusebox::classroom {

/// Larger than any answer, and than any archive of answers.
inline constexpr std::size_t kLargestSubmission = 1 << 20, kLargestArchive = 16 << 20;

/// What became of a file that a student may have handed in.
struct Handed {
  std::optional<std::string> text;  ///< absent: `why` it is no submission
  std::string why;
  bool machine = false;  ///< `why` is the machine's fault
};

/// How archives are read.
struct Unpacking {
  std::filesystem::path program;  ///< build/bin/unpacker; there is none where libarchive is missing
  std::filesystem::path desk;     ///< of this call alone: made, and gone afterwards
};

/// Whose the folder or archive of this name is, by the name alone: "ada" of "ada" and of "ada.tar.gz".
std::string student_of(const std::string& name);

/// Reads the file `name` that the student `id` handed in: in a folder of that name in `submissions`, or in
/// one archive beside where that would be (.zip, .tar, .tar.gz, .tgz). Both, or two archives, are no
/// submission.
Handed take_handed(const std::filesystem::path& submissions, const std::string& id, const std::string& name,
                   const Unpacking& unpacking);

/// Reads `folder`/`name`, and nothing else: a regular file with one name, reached through no link, of at most
/// `most` bytes. What else lies in the folder is never opened.
Handed take_file(const std::filesystem::path& folder, const std::string& name,
                 std::size_t most = kLargestSubmission);

/// Reads the file `name` out of an archive in memory, called `archive`, by a process that may do nothing
/// else.
Handed take_from_archive(const std::string& bytes, const std::string& archive, const std::string& name,
                         const Unpacking& unpacking);

}  // namespace fusebox::classroom
