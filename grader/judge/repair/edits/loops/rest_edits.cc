#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// What a sum over the elements that a thread keeps lacks, and another sum has: a loop over the rest.
class RestEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      sums_.clear();
      for (const Statement& statement : function.statements)
        if (const auto sum = sum_of(statement)) sums_.push_back(*sum);
      for (const Sum& kept : sums_)
        for (const Sum& rest : sums_) add_the_rest(kept, rest);
    });
    return take();
  }

 private:
  using Range = std::pair<std::size_t, std::size_t>;

  /// `sum += f(kept[i]);` in a loop.
  struct Sum {
    const Statement* statement = nullptr;
    const Statement* loop = nullptr;
    const Variable* total = nullptr;
    Range value;  ///< what is added
  };

  std::optional<Sum> sum_of(const Statement& statement) const {
    const Statement* const loop = where_->loop_around(statement.begin);
    const Variable* const total = where_->variable_at(statement.begin);
    if (statement.kind != Statement::Kind::expression || !loop || !loop->in_block ||
        !is(loop->begin, "for") || !total || total->dimensions > 0 || total->begin > loop->begin ||
        !is(statement.begin + 1, "+="))
      return std::nullopt;
    return Sum{&statement, loop, total, {statement.begin + 2, statement.end - 1}};
  }

  bool is_same(Range one, Range other) const {
    if (one.second - one.first != other.second - other.first) return false;
    for (std::size_t t = 0; t < one.second - one.first; ++t)
      if (tokens_[one.first + t].text != tokens_[other.first + t].text) return false;
    return true;
  }

  /// Where two values differ, `kept[i]` in one and `x[p]` in the other; all else is the same.
  std::optional<std::pair<Range, Range>> difference(Range one, Range other) const {
    std::size_t front = 0;
    const std::size_t most = std::min(one.second - one.first, other.second - other.first);
    while (front < most && tokens_[one.first + front].text == tokens_[other.first + front].text) ++front;
    if (front == most) return std::nullopt;
    const auto element = [&](std::size_t begin, std::size_t end) {
      const std::size_t behind = where_->behind_target(begin);
      return std::pair<std::size_t, std::size_t>(begin, std::min(behind, end));
    };
    const Range a = element(one.first + front, one.second), b = element(other.first + front, other.second);
    if (a.second <= a.first + 1 || b.second <= b.first + 1) return std::nullopt;
    if (!is_same({a.second, one.second}, {b.second, other.second})) return std::nullopt;
    return std::pair(a, b);
  }

  std::string head_of(const Statement& loop) const {
    return text(loop.begin, read_.partners[loop.begin + 1] + 1);
  }
  bool knows_all(Range range, std::size_t at, Range declared) const {
    for (std::size_t t = range.first; t < range.second; ++t) {
      const Variable* const part = where_->variable_at(t);
      const bool is_declared = part && declared.first <= part->begin && part->begin < declared.second;
      if (part && !is_declared && function_->variable(part->name, at) != part) return false;
    }
    return true;
  }

  /// One sum has two loops, of what is kept and of the rest; another, of what is kept, has one.
  void add_the_rest(const Sum& kept, const Sum& rest) {
    if (kept.loop == rest.loop || kept.total != rest.total || kept.statement->begin > rest.statement->begin)
      return;
    const auto differs = difference(kept.value, rest.value);
    if (!differs) return;
    const auto [element, other] = *differs;
    const Variable* const of_element = where_->variable_at(element.first);
    if (!of_element || of_element->dimensions == 0 || of_element->is_shared) return;
    const Range head{rest.loop->begin, read_.partners[rest.loop->begin + 1] + 1};
    for (const Sum& sum : sums_) {
      if (sum.total == kept.total || sum.loop == kept.loop || !may_change(sum.statement->begin)) continue;
      std::string value;
      std::size_t from = sum.value.first;
      for (std::size_t t = from; t < sum.value.second; ++t) {
        const std::size_t end = t + (element.second - element.first);
        if (end > sum.value.second || !is_same({t, end}, element)) continue;
        value += edits_.piece(from, t) + text(other.first, other.second);
        if (end < sum.value.second && tokens_[end - 1].end < tokens_[end].begin) value += ' ';
        from = end;
      }
      const std::size_t at = sum.loop->end;
      if (value.empty() || !knows_all(head, at, head) || !knows_all(other, at, head)) continue;
      value += text(from, sum.value.second);
      const bool goes_on = std::any_of(sums_.begin(), sums_.end(), [&](const Sum& more) {
        return more.total == sum.total && more.loop != sum.loop && more.statement->begin > at;
      });
      if (goes_on) continue;
      const std::string with = fmt::format("{} {} += {};", head_of(*rest.loop), sum.total->name, value);
      add_all({in_front_of(at, with)},
              fmt::format("`{}` behind `{}`", with, shown(sum.statement->begin, sum.statement->end)),
              Likelihood::likely);
      others_.back().line = tokens_[sum.statement->begin].line;
      others_.back().asks_for_more = true;
    }
  }

  std::vector<Sum> sums_;
};

}  // namespace

std::vector<TextEdit> rest_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return RestEdits(read, lines).find();
}

}  // namespace fusebox
