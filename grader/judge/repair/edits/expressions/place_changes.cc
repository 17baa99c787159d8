#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/expressions/expression_changes.h"

namespace fusebox {

bool PlaceChanges::is_compared_with(std::size_t i, std::string_view name) const {
  const auto is_it = [&](std::size_t sign, std::size_t operand) {
    return precedence(tokens_[sign].text) >= precedence("==") &&
           precedence(tokens_[sign].text) <= precedence("<") && tokens_[operand].text == name;
  };
  return is_it(i + 1, i + 2) || (i >= 2 && is_it(i - 1, i - 2));
}

void PlaceChanges::add_terms(std::size_t begin, std::size_t end) {
  if (begin >= end || !where_->is_integral(begin, end)) return;
  const std::string all = text(begin, end);
  const bool is_0 = all == "0";
  for (const std::string& name : where_->integers_at(begin, Expressions::Integers::values))
    if (name != all) {
      add(begin, end, is_0 ? name : fmt::format("{} + {}", name, all), Likelihood::seldom);
      if (is_0) continue;
      if (begin + 1 == end) add(begin, end, fmt::format("({} - {})", name, all), Likelihood::seldom);
    }
  for (const std::string& builtin : where_->builtins())
    if (builtin != all && !(builtin.starts_with("threadIdx") && adds_thread(begin, end)))
      add(begin, end, fmt::format("static_cast<int>({}){}", builtin, is_0 ? "" : " + " + all),
          Likelihood::seldom, fmt::format("{}{}", builtin, is_0 ? "" : " + " + all));
}

bool PlaceChanges::adds_thread(std::size_t begin, std::size_t end) const {
  const auto scales = [&](std::size_t i) { return is(i, "*") || is(i, "/") || is(i, "%"); };
  for (std::size_t t = begin; t + 2 < end; ++t)
    if (is(t, "threadIdx") && !(t > begin && scales(t - 1)) && !(t + 3 < end && scales(t + 3))) return true;
  return false;
}

void PlaceChanges::change_place(std::size_t begin, std::size_t end) {
  add_terms(begin, end);
  const std::vector<std::string> names = sizes_and({"2", "4"}, begin);
  const bool is_number = end == begin + 1 && tokens_[begin].kind == Token::Kind::number;
  for (const Variable& constant : function_->variables)
    if (constant.is_fixed && constant.is_integer() && constant.dimensions == 0 && !is_number &&
        function_->variable(constant.name, begin) == &constant)
      add(begin, end, fmt::format("{} + {}", text(begin, end), constant.name), Likelihood::seldom);
  if (is(begin, "(") && read_.partners[begin] + 1 == end)
    for (const std::string& name : names)
      add(begin, end, fmt::format("{} * {}", text(begin, end), name), Likelihood::seldom);
  for (std::size_t t = begin; t < end; ++t) {
    if (is(t, "blockIdx") || is(t, "threadIdx")) scale_builtin(t, names);
    const Variable* variable = where_->variable_at(t);
    if (!variable || !variable->is_integer() || variable->is_fixed) continue;
    for (const std::string& name : names) {
      if (name == variable->name || is_compared_with(t, name)) continue;
      add(t, t + 1, fmt::format("({} * {})", variable->name, name), Likelihood::seldom);
      // How many are left, for where they begin.
      if (name != "2" && name != "4")
        add(t, t + 1, fmt::format("({} - {})", name, variable->name), Likelihood::seldom);
    }
  }
  for (std::size_t t = begin; t < end; t = behind(t)) {
    if (!is(t, "+") || !where_->is_binary(t)) continue;
    const std::size_t left = where_->left_of(t, precedence("+")),
                      right = where_->right_of(t, precedence("+"));
    exchange_layout(left, t, right, names);
    break;
  }
}

void PlaceChanges::scale_builtin(std::size_t i, const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 4;
  if (is(i - 1, "*") || is(i + 3, "*")) return;
  std::set<std::string> factors(names.begin(), names.end());
  std::set<std::string> numbers;
  for (std::size_t t = function_->open; t < function_->close; ++t)
    if (tokens_[t].kind == Token::Kind::number &&
        tokens_[t].text.find_first_of(".xXuU") == std::string_view::npos && tokens_[t].text > "1" &&
        numbers.size() < kMost)
      numbers.emplace(tokens_[t].text);
  factors.merge(numbers);
  for (const std::string& factor : factors)
    add(i, i + 3, fmt::format("({} * {})", text(i, i + 3), factor), Likelihood::seldom);
}

std::vector<std::string> PlaceChanges::sizes_and(std::initializer_list<const char*> numbers,
                                                 std::size_t at) const {
  std::vector<std::string> names = where_->integers_at(at, Expressions::Integers::sizes);
  names.insert(names.end(), numbers.begin(), numbers.end());
  return names;
}

void PlaceChanges::exchange_layout(std::size_t begin, std::size_t plus, std::size_t end,
                                   const std::vector<std::string>& names) {
  for (const auto& [first, last] : {std::pair{begin, plus}, std::pair{plus + 1, end}}) {
    const bool left = first == begin;
    const std::string other = left ? text(plus + 1, end) : text(begin, plus);
    bool sum = false;  // an operator stands in `other`
    for (std::size_t t = left ? plus + 1 : begin; t < (left ? end : plus); t = behind(t))
      sum |= where_->is_binary(t);
    for (std::size_t t = first; t < last; t = behind(t)) {
      if (!is(t, "*") || !where_->is_binary(t)) continue;
      for (const auto& [one, two] : {std::pair{first, t}, std::pair{t + 1, last}})
        for (const std::string& name : names)
          add(begin, end, fmt::format("{} * {} + {}", sum ? "(" + other + ")" : other, name, text(one, two)),
              Likelihood::seldom);
      return;
    }
  }
}

}  // namespace fusebox
