#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "grader/judge/repair/expressions.h"
#include "grader/judge/repair/text_edit.h"

namespace fusebox {
namespace {

using Places = std::vector<std::size_t>;  // tokens

/// Where integers of a function stand in these lines.
std::map<const Variable*, Places> integers_in(const DeviceCode& read, const DeviceFunction& function,
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

TextEdit exchanged(const DeviceCode& read, const Places& places, const Variable& old, const Variable& now) {
  const auto place = [&](std::size_t i) {
    return TextEdit::Place{read.tokens[i].begin, read.tokens[i].end, read.tokens[i].line};
  };
  TextEdit edit;
  const TextEdit::Place first = place(places.front());
  edit.begin = first.begin, edit.end = first.end, edit.line = first.line;
  for (std::size_t k = 1; k < places.size(); ++k) edit.also.push_back(place(places[k]));
  edit.with = now.name;
  edit.says = fmt::format("`{}` in place of `{}`", now.name, old.name);
  edit.likelihood = TextEdit::Likelihood::seldom;
  return edit;
}

}  // namespace

std::vector<TextEdit> exchange_edits(const DeviceCode& read, std::span<const LineRange> lines) {
  std::vector<TextEdit> edits;
  for (const DeviceFunction& function : read.functions) {
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
  }
  return edits;
}

}  // namespace fusebox
