#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// Means of parts that need not be equally long, each as often as its part has values.
class WeightEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      for (std::size_t i = function.open + 1; i < function.close; ++i) {
        if (!may_change(i) || read_.fixed[i]) continue;
        if ((is(i, "*") || is(i, "/")) && where_->is_binary(i)) weigh(i), weigh_a_distance(i);
        if (is(i, "+=")) weigh_each(i);
      }
    });
    return take();
  }

 private:
  /// The number beside `*` or `/` that takes half of the rest; 0: there is none.
  std::size_t half_beside(std::size_t sign) const {
    static const std::set<std::string_view> kTwo = {"2", "2.0f", "2.f", "2.0"},
                                            kHalf = {"0.5f", ".5f", "0.5"};
    for (const std::size_t i : {sign + 1, sign - 1})
      if ((is(sign, "/") ? kTwo : kHalf).contains(tokens_[i].text) && (is(sign, "*") || i > sign)) return i;
    return 0;
  }

  /// `(a.mean + b.mean) / 2`.
  void weigh(std::size_t sign) {
    const std::size_t number = half_beside(sign);
    if (number == 0) return;
    const bool behind = number == sign + 1;
    const std::size_t open = behind ? read_.partners[sign - 1] : sign + 1;
    if (!is(open, "(") || !read_.opens(open)) return;
    const std::size_t close = read_.partners[open];
    const std::size_t plus = first_of(open + 1, close, "+");
    if (plus >= close) return;
    const std::string a = text(open + 1, plus), b = text(plus + 1, close);
    // Two without values have none together. All lanes of a warp carry all of it out, shuffles too.
    for (const auto& [of_a, of_b] : lengths_of(open + 1, plus, close))
      edits_.add(*where_, behind ? open : number, behind ? sign + 2 : close + 1,
                 fmt::format("({0} * {2} + {1} * {3}) / fmaxf({0} + {1}, 1)", of_a, of_b, a, b),
                 Likelihood::seldom);
  }

  /// What may say how many values each of two summands is the mean of: other members of the same parts, or
  /// what is handed over as the second is.
  std::set<std::pair<std::string, std::string>> lengths_of(std::size_t a, std::size_t plus,
                                                           std::size_t close) const {
    std::set<std::pair<std::string, std::string>> lengths;
    if (plus >= a + 3 && is(plus - 2, ".") && is(close - 2, ".") &&
        tokens_[plus - 1].text == tokens_[close - 1].text) {
      const std::string_view part = tokens_[plus - 3].text;
      for (std::size_t t = function_->open; t + 2 < function_->close; ++t)
        if (tokens_[t].text == part && is(t + 1, ".") && tokens_[t + 2].text != tokens_[plus - 1].text &&
            !is(t + 3, "("))
          lengths.emplace(fmt::format("{}{}", text(a, plus - 1), tokens_[t + 2].text),
                          fmt::format("{}{}", text(plus + 1, close - 1), tokens_[t + 2].text));
      return lengths;
    }
    if (plus != a + 1 || !is(close - 1, ")")) return lengths;
    for (std::size_t t = plus + 2; t < close; ++t) {
      if (tokens_[t].text != tokens_[a].text) continue;
      for (const bool floats : {true, false})
        for (const std::string& other : where_->values_at(a, floats))
          if (other != tokens_[a].text)
            lengths.emplace(other, edits_.piece(plus + 1, t) + other + edits_.piece_behind(t + 1, close));
      break;
    }
    return lengths;
  }

  /// `a.mean + 0.5f * distance` with the share that b has of all values.
  void weigh_a_distance(std::size_t sign) {
    const std::size_t number = half_beside(sign);
    if (number == 0) return;
    const int level = precedence("*");
    const std::size_t begin = where_->left_of(sign, level), end = where_->right_of(sign, level);
    if (begin >= sign || where_->is_integral(begin, end)) return;
    const std::string distance = number > sign ? text(begin, sign) : text(sign + 1, end);
    for (const auto& [part, all] : shares())
      edits_.add(*where_, begin, end, fmt::format("{} * ({} / fmaxf({}, 1))", distance, part, all),
                 Likelihood::seldom);
  }

  /// `b.n` and `a.n + b.n` of two variables of the same type of the file's own.
  std::set<std::pair<std::string, std::string>> shares() const {
    std::set<std::pair<std::string, std::string>> shares;
    std::set<std::pair<const Variable*, std::string_view>> members;
    for (std::size_t t = function_->open; t + 2 < function_->close; ++t) {
      const Variable* part = is(t + 1, ".") && !is(t - 1, ".") && !is(t + 3, "(")
                                 ? function_->variable(tokens_[t].text, t)
                                 : nullptr;
      if (part && part->dimensions == 0 && !part->type.empty()) members.emplace(part, tokens_[t + 2].text);
    }
    for (const auto& [a, member] : members)
      for (const auto& [b, same] : members)
        if (a != b && member == same && a->type == b->type)
          shares.emplace(fmt::format("{}.{}", b->name, member),
                         fmt::format("{0}.{2} + {1}.{2}", a->name, b->name, member));
    return shares;
  }

  /// `sum += parts[i].mean;`, which is divided by how many parts there are, by how many values they have.
  void weigh_each(std::size_t sign) {
    const std::size_t name = sign + 1, open = sign + 2;
    if (!is(open, "[") || !read_.opens(open)) return;
    const std::size_t dot = read_.partners[open] + 1;
    if (!is(dot, ".") || !is(dot + 2, ";") || tokens_[sign - 1].kind != Token::Kind::word) return;
    std::set<std::string_view> others;
    for (std::size_t t = function_->open; t + 1 < function_->close; ++t)
      if (tokens_[t].text == tokens_[name].text && is(t + 1, "[") && read_.opens(t + 1) &&
          is(read_.partners[t + 1] + 1, ".") &&
          tokens_[read_.partners[t + 1] + 2].text != tokens_[dot + 1].text)
        others.insert(tokens_[read_.partners[t + 1] + 2].text);
    const std::size_t divisor = divisor_of(tokens_[sign - 1].text, dot + 2);
    if (divisor == 0) return;
    for (const std::string_view other : others)
      for (const std::string& size : where_->integers_at(divisor, Expressions::Integers::sizes)) {
        if (size == tokens_[divisor].text) continue;
        const std::string weighed = fmt::format("{} * {}{}", text(name, dot + 2), text(name, dot + 1), other);
        add_all({place(name, dot + 2, weighed), place(divisor, divisor + 1, size)},
                fmt::format("`{} += {}`, divided by `{}`,", tokens_[sign - 1].text, weighed, size),
                Likelihood::seldom);
      }
  }

  /// The name or number by which a sum is divided first; 0: it is not.
  std::size_t divisor_of(std::string_view sum, std::size_t begin) const {
    for (std::size_t t = begin; t + 2 < function_->close; ++t)
      if (tokens_[t].text == sum && (is(t + 1, "/=") || is(t + 1, "/")))
        return may_change(t + 2) && !read_.fixed[t + 2] && !read_.opens(t + 2) ? t + 2 : 0;
    return 0;
  }
};

}  // namespace

std::vector<TextEdit> weight_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return WeightEdits(read, lines).find();
}

}  // namespace fusebox
