#include "grader/judge/patterns/recompute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>

#include "grader/judge/patterns/changes.h"
#include "grader/judge/patterns/facts.h"
#include "grader/judge/patterns/names.h"

namespace fusebox::patterns {
namespace {

/// One case, with the values of the formula as it should be.
struct Prepared {
  const CaseOutputs* which = nullptr;
  std::vector<std::size_t> right_sizes;
  std::unique_ptr<Evaluation> base;
};

/// How what came compares with what a change makes of it.
struct Match {
  bool refuted = false;
  std::int64_t telling = 0;
  double error = 0;  ///< sum over telling elements of |got - predicted| / allowed
};

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
  std::int64_t missed = 0, wrong = 0, silent = 0;
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
      silent += is_wrong;
      continue;
    }
    if (!std::isfinite(p) || !std::isfinite(g)) {
      if (std::isfinite(g) != std::isfinite(p) && ++missed >= 0) match.refuted = true;
      if (match.refuted) return;
      continue;
    }
    // Of a right case it is known only that it was within the tolerance.
    const double allowed = wrong_case ? allowed_at(p) : 2 * allowed_at(p);
    if (std::abs(g - p) > allowed && !(std::abs(g - p) <= near && std::abs(g - p) <= errors.around(p, i))) {
      ++missed;
      if (one_in == 0 || missed * one_in > static_cast<std::int64_t>(predicted.size())) {
        match.refuted = true;
        return;
      }
      continue;
    }
    if (std::abs(p - e) > 4 * std::max(allowed_at(e), std::abs(g - p))) {
      ++match.telling;
      match.error += std::min(1.0, std::abs(g - p) / allowed);
    }
  }
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

struct Survivor {
  const Change* change = nullptr;
  std::int64_t telling = 0;
  double error = 0;
};

/// Was an element of a wrong case never written? A formula gives every element a value, so that no change of
/// it is the answer, and none has to be worked out.
bool leaves_out(const Prepared& prepared, const Formula& formula, const std::string& only) {
  if (!prepared.which->wrong) return false;
  for (const WrongOutput& output : prepared.which->outputs) {
    const bool asked = (only.empty() || output.tensor.name == only) &&
                       std::any_of(formula.outputs.begin(), formula.outputs.end(),
                                   [&](const auto& known) { return known.first == output.tensor.name; });
    for (std::size_t i = 0; asked && i < output.written.size(); ++i)
      if (!output.written[i] && !output.tensor.is_overlooked(static_cast<std::int64_t>(i))) return true;
  }
  return false;
}

std::vector<Survivor> survivors(const Formula& formula, const std::vector<Change>& changes,
                                const std::vector<Prepared>& cases, const std::string& only) {
  std::vector<Survivor> found;
  if (std::any_of(cases.begin(), cases.end(),
                  [&](const Prepared& prepared) { return leaves_out(prepared, formula, only); }))
    return found;
  for (const Change& change : changes) {
    Survivor survivor{&change, 0, 0};
    bool refuted = false;
    for (std::size_t i = 0; i < cases.size() && !refuted; ++i) {
      const Match match = compare_case(cases[i], change, only);
      refuted = match.refuted;
      survivor.telling += match.telling;
      survivor.error += match.error;
    }
    if (!refuted && survivor.telling >= kMinEvidence) found.push_back(survivor);
  }
  for (Survivor& survivor : found) survivor.error /= static_cast<double>(survivor.telling);
  double least = HUGE_VAL;
  for (const Survivor& survivor : found) least = std::min(least, survivor.error);
  // Where one is met as exactly as floats can be, another that is only within the tolerance is not it.
  std::erase_if(found, [&](const Survivor& survivor) { return survivor.error > 4 * least + 0.02; });
  std::stable_sort(found.begin(), found.end(),
                   [](const Survivor& a, const Survivor& b) { return a.change->weight > b.change->weight; });
  return found;
}

/// Do both make the same numbers in all cases, beside what the mistake makes of them? Then they are one
/// thing, said in two ways; or a small number and none at all.
bool same_numbers(const Change& a, const Change& b, const std::vector<Prepared>& cases) {
  // Narrow types often round to the same values and are not the same; but totals of one term each are terms.
  if (a.rounds && b.rounds && a.totals == b.totals) return false;
  const double kSame = a.rounds && b.rounds ? 0 : 1e-3;
  double apart = 0, wrong = 0;
  for (const Prepared& prepared : cases) {
    const Bindings& bindings = prepared.which->bindings;
    const Evaluation first(a.formula, bindings, prepared.base.get(), a.changed),
        second(b.formula, bindings, prepared.base.get(), b.changed);
    for (std::size_t output = 0; output < a.formula.outputs.size(); ++output) {
      const auto &v = first[a.formula.outputs[output].second], &w = second[b.formula.outputs[output].second];
      for (const WrongOutput& right : prepared.which->outputs) {
        if (right.tensor.name != a.formula.outputs[output].first) continue;
        for (std::size_t i = 0; i < v.size() && i < right.tensor.expected.size(); ++i) {
          if (!std::isfinite(v[i]) || !std::isfinite(w[i]) ||
              right.tensor.is_overlooked(static_cast<std::int64_t>(i)))
            continue;
          apart += (v[i] - w[i]) * (v[i] - w[i]);
          wrong += (v[i] - right.tensor.expected[i]) * (v[i] - right.tensor.expected[i]);
        }
      }
    }
  }
  return apart <= kSame * kSame * wrong;
}

bool is_wrong(const WrongOutput& output) {
  const Facts facts(output);
  return facts.bad() > 0;
}

std::vector<std::string> wrong_outputs(std::span<const CaseOutputs> cases) {
  std::vector<std::string> names;
  for (const CaseOutputs& each : cases)
    for (const WrongOutput& output : each.outputs)
      if (each.wrong && std::find(names.begin(), names.end(), output.tensor.name) == names.end() &&
          is_wrong(output))
        names.push_back(output.tensor.name);
  return names;
}

/// Has this output two answers only? Then each wrong element is the other one, whatever the mistake is, and
/// by itself it proves none.
bool one_of_two(std::span<const CaseOutputs> cases, const std::string& name) {
  std::set<double> answers;
  for (const CaseOutputs& each : cases)
    for (const WrongOutput& output : each.outputs)
      if (output.tensor.name == name)
        for (const double v : output.tensor.expected)
          if (answers.insert(v).second && answers.size() > 2) return false;
  return true;
}

constexpr std::size_t kMaxSaid = 3;

}  // namespace

std::string Recomputed::sentence() const {
  std::vector<std::string> names;
  for (const std::string& name : outputs) names.push_back(fmt::format("`{}`", name));
  return fmt::format("{} {} exactly what comes out when {}{}.", listed(names),
                     names.size() > 1 ? "are" : "is", fmt::join(whens, ", or when "),
                     whens.size() > 1 ? ": the cases cannot tell which" : "");
}

std::string Recomputed::evidence() const {
  return fmt::format("equal in {0} of {0} wrong cases, in {1} elements that are not the right answer", cases,
                     telling);
}

std::optional<Recomputed> recompute(const Formula& formula, std::span<const CaseOutputs> cases) {
  std::vector<Prepared> prepared;
  std::size_t wrong_cases = 0;
  for (const CaseOutputs& each : cases) {
    wrong_cases += each.wrong;
    prepared.push_back({&each, {}, std::make_unique<Evaluation>(formula, each.bindings)});
  }
  if (formula.empty() || wrong_cases == 0) return std::nullopt;
  // Small wrong ones refute most, soonest.
  const auto size = [](const Prepared& p) {
    std::size_t count = p.which->wrong ? 0 : std::size_t{1} << 40;
    for (const WrongOutput& output : p.which->outputs) count += output.got.size();
    return count;
  };
  std::stable_sort(prepared.begin(), prepared.end(),
                   [&](const Prepared& a, const Prepared& b) { return size(a) < size(b); });
  const std::vector<Change> changes = changes_of(formula);
  const std::vector<std::string> wrong = wrong_outputs(cases);
  std::vector<std::string> asked = {""};
  if (wrong.size() > 1 || formula.outputs.size() > 1)
    std::copy_if(wrong.begin(), wrong.end(), std::back_inserter(asked),
                 [&](const std::string& name) { return wrong.size() == 1 || !one_of_two(cases, name); });
  for (const std::string& only : asked) {
    const auto found = survivors(formula, changes, prepared, only);
    if (found.empty()) continue;
    Recomputed result;
    result.outputs = only.empty() ? wrong : std::vector{only};
    result.telling = found.front().telling;
    result.cases = wrong_cases;
    std::vector<const Change*> said;
    for (const Survivor& survivor : found) {
      const bool known = std::any_of(said.begin(), said.end(), [&](const Change* other) {
        return other->when == survivor.change->when || same_numbers(*other, *survivor.change, prepared);
      });
      if (known || said.size() == kMaxSaid) continue;
      said.push_back(survivor.change);
      result.whens.push_back(survivor.change->when);
    }
    return result;
  }
  return std::nullopt;
}

}  // namespace fusebox::patterns
