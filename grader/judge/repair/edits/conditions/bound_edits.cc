#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// Bounds that are asked for elsewhere, or of something else: where all ends, in a loop that takes as many as
/// there may be; where a row ends, of what is compared with the end of all rows; where the second piece
/// of a step is behind the end that the first is asked for; what is left over, where nothing is; and all of a
/// row of sums, where only those up to the diagonal are asked for.
class BoundEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      const std::vector<Bound> bounds = bounds_of_sums();
      for (const Variable& variable : function.variables)
        if (variable.begin > function.open && may_change(variable.begin)) stop_at_0(variable);
      for (const Statement& statement : function.statements) {
        if (!may_change(statement.begin)) continue;
        if (statement.kind == Statement::Kind::condition) end_with_the_row(statement);
        if (statement.kind != Statement::Kind::loop) continue;
        go_over_all(statement);
        const std::optional<Head> head = head_of(statement);
        if (!head) continue;
        for (const Bound& bound : bounds) end_with_all(*head, bound);
        end_within_step(statement, *head);
        read_nothing_beside_end(statement, *head);
      }
    });
    return take();
  }

 private:
  /// `for (int i = 0; i < end; ++i)`
  struct Head {
    const Variable* counter = nullptr;
    std::size_t begin = 0, end = 0;  ///< the condition
    std::string step;                ///< "1" of `++i`
  };
  std::optional<Head> head_of(const Statement& loop) const {
    const std::size_t open = loop.begin + 1;
    if (!is(loop.begin, "for") || !is(open, "(") || !read_.opens(open)) return std::nullopt;
    const std::size_t close = read_.partners[open];
    Head head;
    head.begin = first_of(open + 1, close, ";") + 1;
    head.end = first_of(head.begin, close, ";");
    if (head.end + 1 >= close || head.begin + 2 >= head.end) return std::nullopt;
    head.counter = where_->variable_at(head.begin);
    if (!head.counter || !head.counter->is_integer() || head.counter->begin < open ||
        !is(head.begin + 1, "<") || first_of(head.begin + 2, head.end, "&&") < head.end)
      return std::nullopt;
    const std::string go_on = text(head.end + 1, close), name(head.counter->name);
    if (go_on == "++" + name || go_on == name + "++")
      head.step = "1";
    else if (go_on.starts_with(name + " += "))
      head.step = go_on.substr(name.size() + 4);
    return head;
  }

  /// `first < size` of a sum `first + other` that is compared with a size, where `other` is such a variable.
  struct Bound {
    std::string first, size;
    const Variable* other = nullptr;
    friend bool operator==(const Bound&, const Bound&) = default;
  };
  std::vector<Bound> bounds_of_sums() const {
    std::vector<Bound> bounds;
    const auto note = [&](std::size_t begin, std::size_t end, std::string_view size) {
      if (end != begin + 3 || !is(begin + 1, "+") || !where_->is_integral(begin, end)) return;
      for (const auto& [first, other] : {std::pair(begin, begin + 2), std::pair(begin + 2, begin)}) {
        if (!where_->variable_at(first)) continue;
        Bound bound{std::string(tokens_[first].text), std::string(size), where_->variable_at(other)};
        if (std::find(bounds.begin(), bounds.end(), bound) == bounds.end())
          bounds.push_back(std::move(bound));
      }
    };
    for (std::size_t sign = function_->open; sign < function_->close; ++sign) {
      if (!(is(sign, "<") || is(sign, ">=")) || !where_->is_binary(sign)) continue;
      const Variable* const size = where_->variable_at(sign + 1);
      if (!size || !is_size(*size) || where_->right_of(sign, precedence("<")) != sign + 2) continue;
      const std::size_t begin = where_->left_of(sign, precedence("<"));
      note(begin, sign, size->name);
      if (begin + 1 != sign) continue;
      const Variable* const place = where_->variable_at(begin);
      if (place && place->is_integer() && is(place->begin + 1, "="))
        note(place->begin + 2, place->initialised, size->name);
    }
    return bounds;
  }

  /// `b <= a` of a loop around `sum[a][b]`, an array of the thread with kEach in each row: `b < kEach`.
  void go_over_all(const Statement& loop) {
    const std::size_t open = loop.begin + 1;
    if (!is(loop.begin, "for") || !is(open, "(") || !read_.opens(open)) return;
    const std::size_t begin = first_of(open + 1, read_.partners[open], ";") + 1,
                      end = first_of(begin, read_.partners[open], ";");
    if (end != begin + 3 || !(is(begin + 1, "<") || is(begin + 1, "<="))) return;
    const Variable* const limit = where_->variable_at(begin + 2);
    if (!limit || !limit->is_integer() || limit->is_fixed || is_size(*limit)) return;
    for (std::size_t t = read_.partners[open]; t + 3 < loop.end; ++t) {
      if (!is(t, "]") || !is(t + 1, "[") || !is(t + 2, tokens_[begin].text) || !is(t + 3, "]")) continue;
      const Variable* const array = where_->variable_at(read_.partners[t] - 1);
      if (!array || array->dimensions != 2 || array->is_shared || !array->type.ends_with(']')) continue;
      const std::size_t from = array->type.rfind('[') + 1;
      const std::string all = fmt::format("{} < {}", tokens_[begin].text,
                                          array->type.substr(from, array->type.size() - from - 1));
      edits_.add(*where_, begin, end, all, Likelihood::likely);
      return;
    }
  }

  /// `i < kRun`, where the place that is asked for elsewhere is `first + lane < n`: with `first + i < n` too.
  void end_with_all(const Head& head, const Bound& bound) {
    const Variable* const first = function_->variable(bound.first, head.begin);
    if (!first || !first->is_integer() || first->is_fixed || !first->known_at(head.begin) ||
        first == head.counter || bound.other == head.counter || mentions(head.begin, head.end, bound.size) ||
        mentions(head.begin, head.end, bound.first))
      return;
    const std::string more = fmt::format("{} + {} < {}", bound.first, head.counter->name, bound.size);
    add_all({place(head.begin, head.end, fmt::format("{} && {}", text(head.begin, head.end), more))},
            fmt::format("`&& {}` behind `{}`", more, shown(head.begin, head.end)), Likelihood::likely);
    others_.back().is_typical = true;
  }

  /// `steps = (n + 1) / 2;` and `for (int s = 0; s < steps; ++s) for (int half = 0; half < 2; ++half)`: with
  /// `2 * s + half < n` too, where that stands in it.
  void end_within_step(const Statement& loop, const Head& head) {
    const std::size_t each = head.begin + 2;
    if (head.end != each + 1 || head.step != "1") return;
    for (std::size_t t = head.end; t + 4 < loop.end; ++t) {
      // each * s + half, or s * each + half
      if (!is(t + 1, "*") || !is(t + 3, "+") || tokens_[t + 4].text != head.counter->name ||
          !(is(t, tokens_[each].text) || is(t + 2, tokens_[each].text)))
        continue;
      const Variable* const round = where_->variable_at(is(t, tokens_[each].text) ? t + 2 : t);
      if (!round || !round->is_integer()) continue;
      for (const Variable& steps : function_->variables) {
        // (n + each - 1) / each
        const std::size_t from = steps.begin + 2, end = steps.initialised;
        if (!is(steps.begin + 1, "=") || end < from + 7 || !is(from, "(") || !is(from + 2, "+") ||
            !is(end - 2, "/") || tokens_[end - 1].text != tokens_[each].text ||
            read_.partners[from] != end - 3 || !steps.known_at(head.begin))
          continue;
        const std::string more = fmt::format("{} < {}", text(t, t + 5), tokens_[from + 1].text);
        add_all({place(head.begin, head.end, fmt::format("{} && {}", text(head.begin, head.end), more))},
                fmt::format("`&& {}` behind `{}`", more, shown(head.begin, head.end)), Likelihood::likely);
        others_.back().is_typical = true;
        return;
      }
    }
  }

  /// `size_t left = n - first;`, which is huge where `first` is beyond n: 0 there.
  void stop_at_0(const Variable& left) {
    const std::size_t from = left.begin + 2, end = left.initialised;
    if (!(left.type.starts_with("unsigned") || left.type.ends_with("size_t")) || left.dimensions > 0 ||
        !is(left.begin + 1, "=") || end <= from)
      return;
    const std::size_t minus = first_of(from, end, "-");
    if (minus == from || minus >= end || first_of(minus + 1, end, "-") < end ||
        !where_->is_integral(from, end))
      return;
    const std::string all = text(from, minus), off = text(minus + 1, end);
    if (off.empty() || tokens_[minus + 1].kind == Token::Kind::number) return;
    add_all({place(from, end, fmt::format("(({}) > ({}) ? {} : 0)", all, off, text(from, end)))},
            fmt::format("0 in place of `{}` where that is less, and `{} {}` huge,", shown(from, end),
                        left.type, left.name),
            Likelihood::likely);
    others_.back().is_typical = true;
  }

  /// `at < all` of `at = row * n + column`: with `column < n` too.
  void end_with_the_row(const Statement& condition) {
    const std::size_t sign = first_of(condition.begin, condition.end, "<");
    const Variable* const at = sign == condition.begin + 1 ? where_->variable_at(condition.begin) : nullptr;
    if (!at || !at->is_integer() || !is(at->begin + 1, "=")) return;
    const std::size_t begin = at->begin + 2;
    const std::size_t plus = first_of(begin, at->initialised, "+");
    if (plus < begin + 2 || plus + 1 >= at->initialised || !is(plus - 2, "*")) return;
    const Variable* const size = where_->variable_at(plus - 1);
    if (!size || !is_size(*size)) return;
    const std::string more = fmt::format("{} < {}", text(plus + 1, at->initialised), size->name);
    add_all({place(condition.begin, condition.end,
                   fmt::format("({}) && {}", text(condition.begin, condition.end), more))},
            fmt::format("`&& {}` behind `{}`", more, shown(condition.begin, condition.end)),
            Likelihood::likely);
    others_.back().is_typical = true;
  }

  /// What is read through the bracket at `open`, `x[...]` or `*reinterpret_cast<const T*>(...)`, and its
  /// type.
  struct Element {
    std::size_t begin = 0, end = 0;
    std::string type;
  };
  std::optional<Element> element_of(std::size_t open) const {
    Element element{open - 1, read_.partners[open] + 1, {}};
    if (is(open, "[")) {
      const Variable* const array = where_->variable_at(open - 1);
      if (array && array->is_pointer()) element.type = array->type.substr(0, array->type.find('*'));
    } else if (is(open - 1, ">") && read_.closes(open - 1)) {
      const std::size_t angle = read_.partners[open - 1];
      const std::size_t first = angle + 1 + is(angle + 1, "const");
      element.begin = angle - 2;
      if (is(angle - 1, "reinterpret_cast") && is(angle - 2, "*") && is(open - 2, "*"))
        element.type = text(first, open - 2);
    }
    if (element.type.empty() || is_assignment(tokens_[element.end].text)) return std::nullopt;
    return element;
  }

  /// `x[c + 1]` in a loop in which c goes on by 2 and that asks `c < n`: nothing where `c + 1` is not there.
  void read_nothing_beside_end(const Statement& loop, const Head& head) {
    int step = 0;
    std::from_chars(head.step.data(), head.step.data() + head.step.size(), step);
    if (step < 2 || loop.body == 0) return;
    std::vector<EditedPlace> places;
    std::vector<std::string> names, conditions;
    const auto note = [](std::vector<std::string>& all, const std::string& one) {
      if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
    };
    for (std::size_t open = loop.body + 1; open < read_.partners[loop.body]; ++open) {
      const std::size_t last = read_.opens(open) ? read_.partners[open] - 1 : 0;
      if (last < open + 3 || tokens_[last - 2].text != head.counter->name || !is(last - 1, "+") ||
          tokens_[last].kind != Token::Kind::number || !may_change(open))
        continue;
      int beside = 0;
      std::from_chars(tokens_[last].text.data(), tokens_[last].text.data() + tokens_[last].text.size(),
                      beside);
      const auto element = beside > 0 && beside < step ? element_of(open) : std::nullopt;
      if (!element) continue;
      const std::string what = text(element->begin, element->end);
      const std::string inside =
          fmt::format("{} < {}", text(last - 2, last + 1), text(head.begin + 2, head.end));
      places.push_back(place(element->begin, element->end,
                             fmt::format("({} ? {} : {}{{}})", inside, what, element->type)));
      note(names, fmt::format("`{}`", what)), note(conditions, fmt::format("`{}`", inside));
    }
    add_all(std::move(places),
            fmt::format("0 for {} unless {},", fmt::join(names, " and "), fmt::join(conditions, " and ")),
            Likelihood::likely);
  }
};

}  // namespace

std::vector<TextEdit> bound_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return BoundEdits(read, lines).find();
}

}  // namespace fusebox
