#pragma once

#include <cstdint>
#include <vector>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

/// Products of matrices, which several puzzles contain: the oracle and what a float kernel may be wrong by.
namespace fusebox {

/// A product in double, row-major, and for each of its values the sum of the magnitudes of its terms.
struct Product {
  std::vector<double> values, magnitudes;
};

/// a [rows, inner] times b [inner, columns].
Product product(const std::vector<double>& a, const std::vector<double>& b, std::int64_t inner);

/// x [rows, inner] times the transpose of weight [columns, inner], as the weights of a Linear lie.
Product product_transposed(const std::vector<double>& x, const std::vector<double>& weight,
                           std::int64_t inner);

/// How many tiles of `tile` rows or columns cover `length` of them.
inline double tiles_along(std::int64_t length, std::int64_t tile) {
  const std::int64_t tiles = (length + tile - 1) / tile;
  return static_cast<double>(tiles);
}

/// What a dot product in float may be wrong by, of `magnitude` = sum of |terms|, in any order of its sum.
/// Terms are of random sign, so a partial sum of k of them is of the size of sqrt(k) terms; rounded once for
/// each term, the errors add up to 0.6 roundings of `magnitude` on average and, of thousands of results,
/// to 3.
inline double dot_error(double magnitude) { return 8 * kFloatRoundoff * magnitude; }

/// dot_error() of the largest magnitude: the tolerance of products without anything else in them.
Tolerance product_tolerance(const Product& product);

}  // namespace fusebox
