#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// What may be missing: a factor, a distance, a mask, a shuffle beside others, another variable that is
/// scaled, the rest of a warp, a part of a condition, the way to a value that was put where all can read it,
/// where a place is counted from, or that nothing is there behind the last element.
class MissingEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    const bool launches =
        std::any_of(read_.functions.begin(), read_.functions.end(), [&](const ReadFunction& function) {
          const auto at = [&](std::size_t t) { return tokens_.begin() + static_cast<std::ptrdiff_t>(t); };
          return std::any_of(at(function.open), at(function.close),
                             [](const Token& token) { return token.is("<<<"); });
        });
    looks_for_largest_ = std::any_of(tokens_.begin(), tokens_.end(), [](const Token& token) {
      return token.is("fmaxf") || token.is("expf") || token.is("__expf") || token.is("exp2f");
    });
    for_each_function([&](const ReadFunction& function) {
      for (std::size_t i = function.open + 1; i < function.close; ++i) {
        if (!may_change(i) || read_.fixed[i]) continue;
        if (launches && tokens_[i].kind == Token::Kind::word) fill_last_warp(i);
        if (is(i, "*") && where_->is_binary(i)) square_a_distance(i);
        if (is(i, "min") || is(i, "max") || is(i, "?")) read_nothing_behind_end(i);
        if ((is(i, "min") && is(i + 1, "(")) || (is(i, "{") && i > 0 && is(i - 1, "("))) add_to_elements(i);
        if (is(i, "|") && where_->is_binary(i)) keep_lower_half(i);
        if (read_.opens(i) && (is(i, "(") || is(i, "{"))) shuffle_too(i), begin_again(i);
        if (tokens_[i].kind == Token::Kind::word) count_from_elsewhere(i);
        if (is(i, ".")) go_on_behind(i);
      }
      for (const Statement& statement : function.statements) {
        if (statement.kind == Statement::Kind::expression) read_what_is_stored(statement);
        if (statement.kind == Statement::Kind::expression && may_change(statement.begin))
          shuffle_the_rest(statement), scale_another(statement);
        if (statement.kind == Statement::Kind::condition && may_change(statement.begin))
          leave_at_end(statement);
      }
    });
    return take();
  }

 private:
  /// Whether it stands between the angle brackets of a launch.
  bool is_of_launch(std::size_t i) const {
    while (i > function_->open && !is(i, ";") && !is(i, ">>>") && !is(i, "<<<")) --i;
    return is(i, "<<<");
  }

  /// `n` as `(n + 31) / 32 * 32`: as many threads as there is something to do, in whole warps.
  void fill_last_warp(std::size_t i) {
    const auto is_any = [&](std::size_t at, std::initializer_list<std::string_view> signs) {
      return std::any_of(signs.begin(), signs.end(), [&](std::string_view sign) { return is(at, sign); });
    };
    const Variable* variable = function_->variable(tokens_[i].text, i);
    if (!variable || !variable->is_integer() || variable->is_fixed || variable->dimensions > 0) return;
    const bool is_chosen = is_any(i - 1, {"?", ":", "=", "return"}) && is_any(i + 1, {":", ";", ","});
    if (!is_chosen && !(is(i - 1, ",") && is_any(i + 1, {",", ">>>"}) && is_of_launch(i))) return;
    if (TextEdit* edit = edits_.add(*where_, i, i + 1, fmt::format("({} + 31) / 32 * 32", variable->name),
                                    Likelihood::likely))
      edit->is_typical = true;
  }

  /// `*= f` of a statement `a[i] *= f;` or `a[i] = a[i] * f + ...;`; empty: it is none. `sign`: behind a[i].
  std::string factor_of(const Statement& statement, std::size_t sign) const {
    if (is(sign, "*=") || is(sign, "/=")) return text(sign, statement.end - 1);
    const std::size_t times = 2 * sign - statement.begin + 1;  // behind a[i] again
    if (!is(sign, "=") || !is(times, "*") || text(statement.begin, sign) != text(sign + 1, times)) return {};
    const std::size_t end = where_->right_of(times, precedence("*"));
    return is(end, "+") || is(end, "-") ? fmt::format("*= {}", operand(times + 1, end)) : std::string();
  }

  /// Behind `a[i] *= f;` the same of another variable of its type, behind `a[i].x *= f;` of another member.
  void scale_another(const Statement& statement) {
    const std::size_t begin = statement.begin;
    const std::size_t dot = is(begin + 1, "[") && read_.opens(begin + 1) ? behind(begin + 1) : begin + 1;
    const bool is_member = is(dot, ".");
    const std::size_t sign = is_member ? dot + 2 : dot;
    const Variable* variable = function_->variable(tokens_[begin].text, begin);
    if (!variable || variable->is_integer() || variable->type.empty() || variable->is_pointer()) return;
    const std::string factor = factor_of(statement, sign);
    if (factor.empty()) return;
    const auto behind_it = [&](const std::string& more) {
      const std::string all = text(begin, statement.end);
      add_all({place(begin, statement.end, fmt::format("{} {}", all, more), EditedPlace::Kind::statement)},
              fmt::format("`{}` behind `{}`", more, all), Likelihood::likely);
    };
    if (is_member) {
      for (const char member : members_of_vector(variable->type))
        if (tokens_[dot + 1].text != std::string_view(&member, 1))
          behind_it(fmt::format("{}{} {};", text(begin, dot + 1), member, factor));
      return;
    }
    for (const Variable& other : function_->variables) {
      const bool stands_there = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                                            tokens_.begin() + static_cast<std::ptrdiff_t>(statement.end),
                                            [&](const Token& token) { return token.text == other.name; });
      if (stands_there || other.type != variable->type || other.is_constant ||
          other.dimensions != variable->dimensions || function_->variable(other.name, begin) != &other ||
          !other.known_at(begin))
        continue;
      behind_it(fmt::format("{}{} {};", other.name, text(begin + 1, sign), factor));
    }
  }

  /// `v * v` as the square of how far v is from something.
  void square_a_distance(std::size_t sign) {
    const Variable* value = function_->variable(tokens_[sign - 1].text, sign - 1);
    if (!value || !value->is_float() || value->dimensions > 0 || tokens_[sign + 1].text != value->name ||
        where_->left_of(sign, precedence("*")) + 1 != sign ||
        where_->right_of(sign, precedence("*")) != sign + 2 || is(sign + 2, "*"))
      return;
    for (const Variable& from : function_->variables)
      if (from.is_float() && from.dimensions == 0 && from.name != value->name &&
          function_->variable(from.name, sign - 1) == &from && from.known_at(sign - 1))
        edits_.add(*where_, sign - 1, sign + 2,
                   fmt::format("({0} - {1}) * ({0} - {1})", value->name, from.name), Likelihood::seldom);
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
      edits_.add(*where_, begin, end, wrapped + text(from, end), Likelihood::seldom);
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
          if (is_member(t) && tokens_[t].text == tokens_[begin].text) {
            edits_.add(*where_, begin, end,
                       edits_.piece(call, t) + text(begin, end) + edits_.piece_behind(t + 3, behind),
                       Likelihood::likely);
            return;
          }
      }
    }
  }

  /// `list.begin()` and `list.data()` as far on as a loop has come.
  void go_on_behind(std::size_t dot) {
    if (dot == 0 || !(is(dot + 1, "begin") || is(dot + 1, "data")) || !is(dot + 2, "(") || !is(dot + 3, ")"))
      return;
    const std::size_t begin = dot - 1, end = dot + 4;
    if (tokens_[begin].kind != Token::Kind::word || where_->is_binary(end)) return;
    for (const std::string& name : where_->integers_at(begin, Expressions::Integers::values))
      edits_.add(*where_, begin, end, fmt::format("{} + {}", text(begin, end), name), Likelihood::likely);
  }

  /// The members of a variable's type that some function reads or writes.
  std::set<std::string_view> members_of(const std::string& type) const {
    std::set<std::string_view> members;
    for (const ReadFunction& function : read_.functions)
      for (std::size_t t = function.open + 1; t + 2 < function.close; ++t) {
        if (!is(t + 1, ".") || tokens_[t].kind != Token::Kind::word || is(t + 3, "(")) continue;
        const Variable* variable = function.variable(tokens_[t].text, t);
        if (variable && variable->type == type) members.insert(tokens_[t + 2].text);
      }
    return members;
  }

  /// Behind `other.b = shuffled(v.b);` another member, to which the function gives no value of its own.
  void shuffle_the_rest(const Statement& statement) {
    const std::size_t begin = statement.begin;
    if (!is(begin + 1, ".") || !is(begin + 3, "=")) return;
    const Variable* variable = function_->variable(tokens_[begin].text, begin);
    if (!variable || variable->type.empty()) return;
    // Once, behind the last of them.
    if (is(statement.end, variable->name) && is(statement.end + 1, ".")) return;
    std::size_t from = 0;  // what is shuffled: v.b
    bool shuffles = false;
    for (std::size_t t = begin + 4; t + 2 < statement.end; ++t) {
      shuffles |= tokens_[t].text.find("shfl") != std::string_view::npos;
      if (shuffles && is(t + 1, ".") && tokens_[t + 2].text == tokens_[begin + 2].text) from = t;
    }
    if (from == 0) return;
    for (const std::string_view member : members_of(variable->type)) {
      bool is_given = false;
      for (std::size_t t = function_->open + 1; t + 3 < function_->close; ++t)
        is_given |= tokens_[t].text == variable->name && is(t + 1, ".") && tokens_[t + 2].text == member &&
                    is(t + 3, "=");
      if (is_given) continue;
      const std::string all = text(begin, statement.end),
                        more = fmt::format("{}.{} = {}{}.{}{}", variable->name, member,
                                           edits_.piece(begin + 4, from), tokens_[from].text, member,
                                           edits_.piece_behind(from + 3, statement.end));
      add_all({place(begin, statement.end, fmt::format("{} {}", all, more), EditedPlace::Kind::statement)},
              fmt::format("`{}` behind `{}`", more, all), Likelihood::likely);
    }
  }

  /// `low | high << 16` without what a negative `low` has in its upper half.
  void keep_lower_half(std::size_t sign) {
    const std::size_t begin = where_->left_of(sign, precedence("|")),
                      end = where_->right_of(sign, precedence("|"));
    const auto shifts = [&](std::size_t from, std::size_t to) {
      for (std::size_t t = from; t + 1 < to; t = behind(t))
        if (is(t, "<<") && is(t + 1, "16")) return true;
      return false;
    };
    const auto keep = [&](std::size_t from, std::size_t to) {
      edits_.add(*where_, from, to, fmt::format("({} & 0xffff)", operand(from, to)), Likelihood::likely);
    };
    if (shifts(sign + 1, end)) keep(begin, sign);
    if (shifts(begin, sign)) keep(sign + 1, end);
  }

  /// What an element of `min(...)`, or of `({...})`, may lack: where something begins, added or taken off.
  void add_to_elements(std::size_t i) {
    const std::size_t open = is(i, "{") ? i : i + 1;
    if (!read_.opens(open)) return;
    for (const auto& [begin, end] : elements_of(open)) {
      if (begin >= end || !where_->is_integral(begin, end, true)) continue;
      const std::string all = text(begin, end);
      for (const std::string& name : where_->integers_at(begin, Expressions::Integers::values))
        for (const char* sign : {"+", "-"})
          if (name != all)
            edits_.add(*where_, begin, end, fmt::format("{} {} {}", all, sign, name), Likelihood::likely);
    }
  }

  /// A place that is one beginning and another one and what is counted from there, `p = first + row + t`, as
  /// what is counted from one of them: `p - first`.
  void count_from_elsewhere(std::size_t i) {
    const Variable* place = function_->variable(tokens_[i].text, i);
    if (!place || !place->known_at(i) || !place->is_integer() || place->is_fixed ||
        !is(place->begin + 1, "=") || where_->is_assigned(i) || is(i + 1, "+") || is(i - 1, "-"))
      return;
    const std::size_t begin = place->begin + 2, end = place->initialised;
    std::size_t first = begin, terms = 0;
    for (std::size_t t = begin; t <= end; t = t < end && read_.opens(t) ? read_.partners[t] + 1 : t + 1) {
      if (t < end && !(is(t, "+") && where_->is_binary(t))) continue;
      const std::size_t term = first;
      first = t + 1;
      if (t == end && terms++ == 0) return;  // no sum
      ++terms;
      if (t != term + 1 || tokens_[term].kind != Token::Kind::word || tokens_[term].text == place->name ||
          !where_->is_integral(term, t))
        continue;
      edits_.add(*where_, i, i + 1, fmt::format("({} - {})", place->name, tokens_[term].text),
                 is_comparison(i - 1) || is_comparison(i + 1) ? Likelihood::likely : Likelihood::seldom);
    }
  }

  bool is_comparison(std::size_t i) const {
    const int level = precedence(tokens_[i].text);
    return (level == precedence("<") || level == precedence("==")) && where_->is_binary(i);
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
                   Likelihood::seldom, fmt::format("{} || {}", given, more));
      }
  }

  /// An index that is kept from going on behind the last one, `min(i, n - 1)` or `i < n ? i : 0`, or before
  /// the first, `max(i, 0)`.
  struct Clamp {
    std::size_t begin = 0, end = 0;
    std::string inside;  ///< "i < n"
  };
  /// Whether here is the name of what was declared as something less 1.
  bool is_last_index(std::size_t at) const {
    const Variable* variable = function_->variable(tokens_[at].text, at);
    if (!variable || !variable->is_integer() || !is(variable->begin + 1, "=")) return false;
    std::size_t end = variable->begin + 2;
    while (end < at && !is(end, ";") && !is(end, ",")) ++end;
    return end >= variable->begin + 5 && is(end - 2, "-") && is(end - 1, "1");
  }
  std::optional<Clamp> clamp_at(std::size_t i) const {
    if (is(i, "min") || is(i, "max")) {
      if (!is(i + 1, "(") || !read_.opens(i + 1)) return std::nullopt;
      const Elements both = elements_of(i + 1);
      if (both.size() != 2 || !where_->is_integral(both[0].first, both[1].second)) return std::nullopt;
      for (const std::size_t last : {1u, 0u}) {
        const auto [begin, end] = both[last];
        const auto& index = both[1 - last];
        if (is(i, "max") && end == begin + 1 && is(begin, "0"))
          return Clamp{i, read_.partners[i + 1] + 1, text(index.first, index.second) + " >= 0"};
        if (is(i, "max")) continue;
        std::string inside = text(index.first, index.second);
        if (end >= begin + 3 && is(end - 2, "-") && is(end - 1, "1"))
          inside += " < " + text(begin, end - 2);
        else if (end == begin + 1 && is_last_index(begin))
          inside += " <= " + text(begin, end);
        else
          continue;
        return Clamp{i, read_.partners[i + 1] + 1, std::move(inside)};
      }
      return std::nullopt;
    }
    const std::size_t begin = where_->left_of(i, precedence("<")), end = where_->right_of(i, kAssignment);
    const std::size_t sign = first_of(begin, i, "<");
    if (sign >= i || end <= i || !where_->is_integral(begin, i)) return std::nullopt;
    return Clamp{begin, end, text(begin, i)};
  }

  /// `x[...]` around a token: its name and what is behind it; 0, 0: nothing is read there.
  std::pair<std::size_t, std::size_t> element_around(std::size_t t) const {
    std::size_t open = t;
    while (open > function_->open && !(read_.opens(open) && read_.partners[open] > t && is(open, "["))) {
      if (is(open, ";") || is(open, "{")) return {};
      --open;
    }
    const std::size_t end = open > function_->open ? read_.partners[open] + 1 : 0;
    std::size_t behind = end;
    while (is(behind, ".")) behind += 2;
    if (end == 0 || tokens_[open - 1].kind != Token::Kind::word || is(open - 2, "&") || is(end, "[") ||
        is_assignment(tokens_[behind].text))
      return {};
    return {open - 1, end};
  }

  /// Of what is read at such an index nothing, where it would go on behind the last one.
  void read_nothing_behind_end(std::size_t i) {
    const auto clamp = clamp_at(i);
    if (!clamp) return;
    std::vector<std::size_t> uses{clamp->begin};
    if (is(clamp->begin - 1, "=") && is(clamp->end, ";")) {
      const std::string_view name = tokens_[clamp->begin - 2].text;
      const Variable* index = function_->variable(name, clamp->end + 1);
      uses.clear();
      for (std::size_t t = clamp->end; index && t < index->end; ++t)
        if (tokens_[t].text == name && function_->variable(name, t) == index) uses.push_back(t);
    }
    read_instead_behind_end(*clamp, uses, "0", "{}");
    // What counts for nothing in a maximum, and in a sum of exponentials.
    if (looks_for_largest_) read_instead_behind_end(*clamp, uses, "-INFINITY", "(-INFINITY)");
  }

  void read_instead_behind_end(const Clamp& clamp, const std::vector<std::size_t>& uses,
                               std::string_view shown, std::string_view value) {
    std::vector<EditedPlace> places;
    std::vector<std::string> names;
    std::size_t last = 0;
    for (const std::size_t use : uses) {
      const auto [begin, end] = element_around(use);
      if (end == 0 || begin < last || !may_change(begin)) continue;
      const Variable* array = function_->variable(tokens_[begin].text, begin);
      const std::string type = array ? array->type.substr(0, array->type.find_first_of("*[")) : "";
      if (type.empty()) continue;
      last = end;
      places.push_back(
          place(begin, end, fmt::format("{} ? {} : {}{}", clamp.inside, text(begin, end), type, value)));
      const std::string name = fmt::format("`{}`", array->name);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (places.empty()) return;
    add_all(std::move(places),
            fmt::format("{} for what is read of {}, unless `{}`,", shown, fmt::join(names, " and "),
                        clamp.inside),
            Likelihood::likely);
    others_.back().is_typical = true;
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
      if (tokens_[t].text == value->name && may_change(t) && !read_.fixed[t] && !is(t - 1, ".") &&
          !where_->is_assigned(t) && function_->variable(value->name, t) == value)
        edits_.add(*where_, t, t + 1, text(store.begin, sign), Likelihood::seldom);
  }

  bool looks_for_largest_ = false;
};

}  // namespace

std::vector<TextEdit> missing_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return MissingEdits(read, lines).find();
}

}  // namespace fusebox
