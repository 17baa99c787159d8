#include "grader/catalog/operators/product.h"

#include <algorithm>
#include <cmath>

namespace fusebox {
// Row by row of b, so that a compiler can sum several columns at a time; each sum is that of its terms in
// their order.
Product product(const std::vector<double>& a, const std::vector<double>& b, std::int64_t inner) {
  const auto depth = static_cast<std::size_t>(inner);
  const std::size_t rows = a.size() / depth, columns = b.size() / depth;
  Product result;
  result.values.resize(rows * columns);
  result.magnitudes.resize(rows * columns);
  for (std::size_t row = 0; row < rows; ++row) {
    double* const sums = result.values.data() + row * columns;
    double* const magnitudes = result.magnitudes.data() + row * columns;
    for (std::size_t k = 0; k < depth; ++k) {
      const double factor = a[row * depth + k];
      const double* const others = b.data() + k * columns;
      for (std::size_t column = 0; column < columns; ++column) {
        const double term = factor * others[column];
        sums[column] += term;
        magnitudes[column] += std::fabs(term);
      }
    }
  }
  return result;
}

Product product_transposed(const std::vector<double>& x, const std::vector<double>& weight,
                           std::int64_t inner) {
  const auto depth = static_cast<std::size_t>(inner);
  const std::size_t columns = weight.size() / depth;
  std::vector<double> turned(weight.size());
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t k = 0; k < depth; ++k) turned[k * columns + column] = weight[column * depth + k];
  return product(x, turned, inner);
}

Tolerance product_tolerance(const Product& product) {
  const auto& all = product.magnitudes;
  const double largest = all.empty() ? 0 : *std::max_element(all.begin(), all.end());
  return {dot_error(largest), 0,
          "8 float roundings of the largest sum of |terms|: of thousands of sums, the worst needs about 3"};
}

}  // namespace fusebox
