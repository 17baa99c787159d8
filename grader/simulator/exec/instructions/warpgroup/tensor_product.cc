#include "grader/simulator/exec/instructions/warpgroup/tensor_product.h"

#include <algorithm>
#include <bit>

#include "grader/simulator/exec/instructions/lanes/half.h"

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kMaxFactors = 32, kColumns = 8;
constexpr std::int32_t kNothing = -1000;  // the exponent of a zero: below that of every product

/// Eight columns as numbers, so that one instruction works on several. double holds every factor, and every
/// product of two.
struct Columns {
  double value[kMaxFactors][kColumns] = {};
  std::int32_t exponent[kMaxFactors][kColumns];
};

bool all_finite(std::span<const TensorFactor> factors) {
  return std::ranges::all_of(
      factors, [](const TensorFactor& factor) { return factor.kind == TensorFactor::Kind::finite; });
}

std::int32_t exponent_of(const TensorFactor& factor) {
  return factor.significand == 0 ? kNothing : factor.exponent;
}
/// exponent in (-1023, 1024)
double power_of_two(std::int32_t exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}
double value_of(const TensorFactor& factor) {
  return factor.significand * power_of_two(factor.exponent - 10);
}

/// Columns that there are not are zeros.
Columns take_columns(const TensorFactors& factors, std::size_t first, std::size_t count) {
  Columns columns;
  std::ranges::fill(std::span(&columns.exponent[0][0], std::size_t{kMaxFactors} * kColumns), kNothing);
  for (std::size_t c = 0; c < count; ++c)
    for (std::uint32_t k = 0; k < factors.k; ++k) {
      const TensorFactor& factor = factors.columns[(first + c) * factors.k + k];
      columns.value[k][c] = value_of(factor);
      columns.exponent[k][c] = exponent_of(factor);
    }
  return columns;
}

/// What eight sums are before; infinity and NaN are no matter of multiples.
struct Start {
  double value[kColumns] = {};
  std::int32_t exponent[kColumns];
  bool finite = true;
};

Start take_start(const std::uint32_t* sums, std::size_t count, MatrixElement type) {
  Start start;
  std::ranges::fill(start.exponent, kNothing);
  const bool halves = type == MatrixElement::f16;
  for (std::size_t c = 0; c < count; ++c) {
    const float value =
        halves ? half_to_float(static_cast<std::uint16_t>(sums[c])) : std::bit_cast<float>(sums[c]);
    const auto biased = static_cast<std::int32_t>(halves ? sums[c] >> 10 & 31 : sums[c] >> 23 & 255);
    start.finite = start.finite && biased != (halves ? 31 : 255);
    start.value[c] = value;
    if (value != 0) start.exponent[c] = std::max(biased, 1) - (halves ? 15 : 127);
  }
  return start;
}

/// A row by eight columns: exact multiples of 2^(largest - kept) in `total`. Cutting off towards 0 is what
/// the conversion to an integer does; below 2^27 it has room for all.
void add_row(std::span<const TensorFactor> row, const Columns& columns, const Start& start, int kept,
             std::int32_t* largest, double* total) {
  double scale[kColumns];
  std::copy_n(start.exponent, kColumns, largest);
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::int32_t exponent = exponent_of(row[k]);
    for (std::uint32_t c = 0; c < kColumns; ++c)
      largest[c] = std::max(largest[c], exponent + columns.exponent[k][c]);
  }
  for (std::uint32_t c = 0; c < kColumns; ++c) {
    largest[c] = std::max(largest[c], kNothing / 2);
    scale[c] = power_of_two(kept - largest[c]);
    total[c] = static_cast<std::int32_t>(start.value[c] * scale[c]);
  }
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double value = value_of(row[k]);
    for (std::uint32_t c = 0; c < kColumns; ++c)
      total[c] += static_cast<std::int32_t>(value * (columns.value[k][c] * scale[c]));
  }
}

}  // namespace

void add_tensor_product(const TensorFactors& factors, MatrixElement sum, std::span<std::uint32_t> sums) {
  const std::size_t k = factors.k, m = factors.rows.size() / k, n = factors.columns.size() / k;
  const int kept = bits_kept(factors.type);
  const bool finite = all_finite(factors.rows) && all_finite(factors.columns);
  for (std::size_t first = 0; first < n; first += kColumns) {
    const std::size_t count = std::min<std::size_t>(kColumns, n - first);
    const Columns columns = take_columns(factors, first, count);
    for (std::size_t r = 0; r < m; ++r) {
      const std::span<const TensorFactor> row = factors.rows.subspan(r * k, k);
      std::uint32_t* const to = &sums[r * n + first];
      const Start start = take_start(to, count, sum);
      if (!finite || !start.finite) {
        for (std::size_t c = 0; c < count; ++c)
          to[c] = tensor_sum(row, factors.columns.subspan((first + c) * k, k), to[c], sum, kept);
        continue;
      }
      std::int32_t largest[kColumns];
      double total[kColumns];
      add_row(row, columns, start, kept, largest, total);
      for (std::size_t c = 0; c < count; ++c)
        to[c] = tensor_sum_bits(static_cast<std::int64_t>(total[c]), largest[c] - kept, sum, kept);
    }
  }
}

}  // namespace fusebox::sim
