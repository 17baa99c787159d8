#include <fmt/format.h>

#include <string>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// What goes from one round of a loop to the next: a sum that has something before the first one, what is
/// fetched for the next round before this round's was used, and a sum that is scaled for a new largest value
/// and lacks that value's own term.
class CarriedEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      for (const Statement& statement : function.statements) {
        if (!may_change(statement.begin)) continue;
        if (statement.kind == Statement::Kind::loop) begin_with_nothing(statement);
        if (statement.kind == Statement::Kind::expression) count_the_new_one(statement);
        if (statement.kind == Statement::Kind::condition) fetch_last(statement);
      }
    });
    return take();
  }

 private:
  /// `for (float part : parts) v += part;` with nothing in v, where one of the parts is v's own.
  void begin_with_nothing(const Statement& loop) {
    if (!is(loop.begin, "for") || !loop.in_block) return;
    for (const Statement& round : function_->statements) {
      if (round.kind != Statement::Kind::expression || round.begin <= loop.begin || round.end > loop.end)
        continue;
      const Variable* const sum = where_->variable_at(round.begin);
      if (!sum || !sum->is_float() || sum->dimensions > 0 || sum->begin > loop.begin ||
          !is(round.begin + 1, "+="))
        continue;
      const bool begins_with_0 = is(sum->begin + 1, "=") && tokens_[sum->begin + 2].text.starts_with("0") &&
                                 sum->initialised == sum->begin + 3;
      if (begins_with_0) continue;
      const std::string first = fmt::format("{} = 0;", sum->name);
      add_all({in_front_of(loop.begin, first)}, fmt::format("`{}` in front of the loop", first),
              Likelihood::likely);
    }
  }

  /// `sum *= expf(old - v);` as `sum = sum * expf(old - v) + 1`.
  void count_the_new_one(const Statement& statement) {
    const std::size_t sign = where_->behind_target(statement.begin);
    if (!is(sign, "*=")) return;
    bool is_power = false;
    for (std::size_t t = sign; t < statement.end; ++t)
      is_power |= is(t, "expf") || is(t, "__expf") || is(t, "exp2f");
    if (!is_power) return;
    const std::string sum = text(statement.begin, sign);
    const std::string with = fmt::format("{0} = {0} * ({1}) + 1.0f;", sum, text(sign + 1, statement.end - 1));
    add_all({place(statement.begin, statement.end, with, EditedPlace::Kind::statement)},
            fmt::format("`{}` in place of `{}`", with, shown(statement.begin, statement.end)),
            Likelihood::likely);
  }

  /// `if (c + n < end) value = x[c + n];` in a loop that uses `value` behind it: at the round's end.
  void fetch_last(const Statement& condition) {
    const std::size_t body = condition.end + 1, end = condition.whole;
    if (end == 0 || condition.declares()) return;
    const Variable* const value = where_->variable_at(is(body, "{") ? body + 1 : body);
    const Statement* const loop = where_->loop_around(condition.begin);
    if (!value || !loop || loop->body == 0 || value->dimensions > 0 || value->begin > loop->begin ||
        !is((is(body, "{") ? body + 1 : body) + 1, "="))
      return;
    const std::size_t close = read_.partners[loop->body];
    if (end >= close || !mentions(end, close, value->name)) return;
    const std::size_t begin = condition.opened - 1;
    const std::string all = text(begin, end);
    add_all({place(begin, end, ";", EditedPlace::Kind::statement), in_front_of(close, all)},
            fmt::format("`{}` at the end of the round", shown(begin, end)), Likelihood::likely);
  }
};

}  // namespace

std::vector<TextEdit> carried_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return CarriedEdits(read, lines).find();
}

}  // namespace fusebox
