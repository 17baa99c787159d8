#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// Quotients of integers that are rounded up where they were rounded down, or by another number than the one
/// that divides: how many blocks, rounds or pieces there are.
class QuotientEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      for (std::size_t i = function.open + 1; i < function.close; ++i) {
        if (!may_change(i) || read_.fixed[i] || !where_->is_binary(i)) continue;
        if (is(i, "/")) change_quotient(i);
        if (is(i, "*")) divide_what_is_rounded_up(i), round_to_more(i);
        if (is(i, "%")) add_no_whole_one(i), count_in_bytes(i), leave_a_whole_one(i);
        if (is(i, "*")) divide_as_another(i);
      }
    });
    return take();
  }

 private:
  /// `place % 4`, of a place that counts bytes, as `place % sizeof(float4)`, wherever the statement asks so.
  void count_in_bytes(std::size_t sign) {
    const auto is_place = [&](std::size_t at) {
      const std::size_t begin = where_->left_of(at, precedence("%"));
      const Variable* const place = begin + 1 == at ? where_->variable_at(begin) : nullptr;
      const std::size_t from = place ? place->begin : begin, to = place ? place->initialised : at;
      for (std::size_t t = from; t < to; ++t)
        if (is(t, "uintptr_t") || is(t, "size_t")) return is(t + 1, ">") && is(t + 2, "(");
      return false;
    };
    if (!is_place(sign)) return;
    const std::size_t end = where_->right_of(sign, precedence("%"));
    const std::string by = text(sign + 1, end);
    if (by.find("sizeof") != std::string::npos) return;
    std::size_t from = sign;  // the statement
    while (from > function_->open && !is(from - 1, ";") && !is(from - 1, "{")) --from;
    std::vector<EditedPlace> places;
    for (std::size_t t = from; t < function_->close && !is(t, ";") && !is(t, "{"); ++t) {
      if (!is(t, "%") || !where_->is_binary(t) || !is_place(t)) continue;
      const std::size_t stop = where_->right_of(t, precedence("%"));
      if (text(t + 1, stop) != by || !may_change(t)) continue;
      if (t < sign) return;  // said with that one
      places.push_back(place(t + 1, stop, "sizeof(float4)"));
    }
    const std::size_t begin = where_->left_of(sign, precedence("%"));
    add_all(std::move(places),
            fmt::format("`{0} % sizeof(float4)` in place of `{0} % {1}`", text(begin, sign), by),
            Likelihood::likely);
  }

  /// `n % b`, of what is left for the last of several pieces, as `(n - 1) % b + 1`: of whole ones the last is
  /// whole too.
  void leave_a_whole_one(std::size_t sign) {
    const std::size_t begin = where_->left_of(sign, precedence("%")),
                      end = where_->right_of(sign, precedence("%"));
    if (begin >= sign || !where_->is_integral(begin, end, true) || is(end, "==") || is(end, "!=")) return;
    edits_.add(*where_, begin, end, fmt::format("({} - 1) % {} + 1", text(begin, sign), text(sign + 1, end)),
               Likelihood::likely);
  }

  /// `threads * s` as `threads / 32 * s`, where another factor of s is divided so.
  void divide_as_another(std::size_t sign) {
    const int level = precedence("*");
    const std::size_t begin = where_->left_of(sign, level), end = where_->right_of(sign, level);
    if (begin >= sign || !where_->is_integral(begin, end)) return;
    const std::string by = text(sign + 1, end);
    for (std::size_t other = function_->open + 1; other < function_->close; ++other) {
      if (!is(other, "*") || other == sign || !where_->is_binary(other)) continue;
      const std::size_t over = where_->factor_before(other, where_->left_of(other, level));
      if (is(over, "/") && where_->right_of(other, level) > other &&
          text(other + 1, where_->right_of(other, level)) == by)
        edits_.add(*where_, begin, end,
                   fmt::format("{} / {} * {}", text(begin, sign), text(over + 1, other), by),
                   Likelihood::likely);
    }
  }

  /// What such a sign is between; nothing: an address.
  struct Sides {
    std::size_t begin = 0, end = 0;
    std::string by;  ///< the right one
  };
  std::optional<Sides> sides_of(std::size_t sign) const {
    const int level = precedence(tokens_[sign].text);
    const std::size_t begin = where_->left_of(sign, level), end = where_->right_of(sign, level);
    if (begin >= sign || end <= sign + 1 || where_->names_pointer(begin, end)) return {};
    return Sides{begin, end, text(sign + 1, end)};
  }

  void add_typical(std::size_t begin, std::size_t end, const std::string& with) {
    if (TextEdit* edit = edits_.add(*where_, begin, end, with, Likelihood::likely)) edit->is_typical = true;
  }

  /// What a statement gives a float, where nothing in front of the sign is seen to be one: a quotient of
  /// integers has lost what is behind its point.
  void divide_as_floats(std::size_t over, const Sides& sides) {
    for (std::size_t t = sides.begin; t < over; ++t) {
      const bool has_point =
          tokens_[t].kind == Token::Kind::number && tokens_[t].text.find('.') != std::string_view::npos;
      const Variable* const variable = where_->variable_at(t);
      if (has_point || is(t, "float") || is(t, "double") || (variable && variable->is_float())) return;
    }
    std::size_t sign = over;
    while (sign > function_->open && !is(sign, ";") && !is(sign, "{") && !is_assignment(tokens_[sign].text)) {
      if (is(sign, "[") && read_.partners[sign] > over) return;  // an index
      --sign;
    }
    const auto& all = function_->variables;
    const auto is_declared = [&](const Variable& variable) { return variable.begin + 1 == sign; };
    const auto declared = std::find_if(all.begin(), all.end(), is_declared);
    const Variable* const target = !is_assignment(tokens_[sign].text) ? nullptr
                                   : declared != all.end()            ? &*declared
                                                                      : where_->variable_at(sign - 1);
    if (target && target->is_float() && target->dimensions == 0)
      add_typical(sides.begin, over, fmt::format("static_cast<float>({}) ", text(sides.begin, over)));
  }

  void change_quotient(std::size_t over) {
    const auto sides = sides_of(over);
    if (!sides) return;
    divide_as_floats(over, *sides);
    const auto& [begin, end, by] = *sides;
    if (where_->is_share_rounded_up(begin, over))
      return share_by_another(begin, over), to_whole_vectors(begin, end);
    if (!where_->is_integral(begin, end)) return;
    const std::string a = text(begin, over);
    const bool in_brackets = is(begin, "(") && read_.partners[begin] == over - 1;
    if (in_brackets && is(over - 3, "-") && is(over - 2, "1")) {
      const std::size_t last = where_->left_of(over - 3, precedence("*"));
      // `(n - 1) / b`, and `(n - b - 1) / b`.
      if (last == begin + 1)
        add_typical(begin, end, fmt::format("({} + {} - 1) / {}", text(begin + 1, over - 3), by, by));
      else if (is(last - 1, "-") && text(last, over - 3) == by)
        add_typical(begin, end, fmt::format("({} + {} - 1) / {}", text(begin + 1, last - 1), by, by));
    }
    if (in_brackets) round_by_divisor(begin, over, end, by);
    // `(n - 1) / b - 1`, where one more is what rounds it up.
    if (in_brackets && is(over - 3, "-") && is(over - 2, "1") && is(end, "-") && is(end + 1, "1"))
      add_typical(begin, end + 2, fmt::format("{} + 1", text(begin, end)));
    // `(n - 1 - i) / b + 1`, which is one and not none for what is a little less than 0.
    if (in_brackets && is(end, "+") && is(end + 1, "1"))
      add_typical(begin, end + 2, fmt::format("({} + {}) / {}", text(begin + 1, over - 1), by, by));
    // `n / b + 1`, which is one too many of whole ones.
    const bool one_more =
        is(end, "+") && is(end + 1, "1") && precedence(tokens_[end + 2].text) <= precedence("+");
    if (one_more && !in_brackets) add_typical(begin, end + 2, fmt::format("({} + {} - 1) / {}", a, by, by));
    // What is rounded down leaves something over: nearer than another operator, which may mend as well.
    if (!is_rounded_up(begin, over, by))
      add_typical(begin, end, fmt::format("({} + {} - 1) / {}", a, by, by));
  }

  /// `(n + 30) / 32`, `(n - 31) / 32` and `(n + b) / b`.
  void round_by_divisor(std::size_t begin, std::size_t over, std::size_t end, const std::string& by) {
    const std::size_t last = where_->left_of(over - 1, precedence("*"));
    if (last <= begin + 2 || (!is(last - 1, "+") && !is(last - 1, "-"))) return;
    const std::string rest = text(begin + 1, last - 1), added = text(last, over - 1);
    if (added == by) return add_typical(begin, end, fmt::format("({} + {} - 1) / {}", rest, by, by));
    constexpr std::int64_t kNear = 2;
    const auto one = number(added), other = number(by);
    if (!one || !other || *other < 2 || std::abs(*one - (*other - 1)) > kNear) return;
    if (*one == *other - 1 && is(last - 1, "+")) return;
    add_typical(begin, end, fmt::format("({} + {}) / {}", rest, *other - 1, by));
  }

  static std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size()) return {};
    return value;
  }

  /// `(n + b - 1) / b`, or the same with the number that is one less.
  bool is_rounded_up(std::size_t begin, std::size_t over, const std::string& by) const {
    if (text(begin, over).find(by + " - 1") != std::string::npos) return true;
    const std::int64_t divisor = number(by).value_or(0);
    for (std::size_t t = begin; t < over; ++t)
      if (divisor > 1 && tokens_[t].text == fmt::format("{}", divisor - 1)) return true;
    return false;
  }

  /// A share of something, rounded up: to whole float4s, so that each begins where one may.
  /// `(n + b - 1) / b` blocks, each of another constant's threads.
  void share_by_another(std::size_t begin, std::size_t over) {
    if (!read_.is_of_host) return;
    const std::string of = text(begin + 1, over - 5);
    for (const Variable& other : function_->variables)
      if (other.is_fixed && other.is_integer() && other.dimensions == 0 && other.known_at(begin) &&
          other.name != tokens_[over + 1].text)
        add_typical(begin, over + 2, fmt::format("({0} + {1} - 1) / {1}", of, other.name));
  }

  void to_whole_vectors(std::size_t begin, std::size_t end) {
    std::size_t sign = begin - 1;
    if (is(sign, ":"))  // of a choice
      while (sign > function_->open && !is(sign, "=") && !is(sign, ";")) --sign;
    const bool is_length = sign > 1 && is(sign, "=") && is(end, ";");
    if (is_length && !is_of_launch(tokens_[sign - 1].text))
      add_typical(begin, end, fmt::format("({} + 3) / 4 * 4", text(begin, end)));
  }

  /// Whether it stands between the signs of a launch: how many blocks or threads there are.
  bool is_of_launch(std::string_view name) const {
    bool inside = false;
    for (std::size_t t = function_->open; t < function_->close; ++t) {
      if (is(t, "<<<") || is(t, ">>>")) inside = is(t, "<<<");
      if (inside && tokens_[t].text == name) return true;
    }
    return false;
  }

  /// `(n + b - 1) * b`.
  void divide_what_is_rounded_up(std::size_t times) {
    const auto sides = sides_of(times);
    if (!sides || !is(sides->begin, "(") || read_.partners[sides->begin] != times - 1 ||
        !is_rounded_up(sides->begin, times, sides->by))
      return;
    add_typical(sides->begin, sides->end,
                fmt::format("{} / {}", text(sides->begin, times), text(times + 1, sides->end)));
  }

  /// What is lacking to a whole number of n, `n - a % n`, where nothing may be: n too much.
  void add_no_whole_one(std::size_t modulo) {
    const auto sides = sides_of(modulo);
    if (!sides || sides->begin < 2 || !is(sides->begin - 1, "-")) return;
    const std::size_t begin = where_->left_of(sides->begin - 1, precedence("*"));
    if (text(begin, sides->begin - 1) == sides->by && !is(begin - 1, "("))
      add_typical(begin, sides->end, fmt::format("({}) % {}", text(begin, sides->end), sides->by));
  }

  /// Where whole rounds end, a / n * n, is told of rounds of several n.
  void round_to_more(std::size_t times) {
    const auto sides = sides_of(times);
    if (!sides) return;
    const std::size_t over = where_->factor_before(times, sides->begin);
    if (over <= sides->begin || !is(over, "/") || text(over + 1, times) != sides->by) return;
    for (const char* several : {"2", "4", "8"}) {
      const std::string round = fmt::format("({} * {})", several, sides->by);
      edits_.add(*where_, sides->begin, sides->end,
                 fmt::format("{} / {} * {}", text(sides->begin, over), round, round), Likelihood::seldom);
    }
  }
};

}  // namespace

std::vector<TextEdit> quotient_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return QuotientEdits(read, lines, TextEdit::Kin::many).find();
}

}  // namespace fusebox
