#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

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

/// The same as a formula: of `x` [row, axis], the values `mean`, `variance` and `rstd` of each row among its
/// nodes. `count` names the size of the row.
struct LayerNormTerms {
  Term mean, rstd, normalized;
};
LayerNormTerms layer_norm_terms(Formula& formula, const std::string& axis, const std::string& count);

/// What a float LayerNorm may be wrong by that takes its variance in two passes or around a running mean,
/// whatever order it sums in.
struct LayerNormTolerance {
  Tolerance normalized, mean, rstd;
  std::vector<double> mean_error;  ///< [rows] absolute, of the mean
  std::vector<double> rstd_error;  ///< [rows] relative, of rstd
};
LayerNormTolerance layer_norm_tolerance(const std::vector<double>& x, const std::vector<double>& gamma,
                                        const std::vector<double>& beta, const LayerNorm& oracle);

/// The host function of every step of the ladder: x, gamma, beta, out, mean, rstd, rows, columns, eps.
Signature layer_norm_signature();

/// Sizes M (rows) and N (columns) at which wrong LayerNorms show, and the counted case of `rows` x `columns`.
std::vector<Case> layer_norm_cases(std::int64_t rows, std::int64_t columns);

/// Rows longer than any block has threads, for the steps that give a row more than a warp.
std::vector<Case> layer_norm_wide_cases();

/// A size at which steps are timed, beside a library's LayerNorm.
TimedCase layer_norm_timed_case(std::string name, std::string purpose, std::int64_t rows,
                                std::int64_t columns);
/// The size at which all steps are timed: B8 T1024 C768.
std::vector<TimedCase> layer_norm_timed();

/// The size at which steps are simulated, of enough rows that x is larger than an L2; as wide as the timed
/// one where nothing else is said.
FullSizeCase layer_norm_full_size(std::int64_t rows = 32768, std::int64_t columns = 768);

/// What make_layer_norm() computes.
Formula layer_norm_formula();

/// Arguments for layer_norm_signature(): x [M,N], gamma [N], beta [N], out [M,N], mean [M], rstd [M], M, N,
/// eps = 1e-5.
Problem make_layer_norm(const Case& which, Random& random);

}  // namespace fusebox
