#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// What `||` or `&&` joins in the conditions of `if`, and those that are one part and let somebody leave.
class ConditionParts : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<ConditionPart> find() {
    for_each_function([&](const ReadFunction& function) {
      for (const Statement& statement : function.statements)
        if (statement.kind == Statement::Kind::condition && may_change(statement.begin))
          take_apart(statement);
    });
    return std::move(parts_);
  }

 private:
  bool leaves(const Statement& condition) const {
    const std::size_t jump = condition.end + 1;
    return is(jump, "return") || is(jump, "continue") || is(jump, "break");
  }

  void take_apart(const Statement& condition) {
    std::vector<std::size_t> signs;
    for (const std::string_view sign : {"||", "&&"}) {
      for (std::size_t t = condition.begin; t < condition.end; t = behind(t))
        if (is(t, sign)) signs.push_back(t);
      if (!signs.empty()) break;  // what binds less tightly
    }
    if (signs.empty()) {
      if (leaves(condition))
        add(condition, condition.begin, condition.end, "false",
            fmt::format("`if ({}) {}` left out", text(condition.begin, condition.end),
                        tokens_[condition.end + 1].text));
      return;
    }
    const std::string sign(tokens_[signs.front()].text);
    signs.push_back(condition.end);
    for (std::size_t part = 0, begin = condition.begin; part < signs.size(); begin = signs[part++] + 1) {
      const std::size_t end = signs[part];
      std::string rest;
      if (part > 0) rest = text(condition.begin, begin - 1);
      if (part + 1 < signs.size()) rest += (part > 0 ? " " + sign + " " : "") + text(end + 1, condition.end);
      add(condition, begin, end, rest,
          fmt::format("`{}` left out of `{}`", text(begin, end), text(condition.begin, condition.end)));
    }
  }

  void add(const Statement& condition, std::size_t begin, std::size_t end, const std::string& rest,
           std::string says) {
    TextEdit without{place(condition.begin, condition.end, rest), {}, std::move(says)};
    without.likelihood = Likelihood::by_accident;
    without.lets_in = leaves(condition);
    const bool is_some = begin > condition.begin || end < condition.end;
    parts_.push_back({tokens_[begin].begin, tokens_[end - 1].end, std::move(without), is_some});
  }

  std::vector<ConditionPart> parts_;
};

}  // namespace

std::vector<ConditionPart> parts_of_conditions(const ReadCode& read, std::span<const LineRange> lines) {
  return ConditionParts(read, lines).find();
}

}  // namespace fusebox
