#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// Values that lack something: a factor, which what is all of an assignment may lack, and of a list what the
/// others have; or a function of the file's own.
class FactorEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      for (std::size_t i = function.open + 1; i < function.close; ++i) {
        if (!may_change(i) || read_.fixed[i]) continue;
        if (is(i, "*") && where_->is_binary(i)) {
          const int level = precedence("*");
          multiply(where_->left_of(i, level), where_->right_of(i, level));
        }
        if ((is(i, "=") || is(i, "+=") || is(i, "-=")) && is(i + 2, ";") && is_value(i + 1))
          multiply(i + 1, i + 2);
        if (read_.opens(i) && (is(i, "(") || is(i, "{"))) multiply_as_others(i);
      }
      for (const Statement& statement : function.statements)
        if (statement.kind == Statement::Kind::expression && may_change(statement.begin)) apply(statement);
    });
    return take();
  }

 private:
  /// Whether a function takes a float and makes another one of it.
  bool is_of_float(const ReadFunction& function) const {
    if (function.open == 0 || !is(function.open - 1, ")")) return false;
    const std::size_t open = read_.partners[function.open - 1], close = function.open - 1;
    const bool makes_float = open >= 2 && is(open - 1, function.name) && is(open - 2, "float");
    return makes_float && close >= open + 3 && close <= open + 4 && is(close - 2, "float");
  }

  /// `out[i] = v;` as `out[i] = f(v);`
  void apply(const Statement& store) {
    const std::size_t sign = first_of(store.begin, store.end, "=");
    if (sign + 1 >= store.end || where_->behind_target(store.begin) != sign ||
        where_->is_integral(sign + 1, store.end - 1) || where_->names_pointer(sign + 1, store.end - 1))
      return;
    for (const ReadFunction& applied : read_.functions)
      if (is_of_float(applied) && applied.open < function_->open &&
          !mentions(sign + 1, store.end, applied.name))
        edits_.add(*where_, sign + 1, store.end - 1,
                   fmt::format("{}({})", applied.name, text(sign + 1, store.end - 1)), Likelihood::likely);
  }

  bool is_value(std::size_t i) const {
    const Variable* variable = where_->variable_at(i);
    return variable && variable->is_float() && variable->dimensions == 0;
  }

  void multiply(std::size_t begin, std::size_t end) {
    if (begin >= end || is(end, "*") || is(end, "/") || where_->is_integral(begin, end) ||
        where_->names_pointer(begin, end))
      return;
    for (const std::string& name : where_->values_at(begin, true)) {
      const auto is_it = [&](const Token& token) { return token.text == name; };
      if (std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                      tokens_.begin() + static_cast<std::ptrdiff_t>(end), is_it))
        continue;
      edits_.add(*where_, begin, end, fmt::format("{} * {}", text(begin, end), name), Likelihood::seldom);
    }
  }

  /// `{a * scale, b, c * scale}` with `b * scale`.
  void multiply_as_others(std::size_t open) {
    constexpr std::size_t kFewest = 2, kMost = 16;
    const Elements elements = elements_of(open);
    if (elements.size() < kFewest || elements.size() > kMost) return;
    std::map<std::string, std::vector<std::size_t>> having;
    std::vector<std::string> factors;
    for (const auto& [begin, end] : elements) {
      const std::size_t times = begin < end ? where_->factor_before(end, begin) : begin;
      const bool has = times > begin && is(times, "*") && where_->right_of(times, precedence("*")) == end;
      factors.push_back(has ? text(times + 1, end) : "");
      if (has) having[factors.back()].push_back(factors.size() - 1);
    }
    for (const auto& [factor, who] : having) {
      if (2 * who.size() < elements.size()) continue;
      for (std::size_t e = 0; e < elements.size(); ++e) {
        const auto& [begin, end] = elements[e];
        if (factors[e] != factor && begin < end && !where_->names_pointer(begin, end))
          edits_.add(*where_, begin, end, fmt::format("{} * {}", operand(begin, end), factor),
                     Likelihood::likely);
      }
    }
  }
};

}  // namespace

std::vector<TextEdit> factor_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return FactorEdits(read, lines, TextEdit::Kin::many).find();
}

}  // namespace fusebox
