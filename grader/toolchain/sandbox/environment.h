#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fusebox {

/// The variable's value; empty where it is not set.
std::string environment(const char* variable);

/// The folders of a variable that has colons between them, as PATH has; empty ones left out.
std::vector<std::filesystem::path> folders_of(const char* variable);

}  // namespace fusebox
