#include "grader/judge/repair/edits/text_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace fusebox {

bool is_in(int line, std::span<const LineRange> lines) {
  return std::any_of(lines.begin(), lines.end(), [&](const LineRange& range) { return range.holds(line); });
}

std::string in_one_line(const ReadCode& read, std::size_t begin, std::size_t end) {
  std::string line;
  for (std::size_t t = begin; t < end; ++t) {
    if (t > begin && read.tokens[t - 1].end < read.tokens[t].begin) line += ' ';
    line += read.tokens[t].text;
  }
  return line;
}

namespace {

/// A part of a condition left out, where an edit in it is one that who wrote it hardly means: another name, a
/// term more, another operator between the parts.
std::vector<TextEdit> weaker_than(const TextEdit& edit, std::string_view code,
                                  std::span<const ConditionPart> parts) {
  std::vector<TextEdit> weaker;
  const auto joins = [](std::string_view text) {
    return std::pair(text.find("||") != text.npos, text.find("&&") != text.npos);
  };
  const bool joins_otherwise = joins(edit.with) != joins(code.substr(edit.begin, edit.end - edit.begin));
  for (const ConditionPart& part : parts) {
    const bool within = part.begin <= edit.begin && edit.end <= part.end;
    const bool around = edit.begin <= part.begin && part.end <= edit.end;
    if (edit.likelihood == TextEdit::Likelihood::by_accident || !edit.also.empty()) continue;
    if ((within && (edit.kin == TextEdit::Kin::most || edit.likelihood == TextEdit::Likelihood::seldom)) ||
        (around && joins_otherwise))
      if (part.without) weaker.push_back(*part.without);
  }
  return weaker;
}

/// Where an edit makes a part of a condition another one, that this part never holds, or always: so says one
/// that ends the program where what the edit makes of it does, or does not.
std::vector<TextEdit> as_decided(const TextEdit& edit, std::string_view code,
                                 std::span<const ConditionPart> parts, Side side) {
  std::vector<TextEdit> decided;
  if (edit.kind != EditedPlace::Kind::expression || edit.is_typical || !edit.also.empty()) return decided;
  const std::string_view stop = side == Side::host ? "__builtin_trap()" : "__trap()";
  for (const ConditionPart& part : parts) {
    if (edit.begin < part.begin || part.end < edit.end) continue;
    const std::string made = fmt::format("{}({}){}", code.substr(part.begin, edit.begin - part.begin),
                                         edit.with, code.substr(edit.end, part.end - edit.end));
    const auto add = [&](std::string with, bool holds) {
      TextEdit one{{EditedPlace::Kind::expression, part.begin, part.end, std::move(with), edit.line}, {}, {}};
      one.says = fmt::format("`{}` {} true", part.shown, holds ? "always" : "never");
      one.likelihood = TextEdit::Likelihood::by_accident;
      if (part.without && part.holds_left_out == holds) {
        one.says = part.without->says, one.asks_for_more = part.without->asks_for_more;
        // Then it would not mend either.
        const auto is_tried = [&](const TextEdit& other) { return other.says == one.says; };
        if (std::any_of(edit.weaker.begin(), edit.weaker.end(), is_tried)) return;
      }
      decided.push_back(std::move(one));
    };
    add(fmt::format("({}) && ({}, true)", made, stop), false);
    add(fmt::format("({}) || ({}, true)", made, stop), true);
  }
  return decided;
}

std::vector<TextEdit> edits_of(const ReadCode& read, std::string_view code, std::span<const LineRange> lines,
                               Side side) {
  std::vector<TextEdit> edits;
  // Those of which there are few come first: of a large kernel not all are tried.
  for (const auto& part : {place_edits, stale_edits, weight_edits, guard_edits, bound_edits, carried_edits,
                           borrowed_edits, common_edits, loop_edits, rest_edits, step_edits, quotient_edits,
                           expression_edits, exchange_edits, factor_edits, missing_edits, statement_edits}) {
    std::vector<TextEdit> more = part(read, lines);
    std::move(more.begin(), more.end(), std::back_inserter(edits));
  }
  const std::vector<ConditionPart> parts = parts_of_conditions(read, lines);
  for (TextEdit& edit : edits) edit.weaker = weaker_than(edit, code, parts);
  // In front, so that of two that change the same these are kept: they say it more plainly.
  std::vector<TextEdit> without;
  without.reserve(parts.size());
  for (const ConditionPart& part : parts)
    if (part.is_some) without.push_back(*part.without);  // of all of it the statements' edits say it
  edits.insert(edits.begin(), without.begin(), without.end());
  std::set<std::tuple<std::size_t, std::size_t, std::string>> known;
  std::erase_if(edits, [&](const TextEdit& edit) {
    return edit.also.empty() && !known.insert({edit.begin, edit.end, edit.with}).second;
  });
  // Another jump says more than a condition in front of it that no longer holds.
  const auto is_jump = [&](const TextEdit& edit) {
    const std::string_view was = code.substr(edit.begin, edit.end - edit.begin);
    return was == "return;" || was == "continue;" || was == "break;";
  };
  std::stable_sort(edits.begin(), edits.end(), [&](const TextEdit& a, const TextEdit& b) {
    const auto order = [&](const TextEdit& edit) {
      return std::tuple(edit.likelihood, !edit.weaker.empty(), !is_jump(edit));
    };
    return order(a) < order(b);
  });
  // Behind the order, of which they say nothing: each edit of a condition has them.
  for (TextEdit& edit : edits)
    if (edit.likelihood != TextEdit::Likelihood::by_accident) {
      std::vector<TextEdit> decided = as_decided(edit, code, parts, side);
      std::move(decided.begin(), decided.end(), std::back_inserter(edit.weaker));
    }
  return edits;
}

}  // namespace

std::vector<TextEdit> edits_of_device_code(std::string_view code, std::span<const LineRange> lines,
                                           const std::set<std::string>& kernels) {
  ReadCode read = read_device_code(code);
  keep_reachable(read, kernels);
  return edits_of(read, code, lines, Side::device);
}

std::vector<TextEdit> edits_of_host_code(std::string_view code, std::span<const LineRange> lines,
                                         const std::string& function) {
  ReadCode read = read_host_code(code);
  keep_reachable(read, {fmt::format("{}{}", function.size(), function)});  // as in a mangled name
  return edits_of(read, code, lines, Side::host);
}

std::string with_edit(std::string_view text, const TextEdit& edit) {
  std::string edited;
  std::size_t at = 0;
  const auto put = [&](const EditedPlace& place) {
    const auto [open, close] = place.kind == EditedPlace::Kind::expression  ? std::pair("(", ")")
                               : place.kind == EditedPlace::Kind::statement ? std::pair("{ ", " }")
                                                                            : std::pair(" ", " ");
    edited += fmt::format("{}{}{}{}", text.substr(at, place.begin - at), open, place.with, close);
    at = place.end;
  };
  put(edit);
  std::for_each(edit.also.begin(), edit.also.end(), put);
  return edited.append(text.substr(at));
}

}  // namespace fusebox
