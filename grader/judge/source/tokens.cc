#include "grader/judge/source/tokens.h"

#include <array>
#include <cctype>
#include <string>

#include "grader/judge/source/source_code.h"

namespace fusebox {
namespace {

constexpr std::array<std::string_view, 22> kLongSigns = {"<<<", ">>>", "<<=", ">>=", "->", "++", "--", "<<",
                                                         ">>",  "<=",  ">=",  "==",  "!=", "&&", "||", "+=",
                                                         "-=",  "*=",  "/=",  "%=",  "::", "|="};

std::size_t end_of_sign(std::string_view code, std::size_t at) {
  for (const std::string_view sign : kLongSigns)
    if (code.substr(at).starts_with(sign)) return at + sign.size();
  return at + 1;
}

bool begins_number(std::string_view code, std::size_t at) {
  const auto digit = [&](std::size_t i) {
    return i < code.size() && std::isdigit(static_cast<unsigned char>(code[i]));
  };
  return digit(at) || (code[at] == '.' && digit(at + 1));
}

std::size_t end_of_number(std::string_view code, std::size_t at) {
  const bool hexadecimal = code.substr(at, 2) == "0x" || code.substr(at, 2) == "0X";
  while (at < code.size()) {
    const char c = code[at];
    const bool exponent = !hexadecimal && (c == 'e' || c == 'E') && at + 1 < code.size() &&
                          (code[at + 1] == '-' || code[at + 1] == '+');
    if (!is_word(c) && c != '.' && c != '\'') break;
    at += exponent ? 2 : 1;
  }
  return at;
}

/// Behind the line of the preprocessor that begins at `at`, and those that it is continued on.
std::size_t end_of_directive(std::string_view code, std::size_t at) {
  while (at < code.size()) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    if (end == at || code[end - 1] != '\\') return end;
    at = end + 1;
  }
  return at;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view code) {
  std::vector<Token> tokens;
  int line = 1;
  bool line_is_empty = true;
  for (std::size_t at = 0; at < code.size();) {
    const char c = code[at];
    std::size_t end = at + 1;
    if (c == '\n') {
      ++line, line_is_empty = true;
    } else if (c == '#' && line_is_empty) {
      end = end_of_directive(code, at);
      for (std::size_t i = at; i < end; ++i) line += code[i] == '\n';
    } else if (!std::isspace(static_cast<unsigned char>(c))) {
      Token token;
      if (begins_number(code, at)) {
        token.kind = Token::Kind::number, end = end_of_number(code, at);
      } else if (is_word(c)) {
        token.kind = Token::Kind::word;
        while (end < code.size() && is_word(code[end])) ++end;
      } else {
        end = end_of_sign(code, at);
      }
      token.begin = at, token.end = end, token.line = line, token.text = code.substr(at, end - at);
      tokens.push_back(token);
      line_is_empty = false;
    }
    at = end;
  }
  return tokens;
}

std::vector<std::size_t> partners_of(const std::vector<Token>& tokens) {
  std::vector<std::size_t> partners(tokens.size(), std::string_view::npos), open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view sign = tokens[i].text;
    if (sign == "(" || sign == "[" || sign == "{") open.push_back(i);
    if (sign != ")" && sign != "]" && sign != "}") continue;
    const char opens = sign == ")" ? '(' : sign == "]" ? '[' : '{';
    if (open.empty() || tokens[open.back()].text.front() != opens) return partners;
    partners[i] = open.back(), partners[open.back()] = i;
    open.pop_back();
  }
  return partners;
}

}  // namespace fusebox
