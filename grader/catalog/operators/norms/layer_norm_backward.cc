#include "grader/catalog/operators/norms/layer_norm_backward.h"

#include <algorithm>
#include <cmath>

#include "grader/catalog/operators/norms/layer_norm.h"

namespace fusebox {
namespace {

constexpr double kSavedEps = 1e-5;

/// Float roundings of a sum of so many terms in any order, times the sum of their magnitudes: the errors of a
/// running sum add like a random walk; four times over, and a few of the terms themselves.
double roundings_of_sum(std::int64_t terms) { return 12 + 4 * std::sqrt(static_cast<double>(terms)); }

/// What a float sum of so many terms of either sign may be wrong by: running sums of such terms seldom leave
/// the sum itself by more than twice the root of the squares, and their roundings add like a random walk.
double signed_sum_error(std::int64_t terms, double sum, double squares) {
  const double walk = std::sqrt(squares);
  return kFloatRoundoff *
         (4 * std::sqrt(static_cast<double>(terms)) * (std::fabs(sum) + 2 * walk) + 16 * walk);
}

}  // namespace

double LayerNormSaved::normalized(std::size_t row, std::size_t column) const {
  return (x[row * static_cast<std::size_t>(columns) + column] - mean[row]) * rstd[row];
}

LayerNormSaved draw_layer_norm_saved(const Case& which, Random& random) {
  const bool same_gamma = which.values == "same_gamma";
  LayerNormSaved saved;
  saved.rows = size_of(which, "M"), saved.columns = size_of(which, "N");
  saved.x = draw_rows(same_gamma ? "rows" : which.values, saved.rows, saved.columns, random);
  saved.gamma = draw_parameters(saved.columns, random);
  if (same_gamma) std::fill(saved.gamma.begin(), saved.gamma.end(), saved.gamma.front());
  saved.dy = draw_rows("rows", saved.rows, saved.columns, random);
  const LayerNorm forward = layer_norm(saved.x, saved.gamma, saved.gamma, saved.columns, kSavedEps);
  for (const double mean : forward.mean) saved.mean.push_back(as_float(mean));
  for (const double rstd : forward.rstd) saved.rstd.push_back(as_float(rstd));
  return saved;
}

LayerNormGradient layer_norm_dx(const LayerNormSaved& saved) {
  const auto columns = static_cast<std::size_t>(saved.columns);
  const auto n = static_cast<double>(saved.columns);
  LayerNormGradient dx{
      {},
      {0, 0,
       "12 + 4 sqrt(N) float roundings of the magnitudes that both means add up, and 16 of the three terms, times rstd: sums in any order, four times over"}};
  for (std::size_t row = 0; row < saved.mean.size(); ++row) {
    double mean = 0, product = 0, magnitude = 0, product_magnitude = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const double g = saved.dy[row * columns + c] * saved.gamma[c], xhat = saved.normalized(row, c);
      mean += g / n, magnitude += std::fabs(g) / n;
      product += g * xhat / n, product_magnitude += std::fabs(g * xhat) / n;
    }
    const double of_means = roundings_of_sum(saved.columns);
    for (std::size_t c = 0; c < columns; ++c) {
      const double g = saved.dy[row * columns + c] * saved.gamma[c], xhat = saved.normalized(row, c);
      dx.values.push_back(saved.rstd[row] * (g - mean - xhat * product));
      const double terms = std::fabs(g) + std::fabs(mean) + std::fabs(xhat * product);
      const double error = of_means * (magnitude + std::fabs(xhat) * product_magnitude) + 16 * terms;
      dx.tolerance.absolute = std::max(dx.tolerance.absolute, kFloatRoundoff * saved.rstd[row] * error);
    }
  }
  return dx;
}

LayerNormParameterGradients layer_norm_dparameters(const LayerNormSaved& saved) {
  const auto columns = static_cast<std::size_t>(saved.columns);
  LayerNormParameterGradients result;
  for (std::size_t c = 0; c < columns; ++c) {
    double gamma = 0, beta = 0, gamma_squares = 0, beta_squares = 0;
    for (std::size_t row = 0; row < saved.mean.size(); ++row) {
      const double dy = saved.dy[row * columns + c], term = dy * saved.normalized(row, c);
      gamma += term, gamma_squares += term * term;
      beta += dy, beta_squares += dy * dy;
    }
    result.gamma.values.push_back(gamma);
    result.beta.values.push_back(beta);
    Tolerance &of_gamma = result.gamma.tolerance, &of_beta = result.beta.tolerance;
    of_gamma.absolute = std::max(of_gamma.absolute, signed_sum_error(saved.rows, gamma, gamma_squares));
    of_beta.absolute = std::max(of_beta.absolute, signed_sum_error(saved.rows, beta, beta_squares));
  }
  result.gamma.tolerance.reason = result.beta.tolerance.reason =
      "4 sqrt(M) float roundings of a running sum, which is the whole sum and twice the root of its terms' squares at most, and 16 of that root for the terms: a sum in any order";
  return result;
}

Term saved_normalized(Formula& formula) {
  const Term x = tensor(formula, "x", {"row", "column"}), mean = tensor(formula, "mean", {"row"}),
             rstd = tensor(formula, "rstd", {"row"});
  return ((x - mean) * rstd).named("xhat");
}

}  // namespace fusebox
