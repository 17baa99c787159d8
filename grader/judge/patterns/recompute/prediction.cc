#include "grader/judge/patterns/recompute/prediction.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace fusebox::patterns {
namespace {

/// Values grow and their rounding errors with them.
double growth(const Tensor& tensor, const std::vector<double>& predicted) {
  double made = 0, right = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    if (!std::isfinite(predicted[i]) || tensor.is_overlooked(static_cast<std::int64_t>(i))) continue;
    made += predicted[i] * predicted[i], right += tensor.expected[i] * tensor.expected[i];
  }
  return made > right && right > 0 ? std::sqrt(made / right) : 1;
}

/// Of values that are rounded to a narrow type one in so many may lie between two of them; of totals that are
/// rounded again and again, more.
constexpr std::int64_t kMayRoundOtherwise = 30, kTotalMayRoundOtherwise = 8;
std::int64_t may_round_otherwise(const Change& change) {
  return change.totals ? kTotalMayRoundOtherwise : change.rounds ? kMayRoundOtherwise : 0;
}

/// What floats may make of a value beyond the tolerance, where a changed formula takes nearly equal numbers
/// from each other: found by rounding at random, no more often than it takes to explain what is asked about.
class FloatErrors {
 public:
  FloatErrors(const Formula& formula, const Bindings& bindings, int node)
      : formula_(formula), bindings_(bindings), node_(node) {}
  /// May a float be so far from `value`, the element as doubles make it?
  bool explain(double miss, double value, std::size_t i) {
    constexpr std::size_t kSamples = 4;
    constexpr double kTimes = 8;
    for (std::size_t k = 0; k < kSamples; ++k) {
      if (k == samples_.size()) {
        Evaluation values(formula_, bindings_);
        values.jitter(k + 1);
        samples_.push_back(values[node_]);
      }
      if (miss <= kTimes * std::abs(samples_[k][i] - value)) return true;
    }
    return false;
  }

 private:
  const Formula& formula_;
  const Bindings& bindings_;
  int node_;
  std::vector<std::vector<double>> samples_;
};
/// What a miss may be, as a part of the values' size, to look at what floats make of it.
constexpr double kNearMiss = 1e-3;

double root_mean_square(const std::vector<double>& values) {
  double squares = 0, count = 0;
  for (const double v : values)
    if (std::isfinite(v)) squares += v * v, count += 1;
  return count > 0 ? std::sqrt(squares / count) : 0;
}

/// Near misses that the change leaves where the right answer is: what floats may make of that, the tolerance
/// knows. So many of them, and more than of the others, are not explained by it. Without this an answer whose
/// errors are all small would speak against hardly any change, and each would be worked out in every case.
constexpr std::size_t kUnmovedMisses = 8;
bool leaves_misses(std::size_t unmoved, std::size_t misses) {
  return unmoved >= kUnmovedMisses && 2 * unmoved > misses;
}

/// Wrong elements to which the change comes no nearer than the right answer is: where they are most of the
/// wrong ones, floats need not be worked out to see that it explains nothing.
bool explains_little(std::size_t no_nearer, std::int64_t wrong) {
  return no_nearer >= kUnmovedMisses && 2 * no_nearer > static_cast<std::size_t>(wrong);
}

/// More than the one in so many that may be missed?
bool too_many(std::int64_t missed, std::int64_t one_in, const WrongOutput& output) {
  return one_in == 0 ? missed > 0 : missed * one_in > static_cast<std::int64_t>(output.got.size());
}

/// Of a change that makes no numbers: are there none where it makes none, and the right ones elsewhere?
void compare_not_finite(const WrongOutput& output, const std::vector<double>& predicted, bool wrong_case,
                        Match& match) {
  const Tensor& tensor = output.tensor;
  match.refuted = predicted.size() != output.got.size() || predicted.size() != tensor.expected.size();
  for (std::size_t i = 0; i < predicted.size() && !match.refuted; ++i) {
    const double allowed =
        tensor.tolerance.absolute + (tensor.tolerance.relative + 0x1p-22) * std::abs(tensor.expected[i]);
    const bool written = i >= output.written.size() || output.written[i];
    const bool none = wrong_case && !std::isfinite(output.got[i]);
    match.refuted = !written || none == std::isfinite(predicted[i]) ||
                    (!none && !(std::abs(output.got[i] - predicted[i]) <= 2 * allowed));
    match.telling += none;
  }
}

void compare_output(const WrongOutput& output, const std::vector<double>& predicted, bool wrong_case,
                    std::int64_t one_in, NearMisses& near_misses, Match& match) {
  const Tensor& tensor = output.tensor;
  if (predicted.size() != output.got.size() || predicted.size() != tensor.expected.size()) {
    match.refuted = true;
    return;
  }
  const double absolute = tensor.tolerance.absolute * growth(tensor, predicted);
  const double near = kNearMiss * root_mean_square(predicted);
  std::int64_t wrong = 0, silent = 0;
  std::size_t unmoved = 0, no_nearer = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    if (tensor.is_overlooked(static_cast<std::int64_t>(i))) continue;
    const double p = predicted[i], g = output.got[i], e = tensor.expected[i];
    if (i < output.written.size() && !output.written[i]) {
      match.refuted = true;
      return;
    }
    const auto allowed_at = [&](double value) {
      return absolute + (tensor.tolerance.relative + 0x1p-22) * std::abs(value);
    };
    const bool is_wrong = !(std::abs(g - e) <= allowed_at(e));
    wrong += is_wrong;
    if (std::isnan(p)) {
      silent += is_wrong && std::isfinite(g);
      continue;
    }
    if (!std::isfinite(p) || !std::isfinite(g)) {
      match.refuted = std::isfinite(g) != std::isfinite(p);
      if (match.refuted) return;
      continue;
    }
    // Of a right case it is known only that it was within the tolerance.
    const double allowed = wrong_case ? allowed_at(p) : 2 * allowed_at(p);
    if (std::abs(g - p) > allowed) {
      if (std::abs(g - p) <= near) {
        near_misses.elements.push_back(i);
        near_misses.predicted.push_back(p);
        constexpr double kHardly = 1.0 / 16;
        unmoved += std::abs(p - e) <= kHardly * allowed_at(e);
        no_nearer += wrong_case && is_wrong && 2 * std::abs(g - p) > std::abs(g - e);
      } else if (match.refuted = too_many(++near_misses.missed, one_in, output); match.refuted) {
        return;
      }
      if (one_in > 0) continue;
    }
    if (std::abs(p - e) > 4 * std::max(allowed_at(e), std::abs(g - p))) {
      ++match.telling;
      match.error += std::min(1.0, std::abs(g - p) / allowed);
    }
  }
  // What is said of half of the wrong elements explains too little.
  if (5 * silent > wrong || leaves_misses(unmoved, near_misses.elements.size()) ||
      explains_little(no_nearer, wrong))
    match.refuted = true;
}

/// Values of 8 digits that were rounded once more on their way: within the tolerance of the right ones or
/// nearly, but known to the last digit.
void compare_bf16(const WrongOutput& output, const std::vector<double>& predicted, bool wrong_case,
                  Match& match) {
  const Tensor& tensor = output.tensor;
  match.refuted = predicted.size() != output.got.size() || predicted.size() != tensor.expected.size();
  std::int64_t missed = 0;
  for (std::size_t i = 0; i < predicted.size() && !match.refuted; ++i) {
    const double p = to_bf16(predicted[i]), e = tensor.expected[i];
    const double allowed = tensor.tolerance.absolute + tensor.tolerance.relative * std::abs(e);
    if (!wrong_case)
      match.refuted = !(std::abs(p - e) <= 2 * allowed);
    else if ((i < output.written.size() && !output.written[i]) || !std::isfinite(p))
      match.refuted = true;
    else if (output.got[i] != p)
      match.refuted = ++missed * kMayRoundOtherwise > static_cast<std::int64_t>(predicted.size());
    else
      match.telling += p != to_bf16(e);
  }
}

}  // namespace

Match compare_case(const Prepared& prepared, const Change& change, const std::string& only) {
  Match match;
  const Evaluation values(change.formula, prepared.which->bindings, prepared.base.get(), change.changed);
  std::vector<std::pair<const WrongOutput*, int>> asked;  // with the node of each
  for (const WrongOutput& output : prepared.which->outputs)
    for (const auto& [name, node] : change.formula.outputs)
      if (name == output.tensor.name && (only.empty() || only == name)) asked.emplace_back(&output, node);
  // Small ones, which others are often made of, refute as much for less.
  std::stable_sort(asked.begin(), asked.end(),
                   [](const auto& a, const auto& b) { return a.first->got.size() < b.first->got.size(); });
  for (const auto& [output, node] : asked) {
    if (match.refuted) break;
    if (change.rounds && output->tensor.dtype == DType::bf16) {
      compare_bf16(*output, values[node], prepared.which->wrong, match);
      continue;
    }
    if (change.not_finite) {
      compare_not_finite(*output, values[node], prepared.which->wrong, match);
      continue;
    }
    NearMisses near_misses{output, node, {}, {}, 0};
    compare_output(*output, values[node], prepared.which->wrong, may_round_otherwise(change), near_misses,
                   match);
    if (!near_misses.elements.empty()) match.near_misses.push_back(std::move(near_misses));
  }
  return match;
}

bool stands(const Prepared& prepared, const Change& change, const Match& match) {
  const std::int64_t one_in = may_round_otherwise(change);
  for (const NearMisses& near : match.near_misses) {
    const WrongOutput& output = *near.output;
    const auto could_miss = near.missed + static_cast<std::int64_t>(near.elements.size());
    if (!too_many(could_miss, one_in, output)) continue;
    FloatErrors errors(change.formula, prepared.which->bindings, near.node);
    std::int64_t missed = near.missed;
    for (std::size_t k = 0; k < near.elements.size(); ++k) {
      const std::size_t i = near.elements[k];
      const double p = near.predicted[k];
      missed += !errors.explain(std::abs(output.got[i] - p), p, i);
      if (too_many(missed, one_in, output)) return false;
    }
  }
  return true;
}

}  // namespace fusebox::patterns
