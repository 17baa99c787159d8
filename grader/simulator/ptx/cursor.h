#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "grader/simulator/ptx/lexer.h"

namespace fusebox::ptx {

/// Thrown inside the parser only; parse() turns it into an Error.
struct SyntaxError : std::runtime_error {
  SyntaxError(int line_number, const std::string& message) : std::runtime_error(message), line(line_number) {}
  int line;
};

/// A place in the token stream.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : tokens_(tokenize(text)) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& next() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool at_end() const { return peek().kind == TokenKind::end; }
  bool at(std::string_view text, std::size_t ahead = 0) const {
    const Token& token = peek(ahead);
    return token.kind != TokenKind::string && token.kind != TokenKind::end && token.text == text;
  }
  bool accept(std::string_view text) {
    if (!at(text)) return false;
    next();
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text)) fail("expected '" + std::string(text) + "'");
  }
  std::string expect_word(std::string_view what) {
    if (peek().kind != TokenKind::word) fail("expected " + std::string(what));
    return std::string(next().text);
  }
  std::string expect_dotted(std::string_view what) {
    if (peek().kind != TokenKind::dotted) fail("expected " + std::string(what));
    return std::string(next().text);
  }
  std::int64_t expect_integer(std::string_view what) {
    bool negative = accept("-");
    if (peek().kind != TokenKind::integer) fail("expected " + std::string(what));
    std::uint64_t value = static_cast<std::uint64_t>(next().integer);
    return static_cast<std::int64_t>(negative ? 0 - value : value);
  }
  /// Held while something that may contain itself is read. What nests deeper than any compiler writes is
  /// hostile, and refused before it costs the stack.
  class Nesting {
   public:
    explicit Nesting(Cursor& cursor) : cursor_(cursor) {
      if (++cursor_.depth_ > kDeepest) cursor_.fail("expected text that nests less deeply");
    }
    ~Nesting() { --cursor_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    static constexpr int kDeepest = 256;
    Cursor& cursor_;
  };

  [[noreturn]] void fail(const std::string& expected) const {
    const Token& token = peek();
    std::string found =
        token.kind == TokenKind::end ? "the end of the text" : "'" + std::string(token.text) + "'";
    throw SyntaxError(token.line, expected + ", found " + found);
  }

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace fusebox::ptx
