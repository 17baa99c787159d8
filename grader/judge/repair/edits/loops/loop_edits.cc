#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// Further rounds for what a loop has left over, the place where the one before it has stopped, stretches
/// that leave nothing over, and the other end to begin at.
class LoopEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      for (const Variable& variable : function.variables) leave_nothing_over(variable);
      for (const Statement& statement : function.statements) end_with_the_outer(statement);
      for (const Statement& statement : function.statements) {
        if (!may_change(statement.begin)) continue;
        if (statement.kind == Statement::Kind::condition && !statement.declares())
          go_on(statement), take_all_that_is_left(statement);
        if (statement.kind != Statement::Kind::loop) continue;
        carry_on(statement), finish(statement), start_at_half(statement), repeat_behind(statement);
        begin_with_first(statement), begin_with_nothing(statement), turn_round(statement);
      }
    });
    return take();
  }

 private:
  /// `if (c < n)` behind a loop in which c goes on by 4 * step, as `for (; c < n; c += step)`.
  void go_on(const Statement& condition) {
    if (condition.whole == 0 || !is(condition.begin + 1, "<")) return;
    const Variable* counter = function_->variable(tokens_[condition.begin].text, condition.begin);
    if (!counter || !counter->is_integer() || counter->is_constant) return;
    for (const Statement& loop : function_->statements) {
      if (loop.kind != Statement::Kind::loop || loop.end > condition.begin) continue;
      const std::size_t close = is(loop.begin, "for") ? read_.partners[loop.begin + 1] : loop.end;
      for (std::size_t t = loop.begin + 2; t + 1 < close; ++t) {
        if (tokens_[t].text != counter->name || !is(t + 1, "+=")) continue;
        const std::size_t end = where_->right_of(t + 1, kAssignment - 1);
        const std::vector<std::string> factors = factors_of(t + 2, end);
        for (const std::string& step : factors)
          add_loop(condition, counter->name,
                   step + others_go_on(loop, condition, counter->name, factors, step));
      }
    }
  }

  /// What else goes on in the loop and is used behind the condition, without those of `factors` that `step`
  /// is not: ", p += pitch" of `p += 4 * pitch`.
  std::string others_go_on(const Statement& loop, const Statement& condition, std::string_view counter,
                           const std::vector<std::string>& factors, const std::string& step) const {
    std::string more;
    for (std::size_t t = loop.begin + 2; t + 1 < loop.end; ++t) {
      const Variable* other = is(t + 1, "+=") ? where_->variable_at(t) : nullptr;
      if (!other || !(other->is_integer() || other->is_pointer()) || other->name == counter ||
          other->begin > loop.begin || !mentions(condition.end + 1, condition.whole, other->name))
        continue;
      std::vector<std::string> theirs = factors_of(t + 2, where_->right_of(t + 1, kAssignment - 1));
      std::erase_if(theirs, [&](const std::string& factor) {
        return factor != step && std::find(factors.begin(), factors.end(), factor) != factors.end();
      });
      if (theirs.size() == 1) more += fmt::format(", {} += {}", other->name, theirs.front());
    }
    return more;
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
             fmt::format("`{}`", head), Likelihood::likely);
  }

  /// A loop in place of `if (condition)` and what depends on it.
  void put_loop(const Statement& condition, std::string loop, const std::string& shown,
                TextEdit::Likelihood likelihood) {
    TextEdit edit;
    edit.kind = TextEdit::Kind::statement;
    edit.begin = tokens_[condition.opened - 1].begin, edit.end = tokens_[condition.whole - 1].end;
    edit.with = std::move(loop);
    edit.says = fmt::format("{} in place of `if ({})`", shown, text(condition.begin, condition.end));
    edit.line = tokens_[condition.begin].line;
    edit.likelihood = likelihood;
    others_.push_back(std::move(edit));
  }

  /// `if (first + lane < n) out[first + lane] = ...;`, where more may be left than one for each lane: with
  /// further rounds behind it.
  void take_all_that_is_left(const Statement& condition) {
    const std::size_t sign = less_of(condition);
    if (sign == 0) return;
    const std::size_t body = condition.end + 1, length = sign - condition.begin;
    const auto is_place = [&](std::size_t t) {
      return t + length <= condition.whole &&
             std::equal(tokens_.begin() + static_cast<std::ptrdiff_t>(t),
                        tokens_.begin() + static_cast<std::ptrdiff_t>(t + length),
                        tokens_.begin() + static_cast<std::ptrdiff_t>(condition.begin),
                        [](const Token& a, const Token& b) { return a.text == b.text; });
    };
    const std::string further = "(" + text(condition.begin, sign) + " + fusebox_further)";
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
               fmt::format("a loop over all that is left, `{}` apart,", step), Likelihood::seldom);
  }

  /// `for (int p = 0; p < n; p += 2) for (int i = 0; i < 2; ++i)`, which takes whole rounds: with `&& p + i <
  /// n`.
  void end_with_the_outer(const Statement& inner) {
    const std::size_t own = less_in_head(inner);
    if (own == 0 || !may_change(inner.begin)) return;
    const std::size_t end = behind_value(own);
    for (const Statement& outer : function_->statements) {
      const std::size_t sign = outer.begin < inner.begin && inner.end <= outer.end ? less_in_head(outer) : 0;
      if (sign == 0) continue;
      const std::size_t outer_end = behind_value(sign), steps = outer_end + 1;
      if (!is(steps + 1, "+=") || text(own + 1, end) != text(steps + 2, read_.partners[outer.begin + 1]))
        continue;
      const std::string more = fmt::format("{} + {} < {}", tokens_[sign - 1].text, tokens_[own - 1].text,
                                           text(sign + 1, outer_end));
      add_all({place(own - 1, end, fmt::format("{} && {}", text(own - 1, end), more))},
              fmt::format("`&& {}` behind `{}`", more, text(own - 1, end)), Likelihood::likely);
    }
  }
  /// The `<` of `for (int v = 0; v < n; ...)`; 0: there is none.
  std::size_t less_in_head(const Statement& loop) const {
    const std::size_t name = loop.kind == Statement::Kind::loop ? counter_of(loop) : 0;
    if (name == 0) return 0;
    const std::size_t counter = behind_value(name) + 1;
    return tokens_[counter].text == tokens_[name].text && is(counter + 1, "<") ? counter + 1 : 0;
  }

  /// `for (int d = n; d > 0; d /= 2)` from n / 2 on.
  void start_at_half(const Statement& loop) {
    const std::size_t name = counter_of(loop);
    if (name == 0) return;
    const std::size_t begins = behind_value(name), steps = behind_value(begins + 1) + 1;
    const bool halves =
        (is(steps + 1, ">>=") && is(steps + 2, "1")) || (is(steps + 1, "/=") && is(steps + 2, "2"));
    if (halves && tokens_[steps].text == tokens_[name].text && !read_.fixed[name + 2])
      edits_.add(*where_, name + 2, begins, fmt::format("({}) / 2", text(name + 2, begins)),
                 Likelihood::likely, fmt::format("{} / 2", text(name + 2, begins)));
  }

  /// `for (int i = 1; ...) v = merged(v, parts[i]);` with v as the first of them is.
  void begin_with_first(const Statement& loop) {
    const std::size_t name = counter_of(loop);
    if (name == 0 || !is(name + 2, "1") || !is(name + 3, ";") || !loop.in_block) return;
    for (const Statement& round : function_->statements) {
      if (round.kind != Statement::Kind::expression || round.begin <= name || round.end > loop.end) continue;
      const Variable* sum = function_->variable(tokens_[round.begin].text, round.begin);
      if (!sum || sum->dimensions > 0 || sum->is_pointer() || sum->begin > loop.begin ||
          (!is(round.begin + 1, "=") && !is(round.begin + 1, "+=")))
        continue;
      for (std::size_t open = round.begin + 2; open < round.end; ++open) {
        if (!is(open, "[") || !read_.opens(open) || tokens_[open + 1].text != tokens_[name].text ||
            read_.partners[open] != open + 2)
          continue;
        std::size_t end = open + 3;
        while (is(end, ".")) end += 2;
        const std::string first =
            fmt::format("{} = {}[0]{};", sum->name, tokens_[open - 1].text, text(open + 3, end));
        const std::string all = text(loop.begin, loop.end);
        add_all({place(loop.begin, loop.end, fmt::format("{} {}", first, all), EditedPlace::Kind::statement)},
                fmt::format("`{}` in front of the loop", first), Likelihood::likely);
      }
    }
  }

  /// `v = parts[0]; for (Part p : parts) v = merged(v, p);` with nothing in v: the loop takes the first one
  /// too.
  void begin_with_nothing(const Statement& loop) {
    const std::size_t end = loop.begin - 1;  // of the statement before it
    const auto is_first = [&](std::size_t at) { return is(at, "[") && is(at + 1, "0") && is(at + 2, "]"); };
    if (!is(loop.begin, "for") || end < 6 || !is(end, ";") || !is_first(end - 3) || !is(end - 5, "=")) return;
    const std::string_view parts = tokens_[end - 4].text;
    const Variable* sum = function_->variable(tokens_[end - 6].text, end);
    const std::size_t close = read_.partners[loop.begin + 1];
    const bool takes_all = is(close - 2, ":") && tokens_[close - 1].text == parts;
    if (!sum || sum->type.empty() || !takes_all || !may_change(end) || !mentions(close, loop.end, sum->name))
      return;
    const std::string nothing = sum->type + "{}";
    add_all(
        {place(end - 4, end, nothing)},
        fmt::format("`{} = {}` in front of the loop, which takes `{}[0]` itself,", sum->name, nothing, parts),
        Likelihood::likely);
  }

  /// A call of a loop once more behind it: where each round begins the next one, the last is left.
  void repeat_behind(const Statement& loop) {
    if (loop.body == 0 || !loop.in_block) return;
    const std::size_t close = read_.partners[loop.body];
    for (const Statement& call : function_->statements) {
      if (call.kind != Statement::Kind::expression || call.begin <= loop.body || call.end > close ||
          !is(call.begin + 1, "(") || read_.partners[call.begin + 1] + 2 != call.end ||
          tokens_[call.begin].text.starts_with("__"))
        continue;
      const auto is_of_loop = [&](const Variable& variable) {
        if (variable.begin < loop.begin || variable.begin > close) return false;
        for (std::size_t t = call.begin; t < call.end; ++t)
          if (tokens_[t].text == variable.name) return true;
        return false;
      };
      if (std::any_of(function_->variables.begin(), function_->variables.end(), is_of_loop)) continue;
      TextEdit edit;
      edit.kind = TextEdit::Kind::insertion;
      edit.begin = edit.end = tokens_[loop.end - 1].end;
      edit.with = text(call.begin, call.end);
      edit.says = fmt::format("`{}` once more behind the loop", edit.with);
      edit.line = tokens_[call.begin].line;
      others_.push_back(std::move(edit));
    }
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
      others_.push_back(std::move(edit));
    }
  }

  /// `each = n / parts`, with stretches that end at `first + each`, as that rounded up and no end behind n.
  void leave_nothing_over(const Variable& each) {
    const std::size_t begin = each.begin + 2, end = each.initialised;
    if (!each.is_integer() || each.is_fixed || !is(each.begin + 1, "=") || end < begin + 3 ||
        !may_change(begin) || !where_->is_integral(begin, end))
      return;
    const std::size_t sign = first_of(begin, end, "/");
    if (sign >= end || where_->left_of(sign, precedence("/")) != begin ||
        where_->right_of(sign, precedence("/")) != end)
      return;
    const std::string all = text(begin, sign), parts = text(sign + 1, end);
    std::vector<EditedPlace> places{
        place(begin, end, fmt::format("(({0}) + ({1}) - 1) / ({1})", all, parts))};
    for (std::size_t t = end; t + 1 < each.end; ++t) {
      if (!is(t, "+") || !where_->is_binary(t) || tokens_[t + 1].text != each.name ||
          where_->right_of(t, precedence("+")) != t + 2 || !may_change(t))
        continue;
      const std::size_t from = where_->left_of(t, precedence("+"));
      if (!where_->is_integral(from, t + 2)) continue;
      places.push_back(place(from, t + 2, fmt::format("{0} < {1} ? {0} : {1}", text(from, t + 2), all)));
    }
    if (places.size() < 2) return;
    add_all(std::move(places),
            fmt::format("`{}` rounded up, `({} + {} - 1) / {}`, and no end behind `{}`,", each.name, all,
                        parts, parts, all),
            Likelihood::likely);
  }

  /// `for (int c = a; c > 0; --c)` that moves elements of an array, from the other end: what is written over
  /// before it is read is another element then.
  void turn_round(const Statement& loop) {
    const std::size_t name = counter_of(loop);
    if (name == 0) return;
    const std::string_view counter = tokens_[name].text;
    const std::size_t close = read_.partners[loop.begin + 1], begins = behind_value(name), sign = begins + 2;
    const std::size_t stops = begins < close ? behind_value(begins + 1) : close;
    if (stops >= close || tokens_[begins + 1].text != counter || close != stops + 3) return;
    const bool up = is(stops + 1, "++") || is(stops + 2, "++");
    const bool down = is(stops + 1, "--") || is(stops + 2, "--");
    if ((!up && !down) || !moves_elements(close + 1, loop.end)) return;
    const std::string first = operand(name + 2, begins), last = operand(sign + 1, stops);
    const auto turned = [&](std::string_view from, std::string_view compared, std::string_view to) {
      const std::string head = fmt::format("for ({5} {0} = {1}; {0} {2} {3}; {4}{0})", counter, from,
                                           compared, to, up ? "--" : "++", tokens_[name - 1].text);
      add_all({place(loop.begin, loop.end, fmt::format("{} {}", head, text(close + 1, loop.end)),
                     EditedPlace::Kind::statement)},
              fmt::format("`{}`, from the other end,", head), Likelihood::seldom);
    };
    if (up && is(sign, "<")) turned(last + " - 1", ">=", first);
    if (down && is(sign, ">")) turned(last == "0" ? "1" : last + " + 1", "<=", first);
    if (down && is(sign, ">=")) turned(last, "<=", first);
  }

  /// Whether an element of an array is given the value of another one of it.
  bool moves_elements(std::size_t begin, std::size_t end) const {
    for (std::size_t t = begin; t + 1 < end; ++t) {
      if (!is(t + 1, "[") || !read_.opens(t + 1)) continue;
      const std::size_t sign = read_.partners[t + 1] + 1;
      if (is(sign, "=") && mentions(sign + 1, first_of(sign, end, ";"), tokens_[t].text)) return true;
    }
    return false;
  }

  /// `c` of `for (int c = ...;`; 0: the loop has no such head.
  std::size_t counter_of(const Statement& loop) const {
    const std::size_t name = loop.begin + 3;
    return is(loop.begin, "for") && is(name + 1, "=") ? name : 0;
  }
  /// The semicolon behind what a counter begins with.
  std::size_t behind_value(std::size_t name) const { return first_of(name, function_->close, ";"); }

  /// Of a loop that takes several pieces a round, `for (int c = first; c + step < n; c += 2 * step)`, the
  /// same for pieces that are left over: what of its body is not about those that follow the first.
  void finish(const Statement& loop) {
    const std::size_t name = counter_of(loop);
    if (name == 0 || loop.body == 0) return;
    const std::string_view counter = tokens_[name].text;
    const std::size_t begins = behind_value(name), stops = behind_value(begins + 1);
    const std::size_t steps = stops + 1, close = read_.partners[loop.begin + 1];
    std::size_t sign = begins + 1;
    while (sign < stops && !is(sign, "<")) ++sign;
    if (sign >= stops || stops >= close || tokens_[begins + 1].text != counter || !is(begins + 2, "+") ||
        tokens_[steps].text != counter || !is(steps + 1, "+="))
      return;
    const std::string rest = without_followers(loop.body + 1, read_.partners[loop.body], counter);
    if (rest.empty()) return;
    std::vector<std::string> units = factors_of(steps + 2, close);
    if (units.empty()) units.emplace_back("1");
    for (const std::string& unit : units) {
      const std::string head =
          fmt::format("for (; {} < {}; {} += {})", counter, text(sign + 1, stops), counter, unit);
      TextEdit edit;
      edit.kind = TextEdit::Kind::statement;
      edit.begin = tokens_[loop.begin].begin, edit.end = tokens_[loop.end - 1].end;
      edit.with = fmt::format("{}; for ({} {} {{ {} }}", text(loop.begin + 2, begins), text(begins, loop.end),
                              head, rest);
      edit.says = fmt::format("further rounds for what is left over, `{}`, behind the loop", head);
      edit.line = tokens_[loop.begin].line;
      edit.likelihood = Likelihood::seldom;
      others_.push_back(std::move(edit));
    }
  }

  /// The simple statements between these places but for those that use `counter + ...`, or what was declared
  /// with it; empty where there are others, or no such use.
  std::string without_followers(std::size_t begin, std::size_t end, std::string_view counter) const {
    std::set<std::string_view> gone;
    std::string kept;
    bool any = false;
    const auto follows = [&](std::size_t from, std::size_t to) {
      for (std::size_t t = from; t < to; ++t)
        if ((tokens_[t].text == counter && is(t + 1, "+")) || gone.contains(tokens_[t].text)) return true;
      return false;
    };
    for (std::size_t from = begin; from < end;) {
      std::size_t to = from;
      for (; to < end && !is(to, ";"); to = behind(to))
        if (is(to, "{") || is(to, "#")) return {};
      if (to >= end) return {};
      const std::vector<std::size_t> names = declared_between(from, to);
      if (names.empty()) {
        if (follows(from, to))
          any = true;
        else
          kept += text(from, to) + "; ";
      } else {
        std::vector<std::string> declarators;
        for (std::size_t k = 0; k < names.size(); ++k) {
          const std::size_t behind = k + 1 < names.size() ? names[k + 1] - 1 : to;
          if (follows(names[k], behind))
            gone.insert(tokens_[names[k]].text);
          else
            declarators.push_back(text(names[k], behind));
        }
        if (!declarators.empty())
          kept += fmt::format("{} {}; ", text(from, names.front()), fmt::join(declarators, ", "));
      }
      from = to + 1;
    }
    return any || !gone.empty() ? kept : std::string();
  }

  /// Names of the variables that are declared between these places.
  std::vector<std::size_t> declared_between(std::size_t begin, std::size_t end) const {
    std::vector<std::size_t> names;
    for (const Variable& variable : function_->variables)
      if (variable.begin > begin && variable.begin < end) names.push_back(variable.begin);
    std::sort(names.begin(), names.end());
    return names;
  }
};

}  // namespace

std::vector<TextEdit> loop_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return LoopEdits(read, lines).find();
}

}  // namespace fusebox
