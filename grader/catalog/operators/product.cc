#include "grader/catalog/operators/product.h"

#include <algorithm>
#include <cmath>

namespace fusebox {
namespace {

/// `b_at(column, k)` is where the factor of the k-th term lies in b.
template <class At>
Product multiply(const std::vector<double>& a, const std::vector<double>& b, std::int64_t inner, At b_at) {
  const auto depth = static_cast<std::size_t>(inner);
  const std::size_t rows = a.size() / depth, columns = b.size() / depth;
  Product result;
  result.values.resize(rows * columns);
  result.magnitudes.resize(rows * columns);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      double sum = 0, magnitude = 0;
      for (std::size_t k = 0; k < depth; ++k) {
        const double term = a[row * depth + k] * b[b_at(column, k)];
        sum += term;
        magnitude += std::fabs(term);
      }
      result.values[row * columns + column] = sum;
      result.magnitudes[row * columns + column] = magnitude;
    }
  return result;
}

}  // namespace

Product product(const std::vector<double>& a, const std::vector<double>& b, std::int64_t inner) {
  const std::size_t columns = b.size() / static_cast<std::size_t>(inner);
  return multiply(a, b, inner, [columns](std::size_t column, std::size_t k) { return k * columns + column; });
}

Product product_transposed(const std::vector<double>& x, const std::vector<double>& weight,
                           std::int64_t inner) {
  const auto depth = static_cast<std::size_t>(inner);
  return multiply(x, weight, inner,
                  [depth](std::size_t column, std::size_t k) { return column * depth + k; });
}

Tolerance product_tolerance(const Product& product) {
  const auto& all = product.magnitudes;
  const double largest = all.empty() ? 0 : *std::max_element(all.begin(), all.end());
  return {dot_error(largest), 0,
          "8 float roundings of the largest sum of |terms|: of thousands of sums, the worst needs about 3"};
}

}  // namespace fusebox
