#include "grader/judge/patterns/prediction.h"

#include <algorithm>
#include <cmath>
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
/// from each other: found by rounding at random. Worked out only when it is asked for.
class FloatErrors {
 public:
  FloatErrors(const Formula& formula, const Bindings& bindings, int node)
      : formula_(formula), bindings_(bindings), node_(node) {}
  /// How far a float may be from `value`, the element as doubles make it.
  double around(double value, std::size_t i) {
    for (std::uint64_t seed = samples_.size() + 1; seed <= 4; ++seed) {
      Evaluation values(formula_, bindings_);
      values.jitter(seed);
      samples_.push_back(values[node_]);
    }
    double most = 0;
    for (const auto& sample : samples_) most = std::max(most, std::abs(sample[i] - value));
    return 8 * most;
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

void compare_output(const WrongOutput& output, const std::vector<double>& predicted, bool wrong_case,
                    std::int64_t one_in, FloatErrors& errors, Match& match) {
  const Tensor& tensor = output.tensor;
  if (predicted.size() != output.got.size() || predicted.size() != tensor.expected.size()) {
    match.refuted = true;
    return;
  }
  const double absolute = tensor.tolerance.absolute * growth(tensor, predicted);
  const double near = kNearMiss * root_mean_square(predicted);
  std::size_t missed = 0;
  std::int64_t wrong = 0, silent = 0;
  std::vector<std::size_t> near_misses;
  const auto too_many = [&](std::size_t count) {
    return static_cast<std::int64_t>(count) * one_in > static_cast<std::int64_t>(predicted.size());
  };
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
      const bool is_near = std::abs(g - p) <= near;
      if (one_in == 0 && !(is_near && std::abs(g - p) <= errors.around(p, i))) {
        match.refuted = true;
        return;
      }
      if (one_in > 0) {
        // What floats make of it is asked, at some expense, only where the answer decides.
        if (is_near)
          near_misses.push_back(i);
        else if (match.refuted = too_many(++missed); match.refuted)
          return;
        continue;
      }
    }
    if (std::abs(p - e) > 4 * std::max(allowed_at(e), std::abs(g - p))) {
      ++match.telling;
      match.error += std::min(1.0, std::abs(g - p) / allowed);
    }
  }
  if (one_in > 0 && too_many(missed + near_misses.size()))
    for (const std::size_t i : near_misses)
      missed += std::abs(output.got[i] - predicted[i]) > errors.around(predicted[i], i);
  if (one_in > 0 && too_many(missed)) match.refuted = true;
  // What is said of half of the wrong elements explains too little.
  if (5 * silent > wrong) match.refuted = true;
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
  for (const WrongOutput& output : prepared.which->outputs) {
    if (!only.empty() && output.tensor.name != only) continue;
    for (const auto& [name, node] : change.formula.outputs)
      if (name == output.tensor.name && !match.refuted) {
        if (change.rounds && output.tensor.dtype == DType::bf16) {
          compare_bf16(output, values[node], prepared.which->wrong, match);
          continue;
        }
        FloatErrors errors(change.formula, prepared.which->bindings, node);
        compare_output(output, values[node], prepared.which->wrong, may_round_otherwise(change), errors,
                       match);
      }
  }
  return match;
}

}  // namespace fusebox::patterns
