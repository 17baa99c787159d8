#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "grader/judge/patterns/changes/changes.h"
#include "grader/report/hardware.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;
using Round = double (*)(double);

struct Kept {
  const char* name;
  Round round;
};
const Kept kKept[] = {
    {"fp16", to_fp16}, {"bf16", to_bf16}, {"bf16, with the rest cut off and not rounded,", cut_to_bf16}};
/// A float is added as a float, and the sum is cut off then.
const Kept kInt = {"an int",
                   [](double value) { return static_cast<double>(std::trunc(static_cast<float>(value))); }};

double as_it_is(double value) { return value; }

/// Who adds up what: `lanes` threads, each with every so many-th group of `each` terms.
struct Shares {
  std::size_t lanes = 1, each = 1;
};

/// So many of the threads have terms, or as many more as make their tree of pairs a power of two and no less
/// than a warp: the totals of all others are 0 and change none that they meet.
std::size_t busy_lanes(const Shares& shares, std::size_t terms) {
  const std::size_t used = (terms + shares.each - 1) / shares.each;
  std::size_t lanes = shares.lanes;
  while (lanes > kWarpSize && lanes / 2 >= used) lanes /= 2;
  return lanes;
}

/// Calls f(lane, term) for each term, in order. Without a division: it is asked of long sums, many times
/// over.
template <class F>
void each_share(std::size_t terms, const Shares& shares, F f) {
  std::size_t lane = 0;
  for (std::size_t first = 0; first < terms; first += shares.each) {
    const std::size_t end = std::min(first + shares.each, terms);
    for (std::size_t k = first; k < end; ++k) f(lane, k);
    if (++lane == shares.lanes) lane = 0;
  }
}

/// In which pairs threads' totals meet.
enum class Meeting { warps_first, halves };

/// `round` is what becomes of each new total, `handed` of the one that comes from another thread.
double met(std::vector<double>& totals, Meeting meeting, Round round, Round handed) {
  const auto halve = [&](std::size_t from, std::size_t count, std::size_t stride) {
    for (std::size_t half = count / 2; half > 0; half /= 2)
      for (std::size_t l = 0; l < half; ++l) {
        double& total = totals[from + l * stride];
        total = round(total + handed(totals[from + (l + half) * stride]));
      }
  };
  if (meeting == Meeting::halves || totals.size() <= kWarpSize) {
    halve(0, totals.size(), 1);
  } else {
    for (std::size_t warp = 0; warp < totals.size(); warp += kWarpSize) halve(warp, kWarpSize, 1);
    halve(0, totals.size() / kWarpSize, kWarpSize);
  }
  return totals[0];
}

/// `terms` and all totals that threads keep are rounded, and where they meet, by `last`.
double narrow_total(std::span<const double> terms, Shares shares, Round term, Round total, Meeting meeting,
                    Round last) {
  std::vector<double> totals(busy_lanes(shares, terms.size()), 0);
  each_share(terms.size(), shares,
             [&](std::size_t lane, std::size_t k) { totals[lane] = total(totals[lane] + term(terms[k])); });
  return met(totals, meeting, last, as_it_is);
}

std::vector<Shares> ways_to_share() {
  std::vector<Shares> all = {{1, 1}};
  for (const std::size_t lanes : {32, 64, 128, 256, 512, 1024})
    for (const std::size_t each : {1, 4}) all.push_back({lanes, each});
  return all;
}

/// A product or a function of one number, of numbers that were rounded before; -1 where it is neither.
int of_narrow_factors(Edit& edit, int at, Round round) {
  Node made = edit.node(at);
  if (made.op != Op::multiply && made.op != Op::apply) return -1;
  for (int* operand : {&made.a, &made.b}) {
    if (*operand < 0) continue;
    Node rounded;
    rounded.op = Op::apply;
    rounded.a = *operand;
    rounded.write = "{}";
    rounded.apply = round;
    *operand = edit.add(std::move(rounded));
  }
  made.name.clear();
  return edit.add(std::move(made));
}

/// What is lost depends on the order of the terms, so that the orders are tried which people write.
void keep_fold(const Formula& formula, const std::vector<int>& sums, Round factor,
               const decltype(Node::fold)& fold, const std::string& says, std::vector<Change>& changes) {
  Edit edit(formula);
  for (const int at : sums) {
    if (factor != as_it_is) edit.node(at).a = of_narrow_factors(edit, edit.node(at).a, factor);
    if (edit.node(at).a < 0) return;
    edit.node(at).fold = fold;
    edit.changes(at);
  }
  const std::size_t before = changes.size();
  keep_change(formula, std::move(edit), says, 43, changes);
  if (changes.size() > before) changes.back().rounds = changes.back().totals = true;
}

/// A total that is kept in a type with few digits, or two of them.
void kept_narrow(const Formula& formula, const std::vector<int>& sums, const Kept& kept,
                 std::vector<Change>& changes) {
  const std::string says =
      sums.size() == 1
          ? fmt::format("the {} is kept in {} while it is added up", formula.text(sums[0]), kept.name)
          : fmt::format("the {} and the {} are each kept in {} while they are added up",
                        formula.text(sums[0]), formula.text(sums[1]), kept.name);
  for (const Shares& shares : ways_to_share())
    for (const Round term : {as_it_is, kept.round})
      for (const Round last : {as_it_is, kept.round})
        for (const Meeting meeting : {Meeting::warps_first, Meeting::halves}) {
          const bool pairs_matter = last != as_it_is && shares.lanes > 32;
          if (shares.lanes == 1 && last != as_it_is) continue;
          if (meeting == Meeting::halves && !pairs_matter) continue;
          const auto fold = [=, round = kept.round](std::span<const double> terms, double) {
            return narrow_total(terms, shares, term, round, meeting, last);
          };
          for (const Round factor : {as_it_is, kept.round})
            keep_fold(formula, sums, factor, fold, says, changes);
        }
}

/// The sum along the same axis that comes next, as that of squares does behind a mean's; -1: there is none.
int next_sum(const Formula& formula, int at) {
  const Node& sum = formula.nodes[static_cast<std::size_t>(at)];
  for (auto next = static_cast<std::size_t>(at) + 1; next < formula.nodes.size(); ++next)
    if (formula.nodes[next].op == Op::sum && formula.nodes[next].axis == sum.axis)
      return static_cast<int>(next);
  return -1;
}

/// Threads' totals that are rounded where one hands its own to another.
void handed_narrow(const Formula& formula, int at, const Kept& kept, std::vector<Change>& changes) {
  for (const Shares& shares : ways_to_share())
    for (const Meeting meeting : {Meeting::warps_first, Meeting::halves}) {
      if (shares.lanes == 1 || (shares.lanes <= 32 && meeting == Meeting::halves)) continue;
      const auto fold = [=, round = kept.round](std::span<const double> terms, double) {
        std::vector<double> totals(busy_lanes(shares, terms.size()), 0);
        each_share(terms.size(), shares, [&](std::size_t lane, std::size_t k) { totals[lane] += terms[k]; });
        return met(totals, meeting, as_it_is, round);
      };
      keep_fold(formula, {at}, as_it_is, fold,
                fmt::format("parts of the {} are rounded to {} where threads hand them to each other",
                            formula.text(at), kept.name),
                changes);
    }
}

/// The total of each warp is rounded, and only that: it waits for the others in an array of another type.
void narrow_between_warps(const Formula& formula, int at, const Kept& kept, std::vector<Change>& changes) {
  constexpr std::size_t kWarp = 32;
  for (const Shares& shares : ways_to_share()) {
    if (shares.lanes < kWarp) continue;
    const auto fold = [=, round = kept.round](std::span<const double> terms, double) {
      std::vector<double> of_warp(shares.lanes / kWarp, 0);
      each_share(terms.size(), shares,
                 [&](std::size_t lane, std::size_t k) { of_warp[lane / kWarp] += terms[k]; });
      double total = 0;
      for (const double part : of_warp) total += round(part);
      return total;
    };
    keep_fold(formula, {at}, as_it_is, fold,
              fmt::format("the parts of the {} that warps have added up are kept in {}", formula.text(at),
                          kept.name),
              changes);
  }
}

/// What the whole sum is multiplied with or divided by once, it is again and again while it is added up.
void scaled_on_the_way(const Formula& formula, int at, std::vector<Change>& changes) {
  const Node& node = formula.nodes[static_cast<std::size_t>(at)];
  const bool divides = node.op == Op::divide;
  if (!divides && node.op != Op::multiply) return;
  for (const int slot : {0, 1}) {
    const int of = operand_of(formula, at, slot), by = operand_of(formula, at, 1 - slot);
    const Node& sum = formula.nodes[static_cast<std::size_t>(of)];
    if (sum.op != Op::sum || !formula.nodes[static_cast<std::size_t>(by)].axes.empty()) continue;
    if (divides && slot == 1) continue;
    for (const std::size_t tile : {1, 4, 8, 16, 32, 64, 128}) {
      Edit edit(formula);
      Node scaled = sum;
      scaled.name.clear();
      scaled.b = by;
      scaled.fold = [tile, divides](std::span<const double> terms, double factor) {
        double total = 0;
        for (std::size_t k = 0; k < terms.size(); ++k) {
          total += terms[k];
          if ((k + 1) % tile == 0 || k + 1 == terms.size()) total = divides ? total / factor : total * factor;
        }
        return total;
      };
      edit.become(at, edit.add(std::move(scaled)));
      const std::string each = tile == 1 ? sum.axis : fmt::format("tile of {} {}s", tile, sum.axis);
      keep_change(formula, std::move(edit),
                  fmt::format("the {} so far is {} {} after each {} and not once", formula.text(of),
                              divides ? "divided by" : "multiplied with", formula.text(by), each),
                  70, changes);
    }
  }
}

}  // namespace

void change_totals(const Formula& formula, std::vector<Change>& changes) {
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at) {
    if (formula.nodes[static_cast<std::size_t>(at)].op == Op::sum) {
      for (const Kept& kept : kKept) {
        kept_narrow(formula, {at}, kept, changes);
        handed_narrow(formula, at, kept, changes);
        narrow_between_warps(formula, at, kept, changes);
      }
      kept_narrow(formula, {at}, kInt, changes);
      if (const int next = next_sum(formula, at); next > at) kept_narrow(formula, {at, next}, kInt, changes);
      narrow_between_warps(formula, at, kInt, changes);
    }
    scaled_on_the_way(formula, at, changes);
  }
}

}  // namespace fusebox::patterns
