#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "grader/judge/patterns/changes/changes.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;

double towards_zero(double v) { return std::trunc(v); }

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// What the last of `digits` binary digits of a value is worth; below 2^least it stays where it is.
int place_of_last_digit(double value, int digits, int least) {
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff) - 1022;
  return std::max(exponent - digits, least);
}

double not_beyond(double largest, double rounded) {
  return std::abs(rounded) > largest ? std::copysign(HUGE_VAL, rounded) : rounded;
}

/// The nearest value of so many digits. It is asked of long sums, millions of times, each the next one's
/// start: so it is two additions, of a number next to which doubles are as far apart as the values wanted
/// are.
double narrowed(double value, int digits, int least, double largest) {
  if (!std::isfinite(value)) return value;
  const double apart = 1.5 * power_of_two(place_of_last_digit(value, digits, least) + 52);
  return not_beyond(largest, value + apart - apart);
}

/// The same with the digits behind cut off.
double cut_off(double value, int digits, int least, double largest) {
  if (!std::isfinite(value)) return value;
  const int place = place_of_last_digit(value, digits, least);
  return not_beyond(largest, std::trunc(value * power_of_two(-place)) * power_of_two(place));
}

/// What an int that is too small for it makes of a whole number.
double wrapped(double value) {
  if (!(std::abs(value) >= 0x1p31) || std::abs(value) >= 0x1p53) return value;
  const double rest = std::fmod(std::trunc(value), 0x1p32);
  return rest >= 0x1p31 ? rest - 0x1p32 : rest < -0x1p31 ? rest + 0x1p32 : rest;
}

struct Narrow {
  const char* name;
  double (*round)(double);
  const char* done = "rounded to";
};
const Narrow kNarrow[] = {
    {"fp16", to_fp16},
    {"tf32", [](double v) { return narrowed(v, 11, -200, 1e38); }},
    {"bf16", to_bf16},
    {"a whole number", towards_zero},
    {"an int of 32 bits, which overflows", wrapped, "kept in"},
};

int rounded(Edit& edit, int u, const Narrow& to) {
  Node node;
  node.op = Op::apply;
  node.a = u;
  node.write = fmt::format("{{}} in {}", to.name);
  node.apply = to.round;
  return edit.add(std::move(node));
}

void keep_rounding(const Formula& formula, Edit edit, const std::string& when, int weight,
                   std::vector<Change>& changes) {
  const std::size_t before = changes.size();
  keep_change(formula, std::move(edit), when, weight, changes);
  if (changes.size() > before) changes.back().rounds = true;
}

}  // namespace

double to_bf16(double value) { return narrowed(value, 8, -200, 1e38); }

double cut_to_bf16(double value) { return cut_off(value, 8, -200, 1e38); }

double to_fp16(double value) { return narrowed(value, 11, -24, 65504); }

void change_precision(const Formula& formula, std::vector<Change>& changes) {
  for (int u = 0; u < static_cast<int>(formula.nodes.size()); ++u) {
    const Node& node = formula.nodes[static_cast<std::size_t>(u)];
    if (node.axes.empty()) continue;
    for (const Narrow& to : kNarrow) {
      Edit edit(formula);
      const int now = rounded(edit, u, to);
      edit.everywhere(u, now);
      edit.operand(now, 0, u);
      keep_rounding(formula, std::move(edit), fmt::format("{} is {} {}", formula.text(u), to.done, to.name),
                    45, changes);
      if (node.op != Op::multiply) continue;
      Edit factors(formula);
      factors.operand(u, 0, rounded(factors, node.a, to));
      factors.operand(u, 1, rounded(factors, node.b, to));
      keep_rounding(formula, std::move(factors),
                    fmt::format("the factors of {} are {} {}", formula.text(u), to.done, to.name), 44,
                    changes);
    }
  }
}

}  // namespace fusebox::patterns
