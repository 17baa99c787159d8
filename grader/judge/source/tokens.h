#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace fusebox {

/// A word, a number or a sign of C++, as it stands in a text.
struct Token {
  enum class Kind { word, number, sign } kind = Kind::sign;
  std::size_t begin = 0, end = 0;  ///< in the text
  int line = 0;                    ///< from 1
  std::string_view text;
  bool is(std::string_view other) const { return text == other; }
};

/// Tokens of `code`, which code_of made of a text and which outlives them. Lines of the preprocessor have
/// none.
std::vector<Token> tokens_of(std::string_view code);

/// For each token that is a bracket ( [ { or one that closes it: the place of its partner; else, or where it
/// has none, npos.
std::vector<std::size_t> partners_of(const std::vector<Token>& tokens);

}  // namespace fusebox
