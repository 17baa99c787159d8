#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// How one place is made of another: what is left of it in a row, which matrix and which row a number means,
/// the last one of several that stand apart, the others of a group, the elements that tiles begin at; and of
/// which place it is asked whether it is there.
class PlaceEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      const std::set<std::string> strides = strides_of(function);
      for (std::size_t i = function.open + 1; i < function.close; ++i) {
        if (!may_change(i) || read_.fixed[i]) continue;
        if (is(i, "?")) begin_again(i);
        if (is(i, "-")) reach_the_last(i, strides);
        if (!where_->is_binary(i)) continue;
        if (is(i, "&")) take_remainder(i);
        if (is(i, "%")) stay_in_group(i), split_by_another(i);
        if (precedence(tokens_[i].text) == precedence("<")) compare_in_elements(i);
      }
      for (const Statement& statement : function.statements)
        if (statement.kind == Statement::Kind::condition && may_change(statement.begin))
          guard_what_is_read(statement);
    });
    return take();
  }

 private:
  /// `i & (n - 1)` as `i % n`: n need not be a power of two.
  void take_remainder(std::size_t sign) {
    const std::size_t open = sign + 1;
    if (!is(open, "(") || read_.partners[open] != open + 4 || !is(open + 2, "-") || !is(open + 3, "1"))
      return;
    const std::size_t begin = where_->left_of(sign, precedence("&"));
    if (begin < sign && where_->is_integral(begin, open + 4))
      edits_.add(*where_, begin, open + 5,
                 fmt::format("{} % {}", operand(begin, sign), tokens_[open + 1].text), Likelihood::likely);
  }

  /// `c < n ? c : 0` as `c < n ? c : c - n`: what is behind the end of a row is in the next one.
  void begin_again(std::size_t sign) {
    const std::size_t begin = where_->left_of(sign, precedence("<")),
                      colon = where_->right_of(sign, kAssignment);
    const std::size_t less = first_of(begin, sign, "<");
    if (less >= sign || !is(colon, ":") || !is(colon + 1, "0") || !where_->is_integral(begin, sign) ||
        text(begin, less) != text(sign + 1, colon))
      return;
    edits_.add(*where_, colon + 1, colon + 2,
               fmt::format("{} - {}", text(begin, less), operand(less + 1, sign)), Likelihood::likely);
  }

  /// What places of one thread are apart by: `s` of `p + i * s`, and of a loop's `p += s`.
  std::set<std::string> strides_of(const ReadFunction& function) const {
    std::set<std::string> strides;
    for (std::size_t i = function.open + 2; i + 1 < function.close; ++i) {
      const bool apart = (is(i, "*") && where_->is_binary(i) && where_->is_integral(i - 1, i + 2)) ||
                         (is(i, "+=") && (is(i + 2, ")") || is(i + 2, ",")));
      if (!apart) continue;
      const Variable* step = function.variable(tokens_[i + 1].text, i + 1);
      if (step && step->is_integer() && step->dimensions == 0) strides.emplace(step->name);
    }
    return strides;
  }

  /// `p + (n - 1)` as `p + (n - 1) * s`, where the n are s apart.
  void reach_the_last(std::size_t sign, const std::set<std::string>& strides) {
    if (!is(sign + 1, "1") || is(sign + 2, "*") || is(sign - 2, "*")) return;
    if (is(sign + 2, ")") && is(sign + 3, "*")) return;
    const Variable* count = function_->variable(tokens_[sign - 1].text, sign - 1);
    if (!count || !count->is_integer() || !count->is_fixed) return;
    for (const std::string& stride : strides)
      if (stride != count->name && function_->variable(stride, sign))
        edits_.add(*where_, sign - 1, sign + 2, fmt::format("({} - 1) * {}", count->name, stride),
                   Likelihood::likely);
  }

  /// `(a + b) % n` as `a / m * m + (a + b) % m`: the next ones of a group of m, where n is of several groups.
  void stay_in_group(std::size_t sign) {
    if (!is(sign - 1, ")") || !read_.closes(sign - 1)) return;
    const std::size_t open = read_.partners[sign - 1];
    const std::size_t begin = where_->left_of(sign, precedence("%")),
                      end = where_->right_of(sign, precedence("%"));
    const std::size_t plus = first_of(open + 1, sign, "+");
    if (begin != open || plus >= sign || !where_->is_integral(begin, end)) return;
    const std::string first = operand(open + 1, plus), sum = text(open, sign);
    for (const std::string& size : where_->integers_at(begin, Expressions::Integers::sizes))
      if (size != text(sign + 1, end))
        edits_.add(*where_, begin, end, fmt::format("{0} / {1} * {1} + {2} % {1}", first, size, sum),
                   Likelihood::seldom);
  }

  /// `z % a` and `z / a` as `z / b` and `z % b`: which of both changes faster.
  void split_by_another(std::size_t sign) {
    const int level = precedence("%");
    const std::size_t begin = where_->left_of(sign, level), end = where_->right_of(sign, level);
    if (begin >= sign || !where_->is_integral(begin, end)) return;
    const std::string all = text(begin, sign), by = text(sign + 1, end);
    for (std::size_t i = function_->open + 1; i < function_->close; ++i) {
      if (!is(i, "/") || !where_->is_binary(i) || !may_change(i)) continue;
      const std::size_t from = where_->left_of(i, level), to = where_->right_of(i, level);
      if (text(from, i) != all || text(i + 1, to) != by) continue;
      for (const std::string& size : where_->integers_at(begin, Expressions::Integers::sizes)) {
        if (size == all) continue;
        const std::string quotient = fmt::format("{} / {}", all, size),
                          rest = fmt::format("{} % {}", all, size);
        add_all({place(begin, end, quotient), place(from, to, rest)},
                fmt::format("`{}` and `{}` in place of `{}` and `{}`", quotient, rest, text(begin, end),
                            text(from, to)),
                Likelihood::likely);
      }
    }
  }

  /// What a name, or a builtin, is multiplied by in this function; empty: by nothing.
  std::string scale_of(const std::string& name) const {
    for (std::size_t i = function_->open + 2; i + 1 < function_->close; ++i) {
      if (!is(i, "*") || !where_->is_binary(i) || !where_->is_integral(i + 1, i + 2)) continue;
      const std::size_t begin = where_->left_of(i, precedence("*"));
      if (begin < i && text(begin, i) == name) return std::string(tokens_[i + 1].text);
    }
    return {};
  }

  /// `blockIdx.x > blockIdx.y` of tiles that are not square, as `blockIdx.x * a > blockIdx.y * b + (b - 1)`.
  void compare_in_elements(std::size_t sign) {
    const int level = precedence("<");
    const std::size_t begin = where_->left_of(sign, level), end = where_->right_of(sign, level);
    if (begin >= sign || !where_->is_integral(begin, end)) return;
    const std::string a = text(begin, sign), b = text(sign + 1, end);
    const std::string of_a = scale_of(a), of_b = scale_of(b);
    if (of_a.empty() || of_b.empty() || of_a == of_b) return;
    const bool last_of_a = is(sign, "<") || is(sign, "<=");
    const auto last = [](const std::string& of) { return fmt::format(" + ({} - 1)", of); };
    edits_.add(*where_, begin, end,
               fmt::format("{} * {}{} {} {} * {}{}", a, of_a, last_of_a ? last(of_a) : "", tokens_[sign].text,
                           b, of_b, last_of_a ? "" : last(of_b)),
               Likelihood::likely);
  }

  /// `if (first + i < n) out[row + first + i * step]` with what stands in the index: `first + i * step < n`.
  void guard_what_is_read(const Statement& condition) {
    const std::size_t sign = less_of(condition);
    if (sign == 0) return;
    const std::string given = text(condition.begin, sign);
    for (std::size_t open = condition.end + 1; open < condition.whole; ++open) {
      if (!is(open, "[") || !read_.opens(open)) continue;
      // The last terms of the index, one after the other.
      const std::size_t end = read_.partners[open];
      std::vector<std::size_t> terms{open + 1};
      for (std::size_t t = open + 1; t < end; t = behind(t))
        if (is(t, "+") && where_->is_binary(t)) terms.push_back(t + 1);
      for (const std::size_t term : terms)
        if (where_->is_integral(term, end) && text(term, end) != given)
          edits_.add(*where_, condition.begin, sign, text(term, end), Likelihood::likely);
    }
  }
};

}  // namespace

std::vector<TextEdit> place_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return PlaceEdits(read, lines).find();
}

}  // namespace fusebox
