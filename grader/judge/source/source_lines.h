#pragma once

#include <string_view>
#include <vector>

namespace fusebox {

/// The lines of a text, without the space around each; they live as long as the text.
std::vector<std::string_view> trimmed_lines(std::string_view text);

}  // namespace fusebox
