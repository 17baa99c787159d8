#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// What was worked out for one place and is used for another: `m = mean[i / n]` where i has gone on since, or
/// where what is read lies at another place that begins with i. And a value as it was before a statement
/// changed it: the old one of `top = fmaxf(top, v)`, by which sums so far have to be scaled, and that
/// scaling; what an array of a thread keeps of places that it has left; and what is not stored again where it
/// was read.
class StaleEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      for (const Variable& place : function.variables) {
        if (!place.is_integer() || place.is_fixed || place.dimensions > 0) continue;
        derived_.clear();
        for (const Variable& value : function.variables)
          if (is_derived(value, place)) derived_.push_back(&value);
        if (derived_.empty()) continue;
        for (const Statement& statement : function.statements)
          if (statement.kind == Statement::Kind::loop) go_on_in(statement, place);
        for (const Variable& other : function.variables) follow(other, place);
        for (std::size_t i = function.open + 1; i < function.close; ++i)
          if (is(i, "(") && may_change(i)) follow_argument(i, place);
      }
      for (const Variable& copy : function.variables) store_again(copy);
      for (const Statement& statement : function.statements)
        if (statement.kind == Statement::Kind::expression) {
          if (statement.in_block) keep_what_was(statement);
          work_out_again(statement);
        }
    });
    return take();
  }

 private:
  /// `float s = v[at];` where nothing is stored to v in what follows: `v[at] = s;` at its end.
  void store_again(const Variable& copy) {
    const std::size_t from = copy.begin + 2, end = copy.end;
    if (copy.dimensions > 0 || copy.is_constant || (!copy.is_float() && !copy.is_integer()) ||
        !is(copy.begin + 1, "=") || !is(from + 1, "[") || !read_.opens(from + 1) ||
        read_.partners[from + 1] + 1 != copy.initialised || !is(end, "}") || !may_change(copy.begin))
      return;
    const Variable* const array = where_->variable_at(from);
    if (!array || !array->is_pointer() || array->is_constant) return;
    for (std::size_t t = copy.initialised; t < end; ++t)
      if (tokens_[t].text == array->name && is(t + 1, "[") && is_assignment(tokens_[behind(t + 1)].text))
        return;
    const std::string store = fmt::format("{} = {};", text(from, copy.initialised), copy.name);
    add_all({in_front_of(end, store)}, fmt::format("`{}` where the block ends,", store), Likelihood::likely);
  }

  static constexpr std::size_t kMaxUses = 12;

  /// `kept[i] = bias[c];` in one loop, which another reads where c has gone on: there as it is by now.
  void work_out_again(const Statement& store) {
    const std::size_t open = store.begin + 1;
    const Variable* const kept = where_->variable_at(store.begin);
    if (!kept || kept->dimensions != 1 || kept->is_shared || !is(open, "[") || !read_.opens(open)) return;
    const std::size_t close = read_.partners[open], sign = close + 1;
    const bool reads = first_of(sign + 1, store.end, "[") < store.end;
    if (!is(sign, "=") || !reads || first_of(sign + 1, store.end, "=") < store.end) return;
    const std::string element = text(store.begin, sign);
    const auto knows_all = [&](std::size_t place) {
      for (std::size_t t = sign + 1; t < store.end; ++t)
        if (const Variable* part = where_->variable_at(t); part && !function_->variable(part->name, place))
          return false;
      return true;
    };
    for (std::size_t t = store.end; t + 3 < function_->close; ++t) {
      if (tokens_[t].text != kept->name || !is(t + 1, "[") || !read_.opens(t + 1)) continue;
      const std::size_t end = read_.partners[t + 1] + 1;
      if (text(t, end) != element || where_->is_stored_to(t) || !may_change(t) || !knows_all(t)) continue;
      const std::string again = text(sign + 1, store.end - 1);
      add_all({place(t, end, "(" + again + ")")},
              fmt::format("`{}`, worked out here, in place of `{}`", again, element), Likelihood::likely);
      others_.back().asks_for_more = true;
    }
  }

  std::size_t value_begin(const Variable& variable) const { return variable.begin + 2; }
  /// Whether a variable is worked out with `place`, or with another that is, and stays as it is. They are
  /// looked at in the order of their declarations.
  bool is_derived(const Variable& value, const Variable& place) const {
    if (value.dimensions > 0 || value.is_fixed || value.is_pointer() || !is(value.begin + 1, "=") ||
        value.initialised <= value_begin(value) || value.begin <= place.begin || value.begin >= place.end)
      return false;
    const bool with_it = mentions(value_begin(value), value.initialised, place.name) ||
                         std::any_of(derived_.begin(), derived_.end(), [&](const Variable* other) {
                           return mentions(value_begin(value), value.initialised, other->name);
                         });
    if (!with_it) return false;
    for (std::size_t t = value.initialised; t < value.end; ++t)
      if (tokens_[t].text == value.name && where_->is_assigned(t)) return false;
    return true;
  }
  const Variable* derived(std::string_view name, std::size_t at) const {
    const Variable* meant = function_->variable(name, at);
    return std::find(derived_.begin(), derived_.end(), meant) != derived_.end() ? meant : nullptr;
  }

  /// A value as it is for another place.
  std::string anew(const Variable& value, const Variable& place, const std::string& now) const {
    std::string expression;
    std::size_t from = value_begin(value);
    for (std::size_t t = from; t < value.initialised; ++t) {
      const bool is_place = tokens_[t].text == place.name && !is(t - 1, ".");
      const Variable* other = is_place || is(t - 1, ".") ? nullptr : derived(tokens_[t].text, t);
      if (!is_place && (!other || other == &value)) continue;
      expression += edits_.piece(from, t);
      expression += "(" + (is_place ? now : anew(*other, place, now)) + ")";
      if (t + 1 < value.initialised && tokens_[t].end < tokens_[t + 1].begin) expression += ' ';
      from = t + 1;
    }
    expression += text(from, value.initialised);
    return value.type.empty() ? expression : fmt::format("static_cast<{}>({})", value.type, expression);
  }

  /// All uses between two places of what was declared before `declared`.
  void add(const Variable& place, const std::string& now, std::size_t begin, std::size_t end,
           std::size_t declared, const std::string& shown) {
    std::vector<EditedPlace> uses;
    std::vector<std::string> names;
    for (std::size_t t = begin; t < end; ++t) {
      const Variable* value = is(t - 1, ".") ? nullptr : derived(tokens_[t].text, t);
      if (!value || value->initialised > declared || read_.fixed[t] || !may_change(t)) continue;
      uses.push_back(this->place(t, t + 1, anew(*value, place, now)));
      const std::string name = fmt::format("`{}`", value->name);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (uses.size() <= kMaxUses)
      add_all(std::move(uses), fmt::format("{} worked out {}", fmt::join(names, " and "), shown),
              Likelihood::likely);
  }

  /// A loop that moves the place on.
  void go_on_in(const Statement& loop, const Variable& place) {
    if (place.begin > loop.begin || place.end < loop.end) return;
    for (std::size_t t = loop.begin; t < loop.end; ++t)
      if (tokens_[t].text == place.name && where_->is_assigned(t))
        return add(place, std::string(place.name), loop.begin, loop.end, loop.begin,
                   fmt::format("anew for the `{}` of each round", place.name));
  }

  /// Another place that begins with this one, `at = i + n * step`.
  void follow(const Variable& other, const Variable& place) {
    if (!other.is_integer() || other.is_fixed || !is(other.begin + 1, "=") ||
        !adds(value_begin(other), other.initialised, place.name))
      return;
    add(place, std::string(other.name), other.initialised, other.end, other.begin,
        fmt::format("for `{}`, not for `{}`,", other.name, place.name));
  }
  /// `... + name + ...`.
  bool adds(std::size_t begin, std::size_t end, std::string_view name) const {
    for (std::size_t t = begin; t < end; t = behind(t))
      if (tokens_[t].text == name && ((t > begin && is(t - 1, "+")) || (t + 1 < end && is(t + 1, "+"))))
        return where_->is_integral(begin, end);
    return false;
  }

  /// `f(k + n, there)`, where `there` was worked out for k.
  void follow_argument(std::size_t open, const Variable& place) {
    if (!read_.opens(open) || tokens_[open - 1].kind != Token::Kind::word) return;
    const Elements arguments = elements_of(open);
    for (const auto& [begin, end] : arguments) {
      if (begin + 1 != end || !derived(tokens_[begin].text, begin)) continue;
      for (const auto& [from, to] : arguments)
        if (to >= from + 3 && adds(from, to, place.name))
          add(place, text(from, to), begin, end, open,
              fmt::format("for `{}`, not for `{}`,", text(from, to), place.name));
    }
  }

  /// Behind `v = f(v, ...);`, as long as nothing else changes v, the old v in place of another float.
  void keep_what_was(const Statement& change) {
    const std::size_t begin = change.begin, sign = first_of(begin, change.end, "=");
    const bool is_member = sign == begin + 3 && is(begin + 1, ".");
    const Variable* variable = function_->variable(tokens_[begin].text, begin);
    if (!(sign == begin + 1 || is_member) || !variable || variable->dimensions > 0 ||
        !(is_member || variable->is_float()))
      return;
    const auto is_it = [&](std::size_t t) {
      return tokens_[t].text == variable->name && !is(t - 1, ".") &&
             (!is_member || (is(t + 1, ".") && tokens_[t + 2].text == tokens_[begin + 2].text));
    };
    bool is_update = false;
    for (std::size_t t = sign + 1; t < change.end; ++t) is_update |= is_it(t);
    if (!is_update) return;
    scale_sums(change, sign, is_it);
    std::size_t uses = 0;
    for (std::size_t first = change.end; !read_.closes(first) && uses < kMaxUses;) {
      const std::size_t end = behind_statement(first);
      for (std::size_t t = first; t < end; ++t) {
        if (is_it(t) && where_->is_assigned(is_member ? t + 2 : t)) return;
        const Variable* other = is(t - 1, ".") ? nullptr : function_->variable(tokens_[t].text, t);
        const bool is_value = other && other->is_float() && other->dimensions == 0 && other->begin < first &&
                              !where_->is_assigned(t);
        const std::size_t behind = is_member && is_it(t) ? t + 3 : t + 1;
        if ((is_value || is_it(t)) && may_change(t) && !read_.fixed[t] && !is_known_behind(change.end, end))
          use_what_was(change, sign, t, behind, end), ++uses;
      }
      first = end;
    }
  }
  /// `sum *= expf(top - fmaxf(top, v));` in front of `top = fmaxf(top, v);`, where `sum += expf(v - top);`
  /// follows.
  template <class IsIt>
  void scale_sums(const Statement& change, std::size_t sign, IsIt is_it) {
    if (!may_change(change.begin)) return;
    const auto is_exponential = [&](std::size_t t) {
      return is(t + 1, "(") && tokens_[t].text.find("exp") != std::string_view::npos;
    };
    for (std::size_t first = change.end; !read_.closes(first); first = behind_statement(first)) {
      const std::size_t plus = first_of(first, behind_statement(first), "+=");
      std::size_t exponential = plus;
      bool is_taken_off = false;
      for (std::size_t t = plus; t < behind_statement(first); ++t) {
        if (exponential == plus && is_exponential(t)) exponential = t;
        is_taken_off |= exponential > plus && is_it(t);
      }
      if (!is_taken_off || tokens_[first].kind != Token::Kind::word) continue;
      const std::string with = fmt::format("{} *= {}({} - {});", text(first, plus), tokens_[exponential].text,
                                           text(change.begin, sign), operand(sign + 1, change.end - 1));
      add_all({in_front_of(change.begin, with)},
              fmt::format("`{}` before `{}`", with, shown(change.begin, change.end)), Likelihood::likely);
    }
  }

  /// Behind a statement and all that is in it.
  std::size_t behind_statement(std::size_t t) const {
    while (!is(t, ";") && !is(t, "{") && !read_.closes(t)) t = behind(t);
    t = behind(t);
    return is(t, "else") ? behind_statement(t + 1) : t;
  }
  /// Whether something that is declared between two places is used behind them.
  bool is_known_behind(std::size_t begin, std::size_t end) const {
    return std::any_of(function_->variables.begin(), function_->variables.end(),
                       [&](const Variable& variable) {
                         return begin <= variable.begin && variable.begin < end &&
                                mentions(end, variable.end, variable.name);
                       });
  }
  void use_what_was(const Statement& change, std::size_t sign, std::size_t use, std::size_t behind_use,
                    std::size_t end) {
    const std::string was = text(change.begin, sign);
    add_all({place(change.begin, end,
                   fmt::format("const auto as_it_was = {}; {}as_it_was{}", was,
                               edits_.piece(change.begin, use), edits_.piece_behind(behind_use, end)),
                   EditedPlace::Kind::statement)},
            fmt::format("`{}` as it was before `{}` in place of `{}` behind that", was,
                        shown(change.begin, change.end), text(use, behind_use)),
            Likelihood::seldom);
  }

  std::vector<const Variable*> derived_;  ///< of the place that is looked at
};

}  // namespace

std::vector<TextEdit> stale_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return StaleEdits(read, lines).find();
}

}  // namespace fusebox
