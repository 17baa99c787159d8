#include "grader/toolchain/sandbox/environment.h"

#include <cstdlib>
#include <sstream>

namespace fusebox {

std::string environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::vector<std::filesystem::path> folders_of(const char* variable) {
  std::vector<std::filesystem::path> folders;
  std::istringstream list(environment(variable));
  for (std::string folder; std::getline(list, folder, ':');)
    if (!folder.empty()) folders.emplace_back(folder);
  return folders;
}

}  // namespace fusebox
