#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "grader/judge/patterns/changes/changes.h"
#include "grader/report/hardware.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;

/// What is known of some values: how many they are, their mean, and the sum of their squares around it.
struct Moments {
  double count = 0, mean = 0, squares = 0;
};

/// What a merge of `a` and `b`, `apart` between their means, adds to the squares of both.
using Between = double (*)(const Moments& a, const Moments& b, double apart);

struct WrongMerge {
  const char* says;
  Between between;
};
/// Right is apart^2 a.count b.count / (a.count + b.count).
constexpr WrongMerge kWrongMerges[] = {
    {"is not divided by how many values both have",
     [](auto& a, auto& b, auto apart) { return apart * apart * a.count * b.count; }},
    {"takes how many values both have where it should take how many one has, as when that count is changed first",
     [](auto&, auto& b, auto apart) { return apart * apart * b.count; }},
    {"is divided twice by how many values both have",
     [](auto& a, auto& b, auto apart) {
       const double both = a.count + b.count;
       return apart * apart * a.count * b.count / (both * both);
     }},
    {"has no square of the distance",
     [](auto& a, auto& b, auto apart) { return apart * a.count * b.count / (a.count + b.count); }},
    {"is left out", [](auto&, auto&, auto) { return 0.0; }},
};

Moments merged(const Moments& a, const Moments& b, Between between) {
  if (b.count == 0) return a;
  if (a.count == 0) return b;
  const double both = a.count + b.count, apart = b.mean - a.mean;
  return {both, a.mean + apart * b.count / both, a.squares + b.squares + between(a, b, apart)};
}

/// Who has which values: `lanes` threads, each with every so many-th group of `each`; their parts meet in
/// warps first, then those of the warps, over halves or over neighbours first.
struct Merging {
  std::size_t lanes, each;
  bool halves;
};

/// `lanes` of it: the threads that share a row are those of the block, or one of its warps where it is four
/// of them, and have float4s where rows are of whole ones.
constexpr std::size_t kAsLaunched = 0;
constexpr std::size_t kGroups[] = {32, 64, 128, 256, 512, 1024};

Merging as_launched(Merging how, std::size_t values, double block) {
  const auto threads = static_cast<std::size_t>(block);
  how.lanes = threads == std::size_t{4} * kWarpSize ? kWarpSize : threads;
  how.each = values % 4 == 0 ? 4 : 1;
  return how;
}

std::string threads_text(std::size_t lanes) {
  return lanes == kAsLaunched ? "the threads that share a row" : fmt::format("{} threads", lanes);
}

/// Lets a sum be added up as its threads do; `fold` is given the values and who has which.
template <class Fold>
void fold_as_launched(Edit& edit, int at, const Merging& how, Fold fold) {
  if (how.lanes == kAsLaunched) {
    Node threads;
    threads.op = Op::number;
    threads.name = kThreadsOfABlock;
    edit.node(at).b = edit.add(std::move(threads));
  }
  edit.node(at).fold = [=](std::span<const double> values, double block) {
    if (how.lanes != kAsLaunched) return fold(values, how);
    if (!(block >= 1)) return std::nan("");  // not known, or not of the same number
    const Merging now = as_launched(how, values.size(), block);
    return (now.lanes & (now.lanes - 1)) == 0 ? fold(values, now) : std::nan("");
  };
}

/// What comes to `parts[0]` where two are made one by `merge`.
template <class Merge>
Moments met(std::span<Moments> parts, bool halves, Merge merge) {
  const std::size_t n = parts.size();  // a power of two
  for (std::size_t step = 1; step < n; step *= 2) {
    const std::size_t distance = halves ? n / 2 / step : step;
    const std::size_t end = halves ? std::min(distance, n - distance) : n - std::min(n, distance);
    for (std::size_t l = 0; l < end; l += halves ? 1 : 2 * distance)
      parts[l] = merge(parts[l], parts[l + distance]);
  }
  return parts[0];
}
Moments met(std::span<Moments> parts, bool halves, Between between) {
  return met(parts, halves, [&](const Moments& a, const Moments& b) { return merged(a, b, between); });
}

/// What one value more adds to the squares, `before` and `after` from the mean without it and with it.
using Step = double (*)(double before, double after);
double right_step(double before, double after) { return before * after; }
double right_between(const Moments& a, const Moments& b, double apart) {
  return apart * apart * a.count * b.count / (a.count + b.count);
}

struct WrongStep {
  const char* says;
  Step step;
  bool begins_with_first = false;  ///< whose mean is the first value, which adds nothing
};
constexpr const char* kDistanceBefore =
    "the distance of each value from the mean of those before it is squared, which Welford multiplies by its distance from the mean with it";
constexpr WrongStep kWrongSteps[] = {
    {kDistanceBefore, [](double before, double) { return before * before; }},
    {kDistanceBefore, [](double before, double) { return before * before; }, true},
    {"the distance of each value from the running mean, of the values so far and not of all, is squared",
     [](double, double after) { return after * after; }},
};

/// What each of `parts` knows, which have every so many-th group of `each`.
std::vector<Moments> moments_of(std::span<const double> values, std::size_t parts, std::size_t each,
                                const WrongStep& how = {nullptr, right_step}) {
  std::vector<Moments> of(parts);
  for (std::size_t k = 0; k < values.size(); ++k) {
    Moments& mine = of[k / each % parts];
    const double apart = values[k] - mine.mean;
    mine.mean += apart / ++mine.count;
    if (mine.count == 1 && how.begins_with_first) continue;
    mine.squares += how.step(apart, values[k] - mine.mean);
  }
  return of;
}

double squares_of(std::span<const double> values, const Merging& how, const WrongStep& step,
                  Between between) {
  std::vector<Moments> parts = moments_of(values, how.lanes, how.each, step);
  const std::size_t warp = std::min<std::size_t>(how.lanes, kWarpSize);
  std::vector<Moments> warps;
  for (std::size_t first = 0; first < parts.size(); first += warp)
    warps.push_back(met(std::span(parts).subspan(first, warp), how.halves, between));
  return met(warps, how.halves, between).squares;
}

/// What has the mean of the means of parts for its mean, where `parts` have every so many-th group of `each`:
/// of those that have values, or of all.
double sum_by_means(std::span<const double> values, std::size_t parts, std::size_t each, bool all) {
  double sum = 0, count = 0;
  for (const Moments& mine : moments_of(values, parts, each))
    sum += mine.mean, count += all || mine.count > 0;
  return count > 0 ? sum / count * static_cast<double>(values.size()) : 0;
}

/// The moments of `lanes` threads, each with every so many-th group of `each`, merged as if all of them had
/// as many values: those without any are a mean of 0.
Moments merged_as_equals(std::span<const double> values, std::size_t lanes, std::size_t each) {
  const std::vector<Moments> parts = moments_of(values, lanes, each);
  Moments all;
  for (const Moments& mine : parts) all.mean += mine.mean / static_cast<double>(lanes);
  for (const Moments& mine : parts) {
    const double apart = mine.mean - all.mean;
    all.squares +=
        mine.squares + apart * apart * static_cast<double>(values.size()) / static_cast<double>(lanes);
  }
  return all;
}

/// The same, where each takes the other for as many as it has itself.
Moments merged_as_own(std::span<const double> values, const Merging& how) {
  std::vector<Moments> parts = moments_of(values, how.lanes, how.each);
  return met(parts, how.halves, [](const Moments& a, const Moments& b) {
    const double apart = b.mean - a.mean;
    return Moments{2 * a.count, (a.mean + b.mean) / 2, a.squares + b.squares + apart * apart * a.count / 2};
  });
}

/// `at`: the sum of squares around a mean.
void merge_as_equals(const Formula& formula, int at, std::vector<Change>& changes) {
  const auto node = [&](int i) -> const Node& { return formula.nodes[static_cast<std::size_t>(i)]; };
  const int apart = node(node(at).a).a, mean = node(apart).b;
  if (node(mean).op != Op::divide || node(node(mean).a).op != Op::sum || node(node(mean).a).weight) return;
  const int sum = node(mean).a;
  const auto add = [&](std::size_t lanes, const char* how, auto moments) {
    Edit edit(formula);
    edit.node(at).a = node(apart).a;
    edit.node(at).fold = [=](std::span<const double> values, double) { return moments(values).squares; };
    edit.node(sum).fold = [=](std::span<const double> values, double) {
      return moments(values).mean * static_cast<double>(values.size());
    };
    edit.changes(sum);
    edit.changes(at);
    keep_change(formula, std::move(edit),
                fmt::format("what {} threads know of {} is merged as if {}, and some may have none", lanes,
                            sum_text(formula, at), how),
                75, changes);
  };
  for (const std::size_t lanes : kGroups)
    for (const std::size_t each : {1, 4}) {
      add(lanes, "all of them had as many values, though some have more than others",
          [=](std::span<const double> values) { return merged_as_equals(values, lanes, each); });
      for (const bool halves : {true, false})
        add(lanes, "the other's count were its own, though some have more values than others",
            [=](std::span<const double> values) {
              return merged_as_own(values, {lanes, each, halves});
            });
    }
}

/// The sums that are divided for a mean.
std::vector<int> sums_of_means(const Formula& formula) {
  const auto node = [&](int i) -> const Node& { return formula.nodes[static_cast<std::size_t>(i)]; };
  std::vector<int> sums;
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at) {
    const int sum = node(at).a;
    if (node(at).op == Op::divide && node(sum).op == Op::sum && !node(sum).weight &&
        node(node(at).b).op == Op::number)
      sums.push_back(sum);
  }
  return sums;
}

/// Means of parts count alike, though some are of more values than others.
void average_means(const Formula& formula, std::span<const int> sums, const std::string& whose,
                   std::vector<Change>& changes) {
  const auto add = [&](std::size_t parts, std::size_t each, const std::string& of) {
    for (const bool all : {false, true}) {
      Edit edit(formula);
      for (const int sum : sums) {
        fold_as_launched(edit, sum, {parts, each, true},
                         [all](std::span<const double> values, const Merging& how) {
                           return sum_by_means(values, how.lanes, how.each, all);
                         });
        edit.changes(sum);
      }
      keep_change(
          formula, std::move(edit),
          fmt::format(
              "{} the plain mean of the means of {}, though some of them have more values than others{}: each mean counts as often as it has values",
              whose, of, all ? ", and some may have none" : ""),
          60, changes);
    }
  };
  for (const std::size_t threads : kGroups)
    for (const std::size_t each : {1, 4}) add(threads, each, threads_text(threads));
  add(kAsLaunched, 0, threads_text(kAsLaunched));
  for (const std::size_t warps : {2, 4, 8, 16, 32})
    for (const std::size_t each : {kWarpSize, 4 * kWarpSize})
      add(warps, each, fmt::format("{} warps", warps));
}

}  // namespace

void change_moments(const Formula& formula, std::vector<Change>& changes) {
  const std::vector<int> sums = sums_of_means(formula);
  for (const int& sum : sums)
    average_means(formula, std::span(&sum, 1), owner_of(formula, sum) + " is", changes);
  if (sums.size() > 1) average_means(formula, sums, "each mean is", changes);
  const auto node = [&](int i) -> const Node& { return formula.nodes[static_cast<std::size_t>(i)]; };
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at) {
    if (node(at).op != Op::sum || node(node(at).a).function != &kSquare) continue;
    const int apart = node(node(at).a).a;
    if (node(apart).op != Op::subtract) continue;
    merge_as_equals(formula, at, changes);
    const std::string sum = sum_text(formula, at);
    const auto add = [&](const Merging& how, const WrongStep& step, Between between,
                         const std::string& says) {
      Edit edit(formula);
      edit.node(at).a = node(apart).a;
      fold_as_launched(edit, at, how, [=](std::span<const double> values, const Merging& now) {
        return squares_of(values, now, step, between);
      });
      edit.changes(at);
      keep_change(formula, std::move(edit), says, 70, changes);
    };
    std::vector<Merging> merges;
    for (const bool halves : {true, false}) {
      for (const std::size_t lanes : kGroups)
        for (const std::size_t each : {1, 4}) merges.push_back({lanes, each, halves});
      merges.push_back({kAsLaunched, 0, halves});
    }
    for (const Merging& how : merges)
      for (const WrongMerge& wrong : kWrongMerges)
        add(how, {nullptr, right_step}, wrong.between,
            fmt::format("the term for the distance of two means, where two parts of {} are merged, {}", sum,
                        wrong.says));
    // The order in which right merges are made changes nothing.
    for (const std::size_t lanes : {1, 32, 64, 128, 256, 512, 1024})
      for (const std::size_t each : {1, 4}) {
        if (lanes * each == 4) continue;  // one thread has all of them
        for (const WrongStep& wrong : kWrongSteps)
          add({lanes, each, true}, wrong, right_between, fmt::format("in {} {}", sum, wrong.says));
      }
  }
}

}  // namespace fusebox::patterns
