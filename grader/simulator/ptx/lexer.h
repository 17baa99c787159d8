#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fusebox::ptx {

enum class TokenKind : std::uint8_t {
  word,    ///< opcode, register, symbol, label: ld, %r1, $L__BB0_2, _
  dotted,  ///< directive or modifier with its dot: .param, .shared::cta, .L2::128B
  integer,
  real,
  string,
  punctuation,  ///< one character
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  ///< strings without their quotes
  std::int64_t integer = 0;
  double real = 0;
  std::uint64_t bits = 0;  ///< real written as 0fXXXXXXXX or 0dXXXXXXXXXXXXXXXX
  int bits_width = 0;      ///< 32, 64, or 0 when written in decimal
  int line = 1;
};

/// Cuts PTX text into tokens; comments vanish. Characters that PTX does not know become one-character
/// punctuation, which the parser refuses where it stands. The last token is `end`.
std::vector<Token> tokenize(std::string_view text);

}  // namespace fusebox::ptx
