#include "grader/catalog/operators/norms/layer_norm.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fusebox {
namespace {

constexpr float kEps = 1e-5f;

double largest_magnitude(const double* first, const double* last) {
  double largest = 0;
  for (; first != last; ++first) largest = std::max(largest, std::fabs(*first));
  return largest;
}

double largest_magnitude(const std::vector<double>& values) {
  return largest_magnitude(values.data(), values.data() + values.size());
}

}  // namespace

LayerNorm layer_norm(const std::vector<double>& x, const std::vector<double>& gamma,
                     const std::vector<double>& beta, std::int64_t columns, double eps) {
  const auto width = static_cast<std::size_t>(columns);
  const std::size_t rows = x.size() / width;
  LayerNorm result;
  result.normalized.resize(x.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const double* values = x.data() + row * width;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < width; ++i) sum += values[i];
    const double mean = sum / static_cast<double>(width);
    for (std::size_t i = 0; i < width; ++i) squares += (values[i] - mean) * (values[i] - mean);
    const double rstd = 1 / std::sqrt(squares / static_cast<double>(width) + eps);
    for (std::size_t i = 0; i < width; ++i)
      result.normalized[row * width + i] = (values[i] - mean) * rstd * gamma[i] + beta[i];
    result.mean.push_back(mean);
    result.rstd.push_back(rstd);
  }
  return result;
}

LayerNormTerms layer_norm_terms(Formula& formula, const std::string& axis, const std::string& count) {
  const Term x = tensor(formula, "x", {"row", axis}), gamma = tensor(formula, "gamma", {axis}),
             beta = tensor(formula, "beta", {axis}), n = number(formula, count), eps = number(formula, "eps");
  const Term mean = (sum(x, axis) / n).named("mean");
  const Term variance = (sum(apply(kSquare, x - mean), axis) / n).named("variance");
  const Term rstd = (1 / apply(kSquareRoot, variance + eps)).named("rstd");
  return {mean, rstd, (x - mean) * rstd * gamma + beta};
}

Formula layer_norm_formula() {
  Formula formula;
  formula.axes = {{"row", {"M"}}, {"column", {"N"}}};
  formula.floats = {"eps"};
  const LayerNormTerms norm = layer_norm_terms(formula, "column", "N");
  output(norm.normalized, "out");
  output(norm.mean, "mean");
  output(norm.rstd, "rstd");
  return formula;
}

LayerNormTolerance layer_norm_tolerance(const std::vector<double>& x, const std::vector<double>& gamma,
                                        const std::vector<double>& beta, const LayerNorm& oracle) {
  const std::size_t rows = oracle.mean.size(), width = x.size() / rows;
  const double root = std::sqrt(static_cast<double>(width));
  const double largest_gamma = largest_magnitude(gamma), largest_beta = largest_magnitude(beta);
  LayerNormTolerance result;
  for (std::size_t row = 0; row < rows; ++row) {
    const double* values = x.data() + row * width;
    double deviation = 0;
    for (std::size_t i = 0; i < width; ++i)
      deviation = std::max(deviation, std::fabs(values[i] - oracle.mean[row]));
    // A running sum of N values rounds N times at its own size, which is up to N |mean|, or N times the
    // deviation of a value of the row that was subtracted from all; the errors add like a random walk.
    const double mean_error =
        4 * kFloatRoundoff * (root * std::fabs(oracle.mean[row]) + (1 + root / 2) * deviation);
    // A mean that is off by d adds d^2 to the variance; the sum of squares and 1/sqrt round as well. Around a
    // value of the row the squares are larger than the variance that is left of them.
    const double off = mean_error * oracle.rstd[row], spread = deviation * oracle.rstd[row];
    // A mean that is mended with every value (Welford) rounds at its own size each time, and the distances
    // from it carry that: about |mean| / deviation roundings of the squares, half of them after the root.
    const double running = 4 * kFloatRoundoff * std::fabs(oracle.mean[row]) * oracle.rstd[row];
    const double rstd_error =
        kFloatRoundoff * (2 * root + 8) * (1 + spread * spread / 2) + running + off * off;
    const double* y = oracle.normalized.data() + row * width;
    const double y_error =
        largest_gamma * off + rstd_error * (largest_magnitude(y, y + width) + largest_beta);
    result.mean_error.push_back(mean_error);
    result.rstd_error.push_back(rstd_error);
    result.mean.absolute = std::max(result.mean.absolute, mean_error);
    result.rstd.relative = std::max(result.rstd.relative, rstd_error);
    result.normalized.absolute = std::max(result.normalized.absolute, y_error);
  }
  result.mean.reason =
      "4 sqrt(N) float roundings of the mean, and 4 + 2 sqrt(N) of the largest deviation: a sum in any order, around 0 or any value of the row";
  result.rstd.reason =
      "2 sqrt(N) + 8 float roundings of the squares around any value of the row, 4 |mean| / deviation of a running mean, and the square of the mean's error";
  result.normalized.reason = "the mean's error times rstd and gamma, plus rstd's relative error";
  return result;
}

Signature layer_norm_signature() {
  return signature<void(const float*, const float*, const float*, float*, float*, float*, int, int, float)>(
      "layernorm");
}

std::vector<Case> layer_norm_cases(std::int64_t rows, std::int64_t columns) {
  const auto sizes = [](std::int64_t m, std::int64_t n) { return Sizes{{"M", m}, {"N", n}}; };
  return {
      {"single", "one value is its own mean: the variance is 0 and only eps is left", sizes(1, 1)},
      {"one_column", "several rows of one value, most of which start at odd addresses", sizes(7, 1), "rows"},
      {"pair", "the variance divides by N, not by N - 1", sizes(3, 2), "rows"},
      {"three", "more rows than columns: a mistaken axis shows", sizes(100, 3), "rows"},
      {"below_warp", "the last lanes of a warp have nothing to read", sizes(33, 31), "rows"},
      {"above_warp", "a second, nearly empty round for a warp", sizes(31, 33), "rows"},
      {"hundred", "a row that is no multiple of a warp", sizes(32, 100), "rows"},
      {"odd_rows", "one row above a block of 128 threads; rows start at odd addresses", sizes(129, 15),
       "rows"},
      {"long_rows", "one column above a block of 256 threads", sizes(3, 257), "rows"},
      {"above_largest_block", "one column more than a block can have threads", sizes(3, 1025), "rows"},
      {"offset", "values of 10000 +- 1: E[x^2] - mean^2 has no digits left", sizes(5, 255), "offset"},
      {"tiny_variance", "eps is ten times the variance: where it stands decides", sizes(4, 64), "tiny"},
      {"drawn",
       "sizes that each seed draws anew",
       sizes(17, 300),
       "rows",
       false,
       {{"M", {1, 40}}, {"N", {1, 700}}}},
      {"counted", "large enough that bytes tell the rungs apart", sizes(rows, columns), "normal", true},
  };
}

std::vector<Case> layer_norm_wide_cases() {
  const auto sizes = [](std::int64_t m, std::int64_t n) { return Sizes{{"M", m}, {"N", n}}; };
  return {
      {"wide", "a long row whose length is a multiple of 4, and of no larger power of two", sizes(2, 4100),
       "rows"},
      {"wide_odd", "a long row that is no multiple of anything", sizes(2, 4099), "rows"},
      {"very_wide", "more than 16 values for each thread of the largest block", sizes(1, 20005), "rows"},
      {"many_wide", "many rows, each longer than a block can have threads", sizes(65, 1030), "rows"},
      {"wide_offset", "values of 10000 +- 1 in a long row", sizes(2, 2048), "offset"},
  };
}

TimedCase layer_norm_timed_case(std::string name, std::string purpose, std::int64_t rows,
                                std::int64_t columns) {
  return {{std::move(name), std::move(purpose), {{"M", rows}, {"N", columns}}},
          static_cast<std::uint64_t>(4 * (2 * rows * columns + 2 * columns + 2 * rows)),
          std::nullopt,
          NormBaseline{"x", "gamma", "beta", "out", "mean", "rstd", kEps}};
}

std::vector<TimedCase> layer_norm_timed() {
  return {layer_norm_timed_case("large", "the activations of a small GPT", 8192, 768)};
}

FullSizeCase layer_norm_full_size(std::int64_t rows, std::int64_t columns) {
  return {
      {"full", "x and out far larger than any cache", {{"M", rows}, {"N", columns}}},
      static_cast<std::uint64_t>(4 * (2 * rows * columns + 2 * columns + 2 * rows)),
      [](const Case& which) -> Problem {
        const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
        return {{shaped("x", DType::f32, {rows, columns}, Role::in),
                 shaped("gamma", DType::f32, {columns}, Role::in),
                 shaped("beta", DType::f32, {columns}, Role::in),
                 shaped("out", DType::f32, {rows, columns}, Role::out),
                 shaped("mean", DType::f32, {rows}, Role::out), shaped("rstd", DType::f32, {rows}, Role::out),
                 int_of(which, "M"), int_of(which, "N"), kEps}};
      }};
}

Problem make_layer_norm(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  const auto x = draw_rows(which.values, rows, columns, random);
  const auto gamma = draw_parameters(columns, random), beta = draw_parameters(columns, random);
  const LayerNorm oracle = layer_norm(x, gamma, beta, columns, kEps);
  const LayerNormTolerance allowed = layer_norm_tolerance(x, gamma, beta, oracle);
  return {{input("x", DType::f32, {rows, columns}, x), input("gamma", DType::f32, {columns}, gamma),
           input("beta", DType::f32, {columns}, beta),
           output("out", DType::f32, {rows, columns}, oracle.normalized, allowed.normalized),
           output("mean", DType::f32, {rows}, oracle.mean, allowed.mean),
           output("rstd", DType::f32, {rows}, oracle.rstd, allowed.rstd), int_of(which, "M"),
           int_of(which, "N"), kEps}};
}

}  // namespace fusebox
