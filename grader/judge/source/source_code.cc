#include "grader/judge/source/source_code.h"

#include <algorithm>
#include <cctype>

namespace fusebox {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string code_of(std::string_view text) {
  std::string code(text);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text.substr(i, 2) == "//") {
      end = std::min(text.find('\n', i), text.size());
      blank(i, end);
    } else if (text.substr(i, 2) == "/*") {
      end = text.find("*/", i + 2);
      end = end == text.npos ? text.size() : end + 2;
      blank(i, end);
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_word(text[i - 1])))) {
      while (end < text.size() && text[end] != text[i] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      blank(i, end);
    }
    i = end;
  }
  return code;
}

std::size_t closing(std::string_view code, std::size_t open) {
  const char opens = code[open], closes = opens == '(' ? ')' : '}';
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    depth += (code[i] == opens) - (code[i] == closes);
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

std::size_t next_solid(std::string_view code, std::size_t at) {
  while (at < code.size() && std::isspace(static_cast<unsigned char>(code[at]))) ++at;
  return at;
}

std::size_t find_word(std::string_view code, std::string_view word, std::size_t at) {
  for (at = code.find(word, at); at != code.npos; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(code[at - 1])) && (end == code.size() || !is_word(code[end]))) return at;
  }
  return at;
}

namespace {

/// Places of the brackets around the parameters and the braces around the body.
struct Definition {
  std::size_t open, close, brace, end;
};

std::optional<Definition> definition_of(std::string_view code, std::string_view function) {
  for (std::size_t at = find_word(code, function, 0); at != code.npos;
       at = find_word(code, function, at + 1)) {
    const std::size_t open = next_solid(code, at + function.size());
    if (open >= code.size() || code[open] != '(') continue;
    const std::size_t close = closing(code, open);
    if (close == code.npos) return std::nullopt;
    const std::size_t brace = next_solid(code, close + 1);
    if (brace >= code.size() || code[brace] != '{') continue;  // a declaration, or a call
    const std::size_t end = closing(code, brace);
    if (end == code.npos) return std::nullopt;
    return Definition{open, close, brace, end};
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> body_of(std::string_view code, std::string_view function) {
  const auto found = definition_of(code, function);
  return found ? std::optional(code.substr(found->brace, found->end - found->brace)) : std::nullopt;
}

std::vector<std::string> parameters_of(std::string_view code, std::string_view function) {
  std::vector<std::string> names;
  const auto found = definition_of(code, function);
  if (!found) return names;
  std::string name;
  int depth = 0;
  bool given = false;  // behind '=' stands a value
  for (std::size_t i = found->open + 1; i <= found->close; ++i) {
    const char c = code[i];
    given |= c == '=';
    depth += (c == '(' || c == '<' || c == '[') - (c == '>' || c == ']' || (c == ')' && i < found->close));
    if (i == found->close || (c == ',' && depth == 0)) {
      if (!name.empty()) names.push_back(name);
      name.clear();
      given = false;
    } else if (is_word(c) && depth == 0 && !given) {
      // The last word is the name.
      if (!is_word(code[i - 1])) name.clear();
      name += c;
    }
  }
  return names;
}

}  // namespace fusebox
