#pragma once

#include <cstdint>
#include <vector>

#include "grader/catalog/build.h"

/// What the LayerNorm puzzles share: the oracle, what a float kernel may be wrong by, cases, and the ladder's
/// signature.
namespace fusebox {

/// LayerNorm of each row of `columns`, in double: (x - mean) * rstd * gamma + beta, rstd = 1 / sqrt(variance
/// + eps).
struct LayerNorm {
  std::vector<double> normalized;  ///< [rows, columns]
  std::vector<double> mean, rstd;  ///< [rows]
};
LayerNorm layer_norm(const std::vector<double>& x, const std::vector<double>& gamma,
                     const std::vector<double>& beta, std::int64_t columns, double eps);

/// What a float LayerNorm with a two-pass variance may be wrong by, whatever order it sums in.
struct LayerNormTolerance {
  Tolerance normalized, mean, rstd;
  std::vector<double> mean_error;  ///< [rows] absolute, of the mean
  std::vector<double> rstd_error;  ///< [rows] relative, of rstd
};
LayerNormTolerance layer_norm_tolerance(const std::vector<double>& x, const std::vector<double>& gamma,
                                        const std::vector<double>& beta, const LayerNorm& oracle);

/// The host function of every rung of the ladder: x, gamma, beta, out, mean, rstd, rows, columns, eps.
Signature layer_norm_signature();

/// Sizes M (rows) and N (columns) at which wrong LayerNorms show, and the counted case of `rows` x `columns`.
std::vector<Case> layer_norm_cases(std::int64_t rows, std::int64_t columns);

/// The size at which all rungs are timed: B8 T1024 C768.
std::vector<TimedCase> layer_norm_timed();

/// The size at which rungs are simulated: wide as the timed one, and of enough rows that x is larger than an
/// L2.
FullSizeCase layer_norm_full_size();

/// Arguments for layer_norm_signature(): x [M,N], gamma [N], beta [N], out [M,N], mean [M], rstd [M], M, N,
/// eps = 1e-5.
Problem make_layer_norm(const Case& which, Random& random);

}  // namespace fusebox
