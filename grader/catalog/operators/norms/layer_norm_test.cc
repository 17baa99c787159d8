#include "grader/catalog/operators/norms/layer_norm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace fusebox {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

TEST(LayerNorm, IsWhatOneGetsByHand) {
  // Row 1, 3: mean 2, variance 1; row 4, 4: variance 0, where only eps is left.
  const LayerNorm result = layer_norm({1, 3, 4, 4}, {2, 3}, {0.5, -1}, 2, 0.25);
  EXPECT_THAT(result.mean, ElementsAre(2, 4));
  EXPECT_THAT(result.rstd, ElementsAre(DoubleNear(1 / std::sqrt(1.25), 1e-15), DoubleNear(2, 1e-15)));
  const double rstd = 1 / std::sqrt(1.25);
  EXPECT_THAT(result.normalized,
              ElementsAre(DoubleNear(-2 * rstd + 0.5, 1e-15), DoubleNear(3 * rstd - 1, 1e-15), 0.5, -1));
}

/// LayerNorm as a kernel does it in float: sums one after the other, variance in a second pass or as E[x^2] -
/// E[x]^2.
std::vector<double> float_layer_norm(const std::vector<double>& x, const std::vector<double>& gamma,
                                     const std::vector<double>& beta, std::size_t width, float eps,
                                     bool two_pass) {
  std::vector<double> y(x.size());
  for (std::size_t row = 0; row * width < x.size(); ++row) {
    float sum = 0, squares = 0;
    for (std::size_t i = 0; i < width; ++i) sum += static_cast<float>(x[row * width + i]);
    const float mean = sum / static_cast<float>(width);
    for (std::size_t i = 0; i < width; ++i) {
      const float value = static_cast<float>(x[row * width + i]) - (two_pass ? mean : 0.0f);
      squares += value * value;
    }
    const float variance = squares / static_cast<float>(width) - (two_pass ? 0.0f : mean * mean);
    const float rstd = 1 / std::sqrt(variance + eps);
    for (std::size_t i = 0; i < width; ++i)
      y[row * width + i] =
          (static_cast<float>(x[row * width + i]) - mean) * rstd * static_cast<float>(gamma[i]) +
          static_cast<float>(beta[i]);
  }
  return y;
}

TEST(LayerNormTolerance, AcceptsASequentialFloatSumAndRefusesCancellation) {
  constexpr std::int64_t kRows = 64;
  for (const char* kind : {"normal", "rows", "tiny", "offset"}) {
    for (std::int64_t width : {1, 2, 3, 31, 100, 255, 1024}) {
      SCOPED_TRACE(testing::Message() << kind << ' ' << width);
      Random random(static_cast<std::uint64_t>(width));
      const auto x = draw_rows(kind, kRows, width, random);
      const auto gamma = draw_parameters(width, random), beta = draw_parameters(width, random);
      const LayerNorm oracle = layer_norm(x, gamma, beta, width, as_float(1e-5f));
      const double allowed = layer_norm_tolerance(x, gamma, beta, oracle).normalized.absolute;
      const auto worst = [&](bool two_pass) {
        const auto y = float_layer_norm(x, gamma, beta, static_cast<std::size_t>(width), 1e-5f, two_pass);
        double error = 0;
        for (std::size_t i = 0; i < y.size(); ++i) {
          const double here = std::fabs(y[i] - oracle.normalized[i]);
          error = here <= error ? error : here;  // a NaN is the worst and stays
        }
        return error;
      };
      EXPECT_LE(worst(true), allowed / 2);
      if (kind == std::string("offset") && width >= 31) {
        EXPECT_FALSE(worst(false) <= allowed);
      }
    }
  }
}

/// 1 / sqrt(variance + eps) of a row as `lanes` find it that each keep Welford's running mean of every
/// lanes-th value, and then merge, halves with halves.
double running_rstd(const double* row, std::size_t width, std::size_t lanes, float eps) {
  struct Moments {
    float count = 0, mean = 0, squares = 0;
  };
  std::vector<Moments> of(lanes);
  for (std::size_t i = 0; i < width; ++i) {
    Moments& m = of[i % lanes];
    const float value = static_cast<float>(row[i]), delta = value - m.mean;
    m.count += 1;
    m.mean += delta / m.count;
    m.squares += delta * (value - m.mean);
  }
  for (std::size_t half = lanes / 2; half > 0; half /= 2)
    for (std::size_t lane = 0; lane < half; ++lane) {
      Moments& a = of[lane];
      const Moments& b = of[lane + half];
      const float count = a.count + b.count, delta = b.mean - a.mean;
      if (count == 0) continue;
      a.squares += b.squares + delta * delta * a.count * (b.count / count);
      a.mean += delta * (b.count / count);
      a.count = count;
    }
  return 1 / std::sqrt(of[0].squares / static_cast<float>(width) + eps);
}

TEST(LayerNormTolerance, AcceptsARunningMean) {
  constexpr std::size_t kRows = 400;  // among so many, some of few values have them close together
  for (const char* kind : {"normal", "rows", "tiny", "offset"}) {
    for (std::size_t width : {2u, 3u, 5u, 31u, 255u, 1024u}) {
      Random random(width);
      const auto columns = static_cast<std::int64_t>(width);
      const auto x = draw_rows(kind, kRows, columns, random);
      const auto gamma = draw_parameters(columns, random), beta = draw_parameters(columns, random);
      const LayerNorm oracle = layer_norm(x, gamma, beta, columns, as_float(1e-5f));
      const LayerNormTolerance allowed = layer_norm_tolerance(x, gamma, beta, oracle);
      for (std::size_t lanes : {1u, 32u})
        for (std::size_t row = 0; row < kRows; ++row)
          EXPECT_NEAR(running_rstd(x.data() + row * width, width, lanes, 1e-5f) / oracle.rstd[row], 1,
                      allowed.rstd_error[row] / 1.5)
              << kind << ' ' << width << ", row " << row << ", " << lanes << " lanes";
    }
  }
}

}  // namespace
}  // namespace fusebox
