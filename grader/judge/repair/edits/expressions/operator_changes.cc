#include <fmt/format.h>

#include <string>
#include <string_view>

#include "grader/judge/repair/edits/expressions/expression_changes.h"

namespace fusebox {

void OperatorChanges::change_operator(std::size_t i) {
  const std::string_view sign = tokens_[i].text;
  const int level = precedence(sign);
  const std::size_t begin = where_->left_of(i, level), end = where_->right_of(i, level);
  if (begin >= i || end <= i + 1) return;
  const std::string a = text(begin, i), b = text(i + 1, end);
  const auto other = [&](std::string_view with) { add(begin, end, fmt::format("{} {} {}", a, with, b)); };
  if (where_->names_pointer(begin, end)) return change_address(begin, i, end);
  const bool integral = where_->is_integral(begin, end);
  const auto bound = [&](std::string_view with) {
    if (TextEdit* edit = add(begin, end, fmt::format("{} {} {}", a, with, b))) edit->is_typical = true;
  };
  if (sign == "<") compare_without_wrapping(begin, i, end);
  if (sign == "<") bound("<="), add(begin, end, fmt::format("{} < {} - 1", a, b)), other(">"), other(">=");
  if (sign == "<=") bound("<"), other(">=");
  if (sign == ">") bound(">="), other("<"), other("<="), add(begin, end, fmt::format("{} > {} + 1", a, b));
  if (sign == ">=") bound(">"), other("<=");
  if (sign == "==") other("!="), other(">="), other("<=");
  if (sign == "!=") other("=="), other("<");
  if (sign == "<<") other(">>");
  if (sign == ">>") other("<<");
  const bool by_number = tokens_[i + 1].kind == Token::Kind::number && end == i + 2;
  if (sign == "+" || sign == "-")
    if (by_number) add(begin, end, a);
  if (sign == "+") other("-");
  if (sign == "+" && !(by_number && (is(i + 1, "0") || is(i + 1, "1")))) other("*");
  if (sign == "-") {
    other("+"), take_apart(begin, i, end);
    add(begin, end,
        fmt::format("{} - {}", end == i + 2 ? b : "(" + b + ")", begin + 1 == i ? a : "(" + a + ")"));
  }
  if (sign == "*") other("/"), other("+");
  if (sign == "/") {
    // Nothing else is meant in its place.
    if (where_->is_share_rounded_up(begin, i)) return;
    other("*");
    if (integral) other("%");
  }
  if (sign == "%") {
    other("/");
    // Of a length that was taken for the place where it ends.
    if (integral && begin + 1 == i)
      for (const std::string& name : where_->integers_at(begin, Expressions::Integers::values))
        if (name != a) add(begin, end, fmt::format("({} - {}) % {}", a, name, b), Likelihood::seldom);
  }
  if (sign == "&&") other("||");
  if (sign == "||") other("&&");
  if (level == precedence("<")) add_terms(begin, i), add_terms(i + 1, end), compare_both(begin, i, end);
  if (level == precedence("==")) or_is_first(begin, end);
  if (sign == "<" || sign == ">=") bound_on_both_sides(begin, i, end);
  if (sign == "+" || sign == "-" || sign == "*" || sign == "/" || sign == "%" || sign == "&&" || sign == "||")
    add(begin, end, a, Likelihood::by_accident);
  if (sign == "+" || sign == "*" || sign == "&&" || sign == "||") add(begin, end, b, Likelihood::by_accident);
  regroup(i, begin, end);
  // A row that is counted in another order: (a * n + b) * columns.
  if (sign == "+" && integral && begin > 0 && is(begin - 1, "(") && is(end, ")") && is(end + 1, "*"))
    exchange_layout(begin, i, end, sizes_and({"2", "4"}, begin));
  // Which of several matrices a block has: its number by itself.
  if (sign == "+" && integral && begin > 0 && is(begin - 1, "=") && is(end, ";"))
    exchange_layout(begin, i, end, where_->builtins("gridDim"));
}

void OperatorChanges::take_apart(std::size_t begin, std::size_t minus, std::size_t end) {
  const Variable* sum = end == minus + 2 ? where_->variable_at(minus + 1) : nullptr;
  if (!sum || !sum->is_float() || !is(sum->begin + 1, "=") || sum->initialised <= sum->begin + 2) return;
  const std::size_t first = sum->begin + 2, plus = first_of(first, sum->initialised, "+");
  if (plus < sum->initialised && where_->left_of(plus, precedence("+")) == first &&
      where_->right_of(plus, precedence("+")) == sum->initialised)
    add(begin, end,
        fmt::format("{} - {} - {}", text(begin, minus), text(first, plus), text(plus + 1, sum->initialised)),
        Likelihood::seldom);
}

void OperatorChanges::change_address(std::size_t begin, std::size_t sign, std::size_t end) {
  const auto other = [&](std::string_view with) {
    add(begin, end, fmt::format("{} {} {}", text(begin, sign), with, text(sign + 1, end)));
  };
  if (is(sign, "-")) return other("+");
  if (!is(sign, "+")) return;
  other("-");
  const std::size_t term = where_->left_of(sign, precedence("*"));
  if (term > begin && where_->is_integral(term, sign) && where_->is_integral(sign + 1, end)) other("*");
}

void OperatorChanges::compare_without_wrapping(std::size_t begin, std::size_t sign, std::size_t end) {
  const std::size_t minus = first_of(sign + 1, end, "-");
  if (minus >= end || !where_->is_binary(minus) || where_->right_of(minus, precedence("-")) != end) return;
  for (const char* builtin : {"threadIdx", "blockIdx", "blockDim"})
    if (mentions(minus + 1, end, builtin))
      if (TextEdit* edit = add(
              begin, end,
              fmt::format("{} + {} < {}", text(begin, sign), operand(minus + 1, end), text(sign + 1, minus)),
              Likelihood::likely))
        edit->is_typical = true;
}

void OperatorChanges::compare_both(std::size_t begin, std::size_t sign, std::size_t end) {
  const bool in_brackets = is(begin, "(") && read_.partners[begin] == sign - 1;
  const std::size_t first = begin + in_brackets, last = sign - in_brackets;
  for (std::size_t t = first; t < last; t = behind(t))
    if (where_->is_binary(t) && precedence(tokens_[t].text) == precedence("<"))
      add(begin, end,
          fmt::format("{} && {} {} {}", text(first, last), text(t + 1, last), tokens_[sign].text,
                      text(sign + 1, end)));
}

void OperatorChanges::bound_on_both_sides(std::size_t begin, std::size_t sign, std::size_t end) {
  const Variable* value = begin + 1 == sign ? where_->variable_at(begin) : nullptr;
  if (!value || !value->is_integer() || value->initialised <= value->begin) return;
  if (text(value->begin, value->initialised).find('[') == std::string::npos) return;
  const bool with_0 = is(sign + 1, "0") && end == sign + 2, inside = is(sign, "<") != with_0;
  const auto add_both = [&](const std::string& bound) {
    add(begin, end,
        inside ? fmt::format("({0} >= 0 && {0} < {1})", value->name, bound)
               : fmt::format("({0} < 0 || {0} >= {1})", value->name, bound));
  };
  if (!with_0) return add_both(text(sign + 1, end));
  for (const std::string& size : where_->integers_at(begin, Expressions::Integers::values)) add_both(size);
}

void OperatorChanges::or_is_first(std::size_t begin, std::size_t end) {
  for (const Variable& variable : function_->variables) {
    if (!variable.is_integer() || variable.dimensions > 0 || !variable.known_at(begin)) continue;
    for (std::size_t t = variable.begin + 1; t < variable.initialised; ++t)
      if (is(t, "threadIdx") || is(t, "thread_rank")) {
        add(begin, end, fmt::format("({} || {} == 0)", text(begin, end), variable.name), Likelihood::seldom);
        break;
      }
  }
}

void OperatorChanges::regroup(std::size_t i, std::size_t begin, std::size_t end) {
  const std::string_view sign = tokens_[i].text;
  if (sign == "+" || sign == "-")
    if (const std::size_t times = where_->factor_before(i, begin); times > begin && is(times, "*"))
      add(begin, end,
          fmt::format("({} {} {}) * {}", text(begin, times), sign, text(i + 1, end), text(times + 1, i)),
          where_->is_integral(begin, end) ? Likelihood::seldom : Likelihood::likely);
  for (std::size_t t = i + 1; t < end; t = behind(t)) {
    if (!where_->is_binary(t) || precedence(tokens_[t].text) != precedence("*")) continue;
    if (sign != "+" && sign != "-") continue;
    add(begin, end, fmt::format("({}) {} {}", text(begin, t), tokens_[t].text, text(t + 1, end)));
    break;
  }
  if ((sign == "*" || sign == "/") && i >= 2) {
    const std::size_t before = where_->factor_before(i, begin);
    if (before > begin && (is(before, "/") || is(before, "%")))
      add(begin, end,
          fmt::format("{} {} ({} {} {})", text(begin, before), tokens_[before].text, text(before + 1, i),
                      sign, text(i + 1, end)));
  }
}

void OperatorChanges::drop_brackets(std::size_t open) {
  if (!read_.opens(open) || open == 0 || tokens_[open - 1].kind == Token::Kind::word ||
      read_.closes(open - 1))
    return;
  const std::size_t close = read_.partners[open];
  const bool left =
      open > 0 && where_->is_binary(open - 1) && precedence(tokens_[open - 1].text) >= precedence("+");
  const bool right = where_->is_binary(close + 1) && precedence(tokens_[close + 1].text) >= precedence("+");
  if (!left && !right) return;
  bool sum = false;
  for (std::size_t t = open + 1; t < close; t = behind(t)) sum |= where_->is_binary(t);
  if (!sum || where_->is_share_rounded_up(open, close + 1)) return;
  const int level = precedence(tokens_[left ? open - 1 : close + 1].text);
  const std::size_t begin = where_->left_of(left ? open - 1 : close + 1, level);
  const std::size_t end = where_->right_of(right ? close + 1 : open - 1, level);
  if (begin > open || end <= close) return;
  add(begin, end, edits_.piece(begin, open) + text(open + 1, close) + edits_.piece_behind(close + 1, end));
  // a * b * (c - d) as a * (b * c - d).
  if (!left || !is(open - 1, "*")) return;
  if (const std::size_t sign = where_->factor_before(open - 1, begin); sign > begin)
    add(begin, end,
        fmt::format("{}({} {}){}", edits_.piece(begin, sign + 1), text(sign + 1, open), text(open + 1, close),
                    edits_.piece_behind(close + 1, end)));
}

}  // namespace fusebox
