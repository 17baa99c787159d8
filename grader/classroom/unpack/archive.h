#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace fusebox::classroom {

/// What one archive may cost, and what is taken of it.
struct UnpackLimits {
  std::size_t text_bytes = 1 << 20;       ///< of the file that is wanted
  std::size_t unpacked_bytes = 64 << 20;  ///< of everything in it
  std::size_t entries = 10'000;
};

/// The file that was wanted, or why the archive is no submission: words that go behind "ada.zip: ".
struct Unpacked {
  std::optional<std::string> text;
  std::string why;
};

/// Reads the file `name` out of an archive (.zip, .tar, .tar.gz or .tgz: the path says which) into memory,
/// and nothing else: it may lie at the top or in one folder, once, and is a regular file. Names that are not
/// `name` are never used for anything; one that leads out of the archive refuses it.
Unpacked unpack(const std::filesystem::path& archive, const std::string& name,
                const UnpackLimits& limits = {});

}  // namespace fusebox::classroom
