#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "grader/judge/patterns/patterns_testing.h"

/// Wrong formulas of the kind that learners write: those that a pattern fits are named, of the others nothing
/// is said.
namespace fusebox::patterns {
namespace {

using namespace made_up;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Row {
  double x, gamma, beta, mean, variance, n, eps;
  double rstd() const { return 1 / std::sqrt(variance + eps); }
};

/// LayerNorm of [rows, columns]; `f` is what came instead.
WrongOutput layer_norm(std::int64_t rows, std::int64_t columns, double spread,
                       const std::function<double(const Row&)>& f) {
  WrongOutput output = right_matrix(rows, columns);
  const auto n = static_cast<std::size_t>(columns);
  Random random(21);
  auto& x = output.others[2].values;
  for (double& v : x) v = static_cast<float>(v * spread + 0.3);
  const auto gamma = random.signed_uniforms(columns, 0.25, 0.75),
             beta = random.signed_uniforms(columns, 0.25, 0.75);
  std::vector<double> means, rstds;
  for (std::size_t r = 0; r < x.size() / n; ++r) {
    Row row{0, 0, 0, 0, 0, static_cast<double>(n), 1e-5};
    for (std::size_t c = 0; c < n; ++c) row.mean += x[r * n + c] / row.n;
    for (std::size_t c = 0; c < n; ++c) row.variance += std::pow(x[r * n + c] - row.mean, 2) / row.n;
    means.push_back(row.mean);
    rstds.push_back(row.rstd());
    for (std::size_t c = 0; c < n; ++c) {
      row.x = x[r * n + c], row.gamma = gamma[c], row.beta = beta[c];
      output.tensor.expected[r * n + c] = (row.x - row.mean) * row.rstd() * row.gamma + row.beta;
      output.got[r * n + c] = static_cast<float>(f(row));
    }
  }
  output.others = {{"x", {rows, columns}, x},
                   {"gamma", {columns}, gamma},
                   {"beta", {columns}, beta},
                   {"mean", {rows}, means},
                   {"rstd", {rows}, rstds}};
  return output;
}

TEST(Formulas, TableOfLayerNorms) {
  const struct {
    const char* what;
    double spread;
    double (*f)(const Row&);
    const char* says;  ///< empty: nothing is known
  } rows[] = {
      {"no beta", 1, [](const Row& r) { return (r.x - r.mean) * r.rstd() * r.gamma; },
       "`out` is what it should be minus `beta`[column] everywhere, as when `beta` is not added."},
      {"beta twice", 1, [](const Row& r) { return (r.x - r.mean) * r.rstd() * r.gamma + 2 * r.beta; },
       "`beta` is added once more"},
      {"no gamma", 1, [](const Row& r) { return (r.x - r.mean) * r.rstd() + r.beta; },
       "`out` - `beta`[column] is what it should be divided by `gamma`[column] everywhere, as when "
       "the factor `gamma` is left out."},
      {"no rstd", 1, [](const Row& r) { return (r.x - r.mean) * r.gamma + r.beta; },
       "`out` - `beta`[column] is what it should be divided by `rstd`[row] everywhere"},
      {"sample variance", 1,
       [](const Row& r) {
         return (r.x - r.mean) / std::sqrt(r.variance * r.n / (r.n - 1) + r.eps) * r.gamma + r.beta;
       },
       "`out` - `beta`[column] is 0.9899 = sqrt((N - 1)/N) times what it should be"},
      {"sum for a variance", 1,
       [](const Row& r) { return (r.x - r.mean) / std::sqrt(r.variance * r.n + r.eps) * r.gamma + r.beta; },
       "1/sqrt(N) times what it should be"},
      {"no eps where it matters", 1e-3,
       [](const Row& r) { return (r.x - r.mean) / std::sqrt(r.variance) * r.gamma + r.beta; },
       "`out` - `beta`[column] is a multiple of what it should be, another one for each row"},
      {"no mean", 1, [](const Row& r) { return r.x * r.rstd() * r.gamma + r.beta; }, ""},
      {"gamma and beta swapped", 1, [](const Row& r) { return (r.x - r.mean) * r.rstd() * r.beta + r.gamma; },
       ""},
      {"x copied", 1, [](const Row& r) { return r.x; }, "`out` is `x` everywhere."},
      {"beta inside", 1, [](const Row& r) { return ((r.x - r.mean) * r.rstd() + r.beta) * r.gamma; },
       "`out` is what it should be plus a constant, another one for each column"},
      {"variance, not its root", 1,
       [](const Row& r) { return (r.x - r.mean) / (3 * r.variance + r.eps) * r.gamma + r.beta; },
       "another one for each row"},
  };
  for (const auto& row : rows) {
    const WrongOutput output = layer_norm(9, 50, row.spread, row.f);
    if (std::string(row.says).empty())
      EXPECT_EQ(all_sentences(output), "") << row.what;
    else
      EXPECT_THAT(first_sentence(output), HasSubstr(row.says)) << row.what;
  }
}

double gelu(double v) { return 0.5 * v * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v))); }

TEST(Formulas, TableOfGelus) {
  const struct {
    const char* what;
    double (*f)(double x, double bias);
    const char* says;
  } rows[] = {
      {"no half", [](double x, double b) { return 2 * gelu(x + b); },
       "`out` is 2 times what it should be everywhere."},
      {"erf form", [](double x, double b) { return 0.5 * (x + b) * (1 + std::erf((x + b) / std::sqrt(2))); },
       ""},
      {"sigmoid form", [](double x, double b) { return (x + b) / (1 + std::exp(-1.702 * (x + b))); }, ""},
      {"no bias", [](double x, double) { return gelu(x); }, ""},
      {"bias after", [](double x, double b) { return gelu(x) + b; }, ""},
      {"bias again", [](double x, double b) { return gelu(x + b) + b; }, "`bias` is added once more"},
      {"relu", [](double x, double b) { return std::max(0.0, x + b); },
       "`out` is 0 in 272 of 479 wrong elements."},
  };
  for (const auto& row : rows) {
    WrongOutput output = right_matrix(12, 40);
    const auto &bias = output.others[0].values, &x = output.others[2].values;
    for (std::size_t i = 0; i < x.size(); ++i) {
      output.tensor.expected[i] = gelu(x[i] + bias[i % 40]);
      output.got[i] = static_cast<float>(row.f(x[i], bias[i % 40]));
    }
    if (std::string(row.says).empty())
      EXPECT_EQ(all_sentences(output), "") << row.what;
    else
      EXPECT_THAT(first_sentence(output), HasSubstr(row.says)) << row.what;
  }
}

TEST(Formulas, ProductsWithOneMatrixReadTheWrongWayRound) {
  WrongOutput output = right_matrix(16, 32);
  Random random(4);
  const auto a = random.normals(16 * 32), b = random.normals(32 * 32);
  for (std::size_t r = 0; r < 16; ++r)
    for (std::size_t c = 0; c < 32; ++c) {
      double right = 0, got = 0;
      for (std::size_t k = 0; k < 32; ++k) {
        right += a[r * 32 + k] * b[c * 32 + k];
        got += a[r * 32 + k] * b[k * 32 + c];
      }
      output.tensor.expected[r * 32 + c] = right;
      output.got[r * 32 + c] = static_cast<float>(got);
    }
  EXPECT_EQ(all_sentences(output), "");
}

}  // namespace
}  // namespace fusebox::patterns
