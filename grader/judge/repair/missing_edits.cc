#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/repair/edit_list.h"
#include "grader/judge/repair/expressions.h"
#include "grader/judge/repair/text_edit.h"

namespace fusebox {
namespace {

/// What may be missing: a factor, a shuffle beside others, a part of a condition, further rounds for what a
/// loop has left over, the place where it stopped, or the way to a value that was put where all can read it.
class MissingEdits {
 public:
  MissingEdits(const DeviceCode& read, std::span<const LineRange> lines)
      : read_(read), tokens_(read.tokens), lines_(lines), edits_(read) {}

  std::vector<TextEdit> find() {
    for (const DeviceFunction& function : read_.functions) {
      function_ = &function;
      where_.emplace(read_, function);
      for (std::size_t i = function.open + 1; i < function.close; ++i) {
        if (!is_in(tokens_[i].line, lines_) || read_.fixed[i]) continue;
        if (is(i, "*") && where_->is_binary(i)) multiply(i);
        if (read_.opens(i) && (is(i, "(") || is(i, "{"))) shuffle_too(i), begin_again(i);
      }
      for (const Statement& statement : function.statements) {
        if (statement.kind == Statement::Kind::expression) read_what_is_stored(statement);
        if (statement.kind == Statement::Kind::condition && is_in(tokens_[statement.begin].line, lines_)) {
          go_on(statement);
          take_all_that_is_left(statement);
          leave_at_end(statement);
        }
        if (statement.kind == Statement::Kind::loop && is_in(tokens_[statement.begin].line, lines_))
          carry_on(statement);
      }
    }
    std::vector<TextEdit> all = edits_.take();
    all.insert(all.end(), loops_.begin(), loops_.end());
    return all;
  }

 private:
  bool is(std::size_t i, std::string_view sign) const { return read_.is(i, sign); }
  std::string text(std::size_t begin, std::size_t end) const { return in_one_line(read_, begin, end); }

  /// A product of floats with one factor more.
  void multiply(std::size_t sign) {
    const int level = precedence("*");
    const std::size_t begin = where_->left_of(sign, level), end = where_->right_of(sign, level);
    if (begin >= sign || end <= sign + 1 || is(end, "*") || is(end, "/")) return;
    if (where_->is_integral(begin, end) || where_->names_pointer(begin, end)) return;
    for (const std::string& name : where_->values_at(begin, true)) {
      const auto is_it = [&](const Token& token) { return token.text == name; };
      if (std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                      tokens_.begin() + static_cast<std::ptrdiff_t>(end), is_it))
        continue;
      edits_.add(*where_, begin, end, fmt::format("{} * {}", text(begin, end), name),
                 TextEdit::Likelihood::seldom);
    }
  }

  using Elements = std::vector<std::pair<std::size_t, std::size_t>>;
  /// From where to where each element of a list in brackets goes.
  Elements elements_of(std::size_t open) const {
    Elements elements;
    std::size_t first = open + 1;
    for (std::size_t t = open + 1; t <= read_.partners[open];
         t = read_.opens(t) ? read_.partners[t] + 1 : t + 1) {
      if (!is(t, ",") && t != read_.partners[open]) continue;
      elements.emplace_back(first, t);
      first = t + 1;
    }
    return elements;
  }

  /// Of `f(a[c], a[c + 1], a[c + 2])` those behind the end of a row as the first of the next: `a[(c + 1) %
  /// n]`.
  void begin_again(std::size_t open) {
    if (!is(open, "(") || open == 0 || tokens_[open - 1].kind != Token::Kind::word) return;
    const auto is_neighbour = [&](std::size_t begin, std::size_t end) {
      return end >= begin + 6 && is(begin + 1, "[") && read_.partners[begin + 1] + 1 == end &&
             is(end - 3, "+") && tokens_[end - 2].kind == Token::Kind::number;
    };
    Elements neighbours = elements_of(open);
    std::erase_if(neighbours, [&](const auto& e) { return !is_neighbour(e.first, e.second); });
    if (neighbours.size() < 2) return;
    const std::size_t begin = open - 1, end = read_.partners[open] + 1;  // one expression, the call
    for (const std::string& size : where_->integers_at(begin, Expressions::Integers::sizes)) {
      std::string wrapped;
      std::size_t from = begin;
      for (const auto& [first, behind] : neighbours) {
        wrapped += edits_.piece(from, first + 2);
        wrapped += fmt::format("({}) % {}", text(first + 2, behind - 1), size);
        from = behind - 1;
      }
      edits_.add(*where_, begin, end, wrapped + text(from, end), TextEdit::Likelihood::seldom);
    }
  }

  /// Of `f(v.a, shuffled(v.b))` v.a as well: what another lane has of one member belongs to what it has of
  /// the others.
  void shuffle_too(std::size_t open) {
    const Elements elements = elements_of(open);
    const auto is_member = [&](std::size_t begin) {
      return tokens_[begin].kind == Token::Kind::word && is(begin + 1, ".") &&
             tokens_[begin + 2].kind == Token::Kind::word;
    };
    for (const auto& [begin, end] : elements) {
      if (begin + 3 != end || !is_member(begin)) continue;
      for (const auto& [call, behind] : elements) {
        std::size_t name = call;
        while (name < behind && !is(name, "(")) ++name;
        if (name == call || name == behind || tokens_[name - 1].text.find("shfl") == std::string_view::npos)
          continue;
        for (std::size_t t = name + 1; t + 3 < behind; ++t)
          if (is_member(t) && tokens_[t].text == tokens_[begin].text)
            return edits_.add(*where_, begin, end,
                              edits_.piece(call, t) + text(begin, end) + edits_.piece_behind(t + 3, behind),
                              TextEdit::Likelihood::likely);
      }
    }
  }

  /// `if (done) break;` where an integer that the function works out may be too large as well.
  void leave_at_end(const Statement& condition) {
    const std::size_t jump = condition.end + 1;
    if (!is(jump, "break") && !is(jump, "continue") && !is(jump, "return")) return;
    const std::string given = text(condition.begin, condition.end);
    for (const Variable& index : function_->variables)
      for (const Variable& bound : function_->variables) {
        if (!is_size(bound) || is_size(index) || !index.is_integer() || index.is_fixed ||
            index.dimensions > 0 || function_->variable(index.name, condition.begin) != &index)
          continue;
        const std::string more = fmt::format("{} >= {}", index.name, bound.name);
        edits_.add(*where_, condition.begin, condition.end, fmt::format("({}) || {}", given, more),
                   TextEdit::Likelihood::seldom, fmt::format("{} || {}", given, more));
      }
  }
  /// An integer that the function is given.
  bool is_size(const Variable& variable) const {
    return variable.begin == function_->open && variable.is_integer() && !variable.is_fixed;
  }

  /// `if (c < n)` behind a loop in which c goes on by 4 * step, as `for (; c < n; c += step)`.
  void go_on(const Statement& condition) {
    if (condition.whole == 0 || !is(condition.begin + 1, "<")) return;
    const Variable* counter = function_->variable(tokens_[condition.begin].text, condition.begin);
    if (!counter || !counter->is_integer() || counter->is_constant) return;
    for (const Statement& loop : function_->statements) {
      if (loop.kind != Statement::Kind::loop || loop.end > condition.begin || !is(loop.begin, "for"))
        continue;
      const std::size_t close = read_.partners[loop.begin + 1];
      for (std::size_t t = loop.begin + 2; t + 1 < close; ++t) {
        if (tokens_[t].text != counter->name || !is(t + 1, "+=")) continue;
        for (const std::string& step : factors_of(t + 2, close)) add_loop(condition, counter->name, step);
      }
    }
  }

  /// Those of a product that are no numbers.
  std::vector<std::string> factors_of(std::size_t begin, std::size_t end) const {
    std::vector<std::string> factors;
    std::size_t first = begin;
    for (std::size_t t = begin; t <= end; t = t < end && read_.opens(t) ? read_.partners[t] + 1 : t + 1) {
      if (t < end && !(is(t, "*") && where_->is_binary(t))) continue;
      if (t > first && (t > first + 1 || tokens_[first].kind != Token::Kind::number))
        factors.push_back(text(first, t));
      first = t + 1;
    }
    return factors;
  }

  void add_loop(const Statement& condition, std::string_view counter, const std::string& step) {
    const std::string head =
        fmt::format("for (; {}; {} += {})", text(condition.begin, condition.end), counter, step);
    put_loop(condition, fmt::format("{} {}", head, text(condition.end + 1, condition.whole)),
             fmt::format("`{}`", head), TextEdit::Likelihood::likely);
  }

  /// A loop in place of `if (condition)` and what depends on it.
  void put_loop(const Statement& condition, std::string loop, const std::string& shown,
                TextEdit::Likelihood likelihood) {
    TextEdit edit;
    edit.kind = TextEdit::Kind::statement;
    edit.begin = tokens_[condition.begin - 2].begin, edit.end = tokens_[condition.whole - 1].end;
    edit.with = std::move(loop);
    edit.says = fmt::format("{} in place of `if ({})`", shown, text(condition.begin, condition.end));
    edit.line = tokens_[condition.begin].line;
    edit.likelihood = likelihood;
    loops_.push_back(std::move(edit));
  }

  /// `if (first + lane < n) out[first + lane] = ...;`, where more may be left than one for each lane: with
  /// further rounds behind it.
  void take_all_that_is_left(const Statement& condition) {
    if (condition.whole == 0) return;
    std::size_t sign = condition.begin;
    while (sign < condition.end && !is(sign, "<"))
      sign = read_.opens(sign) ? read_.partners[sign] + 1 : sign + 1;
    if (sign >= condition.end || where_->left_of(sign, precedence("<")) != condition.begin ||
        where_->right_of(sign, precedence("<")) != condition.end || sign < condition.begin + 3)
      return;
    const std::size_t body = condition.end + 1, length = sign - condition.begin;
    const auto is_place = [&](std::size_t t) {
      return t + length <= condition.whole &&
             std::equal(tokens_.begin() + static_cast<std::ptrdiff_t>(t),
                        tokens_.begin() + static_cast<std::ptrdiff_t>(t + length),
                        tokens_.begin() + static_cast<std::ptrdiff_t>(condition.begin),
                        [](const Token& a, const Token& b) { return a.text == b.text; });
    };
    const std::string further = text(condition.begin, sign) + " + fusebox_further";
    std::string carried_on;
    std::size_t from = body;
    for (std::size_t t = body; t < condition.whole; ++t) {
      if (!is_place(t)) continue;
      if (t > from) carried_on += text(from, t) + " ";
      carried_on += further;
      from = t + length;
    }
    if (from == body) return;
    carried_on += text(from, condition.whole);
    std::vector<std::string> steps = where_->integers_at(condition.begin, Expressions::Integers::sizes);
    steps.insert(steps.end(), {"32", "blockDim.x"});
    for (const std::string& step : steps)
      put_loop(condition,
               fmt::format("for (int fusebox_further = 0; {} < {}; fusebox_further += {}) {}", further,
                           text(sign + 1, condition.end), step, carried_on),
               fmt::format("a loop over all that is left, `{}` apart,", step), TextEdit::Likelihood::seldom);
  }

  /// Two loops in a row over a counter of the same name, the second from where the first has left it.
  void carry_on(const Statement& second) {
    const std::size_t name = counter_of(second);
    if (name == 0) return;
    for (const Statement& first : function_->statements) {
      if (first.kind != Statement::Kind::loop || first.end != second.begin || !first.in_block) continue;
      const std::size_t known = counter_of(first);
      if (known == 0 || tokens_[known].text != tokens_[name].text) continue;
      const std::size_t open = first.begin + 2, stop = behind_value(known), other = behind_value(name);
      TextEdit edit;
      edit.kind = TextEdit::Kind::statement;
      edit.begin = tokens_[first.begin].begin, edit.end = tokens_[second.end - 1].end;
      edit.with = fmt::format("{}; for ({} for ({}", text(open, stop), text(stop, first.end),
                              text(other, second.end));
      edit.says = fmt::format("`{}` going on from where the loop before has left it, and not from `{}`,",
                              tokens_[name].text, text(name + 2, other));
      edit.line = tokens_[second.begin].line;
      loops_.push_back(std::move(edit));
    }
  }

  /// `c` of `for (int c = ...;`; 0: the loop has no such head.
  std::size_t counter_of(const Statement& loop) const {
    const std::size_t name = loop.begin + 3;
    return is(loop.begin, "for") && is(name + 1, "=") ? name : 0;
  }
  /// The semicolon behind what a counter begins with.
  std::size_t behind_value(std::size_t name) const {
    std::size_t t = name;
    while (!is(t, ";")) t = read_.opens(t) ? read_.partners[t] + 1 : t + 1;
    return t;
  }

  /// A variable that is read behind `shared[0] = v;` as `shared[0]`: one thread alone may have it in v.
  void read_what_is_stored(const Statement& store) {
    std::size_t sign = store.begin;
    while (sign < store.end && !is(sign, "=")) ++sign;
    if (sign == store.begin || sign + 3 != store.end || !is(sign - 1, "]")) return;
    const Variable* value = function_->variable(tokens_[sign + 1].text, sign + 1);
    const Variable* array = function_->variable(tokens_[store.begin].text, store.begin);
    if (!value || !array || value->dimensions > 0 || array == value) return;
    for (std::size_t t = store.end; t < std::min(value->end, array->end); ++t)
      if (tokens_[t].text == value->name && is_in(tokens_[t].line, lines_) && !read_.fixed[t] &&
          !is(t - 1, ".") && !where_->is_assigned(t) && function_->variable(value->name, t) == value)
        edits_.add(*where_, t, t + 1, text(store.begin, sign), TextEdit::Likelihood::seldom);
  }

  const DeviceCode& read_;
  const std::vector<Token>& tokens_;
  std::span<const LineRange> lines_;
  const DeviceFunction* function_ = nullptr;
  std::optional<Expressions> where_;  ///< in function_
  EditList edits_;
  std::vector<TextEdit> loops_;
};

}  // namespace

std::vector<TextEdit> missing_edits(const DeviceCode& read, std::span<const LineRange> lines) {
  return MissingEdits(read, lines).find();
}

}  // namespace fusebox
