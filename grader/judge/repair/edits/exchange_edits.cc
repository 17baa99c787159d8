#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "grader/judge/repair/edits/expressions.h"
#include "grader/judge/repair/edits/text_edit.h"

namespace fusebox {
namespace {

using Places = std::vector<std::size_t>;  // tokens

/// Where integers of a function stand in these lines.
std::map<const Variable*, Places> integers_in(const ReadCode& read, const ReadFunction& function,
                                              std::span<const LineRange> lines) {
  std::map<const Variable*, Places> uses;
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    const Token& token = read.tokens[i];
    if (!is_in(token.line, lines) || read.fixed[i] || token.kind != Token::Kind::word) continue;
    if (read.is(i - 1, ".") || read.is(i - 1, "->") || read.is(i - 1, "::")) continue;
    const Variable* variable = function.variable(token.text, i);
    if (variable && variable->is_integer() && variable->dimensions == 0) uses[variable].push_back(i);
  }
  return uses;
}

TextEdit exchanged(const ReadCode& read, const Places& places, const Variable& old, const Variable& now) {
  const auto place = [&](std::size_t i) {
    const Token& token = read.tokens[i];
    return EditedPlace{EditedPlace::Kind::expression, token.begin, token.end, std::string(now.name),
                       token.line};
  };
  TextEdit edit{place(places.front()),
                {},
                fmt::format("`{}` in place of `{}`", now.name, old.name),
                TextEdit::Likelihood::seldom};
  for (std::size_t k = 1; k < places.size(); ++k) edit.also.push_back(place(places[k]));
  return edit;
}

constexpr std::string_view kMembers = "xyzw";

/// `float4`, `uint2` and the like: how many members they have; 0: no vector, or its type is not known.
std::size_t members_of(std::string_view type) {
  const std::size_t digit = type.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  if (digit == type.npos || digit == 0 || type[digit] < '2' || type[digit] > '4') return 0;
  const std::string_view behind = type.substr(digit + 1);
  return behind.empty() || behind.front() == '*' || behind.front() == '['
             ? static_cast<std::size_t>(type[digit] - '0')
             : 0;
}

/// `v.y` and `v[i].y` as another member of the vector.
void add_members(const ReadCode& read, const ReadFunction& function, std::size_t i,
                 std::vector<TextEdit>& edits) {
  const Token& member = read.tokens[i];
  if (member.text.size() != 1 || kMembers.find(member.text) == kMembers.npos || !read.is(i - 1, ".")) return;
  std::size_t name = i - 2;
  while (read.is(name, "]") && read.closes(name)) name = read.partners[name] - 1;
  const Variable* variable = function.variable(read.tokens[name].text, name);
  if (!variable) return;
  const std::string base = in_one_line(read, name, i);  // "v[i]."
  for (const char other : kMembers.substr(0, members_of(variable->type))) {
    if (member.text.front() == other) continue;
    TextEdit edit;
    edit.begin = read.tokens[name].begin, edit.end = member.end, edit.line = read.tokens[name].line;
    edit.with = base + other;
    edit.says = fmt::format("`{}` in place of `{}{}`", edit.with, base, member.text);
    edit.likelihood = TextEdit::Likelihood::seldom;
    edits.push_back(std::move(edit));
  }
}

/// `sum<kWarps>(v)` as `sum<kLanes>(v)`: a call with another size among its template arguments.
void add_template_arguments(const ReadCode& read, const ReadFunction& function, std::size_t i,
                            std::vector<TextEdit>& edits) {
  if (!read.is(i, "<") || !read.opens(i)) return;
  const std::size_t close = read.partners[i];
  if (!read.is(close + 1, "(") || !read.opens(close + 1)) return;
  const std::size_t end = read.partners[close + 1] + 1;
  for (std::size_t t = i + 1; t < close; ++t) {
    const Variable* old = function.variable(read.tokens[t].text, t);
    const bool is_number = read.tokens[t].kind == Token::Kind::number;
    if (!is_number && (!old || !old->is_integer())) continue;
    for (const Variable& other : function.variables) {
      if (!other.is_fixed || !other.is_integer() || other.dimensions > 0 || !other.known_at(t) ||
          other.name == read.tokens[t].text)
        continue;
      const auto call = [&](std::string_view argument, std::size_t last) {
        return fmt::format("{}{}{}", in_one_line(read, i - 1, t), argument, in_one_line(read, t + 1, last));
      };
      TextEdit edit;
      edit.begin = read.tokens[i - 1].begin, edit.end = read.tokens[end - 1].end;
      edit.line = read.tokens[i - 1].line;
      edit.with = call(other.name, end);
      // Without the arguments in brackets, which are as they were.
      edit.says = fmt::format("`{}` in place of `{}`", call(other.name, close + 1),
                              call(read.tokens[t].text, close + 1));
      edit.likelihood = TextEdit::Likelihood::seldom;
      edits.push_back(std::move(edit));
    }
  }
}

/// Two variables of one type, each once in a statement, in each other's place: `a = q` and `b = k` in one
/// declaration as `a = k` and `b = q`.
void add_swaps(const ReadCode& read, const ReadFunction& function, const Statement& statement,
               std::vector<TextEdit>& edits) {
  using Kind = Statement::Kind;
  if (statement.kind != Kind::expression && statement.kind != Kind::declaration) return;
  std::map<const Variable*, Places> uses;
  for (std::size_t t = statement.begin; t < statement.end; ++t) {
    if (read.tokens[t].kind != Token::Kind::word || read.fixed[t] || read.is(t - 1, ".")) continue;
    const Variable* variable = function.variable(read.tokens[t].text, t);
    if (variable && !variable->is_fixed && !variable->type.empty()) uses[variable].push_back(t);
  }
  for (const auto& [one, at] : uses)
    for (const auto& [other, there] : uses) {
      if (one->begin >= other->begin || one->type != other->type || at.size() != 1 || there.size() != 1)
        continue;
      const bool first = at[0] < there[0];
      const std::size_t left = first ? at[0] : there[0], right = first ? there[0] : at[0];
      const auto place = [&](std::size_t t, std::size_t from) {
        return EditedPlace{EditedPlace::Kind::expression, read.tokens[t].begin, read.tokens[t].end,
                           std::string(read.tokens[from].text), read.tokens[t].line};
      };
      TextEdit edit{place(left, right),
                    {place(right, left)},
                    fmt::format("`{}` and `{}` exchanged", read.tokens[left].text, read.tokens[right].text),
                    TextEdit::Likelihood::seldom};
      edits.push_back(std::move(edit));
    }
}

/// All shuffles downwards of a function as exchanges, after which each lane has the sum and not the first
/// alone.
void add_exchanges(const ReadCode& read, const ReadFunction& function, std::span<const LineRange> lines,
                   std::vector<TextEdit>& edits) {
  TextEdit edit;
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    const Token& token = read.tokens[i];
    if (!token.is("__shfl_down_sync") || !is_in(token.line, lines) || !read.opens(i + 1)) continue;
    const std::size_t close = read.partners[i + 1];
    const EditedPlace call{EditedPlace::Kind::expression, token.begin, read.tokens[close].end,
                           "__shfl_xor_sync" + in_one_line(read, i + 1, close + 1), token.line};
    if (edit.line == 0)
      static_cast<EditedPlace&>(edit) = call;
    else
      edit.also.push_back(call);
    i = close;
  }
  if (edit.also.empty()) return;  // of one the expressions' edits say it
  edit.says = "`__shfl_xor_sync` in place of `__shfl_down_sync`";
  edits.push_back(std::move(edit));
}

}  // namespace

std::vector<TextEdit> exchange_edits(const ReadCode& read, std::span<const LineRange> lines) {
  std::vector<TextEdit> edits;
  for (const ReadFunction& function : read.functions) {
    const Expressions where(read, function);
    for (const auto& [variable, places] : integers_in(read, function, lines)) {
      const auto is_assigned = [&](std::size_t i) { return where.is_assigned(i); };
      if (places.size() < 2 || std::any_of(places.begin(), places.end(), is_assigned)) continue;
      for (const Variable& other : function.variables) {
        const auto means_it = [&](std::size_t i) { return function.variable(other.name, i) == &other; };
        if (other.name != variable->name && other.type == variable->type &&
            std::all_of(places.begin(), places.end(), means_it))
          edits.push_back(exchanged(read, places, *variable, other));
      }
    }
    add_exchanges(read, function, lines, edits);
    for (const Statement& statement : function.statements)
      if (is_in(read.tokens[statement.begin].line, lines)) add_swaps(read, function, statement, edits);
    for (std::size_t i = function.open + 3; i < function.close; ++i)
      if (is_in(read.tokens[i].line, lines)) {
        add_members(read, function, i, edits);
        add_template_arguments(read, function, i, edits);
      }
  }
  return edits;
}

}  // namespace fusebox
