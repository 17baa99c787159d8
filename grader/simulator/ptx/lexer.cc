#include "grader/simulator/ptx/lexer.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>

namespace fusebox::ptx {
namespace {

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}
bool continues_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 4);
    for (;;) {
      skip_blank();
      tokens.push_back(next());
      if (tokens.back().kind == TokenKind::end) return tokens;
    }
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip_blank() {
    while (at_ < text_.size()) {
      char c = peek();
      if (c == '\n') ++line_;
      if (std::isspace(static_cast<unsigned char>(c)) || c == '\0') {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        while (at_ < text_.size() && peek() != '\n') ++at_;
      } else if (c == '/' && peek(1) == '*') {
        at_ += 2;
        while (at_ < text_.size() && !(peek() == '*' && peek(1) == '/')) {
          if (peek() == '\n') ++line_;
          ++at_;
        }
        at_ = std::min(at_ + 2, text_.size());
      } else {
        return;
      }
    }
  }

  Token next() {
    Token token;
    token.line = line_;
    if (at_ >= text_.size()) return token;
    std::size_t begin = at_;
    char c = peek();
    if (starts_word(c)) {
      ++at_;
      while (continues_word(peek())) ++at_;
      token.kind = TokenKind::word;
    } else if (c == '.' && (continues_word(peek(1)))) {
      ++at_;
      // `::` belongs to the modifier (.shared::cta); a single colon ends a label.
      while (continues_word(peek()) || (peek() == ':' && peek(1) == ':')) at_ += peek() == ':' ? 2 : 1;
      token.kind = TokenKind::dotted;
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      number(token);
    } else if (c == '"') {
      ++at_;
      while (at_ < text_.size() && peek() != '"') at_ += peek() == '\\' ? 2 : 1;
      at_ = std::min(at_, text_.size());
      token.kind = TokenKind::string;
      token.text = text_.substr(begin + 1, at_ - begin - 1);
      if (at_ < text_.size()) ++at_;
      return token;
    } else {
      ++at_;
      token.kind = TokenKind::punctuation;
    }
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }

  void number(Token& token) {
    std::size_t begin = at_;
    auto is_hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
    auto hex_digits = [&](int most) {
      std::uint64_t value = 0;
      for (int i = 0; i < most && is_hex(peek()); ++i, ++at_)
        value = value * 16 + static_cast<std::uint64_t>(std::stoi(std::string(1, peek()), nullptr, 16));
      return value;
    };
    char kind = static_cast<char>(std::tolower(static_cast<unsigned char>(peek(1))));
    if (peek() == '0' && (kind == 'f' || kind == 'd') && is_hex(peek(2))) {
      at_ += 2;
      token.kind = TokenKind::real;
      token.bits_width = kind == 'f' ? 32 : 64;
      token.bits = hex_digits(token.bits_width / 4);
      token.real = kind == 'f' ? std::bit_cast<float>(static_cast<std::uint32_t>(token.bits))
                               : std::bit_cast<double>(token.bits);
      return;
    }
    token.kind = TokenKind::integer;
    std::uint64_t value = 0;
    if (peek() == '0' && kind == 'x') {
      at_ += 2;
      value = hex_digits(16);
    } else if (peek() == '0' && kind == 'b' && (peek(2) == '0' || peek(2) == '1')) {
      for (at_ += 2; peek() == '0' || peek() == '1'; ++at_)
        value = value * 2 + static_cast<std::uint64_t>(peek() - '0');
    } else {
      while (std::isdigit(static_cast<unsigned char>(peek()))) ++at_;
      bool fraction = peek() == '.' && std::isdigit(static_cast<unsigned char>(peek(1)));
      bool exponent = (peek() == 'e' || peek() == 'E') &&
                      (std::isdigit(static_cast<unsigned char>(peek(1))) || peek(1) == '-' || peek(1) == '+');
      if (fraction || exponent) {
        while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '.' || peek() == '-' ||
               peek() == '+')
          ++at_;
        token.kind = TokenKind::real;
        token.real = std::strtod(std::string(text_.substr(begin, at_ - begin)).c_str(), nullptr);
        return;
      }
      bool octal = text_[begin] == '0' && at_ - begin > 1;
      for (std::size_t i = begin; i < at_; ++i)
        value = value * (octal ? 8u : 10u) + static_cast<std::uint64_t>(text_[i] - '0');
    }
    if (peek() == 'U' || peek() == 'u') ++at_;
    token.integer = static_cast<std::int64_t>(value);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

}  // namespace fusebox::ptx
