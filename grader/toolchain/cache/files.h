#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/report/result.h"

namespace fusebox {

/// Writes a whole file or nothing: to a neighbour first, which then takes the name. A folder that may not be
/// written and a full disk are errors of the machine (exit 3).
std::optional<Error> write_atomically(const std::filesystem::path& path, const std::string& text);

/// The same in a folder that is made where it is missing; once this returns, the file outlives the machine's
/// losing its power. `mode`: its rights, from its first byte on.
std::optional<Error> write_for_good(const std::filesystem::path& path, const std::string& text,
                                    unsigned mode = 0666);

}  // namespace fusebox
