#include "grader/judge/allocation_names.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <variant>

namespace fusebox {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The text with comments and what stands in quotes as spaces: every place keeps its number.
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

/// Where the bracket that is opened at `open` is closed; npos when it never is.
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

/// The next place from `at` on where `word` stands by itself.
std::size_t find_word(std::string_view code, std::string_view word, std::size_t at) {
  for (at = code.find(word, at); at != code.npos; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(code[at - 1])) && (end == code.size() || !is_word(code[end]))) return at;
  }
  return at;
}

/// Between the braces of the function's definition.
std::optional<std::string_view> body_of(std::string_view code, std::string_view function) {
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
    return code.substr(brace, end - brace);
  }
  return std::nullopt;
}

/// "partial" of `(void**)&partial`, "s.sums" of `&s.sums`; empty when the address of nothing named is taken.
std::string variable_in(std::string_view argument) {
  const std::size_t at = argument.rfind('&');
  if (at == argument.npos) return {};
  std::string name;
  for (const char c : argument.substr(at + 1)) {
    if (is_word(c) || c == '.' || c == '[' || c == ']')
      name += c;
    else if (c == ')')
      break;
    else if (!std::isspace(static_cast<unsigned char>(c)))
      return {};
  }
  return name;
}

std::vector<std::string> variables_in(std::string_view body) {
  std::vector<std::pair<std::size_t, std::string>> calls;
  for (const char* call : {"cudaMalloc", "cudaMallocAsync"}) {
    for (std::size_t at = find_word(body, call, 0); at != body.npos; at = find_word(body, call, at + 1)) {
      std::size_t open = next_solid(body, at + std::string_view(call).size());
      if (open < body.size() && body[open] == '<') open = std::min(body.find('(', open), body.size());
      if (open >= body.size() || body[open] != '(') continue;
      const std::size_t end = body.find(',', open);
      if (end != body.npos) calls.emplace_back(at, variable_in(body.substr(open + 1, end - open - 1)));
    }
  }
  std::sort(calls.begin(), calls.end());
  std::vector<std::string> names;
  for (auto& [at, name] : calls) names.push_back(std::move(name));
  return names;
}

}  // namespace

std::vector<std::string> allocation_names(const SourceFile& source, const std::string& function,
                                          const LaunchPlan& plan, std::span<const std::string> otherwise) {
  const std::string code = code_of(source.text);
  const auto body = body_of(code, function);
  if (!body) return {otherwise.begin(), otherwise.end()};
  std::vector<std::string> names = variables_in(*body);
  const auto allocations = std::count_if(
      plan.ops.begin(), plan.ops.end(), [](const PlanOp& op) { return std::holds_alternative<AllocOp>(op); });
  if (static_cast<std::ptrdiff_t>(names.size()) != allocations) return {};
  // One variable that is given memory twice is two buffers, and they need two names.
  std::multiset<std::string> all(names.begin(), names.end());
  std::set<std::string> taken;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty())
      names[i] = "buffer " + std::to_string(i + 1);
    else if (all.count(names[i]) > 1)
      for (int turn = 1; !taken.insert(names[i]).second; ++turn)
        names[i] = names[i].substr(0, names[i].find(" (")) + " (" + std::to_string(turn + 1) + ")";
  return names;
}

}  // namespace fusebox
