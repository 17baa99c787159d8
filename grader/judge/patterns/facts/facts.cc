#include "grader/judge/patterns/facts/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fusebox::patterns {
namespace {

/// Four roundings: what a value that is what it should be may be off by when the oracle allows nothing.
double rounding(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return 0x1p-22;
    case DType::bf16:
      return 0x1p-8;
    default:
      return 0;
  }
}

/// How often a value of another element would have done as well, from a sample that does not depend on order
/// of evaluation.
double chance_of(const Facts& facts, const Claim& claim) {
  const auto& wrong = facts.wrong();
  const std::size_t n = wrong.size(), step = std::max<std::size_t>(1, n / 61);
  std::int64_t hits = 0, tries = 0;
  for (std::size_t a = 0; a < n; a += step) {
    const std::int64_t i = wrong[a];
    const double predicted = claim.predicted[static_cast<std::size_t>(i)];
    if (std::isnan(predicted)) continue;
    const double scale = claim.scale.empty() ? 1 : claim.scale[static_cast<std::size_t>(i)];
    const double allowed = facts.allowed(i, predicted) * std::max(1.0, scale);
    for (std::size_t b = 0; b < n; b += step) {
      if (a == b) continue;
      const double value = claim.against_expected ? facts.expected(wrong[b]) : facts.got(wrong[b]);
      hits += std::abs(value - predicted) <= allowed;
      ++tries;
    }
  }
  if (tries == 0) return 1;
  // A sample without a hit does not say never.
  return std::max(static_cast<double>(hits), 0.5) / static_cast<double>(tries);
}

std::vector<double> laid_over(const Facts& facts, const NamedTensor& tensor, Overlay::Along along) {
  std::vector<double> values(static_cast<std::size_t>(facts.count()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto columns = static_cast<std::size_t>(facts.columns());
    values[i] = tensor.values[along == Overlay::Along::elements  ? i
                              : along == Overlay::Along::columns ? i % columns
                                                                 : i / columns];
  }
  return values;
}

}  // namespace

Facts::Facts(const WrongOutput& output) : output_(output), axes_(output.axes) {
  const Tensor& tensor = output.tensor;
  const std::size_t rank = tensor.shape.size();
  const std::size_t n = std::min(tensor.expected.size(), output.got.size());
  columns_ = rank == 0 ? 1 : tensor.shape.back();
  rows_ = columns_ > 0 ? static_cast<std::int64_t>(n) / columns_ : 0;
  if (axes_.size() != rank || rank == 0) {
    axes_.clear();
    for (std::size_t d = 0; d + 2 < rank; ++d) axes_.push_back(fmt::format("axis {} index", d));
    if (rank >= 2) axes_.push_back("row");
    axes_.push_back(rank <= 1 ? "element" : "column");
  }
  if (rank == 2) row_word_ = axes_[0];
  states_.resize(n, State::right);
  for (std::size_t i = 0; i < n; ++i) {
    const double e = tensor.expected[i], g = output.got[i];
    const double tolerance = tensor.tolerance.absolute + tensor.tolerance.relative * std::abs(e);
    if (i < output.written.size() && !output.written[i])
      states_[i] = State::unwritten;
    else if (std::abs(g - e) <= tolerance)
      states_[i] = State::right;
    else
      states_[i] = std::isfinite(g) && std::isfinite(e) ? State::wrong : State::not_finite;
    right_ += states_[i] == State::right;
    unwritten_ += states_[i] == State::unwritten;
    not_finite_ += states_[i] == State::not_finite;
    if (states_[i] == State::wrong) wrong_.push_back(static_cast<std::int64_t>(i));
  }
}

double Facts::allowed(std::int64_t i, double value) const {
  const Tolerance& tolerance = output_.tensor.tolerance;
  return tolerance.absolute + tolerance.relative * std::abs(expected(i)) +
         rounding(output_.tensor.dtype) * std::max(std::abs(value), std::abs(expected(i)));
}

bool beyond_chance(std::int64_t held, std::int64_t of, double chance) {
  if (held <= 0 || chance >= 1) return false;
  const double h = static_cast<double>(held), n = static_cast<double>(of);
  const double ways = (std::lgamma(n + 1) - std::lgamma(h + 1) - std::lgamma(n - h + 1)) / std::log(10);
  return ways + h * std::log10(chance) <= -12;
}

Support support_of(const Facts& facts, const Claim& claim) {
  Support support;
  const auto at = [&](std::int64_t i, double& predicted, double& allowed) {
    predicted = claim.predicted[static_cast<std::size_t>(i)];
    const double scale = claim.scale.empty() ? 1 : claim.scale[static_cast<std::size_t>(i)];
    allowed = facts.allowed(i, predicted) * std::max(1.0, scale);
  };
  double predicted = 0, allowed = 0;
  std::int64_t nearly = 0;
  for (const std::int64_t i : facts.wrong()) {
    at(i, predicted, allowed);
    const double off = std::abs(facts.got(i) - predicted);
    if (!(off <= allowed)) {
      nearly += off <= 4 * allowed;
      continue;
    }
    ++support.held;
    support.telling += std::abs(predicted - facts.expected(i)) > 4 * allowed;
  }
  const auto wrong = static_cast<std::int64_t>(facts.wrong().size());
  if (support.held == 0) return support;
  support.everywhere = support.held == wrong && facts.unwritten() == 0 && facts.not_finite() == 0;
  for (std::int64_t i = 0; i < facts.count() && support.everywhere; ++i) {
    if (facts.state(i) != State::right) continue;
    at(i, predicted, allowed);
    support.everywhere = std::abs(facts.got(i) - predicted) <= 2 * allowed;
  }
  const std::int64_t evidence = support.telling - claim.fitted;
  support.fits = 20 * support.held >= 19 * wrong;
  // Fitting a number to each line finds something in any answer, unless nearly all elements have to follow.
  // And where many elements only just do not follow, those that do are no sign of a rule.
  const bool enough =
      claim.fitted > 1 ? support.fits : 2 * support.held >= wrong && 10 * nearly <= support.held;
  if (evidence >= kMinEvidence && enough) {
    const std::int64_t missed = wrong - support.held;
    support.proven = beyond_chance(evidence, evidence + missed, chance_of(facts, claim));
  }
  support.fits |= support.proven;
  return support;
}

std::string scope(const Facts& facts, const Support& support) {
  if (support.everywhere) return "everywhere";
  const std::string which = facts.unwritten() > 0    ? " that were written"
                            : facts.not_finite() > 0 ? " that are finite"
                                                     : "";
  const auto wrong = static_cast<std::int64_t>(facts.wrong().size());
  if (support.held == wrong) return fmt::format("in all {} wrong elements{}", wrong, which);
  return fmt::format("in {} of {} wrong elements{}", support.held, wrong, which);
}

Pattern pattern_of(const Facts& facts, const Support& support, Kind kind, std::string key,
                   const std::string& statement, std::int64_t fitted, int weight) {
  Pattern pattern;
  pattern.kind = kind;
  pattern.key = std::move(key);
  pattern.sentence = statement;
  pattern.explained = support.held;
  pattern.wrong = facts.bad();
  pattern.fitted = fitted;
  pattern.weight = weight;
  pattern.proven = support.proven;
  pattern.everywhere = support.everywhere;
  pattern.evidence = fmt::format("{} of {} wrong elements", support.held, facts.bad());
  return pattern;
}

std::vector<Overlay> overlays(const Facts& facts) {
  std::vector<Overlay> all;
  const auto rows = static_cast<std::size_t>(facts.rows()),
             columns = static_cast<std::size_t>(facts.columns());
  const auto add = [&](const NamedTensor& tensor) {
    using Along = Overlay::Along;
    const std::size_t n = tensor.values.size();
    const auto lay = [&](Along along, std::string text) {
      all.push_back({tensor.name, std::move(text), along, laid_over(facts, tensor, along)});
    };
    // By rank, so that one thing has one name in cases of all sizes.
    const bool vector = facts.output().tensor.shape.size() > 1 && tensor.shape.size() <= 1;
    if (!vector && n == rows * columns) lay(Along::elements, fmt::format("`{}`", tensor.name));
    if (vector && n == columns)
      lay(Along::columns, fmt::format("`{}`[{}]", tensor.name, facts.column_word()));
    if (vector && n == rows) lay(Along::rows, fmt::format("`{}`[{}]", tensor.name, facts.row_word()));
  };
  for (const NamedTensor& tensor : facts.output().others) add(tensor);
  return all;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace fusebox::patterns
