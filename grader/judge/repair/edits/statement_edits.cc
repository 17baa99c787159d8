#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

class StatementEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      uses_shared_ = uses_shuffles_ = uses_blocks_ = false;
      for (std::size_t t = function.open; t < function.close; ++t) {
        uses_shared_ |= is(t, "__shared__") || is_barrier(t);
        uses_shuffles_ |= tokens_[t].text.find("shfl") != std::string_view::npos || is(t, "reduce");
        uses_blocks_ |= is(t, "blockIdx");
      }
      for (const Statement& statement : function.statements)
        if (may_change(statement.begin)) change(statement);
      reverse_neighbours();
      exchange_loops();
      declare_first();
    });
    return take();
  }

 private:
  /// Of the block, or of a group of its threads.
  bool is_barrier(std::size_t i) const { return is(i, "__syncthreads") || is(i, "sync"); }

  void change(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::expression:
        change_expression(statement);
        break;
      case Statement::Kind::declaration:
        if (uses_shared_) put_behind(statement, "__syncthreads();");
        if (uses_shuffles_) broadcast(statement);
        break;
      case Statement::Kind::jump:
        change_jump(statement);
        break;
      case Statement::Kind::condition:
        add(TextEdit::Kind::expression, statement.begin, statement.end, "true",
            fmt::format("no condition in place of `{}`", shown(statement.begin, statement.end)), true);
        if (uses_blocks_)
          add(TextEdit::Kind::expression, statement.begin, statement.end,
              fmt::format("({}) && blockIdx.x == 0", text(statement)),
              fmt::format("`&& blockIdx.x == 0` behind `{}`", shown(statement.begin, statement.end)));
        repeat(statement);
        break;
      case Statement::Kind::loop:
        change_loop(statement);
        break;
    }
  }

  std::string text(const Statement& statement) const {
    return in_one_line(read_, statement.begin, statement.end);
  }

  void add(TextEdit::Kind kind, std::size_t begin, std::size_t end, std::string with, std::string says,
           bool drops = false) {
    TextEdit edit;
    edit.kind = kind;
    edit.begin = tokens_[begin].begin, edit.end = tokens_[end - 1].end;
    edit.with = std::move(with), edit.says = std::move(says);
    edit.line = tokens_[begin].line;
    edit.likelihood = drops ? TextEdit::Likelihood::by_accident : TextEdit::Likelihood::likely;
    others_.push_back(std::move(edit));
  }

  /// `with` after a statement, and after a declaration without closing its scope.
  void put_behind(const Statement& statement, const std::string& with) {
    const std::string says = fmt::format("`{}` behind `{}`", with, shown(statement.begin, statement.end));
    if (statement.kind != Statement::Kind::declaration)
      return add(TextEdit::Kind::statement, statement.begin, statement.end, text(statement) + " " + with,
                 says);
    if (!statement.in_block) return;
    add(TextEdit::Kind::insertion, statement.end - 1, statement.end, with, says);
    others_.back().begin = others_.back().end;
  }

  void change_expression(const Statement& statement) {
    if (is(statement.begin, "__syncthreads") || is(statement.begin, "__syncwarp")) {
      add(TextEdit::Kind::statement, statement.begin, statement.end, ";",
          fmt::format("`{}` left out", shown(statement.begin, statement.end)), true);
      return;
    }
    if (uses_shared_) put_behind(statement, "__syncthreads();");
    if (uses_shuffles_) broadcast(statement);
    guard(statement);
    add(TextEdit::Kind::statement, statement.begin, statement.end, ";",
        fmt::format("`{}` left out", shown(statement.begin, statement.end)), true);
  }

  /// Two or more statements that follow one another, in the other order.
  void reverse_neighbours() {
    constexpr std::size_t kMaxRun = 4;
    const auto& all = function_->statements;
    for (std::size_t first = 0; first < all.size(); ++first)
      for (std::size_t last = first + 1; last < all.size() && last < first + kMaxRun; ++last) {
        const auto plain = [&](const Statement& each) {
          return each.kind == Statement::Kind::expression && each.in_block && may_change(each.begin);
        };
        if (!plain(all[first]) || !plain(all[last]) || all[last].begin != all[last - 1].end) break;
        std::string reversed;
        for (std::size_t s = last + 1; s > first; --s)
          reversed += (reversed.empty() ? "" : " ") + text(all[s - 1]);
        std::string says = reversed;
        if (says.size() > 2 * kMaxShownEdit)
          says = shown(all[last].begin, all[last].end) + " ... " + shown(all[first].begin, all[first].end);
        add(TextEdit::Kind::statement, all[first].begin, all[last].end, reversed,
            fmt::format("`{}`, in this order,", says));
      }
  }

  /// A short loop and the statement or loop that follows it, in the other order.
  void exchange_loops() {
    constexpr std::size_t kShort = 80;  // tokens of both
    using Kind = Statement::Kind;
    const auto& all = function_->statements;
    for (const Statement& one : all)
      for (const Statement& other : all) {
        const bool is_pair =
            (one.kind == Kind::loop && (other.kind == Kind::loop || other.kind == Kind::expression)) ||
            (one.kind == Kind::expression && other.kind == Kind::loop);
        if (!is_pair || !one.in_block || other.begin != one.end || other.end - one.begin > kShort ||
            !may_change(one.begin) || !may_change(other.begin))
          continue;
        add(TextEdit::Kind::statement, one.begin, other.end, text(other) + " " + text(one),
            fmt::format("`{}` before `{}`", shown(other.begin, other.end), shown(one.begin, one.end)));
      }
  }

  /// What a declaration begins with, worked out before the statement in front of it changes that.
  void declare_first() {
    const auto& all = function_->statements;
    for (std::size_t s = 0; s + 1 < all.size(); ++s) {
      const Statement &changes = all[s], &declares = all[s + 1];
      if (changes.kind != Statement::Kind::expression || !changes.in_block ||
          declares.kind != Statement::Kind::declaration || declares.begin != changes.end ||
          !may_change(changes.begin))
        continue;
      std::size_t sign = changes.begin;
      while (sign < changes.end && !is_assignment(tokens_[sign].text)) ++sign;
      if (sign == changes.begin || sign == changes.end) continue;
      const std::string_view changed = tokens_[sign - 1].text;
      const auto declaration = std::span(tokens_).subspan(declares.begin, declares.end - declares.begin);
      const auto is_it = [&](const Token& token) { return token.text == changed; };
      if (std::none_of(declaration.begin(), declaration.end(), is_it)) continue;
      add(TextEdit::Kind::statement, changes.begin, changes.end, ";",
          fmt::format("`{}` before `{}`", shown(declares.begin, declares.end),
                      shown(changes.begin, changes.end)));
      const Token& last = tokens_[declares.end - 1];
      others_.back().also.push_back(
          {EditedPlace::Kind::insertion, last.end, last.end, text(changes), last.line});
    }
  }

  /// Floats that a statement gives a value, as lane 0 has them.
  void broadcast(const Statement& statement) {
    std::set<std::string_view> names;
    for (const Variable& variable : function_->variables)
      for (std::size_t t = statement.begin; t + 1 < statement.end; ++t)
        if (tokens_[t].text == variable.name && variable.is_float() && variable.dimensions == 0 &&
            !variable.is_constant && (is(t + 1, "=") || is(t + 1, "+=")) && variable.begin <= t &&
            t < variable.end)
          names.insert(variable.name);
    for (const std::string_view name : names)
      put_behind(statement, fmt::format("{0} = __shfl_sync(0xffffffffu, {0}, 0);", name));
    for (const Variable& variable : function_->variables) {
      const std::size_t value = variable.begin + 2;
      if (!variable.is_float() || !variable.is_constant || variable.is_fixed || variable.dimensions > 0 ||
          variable.begin < statement.begin || variable.initialised > statement.end ||
          !is(variable.begin + 1, "=") || variable.initialised <= value)
        continue;
      const std::string with =
          fmt::format("__shfl_sync(0xffffffffu, {}, 0)", in_one_line(read_, value, variable.initialised));
      add(TextEdit::Kind::expression, value, variable.initialised, with,
          fmt::format("`{} = {}`, as lane 0 has it,", variable.name, with));
    }
  }

  /// An index that is compared with an integer first.
  void guard(const Statement& statement) {
    std::set<std::string> indices;
    for (std::size_t t = statement.begin; t < statement.end; ++t) {
      const bool is_index = tokens_[t - 1].kind == Token::Kind::word || is(t - 1, "]") || is(t - 1, ")");
      if (!is(t, "[") || !read_.opens(t) || read_.fixed[t] || !is_index) continue;
      const std::size_t close = read_.partners[t];
      const auto is_known = [&](std::size_t w) {  // and no parameter of a lambda in the statement
        const Variable* const variable = where_->variable_at(w);
        return !variable || variable->begin < statement.begin;
      };
      bool knows_all = true;
      for (std::size_t w = t + 1; w < close; ++w) {
        knows_all &= is_known(w);
        if (const Variable* variable = where_->variable_at(w);
            variable && variable->is_integer() && !variable->is_fixed && is_known(w))
          indices.insert(std::string(variable->name));
      }
      if (knows_all) indices.insert(in_one_line(read_, t + 1, close));
    }
    for (const std::string& index : indices)
      for (const Variable& bound : function_->variables) {
        if (!is_size(bound) || statement.end >= bound.end || bound.name == index) continue;
        const std::string condition = fmt::format("{} < {}", index, bound.name);
        add(TextEdit::Kind::statement, statement.begin, statement.end,
            fmt::format("if ({}) {{ {} }}", condition, text(statement)),
            fmt::format("`if ({})` before `{}`", condition, shown(statement.begin, statement.end)));
      }
  }

  /// What takes something off an integer once, as long as it is too large.
  void repeat(const Statement& condition) {
    if (condition.whole == 0 || condition.declares()) return;
    const std::size_t body = condition.end + 1;
    for (std::size_t t = body; t + 1 < condition.whole; ++t) {
      const Variable* variable = where_->variable_at(t);
      if (!variable || !variable->is_integer() || (!is(t + 1, "-=") && !is(t + 1, "+="))) continue;
      const auto named = [&](const Token& token) { return token.text == variable->name; };
      const auto of_condition = std::span(tokens_).subspan(condition.begin, condition.end - condition.begin);
      if (std::none_of(of_condition.begin(), of_condition.end(), named)) continue;
      return add(TextEdit::Kind::statement, condition.opened - 1, condition.whole,
                 fmt::format("while ({}) {}", text(condition), in_one_line(read_, body, condition.whole)),
                 fmt::format("`while ({0})` in place of `if ({0})`", shown(condition.begin, condition.end)));
    }
  }

  void change_jump(const Statement& statement) {
    const std::string was = text(statement);
    const bool in_loop =
        std::any_of(function_->statements.begin(), function_->statements.end(), [&](const Statement& other) {
          return other.kind == Statement::Kind::loop && other.begin < statement.begin &&
                 statement.end <= other.end;
        });
    if (was == "return;" || was == "continue;" || was == "break;") {
      for (const std::string_view other : {"continue;", "break;", "return;"})
        if (other != was && (in_loop || other == "return;"))
          add(TextEdit::Kind::statement, statement.begin, statement.end, std::string(other),
              fmt::format("`{}` in place of `{}`", other, was));
      const bool keeps_from_barrier =
          waits_between(statement.end, function_->close) && !is_of_whole_block(statement);
      add(TextEdit::Kind::statement, statement.begin, statement.end, ";",
          fmt::format("`{}`{} left out", was, keeps_from_barrier ? ", which stands before a barrier," : ""),
          !keeps_from_barrier);
      others_.back().asks_for_more = true;
    }
  }

  /// Whether the `if` in front of a jump asks for nothing in which the threads of a block differ: none of
  /// them is kept from a barrier that others wait at.
  bool is_of_whole_block(const Statement& jump) const {
    for (const Statement& condition : function_->statements) {
      const std::size_t body = condition.end + 1;
      if (condition.kind != Statement::Kind::condition ||
          (body != jump.begin && !(is(body, "{") && body + 1 == jump.begin)))
        continue;
      for (std::size_t t = condition.begin; t < condition.end; ++t) {
        if (tokens_[t].kind != Token::Kind::word || is(t - 1, ".") || is(t, "blockIdx")) continue;
        const Variable* variable = function_->variable(tokens_[t].text, t);
        if (!variable || !where_->is_given(*variable)) return false;
      }
      return true;
    }
    return false;
  }

  /// Whether a barrier stands here, or in a function that is called here.
  bool waits_between(std::size_t begin, std::size_t end) const {
    for (std::size_t t = begin; t < end; ++t) {
      if (is_barrier(t)) return true;
      // A function is known from where it stands on, so this ends.
      for (const ReadFunction& called : read_.functions)
        if (is(t, called.name) && called.close < t && waits_between(called.open, called.close)) return true;
    }
    return false;
  }

  bool steps_by_one(const Statement& loop) const {
    if (!is(loop.begin, "for") || !read_.opens(loop.begin + 1)) return false;
    const std::size_t close = read_.partners[loop.begin + 1];
    return is(close - 1, "++") || is(close - 2, "++");
  }

  /// A sum or a state that begins anew in each round, and a barrier at a round's beginning or end.
  void change_loop(const Statement& statement) {
    begin_anew(statement);
    if (uses_blocks_ && !has_barrier(statement)) {
      const auto guard_with = [&](const std::string& condition) {
        add(TextEdit::Kind::statement, statement.begin, statement.end,
            fmt::format("if ({}) {{ {} }}", condition, text(statement)),
            fmt::format("`if ({})` before the loop", condition));
      };
      guard_with("blockIdx.x == 0");
      // What every thread of the grid goes through, and one has to.
      if (steps_by_one(statement)) guard_with("blockIdx.x == 0 && threadIdx.x == 0");
    }
    if (statement.body == 0) return;
    const std::size_t open = statement.body, close = read_.partners[open];
    const auto insert = [&](std::size_t behind, const std::string& with, const std::string& where,
                            const std::string& shown = {}) {
      add(TextEdit::Kind::insertion, behind, behind + 1, with,
          fmt::format("{} at the {} of the loop's body", shown.empty() ? "`" + with + "`" : shown, where));
      others_.back().begin = others_.back().end;
    };
    std::vector<std::string> sums;
    for (const Variable& variable : function_->variables) {
      if (!is_sum_of_before(variable, statement)) continue;
      for (std::size_t t = open; t < close; ++t)
        if (tokens_[t].text == variable.name && is(t + 1, "+=")) {
          sums.push_back(fmt::format("{} = 0;", variable.name));
          insert(open, sums.back(), "beginning");
          break;
        }
    }
    if (sums.size() > 1) insert(open, fmt::format("{}", fmt::join(sums, " ")), "beginning");
    for (const Variable& variable : function_->variables)
      if (is_array_of_sums(variable, statement))
        insert(open, set_to_0(variable), "beginning", fmt::format("all of `{}` set to 0", variable.name));
    for (const Variable& variable : function_->variables)
      if (is_kept_over_rounds(variable, statement))
        insert(open, fmt::format("{} = {};", variable.name, value_at_first(variable)), "beginning");
    if (uses_shared_) {
      insert(open, "__syncthreads();", "beginning");
      insert(close - 1, "__syncthreads();", "end");
    }
  }

  /// Of a type of the file's own, as a struct of what is known so far: declared before a loop, with what it
  /// begins with, and given other values in it.
  bool is_kept_over_rounds(const Variable& variable, const Statement& loop) const {
    if (variable.dimensions > 0 || variable.is_constant || variable.is_float() || variable.is_integer() ||
        variable.is_pointer() || variable.type.empty() || value_at_first(variable).empty() ||
        variable.initialised > loop.begin || variable.end < loop.end)
      return false;
    for (std::size_t t = loop.body; t < read_.partners[loop.body]; ++t)
      if (tokens_[t].text == variable.name && is(t + 1, "=")) return true;
    return false;
  }
  /// What a declaration gives it; empty: nothing.
  std::string value_at_first(const Variable& variable) const {
    const std::size_t sign = variable.begin + 1;
    if (is(sign, "=") && variable.initialised > sign + 1)
      return in_one_line(read_, sign + 1, variable.initialised);
    if (is(sign, "{") && read_.opens(sign)) return in_one_line(read_, sign, read_.partners[sign] + 1);
    return {};
  }

  bool has_barrier(const Statement& statement) const {
    for (std::size_t t = statement.begin; t < statement.end; ++t)
      if (is_barrier(t)) return true;
    return false;
  }

  /// A float that was declared before a loop and outlives it.
  bool is_sum_of_before(const Variable& variable, const Statement& loop) const {
    return variable.is_float() && variable.dimensions == 0 && !variable.is_constant &&
           variable.begin < loop.begin && variable.end >= loop.end && variable.begin != function_->open;
  }
  /// Sums of a thread, in an array of one or two dimensions that was declared before a loop.
  bool is_array_of_sums(const Variable& variable, const Statement& loop) const {
    if (!variable.type.starts_with("float[") || variable.dimensions > 2 || variable.is_constant ||
        variable.begin > loop.begin || variable.end < loop.end)
      return false;
    for (std::size_t t = loop.body; t < read_.partners[loop.body]; ++t) {
      if (tokens_[t].text != variable.name) continue;
      std::size_t behind_it = t + 1;
      while (is(behind_it, "[") && read_.opens(behind_it)) behind_it = behind(behind_it);
      if (is(behind_it, "+=")) return true;
    }
    return false;
  }
  static std::string set_to_0(const Variable& array) {
    const auto each_of = [](std::string_view row) {
      return fmt::format("for (float& fusebox_sum : {}) fusebox_sum = 0;", row);
    };
    return array.dimensions == 1
               ? each_of(array.name)
               : fmt::format("for (auto& fusebox_sums : {}) {}", array.name, each_of("fusebox_sums"));
  }
  /// Whether a loop goes on with a sum, or a largest value, in each round of another one around it, in which
  /// it never begins.
  bool is_summed_again(const Variable& variable, const Statement& loop) const {
    if (!is_sum_of_before(variable, loop)) return false;
    const auto is_around = [&](const Statement& outer) {
      return outer.kind == Statement::Kind::loop && outer.begin > variable.begin &&
             outer.begin < loop.begin && outer.end >= loop.end;
    };
    if (std::none_of(function_->statements.begin(), function_->statements.end(), is_around)) return false;
    for (std::size_t t = loop.begin; t + 1 < loop.end; ++t) {
      if (tokens_[t].text != variable.name) continue;
      if (is(t + 1, "+=")) return true;
      if (!is(t + 1, "=")) continue;
      for (std::size_t u = t + 2; u < loop.end && !is(u, ";"); ++u)
        if (tokens_[u].text == variable.name) return true;
    }
    return false;
  }

  /// What a variable is first: what its declaration gives it, and nothing of a number that the function is
  /// given, if the loop adds to it. Empty: that is not known.
  std::string value_before(const Variable& variable, const Statement& loop) const {
    const bool is_number = variable.is_float() || variable.is_integer();
    if (variable.begin != function_->open || variable.is_constant || variable.is_fixed || !is_number)
      return value_at_first(variable);
    for (std::size_t t = loop.begin; t + 1 < loop.end; ++t)
      if (tokens_[t].text == variable.name && is(t + 1, "+=")) return "0";
    return {};
  }
  /// What was moved on before a loop, or in an earlier round around it, stands in it where it stood first.
  void begin_anew(const Statement& loop) {
    if (!loop.in_block) return;
    for (const Variable& variable : function_->variables) {
      const std::string before = value_before(variable, loop);
      const std::size_t known = std::max(variable.initialised, variable.begin);
      if (variable.dimensions > 0 || before.empty() || is(variable.begin + 1, "{") || known > loop.begin ||
          variable.end < loop.end ||
          !(is_moved(variable.name, known, loop.begin) || is_summed_again(variable, loop)))
        continue;
      const auto within = std::span(tokens_).subspan(loop.begin, loop.end - loop.begin);
      const auto is_it = [&](const Token& token) { return token.text == variable.name; };
      if (std::none_of(within.begin(), within.end(), is_it)) continue;
      const std::string with = fmt::format("{} = {};", variable.name, before);
      add(TextEdit::Kind::insertion, loop.begin, loop.begin + 1, with,
          fmt::format("`{}` in front of the loop", with));
      others_.back().end = others_.back().begin;
    }
  }

  /// Whether something is added to a variable, or taken from it, between these places.
  bool is_moved(std::string_view name, std::size_t begin, std::size_t end) const {
    for (std::size_t t = begin; t < end; ++t)
      if (tokens_[t].text == name)
        for (const std::string_view sign : {"++", "--", "+=", "-="})
          if (is(t + 1, sign) || (sign[0] == sign[1] && is(t - 1, sign))) return true;
    return false;
  }

  bool uses_shared_ = false, uses_shuffles_ = false, uses_blocks_ = false;
};

}  // namespace

std::vector<TextEdit> statement_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return StatementEdits(read, lines).find();
}

}  // namespace fusebox
