#include "grader/judge/repair/edits/expressions/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grader/judge/repair/edits/text_edit.h"

namespace fusebox {
namespace {

bool is_type(std::string_view word) {
  constexpr std::array<std::string_view, 10> kTypes = {"float", "int",  "unsigned", "double", "size_t",
                                                       "long",  "char", "short",    "half",   "bool"};
  return std::find(kTypes.begin(), kTypes.end(), word) != kTypes.end();
}

}  // namespace

int precedence(std::string_view sign) {
  constexpr std::array<std::pair<std::string_view, int>, 19> kOperators = {{{"*", 13},
                                                                            {"/", 13},
                                                                            {"%", 13},
                                                                            {"+", 12},
                                                                            {"-", 12},
                                                                            {"<<", 11},
                                                                            {">>", 11},
                                                                            {"<", 10},
                                                                            {"<=", 10},
                                                                            {">", 10},
                                                                            {">=", 10},
                                                                            {"==", 9},
                                                                            {"!=", 9},
                                                                            {"&", 8},
                                                                            {"^", 7},
                                                                            {"|", 6},
                                                                            {"&&", 5},
                                                                            {"||", 4},
                                                                            {"?", kTernary}}};
  for (const auto& [name, level] : kOperators)
    if (name == sign) return level;
  return 0;
}

bool is_assignment(std::string_view sign) {
  return sign == "=" || (sign.size() >= 2 && sign.back() == '=' && precedence(sign) == 0);
}

std::size_t Expressions::shown_size(std::size_t begin, std::size_t end) const {
  return in_one_line(read_, begin, end).size();
}

/// A bracket that closes what stands behind `if`, `for` and their like.
bool Expressions::is_head(std::size_t close) const {
  const std::size_t open = read_.partners[close];
  return open > 0 &&
         (is(open - 1, "if") || is(open - 1, "for") || is(open - 1, "while") || is(open - 1, "switch"));
}

/// A closing bracket behind which an operand begins and no operator stands.
bool Expressions::ends_head(std::size_t i) const {
  if (!is(i, ")") || !read_.closes(i)) return false;
  const std::size_t open = read_.partners[i];
  if (is_head(i)) return true;
  if (open > 0 && tokens_[open - 1].kind == Token::Kind::word && !is(open - 1, "return")) return false;
  for (std::size_t t = open + 1; t < i; ++t)
    if (!is_type(tokens_[t].text) && !is(t, "*") && !is(t, "const")) return false;
  return true;  // a cast
}

bool Expressions::ends_operand(std::size_t i) const {
  const Token& token = tokens_[i];
  if (token.kind == Token::Kind::number) return true;
  if (token.kind == Token::Kind::word)
    return !is_type(token.text) && !token.is("auto") && !token.is("const") && !token.is("return") &&
           !token.is("else") && !token.is("case") && !token.is("do");
  return (token.is(")") && !ends_head(i)) || token.is("]") || (token.is(">") && read_.closes(i)) ||
         (token.is("}") && read_.closes(i) && read_.partners[i] > 0 &&
          tokens_[read_.partners[i] - 1].kind == Token::Kind::word);
}

std::string_view members_of_vector(std::string_view type) {
  const std::size_t digit = type.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  if (digit == type.npos || digit == 0 || type[digit] < '2' || type[digit] > '4') return {};
  const std::string_view behind = type.substr(digit + 1);
  const bool ends = behind.empty() || behind.front() == '*' || behind.front() == '[';
  return std::string_view("xyzw").substr(0, ends ? static_cast<std::size_t>(type[digit] - '0') : 0);
}

bool Expressions::is_binary(std::size_t i) const {
  return tokens_[i].kind == Token::Kind::sign && precedence(tokens_[i].text) > kTernary &&
         read_.partners[i] == std::string_view::npos && i > 0 && ends_operand(i - 1);
}

bool Expressions::stops(std::size_t i) const {
  const Token& token = tokens_[i];
  if (token.kind == Token::Kind::word)
    return token.is("return") || token.is("else") || token.is("do") || token.is("case");
  return token.is(";") || token.is(",") || token.is("{") || token.is("}") || token.is("?") || token.is(":") ||
         token.is("<<<") || token.is(">>>") || is_assignment(token.text);
}

std::size_t Expressions::left_of(std::size_t i, int level) const {
  std::size_t at = i;
  while (at > function_->open + 1) {
    const std::size_t before = at - 1;
    if (read_.closes(before)) {
      if (is(before, "}") || (is(before, ")") && is_head(before))) break;
      at = read_.partners[before];
      continue;
    }
    if (read_.opens(before) || stops(before)) break;
    if (is_binary(before) && precedence(tokens_[before].text) < level) break;
    at = before;
  }
  return at;
}

std::size_t Expressions::right_of(std::size_t i, int level) const {
  std::size_t at = i + 1;
  int choices = 0;  // `?` whose `:` is still to come
  while (at < function_->close) {
    // What is assigned goes on behind `?`, and behind another assignment: `a = b += c` is `a = (b += c)`.
    if (level < kAssignment && (is(at, "?") || (is(at, ":") && choices > 0))) {
      choices += is(at++, "?") ? 1 : -1;
      continue;
    }
    if (level < kAssignment && is_assignment(tokens_[at].text)) {
      ++at;
      continue;
    }
    if (read_.opens(at)) {
      if (is(at, "{") && !(tokens_[at - 1].kind == Token::Kind::word)) break;
      at = read_.partners[at] + 1;
      continue;
    }
    if (read_.closes(at) || stops(at)) break;
    if (at > i + 1 && is_binary(at) && precedence(tokens_[at].text) <= level) break;
    ++at;
  }
  return at;
}

std::pair<std::size_t, std::size_t> Expressions::shown_around(std::size_t begin, std::size_t end) const {
  std::size_t first = left_of(begin, kAssignment), last = right_of(end - 1, kAssignment);
  first = std::min(first, begin), last = std::max(last, end);
  while (last > first && (read_.closes(last - 1) && read_.partners[last - 1] < first)) --last;
  // An index is shown with what it indexes.
  if (first >= 2 && is(first - 1, "[") && read_.partners[first - 1] == last) {
    std::size_t name = first - 2;
    if (read_.closes(name)) name = read_.partners[name] - 1;
    if (shown_size(name, last + 1) <= kMaxShownEdit) return {name, last + 1};
  }
  // One branch of `?:` says nothing by itself, nor does a value without what takes it.
  while (first > function_->open + 2 && (is(first - 1, "?") || is(first - 1, ":"))) {
    const std::size_t to = left_of(first - 1, kAssignment);
    if (to >= first - 1 || shown_size(to, last) > kMaxShownEdit) break;
    first = to;
  }
  if (is_assignment(tokens_[first - 1].text)) {
    const std::size_t to = left_of(first - 1, kAssignment);
    if (to < first - 1 && shown_size(to, last) <= kMaxShownEdit) return {to, last};
  }
  if (shown_size(first, last) <= kMaxShownEdit) return {first, last};
  first = begin, last = end;
  for (bool grown = true; grown;) {
    grown = false;
    // An operator and its operand at a time.
    std::size_t to = first;
    if (first >= 2 && is_binary(first - 1)) to = left_of(first - 1, precedence(tokens_[first - 1].text));
    if (to < first && shown_size(to, last) <= kMaxShownEdit) first = to, grown = true;
    to = last;
    if (is_binary(last)) to = right_of(last, precedence(tokens_[last].text));
    if (to > last && shown_size(first, to) <= kMaxShownEdit) last = to, grown = true;
  }
  return {first, last};
}

bool Expressions::is_integral(std::size_t begin, std::size_t end, bool elements) const {
  for (std::size_t t = begin; t < end; ++t) {
    if (tokens_[t].kind == Token::Kind::number && tokens_[t].text.find('.') != std::string_view::npos)
      return false;
    if (tokens_[t].kind != Token::Kind::word) continue;
    if (is(t, "threadIdx") || is(t, "blockIdx") || is(t, "blockDim") || is(t, "gridDim")) {
      t += 2;
      continue;
    }
    if (const Variable* variable = function_->variable(tokens_[t].text, t)) {
      const auto is_of_array = [&] {
        Variable element = *variable;
        element.type.resize(element.type.size() - 1);
        return elements && is(t + 1, "[") && element.is_integer();
      };
      if (!variable->is_integer() && !(variable->is_pointer() && is_of_array())) return false;
    } else if (is(t, "float") || is(t, "double") || is(t, "half") ||
               (!is(t, "static_cast") && !is_type(tokens_[t].text))) {
      return false;
    }
  }
  return true;
}

const Variable* Expressions::variable_at(std::size_t i) const {
  const bool is_member = i > 0 && (is(i - 1, ".") || is(i - 1, "->") || is(i - 1, "::"));
  return is_member ? nullptr : function_->variable(tokens_[i].text, i);
}

bool Expressions::names_pointer(std::size_t begin, std::size_t end) const {
  for (std::size_t t = begin; t < end; ++t) {
    if (is(t, "*") && !is_binary(t)) {  // what stands there is no address
      t = read_.opens(t + 1) ? read_.partners[t + 1] : t + 1;
      continue;
    }
    if (is(t, "reinterpret_cast") && read_.opens(t + 1)) {  // nor is a number that was made of one
      const std::size_t close = read_.partners[t + 1];
      if (!is(close - 1, "*") && read_.opens(close + 1)) {
        t = read_.partners[close + 1];
        continue;
      }
    }
    const Variable* variable = variable_at(t);
    if (variable && (variable->is_pointer() || variable->dimensions > 0) && !is(t + 1, "[")) return true;
  }
  return false;
}

bool Expressions::is_share_rounded_up(std::size_t open, std::size_t over) const {
  return open + 5 < over && is(over, "/") && is(over - 5, "+") && is(over - 2, "1") && is(over - 3, "-") &&
         is(over + 1, tokens_[over - 4].text);
}

std::size_t Expressions::factor_before(std::size_t i, std::size_t begin) const {
  for (std::size_t t = i; t > begin + 1;) {
    --t;
    if (read_.closes(t))
      t = read_.partners[t];
    else if (is_binary(t) && precedence(tokens_[t].text) == precedence("*"))
      return t;
  }
  return begin;
}

bool Expressions::is_assigned(std::size_t i) const {
  const auto counts = [&](std::size_t at) { return is(at, "++") || is(at, "--"); };
  return (i + 1 < tokens_.size() && is_assignment(tokens_[i + 1].text)) || counts(i + 1) ||
         (i > 0 && counts(i - 1));
}

std::size_t Expressions::behind_target(std::size_t i) const {
  std::size_t at = i + 1;
  for (;;) {
    if (is(at, "[") && read_.opens(at))
      at = read_.partners[at] + 1;
    else if (is(at, ".") || is(at, "->"))
      at += 2;
    else
      return at;
  }
}

bool Expressions::is_stored_to(std::size_t i) const {
  const std::size_t sign = behind_target(i);
  const auto counts = [&](std::size_t at) { return is(at, "++") || is(at, "--"); };
  return (sign < tokens_.size() && is_assignment(tokens_[sign].text)) || counts(sign) ||
         (i > 0 && (counts(i - 1) || is(i - 1, "&")));
}

bool Expressions::is_referred_to(std::size_t i) const {
  const std::size_t end = behind_target(i);
  if (!(is(i - 1, "(") || is(i - 1, ",")) || !(is(end, ")") || is(end, ","))) return false;
  std::size_t open = i - 1, commas = 0;
  for (; open > function_->open && !read_.opens(open); --open) {
    if (read_.closes(open)) open = read_.partners[open];
    commas += is(open, ",");
  }
  for (const ReadFunction& called : read_.functions) {
    std::size_t close = called.open - 1;
    while (is(close, "const") || is(close, "noexcept")) --close;  // of a member
    if (open == 0 || !is(open - 1, called.name) || !is(close, ")")) continue;
    std::size_t t = read_.partners[close] + 1;
    for (std::size_t skipped = 0; skipped < commas && t < called.open; ++t) skipped += is(t, ",");
    bool is_constant = false;
    for (; t < called.open && !is(t, ","); ++t) {
      is_constant |= is(t, "const");
      if (is(t, "&")) return !is_constant;
    }
  }
  return false;
}

bool Expressions::is_given(const Variable& variable) const {
  return variable.is_fixed || variable.begin == function_->open;
}

bool Expressions::is_bound(std::size_t i) const {
  if (i == 0) return false;
  const bool is_first = is(i - 1, "(") && is(i + 1, ","), is_last = is(i - 1, ",") && is(i + 1, ")");
  if (!is_first && !is_last) return false;
  const std::size_t open = is_first ? i - 1 : read_.partners[i + 1];
  return open > 0 && (is(open - 1, "min") || is(open - 1, "max"));
}

const Statement* Expressions::loop_around(std::size_t i) const {
  const Statement* loop = nullptr;
  for (const Statement& each : function_->statements)
    if (each.kind == Statement::Kind::loop && each.begin < i && i < each.end &&
        (!loop || loop->begin < each.begin))
      loop = &each;
  return loop;
}

bool Expressions::is_steady(const Variable& variable, std::size_t i) const {
  if (is_given(variable)) return true;
  const Statement* const loop = loop_around(i);
  if (!loop || variable.begin > loop->begin) return false;
  for (std::size_t t = loop->begin; t < loop->end; ++t)
    if (tokens_[t].text == variable.name && is_assigned(t)) return false;
  return true;
}

bool Expressions::is_alone_in_comparison(std::size_t i, Others others) const {
  for (std::size_t t = function_->open + 1; t < function_->close; ++t) {
    const int level = precedence(tokens_[t].text);
    if ((level != precedence("<") && level != precedence("==")) || !is_binary(t)) continue;
    const std::size_t begin = left_of(t, level), end = right_of(t, level);
    if (i < begin || i >= end) continue;
    for (std::size_t w = begin; w < end; ++w) {
      if (w == i || tokens_[w].kind != Token::Kind::word) continue;
      const Variable* variable = variable_at(w);
      if (!variable || !(others == Others::constant ? variable->is_fixed : is_steady(*variable, w)))
        return false;
    }
    return true;
  }
  return false;
}

std::set<std::string> Expressions::values_at(std::size_t i, bool floats) const {
  std::set<std::string> names;
  for (const Variable& variable : function_->variables)
    if (variable.dimensions == 0 && function_->variable(variable.name, i) == &variable &&
        (variable.is_integer() || (floats && variable.is_float())))
      names.emplace(variable.name);
  for (std::size_t t = function_->open; floats && t + 3 < i; ++t)
    if (tokens_[t].kind == Token::Kind::word && is(t + 1, ".") && !is(t - 1, ".") && !is(t + 3, "(") &&
        function_->variable(tokens_[t].text, i))
      names.insert(in_one_line(read_, t, t + 3));
  return names;
}

std::vector<std::string> Expressions::integers_at(std::size_t i, Integers which) const {
  std::vector<std::string> names;
  for (const Variable& variable : function_->variables) {
    const bool wanted = which == Integers::sizes ? is_given(variable) : !variable.is_fixed;
    if (wanted && variable.is_integer() && variable.dimensions == 0 &&
        function_->variable(variable.name, i) == &variable)
      names.emplace_back(variable.name);
  }
  return names;
}

std::set<std::string> Expressions::builtins_of_file() const {
  std::set<std::string> names;
  for (std::size_t t = 0; t + 2 < tokens_.size(); ++t)
    if (is(t + 1, ".") && (is(t, "threadIdx") || is(t, "blockIdx") || is(t, "blockDim")))
      names.insert(fmt::format("{}.{}", tokens_[t].text, tokens_[t + 2].text));
  return names;
}

std::vector<std::string> Expressions::builtins(std::string_view which) const {
  std::set<std::string> names;
  const auto is_wanted = [&](std::size_t t) {
    return which.empty() ? is(t, "threadIdx") || is(t, "blockIdx") || is(t, "blockDim") : is(t, which);
  };
  for (std::size_t t = function_->open; t + 2 < function_->close; ++t)
    if (is_wanted(t) && is(t + 1, "."))
      names.insert(fmt::format("{}.{}", tokens_[t].text, tokens_[t + 2].text));
  return {names.begin(), names.end()};
}

}  // namespace fusebox
