#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// Conditions that one loop has and another lacks, or has another one in their place: `kept[i] = p < n ? x[p]
/// : 0;` in one, and what is added up of `kept` in the next one with no question, or with one that all
/// threads answer alike.
class BorrowedEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      const std::vector<Asked> all = asked();
      for (const Statement& statement : function.statements)
        if (may_change(statement.begin) && where_->loop_around(statement.begin)) borrow(statement, all);
    });
    return take();
  }

 private:
  /// A condition, and the loop that it stands in.
  struct Asked {
    std::size_t begin = 0, end = 0;
    const Statement* loop = nullptr;
  };
  static constexpr std::size_t kMostAsked = 6;

  std::vector<Asked> asked() const {
    std::vector<Asked> all;
    const auto add = [&](std::size_t begin, std::size_t end) {
      const Statement* const loop = where_->loop_around(begin);
      const auto is_same = [&](const Asked& other) { return text(other) == text(begin, end); };
      if (loop && all.size() < kMostAsked && std::none_of(all.begin(), all.end(), is_same))
        all.push_back({begin, end, loop});
    };
    for (const Statement& statement : function_->statements)
      if (statement.kind == Statement::Kind::condition) add(statement.begin, statement.end);
    for (std::size_t t = function_->open; t < function_->close; ++t)
      if (is(t, "?"))
        if (const std::size_t begin = where_->left_of(t, precedence("||")); begin < t) add(begin, t);
    return all;
  }
  using EditFinder::text;
  std::string text(const Asked& asked) const { return text(asked.begin, asked.end); }

  /// As it can be asked at `place`: what is not known there by what it begins with.
  std::optional<std::string> as_asked_at(const Asked& asked, std::size_t place) const {
    std::string all;
    for (std::size_t t = asked.begin; t < asked.end; ++t) {
      const Variable* const here = where_->variable_at(t);
      std::string word = text(t, t + 1);
      if (here && !function_->variable(here->name, place)) {
        const bool is_fixed_value = here->is_constant && is(here->begin + 1, "=");
        if (!is_fixed_value) return std::nullopt;
        for (std::size_t k = here->begin + 2; k < here->initialised; ++k)
          if (const Variable* const part = where_->variable_at(k);
              part && !function_->variable(part->name, place))
            return std::nullopt;
        word = fmt::format("({})", text(here->begin + 2, here->initialised));
      }
      const bool apart = t > asked.begin && tokens_[t].begin > tokens_[t - 1].end;
      all += (apart ? " " : "") + word;
    }
    return all;
  }

  /// Sums and the like of one loop behind what another one asks, or that in place of what is asked here.
  void borrow(const Statement& statement, const std::vector<Asked>& all) {
    using Kind = Statement::Kind;
    const bool is_sum = statement.kind == Kind::expression && adds_up(statement.begin, statement.end);
    const bool is_of_sum = statement.kind == Kind::condition && adds_up(statement.end, statement.whole);
    if (!is_sum && !is_of_sum) return;
    for (const Asked& asked : all) {
      if (asked.loop == where_->loop_around(statement.begin)) continue;
      const auto condition = as_asked_at(asked, statement.begin);
      if (!condition || *condition == text(statement.begin, statement.end)) continue;
      if (is_sum)
        add_all({place(statement.begin, statement.end,
                       fmt::format("if ({}) {}", *condition, text(statement.begin, statement.end)),
                       EditedPlace::Kind::statement)},
                fmt::format("`if ({})` before `{}`", *condition, shown(statement.begin, statement.end)),
                Likelihood::likely);
      else
        add_all({place(statement.begin, statement.end, *condition)},
                fmt::format("`{}` in place of `{}`", *condition, text(statement.begin, statement.end)),
                Likelihood::likely);
    }
  }

  bool adds_up(std::size_t begin, std::size_t end) const {
    for (std::size_t t = begin; t < end; ++t)
      if (is(t, "+=") || is(t, "-=") || is(t, "*=") || is(t, "fmaxf")) return true;
    return false;
  }
};

}  // namespace

std::vector<TextEdit> borrowed_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return BorrowedEdits(read, lines, TextEdit::Kin::many).find();
}

}  // namespace fusebox
