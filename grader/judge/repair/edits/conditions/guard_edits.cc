#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// Conditions that are right for one of two things that depend on them, values that are only set where a
/// condition holds, and branches that had better not be taken.
class GuardEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      for (const Statement& statement : function.statements) {
        if (statement.kind != Statement::Kind::condition || !may_change(statement.begin)) continue;
        set_otherwise(statement), leave_branch(statement), ask_for_whole_vectors(statement);
        ask_on_both_ways(statement);
        if (statement.whole != 0) ask_of_other_axis(statement);
        const std::vector<const Statement*> guarded = statements_in(statement.end + 1, statement.whole);
        for (const Statement* of : guarded) ask_apart(statement, *of, guarded);
      }
      for (const Statement& statement : function.statements)
        if (statement.kind == Statement::Kind::expression && may_change(statement.begin))
          ask_in_round(statement);
      for (const Variable& known : function.variables) {
        ask_anew(known);
        // `const bool there = row < rows;`
        if (known.type == "bool" && is(known.begin + 1, "=") && may_change(known.begin))
          add_axes(known.begin + 2, known.initialised, known.initialised, known.end, "&&", "<");
      }
      for (std::size_t t = function.open; t < function.close; ++t)
        if (is(t, "?") && may_change(t)) ask_of_choice(t);
    });
    return take();
  }

 private:
  std::vector<const Statement*> statements_in(std::size_t begin, std::size_t end) const {
    std::vector<const Statement*> found;
    for (const Statement& statement : function_->statements)
      if (statement.kind == Statement::Kind::expression && statement.begin >= begin && statement.end <= end)
        found.push_back(&statement);
    return found;
  }

  /// `if (c) v = e;` where v keeps something old otherwise: nothing, or what no maximum takes.
  void set_otherwise(const Statement& condition) {
    const std::vector<const Statement*> body = statements_in(condition.end + 1, condition.whole);
    if (body.size() != 1 || !is(body[0]->begin + 1, "=")) return;
    const Variable* value = function_->variable(tokens_[body[0]->begin].text, body[0]->begin);
    if (!value || value->dimensions > 0 || (!value->is_float() && !value->is_integer()) ||
        value->begin > condition.begin)
      return;
    const std::string all = text(condition.opened - 1, condition.whole);
    for (const std::string_view otherwise : {"0", "-INFINITY"}) {
      if (otherwise != "0" && !value->is_float()) continue;
      const std::string more = fmt::format("else {} = {};", value->name, otherwise);
      add_all({place(condition.opened - 1, condition.whole, fmt::format("{} {}", all, more),
                     EditedPlace::Kind::statement)},
              fmt::format("`{}` behind `{}`", more, shown(condition.opened - 1, condition.whole)),
              Likelihood::likely);
    }
  }

  /// `a || (b && c)` as `b && (a || c)`, and with c for b: what is asked on one way alone, on both.
  void ask_on_both_ways(const Statement& condition) {
    const auto next = [&](std::string_view sign, std::size_t t, std::size_t end) {
      while (t < end && !is(t, sign)) t = behind(t);
      return std::min(t, end);
    };
    for (std::size_t begin = condition.begin; begin < condition.end;) {
      const std::size_t end = next("||", begin, condition.end);
      const bool wrapped = is(begin, "(") && read_.partners[begin] + 1 == end;
      const std::size_t first = begin + wrapped, last = end - wrapped, sign = next("&&", first, last);
      if (sign < last && !(begin == condition.begin && end == condition.end)) {
        std::string others;
        if (begin > condition.begin) others = text(condition.begin, begin - 1) + " || ";
        const std::string behind_it = end < condition.end ? " || " + text(end + 1, condition.end) : "";
        const auto asked = [&](const std::string& always, const std::string& else_way) {
          add_all({place(condition.begin, condition.end,
                         fmt::format("{} && ({}{}{})", always, others, else_way, behind_it))},
                  fmt::format("`{} && ({}{}{})` in place of `{}`", always, others, else_way, behind_it,
                              text(condition.begin, condition.end)),
                  Likelihood::likely);
        };
        asked(text(first, sign), text(sign + 1, last)), asked(text(sign + 1, last), text(first, sign));
      }
      begin = end + 1;
    }
  }

  /// `if (c) fast(); else slow();` as `slow();`: what is wrong stands in fast, whatever it is.
  void leave_branch(const Statement& condition) {
    const std::size_t sign = condition.end + 1;
    if (condition.whole != 0 || !is(sign, "{") || !read_.opens(sign)) return;
    const std::size_t otherwise = read_.partners[sign] + 1;
    if (!is(otherwise, "else") || is(otherwise + 1, "if")) return;
    add_all({place(condition.begin, condition.end, "false")},
            fmt::format("the `else` of `if ({})` always taken", shown(condition.begin, condition.end)),
            Likelihood::seldom);
  }

  /// What asks where a float4 begins, and not whether all four are there, or whether rows are of whole ones.
  void ask_for_whole_vectors(const Statement& condition) {
    bool asks = false;
    for (std::size_t t = condition.begin; t + 1 < condition.end; ++t)
      asks |= is(t, "%") && (is(t + 1, "sizeof") || is(t + 1, "4") || is(t + 1, "16"));
    if (!asks && !works_in_vectors(condition)) return;
    const auto add_part = [&](const std::string& more, Likelihood likelihood) {
      add_all({place(condition.begin, condition.end,
                     fmt::format("({}) && {}", text(condition.begin, condition.end), more))},
              fmt::format("`&& {}` behind `{}`", more, shown(condition.begin, condition.end)), likelihood);
    };
    const std::size_t body = condition.end + 1, end = is(body, "{") ? read_.partners[body] : condition.whole;
    for (const Variable& size : function_->variables) {
      if (!is_size(size)) continue;
      if (!mentions(condition.begin, condition.end, size.name))
        add_part(fmt::format("{} % 4 == 0", size.name), Likelihood::likely);
      for (const Variable& place : function_->variables)
        if (place.is_integer() && !place.is_fixed && place.dimensions == 0 &&
            place.begin != function_->open && place.known_at(condition.begin) &&
            mentions(place.initialised, end, place.name))
          add_part(fmt::format("{} + 4 <= {}", place.name, size.name), Likelihood::seldom);
    }
  }

  /// Whether what depends on it goes by whole float4s, and something else is done where it does not hold.
  bool works_in_vectors(const Statement& condition) const {
    const std::size_t body = condition.end + 1;
    if (condition.whole != 0 || !is(body, "{")) return false;
    for (std::size_t t = body; t < read_.partners[body]; ++t)
      if (is(t, "/") && is(t + 1, "4")) return true;
    return false;
  }

  /// `to[b] = v;` in the rounds of a loop over b, which nobody asks whether it is there.
  void ask_in_round(const Statement& store) {
    const Variable* const to = where_->variable_at(store.begin);
    const std::size_t sign = where_->behind_target(store.begin);
    if (!to || !to->is_pointer() || !is(store.begin + 1, "[") || !is(sign, "=")) return;
    for (const Variable& round : function_->variables) {
      if (!round.is_integer() || !mentions(store.begin + 2, sign, round.name)) continue;
      const Statement* const loop = loop_over(round, store);
      if (!loop || is_asked(round, *loop, store)) continue;
      for (const Variable& size : function_->variables) {
        if (!is_size(size)) continue;
        for (const Variable& first : function_->variables)
          if (first.is_integer() && !first.is_fixed && first.dimensions == 0 &&
              function_->variable(first.name, store.begin) == &first && first.name != round.name &&
              first.begin != function_->open && first.known_at(store.begin) && varies(first)) {
            const std::string asked = fmt::format("{} + {} < {}", first.name, round.name, size.name);
            add_all(
                {place(store.begin, store.end, fmt::format("if ({}) {}", asked, text(store.begin, store.end)),
                       EditedPlace::Kind::statement)},
                fmt::format("`if ({})` before `{}`", asked, shown(store.begin, store.end)),
                Likelihood::likely);
          }
      }
    }
  }
  /// The loop around a statement that counts so; null: there is none.
  const Statement* loop_over(const Variable& round, const Statement& of) const {
    for (const Statement& loop : function_->statements)
      if (loop.kind == Statement::Kind::loop && is(loop.begin, "for") && loop.begin < round.begin &&
          round.begin < read_.partners[loop.begin + 1] && loop.begin < of.begin && of.end <= round.end)
        return &loop;
    return nullptr;
  }
  /// By a condition between the loop and the statement.
  bool is_asked(const Variable& round, const Statement& loop, const Statement& of) const {
    return std::any_of(function_->statements.begin(), function_->statements.end(),
                       [&](const Statement& asked) {
                         return asked.kind == Statement::Kind::condition && loop.begin < asked.begin &&
                                asked.end <= of.begin && mentions(asked.begin, asked.end, round.name);
                       });
  }

  /// `c ? x[row * n + h] : 0` where the condition asks for the row alone.
  void ask_of_choice(std::size_t sign) {
    const std::size_t begin = where_->left_of(sign, precedence("||"));
    std::size_t end = sign;
    while (end < function_->close && !is(end, ":") && !is(end, ";")) end = behind(end);
    if (begin < sign && is(end, ":")) add_axes(begin, sign, sign + 1, end, "&&", "<");
  }

  /// `if (row < rows) out[row * n + h] = v;`, and `if (row >= rows) return;` in front of it.
  void ask_of_other_axis(const Statement& condition) {
    const std::size_t body = condition.end + 1;
    const bool leaves = is(body, "return") || is(body, "continue") ||
                        (is(body, "{") && (is(body + 1, "return") || is(body + 1, "continue")));
    if (leaves)
      add_axes(condition.begin, condition.end, condition.whole, function_->close, "||", ">=");
    else
      add_axes(condition.begin, condition.end, body, condition.whole, "&&", "<");
  }

  /// One bound more: of a place that is an index between `from` and `to`, against a size, neither of which
  /// the condition asks for.
  void add_axes(std::size_t begin, std::size_t end, std::size_t from, std::size_t to,
                const std::string& joint, const std::string& sign) {
    // Who asks twice asks for both; what `there` is where it is declared is asked there.
    const bool asks_twice = first_of(begin, end, "&&") < end || first_of(begin, end, "||") < end;
    if (asks_twice || end == begin + 1) return;
    for (const Variable& index : function_->variables) {
      const bool is_asked_of = index.is_integer() && !index.is_fixed && index.dimensions == 0 &&
                               index.begin != function_->open && index.known_at(begin) && varies(index) &&
                               !mentions(begin, end, index.name) && is_index(from, to, index.name);
      if (!is_asked_of) continue;
      for (const Variable& size : function_->variables) {
        if (!is_size(size) || mentions(begin, end, size.name)) continue;
        const std::string more = fmt::format("{} {} {} {}", joint, index.name, sign, size.name);
        add_all({place(begin, end, fmt::format("({}) {}", text(begin, end), more))},
                fmt::format("`{}` behind `{}`", more, shown(begin, end)), Likelihood::likely);
      }
    }
  }
  /// By thread, block or round of a loop.
  bool varies(const Variable& place) const {
    for (std::size_t t = place.begin; t < place.end; ++t)
      if (tokens_[t].text == place.name && t != place.begin && where_->is_assigned(t)) return true;
    for (std::size_t t = place.begin + 1; t < place.initialised; ++t) {
      if (is(t, "threadIdx") || is(t, "blockIdx")) return true;
      const Variable* const other = where_->variable_at(t);
      if (other && other->begin < place.begin && !where_->is_given(*other) && varies(*other)) return true;
    }
    return false;
  }
  /// Whether it stands in square brackets, or is added to something.
  bool is_index(std::size_t from, std::size_t to, std::string_view name) const {
    for (std::size_t t = from; t < to; ++t)
      if (tokens_[t].text == name && !is(t - 1, ".") &&
          (is(t - 1, "+") || is(t - 1, "[") || is(t + 1, "]") || is(t + 1, "+")))
        return true;
    return false;
  }

  /// A name that `of` has and the condition has not, which is where the others that it guards have one of the
  /// condition's: `first_j` where the condition asks for `first_i`. Each with the one that it replaces.
  std::vector<std::array<std::string_view, 2>> places_of_its_own(
      std::size_t begin, std::size_t end, const Statement& of,
      const std::vector<const Statement*>& guarded) const {
    std::vector<std::array<std::string_view, 2>> places;
    for (std::size_t t = begin; t < end; ++t) {
      const Variable* asked = integer(t);
      if (!asked || mentions(of.begin, of.end, asked->name)) continue;
      for (std::size_t own = of.begin; own < of.end; ++own) {
        const Variable* there = integer(own);
        if (!there || mentions(begin, end, there->name) || there->begin > begin) continue;
        const auto has_asked = [&](const Statement* other) {
          return other != &of && mentions(other->begin, other->end, asked->name) &&
                 !mentions(other->begin, other->end, there->name);
        };
        const std::array<std::string_view, 2> pair{asked->name, there->name};
        if (std::any_of(guarded.begin(), guarded.end(), has_asked) &&
            std::find(places.begin(), places.end(), pair) == places.end())
          places.push_back(pair);
      }
    }
    return places;
  }
  const Variable* integer(std::size_t t) const {
    const Variable* variable = is(t - 1, ".") ? nullptr : function_->variable(tokens_[t].text, t);
    return variable && variable->is_integer() && variable->dimensions == 0 ? variable : nullptr;
  }
  std::string exchanged(std::size_t begin, std::size_t end, std::string_view from,
                        std::string_view to) const {
    std::string all;
    std::size_t first = begin;
    for (std::size_t t = begin; t < end; ++t) {
      if (tokens_[t].text != from || is(t - 1, ".")) continue;
      all += edits_.piece(first, t);
      all += to;
      if (t + 1 < end && tokens_[t].end < tokens_[t + 1].begin) all += ' ';
      first = t + 1;
    }
    return all + text(first, end);
  }

  /// One of several statements behind a condition of its own.
  void ask_apart(const Statement& condition, const Statement& of,
                 const std::vector<const Statement*>& guarded) {
    if (!may_change(of.begin) || guarded.size() < 2) return;
    for (const auto& [asked, there] : places_of_its_own(condition.begin, condition.end, of, guarded)) {
      const std::string own = exchanged(condition.begin, condition.end, asked, there);
      const std::string rest =
          edits_.piece(condition.opened - 1, of.begin) + ";" + edits_.piece_behind(of.end, condition.whole);
      add_all({place(condition.opened - 1, condition.whole,
                     fmt::format("{} if ({}) {}", rest, own, text(of.begin, of.end)),
                     EditedPlace::Kind::statement)},
              fmt::format("`if ({})` of its own in front of `{}`", own, shown(of.begin, of.end)),
              Likelihood::likely);
    }
  }

  /// `const bool there = i < n;` which two statements ask, as it is for the other one's place.
  void ask_anew(const Variable& known) {
    if (known.type != "bool" || !is(known.begin + 1, "=")) return;
    const std::size_t begin = known.begin + 2, end = known.initialised;
    std::vector<const Statement*> guarded;
    for (const Statement& statement : function_->statements)
      if ((statement.kind == Statement::Kind::expression || statement.kind == Statement::Kind::declaration) &&
          known.known_at(statement.begin) && mentions(statement.begin, statement.end, known.name))
        guarded.push_back(&statement);
    for (const Statement* of : guarded)
      for (const auto& [asked, there] : places_of_its_own(begin, end, *of, guarded)) {
        const std::string own = exchanged(begin, end, asked, there);
        std::vector<EditedPlace> places;
        for (std::size_t t = of->begin; t < of->end; ++t)
          if (tokens_[t].text == known.name && may_change(t)) places.push_back(place(t, t + 1, own));
        add_all(std::move(places),
                fmt::format("`{}` in place of `{}` in `{}`", own, known.name, shown(of->begin, of->end)),
                Likelihood::likely);
      }
  }
};

}  // namespace

std::vector<TextEdit> guard_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return GuardEdits(read, lines).find();
}

}  // namespace fusebox
