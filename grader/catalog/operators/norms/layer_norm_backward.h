#pragma once

#include <cstdint>
#include <vector>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

/// What the puzzles of LayerNorm's backward pass share: inputs, oracles, error models.
namespace fusebox {

/// What the forward pass saved and what comes back to it: of `rows` x `columns`. mean and rstd are floats, as
/// a forward kernel leaves them, and the answers are those of these floats.
struct LayerNormSaved {
  std::int64_t rows = 0, columns = 0;
  std::vector<double> x, dy;       ///< [rows, columns]
  std::vector<double> gamma;       ///< [columns]
  std::vector<double> mean, rstd;  ///< [rows]
  double normalized(std::size_t row, std::size_t column) const;
};

/// x of draw_rows()'s kinds; "same_gamma": as "rows", and one number for all of gamma. dy has a mean in each
/// row.
LayerNormSaved draw_layer_norm_saved(const Case& which, Random& random);

/// The gradient of x, [rows, columns], and what a float kernel may be wrong by, whatever order it sums in.
struct LayerNormGradient {
  std::vector<double> values;
  Tolerance tolerance;
};
LayerNormGradient layer_norm_dx(const LayerNormSaved& saved);

/// The gradients of gamma and beta, [columns].
struct LayerNormParameterGradients {
  LayerNormGradient gamma, beta;
};
LayerNormParameterGradients layer_norm_dparameters(const LayerNormSaved& saved);

/// (x - mean) * rstd, [row, column], of the tensors x, mean and rstd.
Term saved_normalized(Formula& formula);

}  // namespace fusebox
