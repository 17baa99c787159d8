#include "grader/judge/patterns/recompute/cancellation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "grader/catalog/random.h"

namespace fusebox::patterns {
namespace {

using RowValues = std::vector<float>;

/// What a kernel takes a row's variance to be.
using OfRow = float (*)(const RowValues& x, float mean);

float mean_of(const RowValues& x) {
  double sum = 0;
  for (const float v : x) sum += v;
  return static_cast<float>(sum / static_cast<double>(x.size()));
}

float two_passes(const RowValues& x, float mean) {
  float squares = 0;
  for (const float v : x) squares += (v - mean) * (v - mean);
  return squares / static_cast<float>(x.size());
}

float squares_less_mean(const RowValues& x, float mean) {
  float squares = 0;
  for (const float v : x) squares += v * v;
  return squares / static_cast<float>(x.size()) - mean * mean;
}

float in_one_instruction(const RowValues& x, float mean) {
  float squares = 0;
  for (const float v : x) squares = std::fma(v, v, squares);
  return std::fma(-mean, mean, squares / static_cast<float>(x.size()));
}

float not_below_nought(const RowValues& x, float mean) { return std::max(squares_less_mean(x, mean), 0.0f); }

/// By 64 threads, of which each has zeros behind the end of the row too, and takes them off afterwards.
float filled_with_zeros(const RowValues& x, float mean) {
  constexpr std::size_t kThreads = 64, kEach = 8;
  std::vector<float> squares(kThreads, 0.0f);
  for (std::size_t c = 0; c < kThreads * kEach; ++c) {
    const float apart = (c < x.size() ? x[c] : 0.0f) - mean;
    squares[c % kThreads] += apart * apart;
  }
  for (std::size_t half = kThreads / 2; half > 0; half /= 2)
    for (std::size_t thread = 0; thread < half; ++thread) squares[thread] += squares[thread + half];
  const float zeros = static_cast<float>(kThreads * kEach - x.size()) * (mean * mean);
  return std::max(squares[0] - zeros, 0.0f) / static_cast<float>(x.size());
}

bool is_large(float mean) { return std::abs(mean) > 100; }

/// Rows of values around `offset`, of which the variance is wrong.
CaseOutputs rows_of(OfRow variance, double offset, std::int64_t rows, std::int64_t columns) {
  Random random(static_cast<std::uint64_t>(columns));
  CaseOutputs made{"case", {}, {}, false};
  const auto m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(columns);
  const auto x = random.normals(rows * columns, offset, 1), gamma = random.normals(columns, 1, 0.3),
             beta = random.normals(columns);
  constexpr double kEps = 1e-5;
  made.bindings.tensors = {{"x", x}, {"gamma", gamma}, {"beta", beta}};
  made.bindings.numbers = {
      {"M", static_cast<double>(rows)}, {"N", static_cast<double>(columns)}, {"eps", kEps}};
  made.bindings.lengths = {{"row", rows}, {"column", columns}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.role = Role::out, out.tensor.shape = {rows, columns};
  out.tensor.tolerance = {2e-6 + 1e-7 * offset, 2e-6, ""};
  for (std::size_t r = 0; r < m; ++r) {
    const RowValues row(x.begin() + static_cast<std::ptrdiff_t>(r * n),
                        x.begin() + static_cast<std::ptrdiff_t>((r + 1) * n));
    double sum = 0, squares = 0;
    for (const float v : row) sum += v;
    const double mean = sum / static_cast<double>(n);
    for (const float v : row) squares += (v - mean) * (v - mean);
    const double rstd = 1 / std::sqrt(squares / static_cast<double>(n) + kEps);
    const float its = mean_of(row), root = 1 / std::sqrt(variance(row, its) + static_cast<float>(kEps));
    for (std::size_t c = 0; c < n; ++c) {
      out.tensor.expected.push_back((x[r * n + c] - mean) * rstd * gamma[c] + beta[c]);
      out.got.push_back((row[c] - its) * root * static_cast<float>(gamma[c]) + static_cast<float>(beta[c]));
      const double error = std::abs(out.got.back() - out.tensor.expected.back());
      made.wrong |= !(error <= out.tensor.tolerance.absolute + 2e-6 * std::abs(out.tensor.expected.back()));
    }
  }
  made.outputs = {out};
  return made;
}

Formula layer_norm() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  f.floats = {"eps"};
  const Term x = tensor(f, "x", {"row", "column"}), gamma = tensor(f, "gamma", {"column"}),
             beta = tensor(f, "beta", {"column"}), n = number(f, "N"), eps = number(f, "eps");
  const Term mean = (sum(x, "column") / n).named("mean");
  const Term variance = (sum(apply(kSquare, x - mean), "column") / n).named("variance");
  output((x - mean) * (1 / apply(kSquareRoot, variance + eps)) * gamma + beta, "out");
  return f;
}

std::optional<Cancelled> found_in(OfRow variance) {
  const std::vector<CaseOutputs> cases = {rows_of(variance, 0.3, 7, 40), rows_of(variance, 10000, 6, 255),
                                          rows_of(variance, 10000, 4, 1000)};
  return cancelled(layer_norm(), cases);
}

TEST(Cancellation, IsToldOfMeansOfSquaresLessSquaresOfMeans) {
  for (const OfRow variance : {squares_less_mean, in_one_instruction, not_below_nought}) {
    const auto found = found_in(variance);
    ASSERT_TRUE(found);
    EXPECT_EQ(
        found->sentence(),
        "`out` is what another `variance` makes of it in each wrong row, off by no more than what is "
        "rounded off of `mean`^2, as when the mean of the squares minus `mean`^2 is taken: where `mean` "
        "is large, that cancels.");
    EXPECT_EQ(found->rows, 10);
  }
}

TEST(Cancellation, IsToldOfZerosThatCountAndAreTakenOffAgain) {
  const auto found = cancelled(layer_norm(), std::vector{rows_of(filled_with_zeros, 3, 7, 512),
                                                         rows_of(filled_with_zeros, 20, 30, 3)});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), testing::HasSubstr("as when zeros behind the row count as values"));
  // Squares of so few values lose less than that, and of them it is not said.
  for (const OfRow variance : {squares_less_mean, not_below_nought}) {
    const auto other =
        cancelled(layer_norm(), std::vector{rows_of(variance, 3, 7, 512), rows_of(variance, 20, 30, 3),
                                            rows_of(variance, 10000, 30, 3)});
    EXPECT_FALSE(other && other->filled);
  }
  // Of rows without such zeros a mean so small loses nothing.
  EXPECT_FALSE(cancelled(layer_norm(), std::vector{rows_of(
                                           [](const RowValues& x, float mean) {
                                             return two_passes(x, mean) * (x[0] > 20 ? 1.0001f : 0.9999f);
                                           },
                                           20, 30, 2000)}));
}

TEST(Cancellation, IsNotToldOfOtherMistakes) {
  const struct {
    const char* what;
    OfRow variance;
  } rows[] = {
      {"right", two_passes},
      {"N - 1",
       [](const RowValues& x, float mean) {
         return two_passes(x, mean) * static_cast<float>(x.size()) / static_cast<float>(x.size() - 1);
       }},
      {"a factor where the mean is large",
       [](const RowValues& x, float mean) { return two_passes(x, mean) * (is_large(mean) ? 3.0f : 1.0f); }},
      {"nothing where the mean is large",
       [](const RowValues& x, float mean) { return is_large(mean) ? 0.0f : two_passes(x, mean); }},
      {"mean^2 not taken off",
       [](const RowValues& x, float mean) { return squares_less_mean(x, mean) + mean * mean; }},
      {"the first half of the row where the mean is large",
       [](const RowValues& x, float mean) {
         return is_large(mean)
                    ? two_passes(RowValues(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2)),
                                 mean) *
                          2000
                    : two_passes(x, mean);
       }},
      {"digits lost where the mean is not large",
       [](const RowValues& x, float mean) { return squares_less_mean(x, mean) + (x[0] > 0 ? 0.1f : 0.2f); }},
  };
  for (const auto& row : rows) EXPECT_FALSE(found_in(row.variance)) << row.what;
}

TEST(Cancellation, IsNotToldWhereThereIsNoVariance) {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  output(1 * tensor(f, "x", {"row", "column"}), "out");
  EXPECT_FALSE(cancelled(f, std::vector{rows_of(squares_less_mean, 10000, 6, 255)}));
}

}  // namespace
}  // namespace fusebox::patterns
