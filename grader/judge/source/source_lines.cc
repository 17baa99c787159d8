#include "grader/judge/source/source_lines.h"

#include <algorithm>
#include <cstddef>

namespace fusebox {

std::vector<std::string_view> trimmed_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t first = std::min(line.find_first_not_of(" \t\r"), line.size());
    lines.push_back(line.substr(first, line.find_last_not_of(" \t\r") + 1 - first));
    at = end + 1;
  }
  return lines;
}

}  // namespace fusebox
