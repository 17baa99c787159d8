#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/repair/edits/text_edit.h"
#include "grader/judge/source/source_code.h"

namespace fusebox {

/// The edits of a text's kernel `k(float*, ...)`, on any of its lines.
struct Edits {
  std::string code;
  std::vector<TextEdit> edits;
  explicit Edits(std::string_view text)
      : code(code_of(text)), edits(edits_of_device_code(code, std::vector{LineRange{1, 99}}, {"_Z1kPf"})) {}
  std::vector<std::string> says() const {
    std::vector<std::string> all;
    for (const TextEdit& edit : edits) all.push_back(edit.says);
    return all;
  }
  /// The text with the edit of which this is said.
  std::string with(const std::string& says) const {
    const auto found =
        std::find_if(edits.begin(), edits.end(), [&](const TextEdit& edit) { return edit.says == says; });
    EXPECT_NE(found, edits.end()) << says;
    return found == edits.end() ? "" : with_edit(code, *found);
  }
};

/// A kernel with this body.
inline std::string kernel_of(const std::string& body) {
  return "constexpr int kEach = 8, kSide = 16, kWarps = 8, kWide = 2;\n"
         "struct Part { float n, mean; };\n"
         "__global__ void k(float* o, const float* x, size_t count, unsigned columns, int rows, int heads) {\n" +
         body + "\n}\n";
}

}  // namespace fusebox
