#include "grader/judge/patterns/recompute/cancellation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/judge/patterns/facts/facts.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;

struct Variance {
  int node = -1, mean = -1;
  std::string along;  ///< the axis that it is summed over
};

/// sum((x - mean)^2) / n, with mean = sum(x) / n.
std::optional<Variance> variance_in(const Formula& formula) {
  const auto node = [&](int at) -> const Node& { return formula.nodes[static_cast<std::size_t>(at)]; };
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at) {
    if (node(at).op != Op::divide || node(at).axes.size() != 1 || node(node(at).a).op != Op::sum) continue;
    const Node &sum = node(node(at).a), &square = node(sum.a);
    if (square.op != Op::apply || square.function != &kSquare || node(square.a).op != Op::subtract) continue;
    const int x = node(square.a).a, mean = node(square.a).b;
    if (node(mean).op != Op::divide || node(node(mean).a).op != Op::sum || node(node(mean).a).a != x)
      continue;
    return Variance{at, mean, sum.axis};
  }
  return std::nullopt;
}

/// A mean is large where mean^2 is so many times the variance, and float loses half of its digits or more.
constexpr double kLarge = 1 << 10;
constexpr double kFloatUnit = 0x1p-24;
/// To so many values a row may be filled up with zeros.
constexpr double kPadding = 1024;

/// One output of a case, row by row, as other variances would make it.
class Rows {
 public:
  Rows(const Formula& formula, const Variance& variance, const CaseOutputs& of, const WrongOutput& output)
      : formula_(formula), bindings_(of.bindings), output_(output) {
    const Evaluation right(formula, of.bindings);
    variance_ = right[variance.node], mean_ = right[variance.mean];
    terms_ = static_cast<double>(of.bindings.lengths.at(variance.along));
    Node& leaf = formula_.nodes.own(static_cast<std::size_t>(variance.node));
    Node other;
    other.op = Op::tensor, other.name = kOther, other.axes = leaf.axes;
    leaf = other;
    for (const auto& [name, node] : formula.outputs)
      if (name == output.tensor.name) node_ = node;
    columns_ = output.got.size() / variance_.size();
  }

  std::size_t rows() const { return variance_.size(); }
  double variance(std::size_t row) const { return variance_[row]; }
  double ratio(std::size_t row) const { return mean_[row] * mean_[row] / variance_[row]; }
  /// Whether so much is taken off again that half of the digits are lost: of the row's own values, or with
  /// zeros behind its end.
  bool cancels(std::size_t row, bool filled) const {
    return ratio(row) * (filled ? std::max(1.0, kPadding / terms_) : 1) >= kLarge;
  }
  /// What sums of squares as large as mean^2 may be off by, added up one after the other.
  double may_be_off(std::size_t row, bool filled) const {
    return mean_[row] * mean_[row] * (filled ? std::max(terms_, kPadding / terms_) : terms_) * 2 * kFloatUnit;
  }
  bool wrong(std::size_t row) const {
    for (std::size_t i = row * columns_; i < (row + 1) * columns_; ++i)
      if (!(std::abs(output_.got[i] - output_.tensor.expected[i]) <= allowed(i))) return true;
    return false;
  }
  bool not_a_number(std::size_t row) const {
    return std::all_of(output_.got.begin() + static_cast<std::ptrdiff_t>(row * columns_),
                       output_.got.begin() + static_cast<std::ptrdiff_t>((row + 1) * columns_),
                       [](double v) { return std::isnan(v); });
  }
  bool written() const {
    return std::all_of(output_.written.begin(), output_.written.end(), [](bool each) { return each; });
  }

  /// The variance that comes nearest, for each row.
  std::vector<double> nearest() {
    constexpr int kGrid = 100, kSteps = 50;
    constexpr double kLeast = 1e-30;  // where all values of a row are the same
    // By its logarithm: what is made of it grows or falls with it.
    std::vector<double> low(rows()), high(rows()), best(rows()), least(rows(), HUGE_VAL);
    for (std::size_t r = 0; r < rows(); ++r)
      low[r] = std::log(std::max(variance_[r] * 1e-9, kLeast)),
      high[r] = std::log(variance_[r] + may_be_off(r, true));
    std::vector<double> at(rows());
    for (int g = 0; g <= kGrid; ++g) {
      for (std::size_t r = 0; r < rows(); ++r) at[r] = low[r] + (high[r] - low[r]) * g / kGrid;
      const auto misses = misses_of(at);
      for (std::size_t r = 0; r < rows(); ++r)
        if (misses[r] < least[r]) least[r] = misses[r], best[r] = at[r];
    }
    for (std::size_t r = 0; r < rows(); ++r) {
      const double step = (high[r] - low[r]) / kGrid;
      low[r] = best[r] - step, high[r] = best[r] + step;
    }
    for (int step = 0; step < kSteps; ++step) {
      std::vector<double> lower(rows()), upper(rows());
      for (std::size_t r = 0; r < rows(); ++r)
        lower[r] = low[r] + (high[r] - low[r]) / 3, upper[r] = high[r] - (high[r] - low[r]) / 3;
      const auto left = misses_of(lower), right = misses_of(upper);
      for (std::size_t r = 0; r < rows(); ++r)
        (left[r] < right[r] ? high[r] : low[r]) = left[r] < right[r] ? upper[r] : lower[r];
    }
    for (std::size_t r = 0; r < rows(); ++r) best[r] = std::exp((low[r] + high[r]) / 2);
    return best;
  }

  /// Which rows are what these variances make of them.
  std::vector<bool> fitting(const std::vector<double>& variances) {
    const auto predicted = with(variances);
    std::vector<bool> fit;
    for (std::size_t row = 0; row < rows(); ++row) fit.push_back(fits(row, predicted));
    return fit;
  }

 private:
  static constexpr const char* kOther = "another variance";

  double allowed(std::size_t i) const {
    const Tolerance& t = output_.tensor.tolerance;
    return t.absolute + t.relative * std::abs(output_.tensor.expected[i]);
  }
  bool fits(std::size_t row, const std::vector<double>& predicted) const {
    double made = 0, right = 0;
    for (std::size_t i = row * columns_; i < (row + 1) * columns_; ++i)
      made += predicted[i] * predicted[i], right += output_.tensor.expected[i] * output_.tensor.expected[i];
    // A mean's rounding error grows with what the row is multiplied with.
    const double growth = right > 0 ? std::max(1.0, std::sqrt(made / right)) : 1;
    for (std::size_t i = row * columns_; i < (row + 1) * columns_; ++i)
      if (!(std::abs(output_.got[i] - predicted[i]) <=
            2 * growth * allowed(i) + 1e-6 * std::abs(predicted[i])))
        return false;
    return true;
  }
  std::vector<double> with(const std::vector<double>& variances) {
    bindings_.tensors[kOther] = variances;
    return Evaluation(formula_, bindings_)[node_];
  }
  std::vector<double> misses_of(const std::vector<double>& logarithms) {
    std::vector<double> variances = logarithms;
    for (double& each : variances) each = std::exp(each);
    const auto predicted = with(variances);
    std::vector<double> misses(rows(), 0);
    for (std::size_t i = 0; i < predicted.size(); ++i)
      misses[i / columns_] += (predicted[i] - output_.got[i]) * (predicted[i] - output_.got[i]);
    return misses;
  }

  Formula formula_;
  Bindings bindings_;
  const WrongOutput& output_;
  std::vector<double> variance_, mean_;
  double terms_ = 0;
  std::size_t columns_ = 0;
  int node_ = -1;
};

/// Of one case; false where a row speaks against it. `errors`: of the variances, beside the right ones.
bool agrees(Rows& rows, Cancelled& found, std::vector<double>& errors) {
  if (!rows.written()) return false;
  const auto variances = rows.nearest();
  const auto fit = rows.fitting(variances);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (!rows.wrong(r)) continue;
    if (!rows.cancels(r, true)) return false;
    found.needs_zeros |= !rows.cancels(r, false);
    // What is further off than the row's own squares can be has more of them.
    found.filled |= std::abs(variances[r] - rows.variance(r)) > 2 * rows.may_be_off(r, false);
    found.min_ratio = found.rows == 0 ? rows.ratio(r) : std::min(found.min_ratio, rows.ratio(r));
    ++found.rows;
    // A difference below 0 has no root.
    if (rows.not_a_number(r)) {
      if (rows.may_be_off(r, true) < rows.variance(r)) return false;
      errors.push_back(-1);
      continue;
    }
    if (!fit[r]) return false;
    errors.push_back((variances[r] - rows.variance(r)) / rows.variance(r));
  }
  return true;
}

}  // namespace

std::string Cancelled::sentence() const {
  const std::string as =
      filled
          ? fmt::format("when zeros behind the row count as values, each with {}^2, which is taken off again",
                        mean)
          : fmt::format("when the mean of the squares minus {}^2 is taken", mean);
  return fmt::format(
      "{0} is what another {1} makes of it in each wrong row, off by no more than what is rounded off of {2}^2, as {3}: where {2} is large, that cancels.",
      output, variance, mean, as);
}

std::string Cancelled::evidence() const {
  return fmt::format("so in {0} of {0} wrong rows; in all of them {1}^2 is {2:.2g} times the {3} or more",
                     rows, mean, min_ratio, variance);
}

std::optional<Cancelled> cancelled(const Formula& formula, std::span<const CaseOutputs> cases) {
  const auto variance = variance_in(formula);
  if (!variance) return std::nullopt;
  const auto& row_axes = formula.nodes[static_cast<std::size_t>(variance->node)].axes;
  Cancelled found;
  found.variance = formula.text(variance->node), found.mean = formula.text(variance->mean);
  for (const auto& [name, node] : formula.outputs) {
    const auto& axes = formula.nodes[static_cast<std::size_t>(node)].axes;
    if (axes.size() != 2 || axes[0] != row_axes[0] || !formula.depends(node, variance->node)) continue;
    found.output = fmt::format("`{}`", name);
    std::vector<double> errors;
    for (const CaseOutputs& each : cases)
      for (const WrongOutput& output : each.outputs) {
        if (!each.wrong || output.tensor.name != name) continue;
        Rows rows(formula, *variance, each, output);
        if (!agrees(rows, found, errors)) return std::nullopt;
      }
    if (errors.empty()) return std::nullopt;
    // What is rounded off is now too much, now too little: what is always too large is another mistake.
    const auto [least, most] = std::minmax_element(errors.begin(), errors.end());
    if (!(*least < 0 && *most > 0) || (found.needs_zeros && !found.filled)) return std::nullopt;
    return found;
  }
  return std::nullopt;
}

}  // namespace fusebox::patterns
