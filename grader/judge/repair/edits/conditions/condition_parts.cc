#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// What `||` or `&&` joins in the conditions of `if` and in what a `bool` begins with, and those that are one
/// part.
class ConditionParts : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<ConditionPart> find() {
    for_each_function([&](const ReadFunction& function) {
      for (const Statement& statement : function.statements)
        if (statement.kind == Statement::Kind::condition && may_change(statement.begin))
          take_apart({statement.begin, statement.end, leaves(statement)});
      for (const Variable& known : function.variables)
        if (known.type == "bool" && is(known.begin + 1, "=") && known.begin + 2 < known.initialised &&
            may_change(known.begin))
          take_apart({known.begin + 2, known.initialised});
    });
    return std::move(parts_);
  }

 private:
  struct Condition {
    std::size_t begin = 0, end = 0;
    bool leaves = false;  ///< where it holds a jump follows
  };
  bool leaves(const Statement& condition) const {
    const std::size_t jump = condition.end + 1;
    return is(jump, "return") || is(jump, "continue") || is(jump, "break");
  }

  void take_apart(const Condition& condition) {
    std::vector<std::size_t> signs;
    for (const std::string_view sign : {"||", "&&"}) {
      for (std::size_t t = condition.begin; t < condition.end; t = behind(t))
        if (is(t, sign)) signs.push_back(t);
      if (!signs.empty()) break;  // what binds less tightly
    }
    if (signs.empty()) {
      ConditionPart all = part(condition.begin, condition.end);
      all.is_some = false;
      if (condition.leaves)
        all.without = without(condition, "false",
                              fmt::format("`if ({}) {}` left out", text(condition.begin, condition.end),
                                          tokens_[condition.end + 1].text));
      parts_.push_back(std::move(all));
      return;
    }
    const std::string sign(tokens_[signs.front()].text);
    signs.push_back(condition.end);
    for (std::size_t n = 0, begin = condition.begin; n < signs.size(); begin = signs[n++] + 1) {
      const std::size_t end = signs[n];
      std::string rest;
      if (n > 0) rest = text(condition.begin, begin - 1);
      if (n + 1 < signs.size()) rest += (n > 0 ? " " + sign + " " : "") + text(end + 1, condition.end);
      ConditionPart some = part(begin, end);
      some.holds_left_out = sign == "&&";
      some.without = without(
          condition, rest,
          fmt::format("`{}` left out of `{}`", text(begin, end), text(condition.begin, condition.end)));
      parts_.push_back(std::move(some));
    }
  }

  ConditionPart part(std::size_t begin, std::size_t end) const {
    return {tokens_[begin].begin, tokens_[end - 1].end, shown(begin, end), {}};
  }

  TextEdit without(const Condition& condition, const std::string& rest, std::string says) const {
    TextEdit without{place(condition.begin, condition.end, rest), {}, std::move(says)};
    without.likelihood = Likelihood::by_accident;
    without.asks_for_more = condition.leaves;
    return without;
  }

  std::vector<ConditionPart> parts_;
};

}  // namespace

std::vector<ConditionPart> parts_of_conditions(const ReadCode& read, std::span<const LineRange> lines) {
  return ConditionParts(read, lines).find();
}

}  // namespace fusebox
