#include "grader/catalog/operators/row_sum.h"

#include <algorithm>
#include <cmath>

namespace fusebox {
namespace {

/// Large values whose negatives follow in the second half of the row, each with a small value of its own
/// added: what is left of the sum is a few of the small ones.
std::vector<double> draw_cancelling_rows(std::int64_t rows, std::int64_t columns, Random& random) {
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::vector<double> large = random.normals(columns, 0, 500);
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t half = columns / 2;
      const double base = column < half ? large[static_cast<std::size_t>(column)]
                                        : -large[static_cast<std::size_t>(column - half)];
      values[static_cast<std::size_t>(row * columns + column)] = as_float(base + random.normal());
    }
  }
  return values;
}

/// x alone, once; each row's sum is stored by one lane, which asks for a whole sector.
double requested(std::int64_t rows, std::int64_t columns) {
  return sector_bytes(rows * columns) + static_cast<double>(rows) * sector_bytes(1);
}

double compulsory(std::int64_t rows, std::int64_t columns) {
  return sector_bytes(rows * columns) + sector_bytes(rows);
}

}  // namespace

Signature row_sum_signature() { return signature<void(const float*, float*, int, int)>("row_sums"); }

std::vector<Case> row_sum_cases() {
  const auto sized = [](std::int64_t rows, std::int64_t columns) {
    return Sizes{{"rows", rows}, {"columns", columns}};
  };
  return {
      {"single", "one element, one thread with work", sized(1, 1)},
      {"one_column", "rows of one element, most of which start at odd addresses", sized(7, 1), "rows"},
      {"columns_2", "nearly all threads without a column", sized(5, 2), "rows"},
      {"columns_3", "rows that start at odd addresses", sized(7, 3), "rows"},
      {"columns_31", "a warp with one idle lane", sized(9, 31), "rows"},
      {"columns_32", "one whole warp", sized(9, 32), "rows"},
      {"columns_33", "the first column of the second warp", sized(9, 33), "rows"},
      {"columns_100", "several warps, the last one not full", sized(33, 100), "rows"},
      {"columns_255", "one column less than 256", sized(9, 255), "rows"},
      {"columns_257", "one column more than 256", sized(9, 257), "rows"},
      {"columns_1000", "a tail behind several whole trips of a loop", sized(12, 1000), "rows"},
      {"columns_4099", "long rows", sized(8, 4099), "rows"},
      {"many_rows", "rows and columns confused", sized(300, 5), "rows"},
      {"offset", "values around 1000: sums of few digits", sized(8, 300), "offset"},
      {"cancels", "large values that cancel to a small sum", sized(8, 500), "cancels"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(10, 300),
       "rows",
       false,
       {{"rows", {1, 40}}, {"columns", {1, 1500}}}},
      {"counted", "traffic: whole sectors, 64 rows", sized(64, 1024), "rows", true},
  };
}

Tolerance row_sum_tolerance(const std::vector<double>& x, std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  double magnitude = 0;
  for (std::size_t row = 0; row + width <= x.size(); row += width) {
    double sum = 0;
    for (std::size_t i = row; i < row + width; ++i) sum += std::fabs(x[i]);
    magnitude = std::max(magnitude, sum);
  }
  // Each of the N - 1 additions rounds a partial sum, which no order makes larger than the sum of the
  // magnitudes; the roundings have either sign, so that they add up like a random walk of sqrt(N) steps, each
  // about a third of the largest rounding there could be.
  return {
      4 * kFloatRoundoff * (1 + std::sqrt(static_cast<double>(columns)) / 3) * magnitude, 0,
      "4 + 4/3 sqrt(N) float roundings of the row's sum of magnitudes: any order of additions, as a random walk, four times over"};
}

Problem make_row_sum(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
  std::vector<double> x = which.values == "cancels"  ? draw_cancelling_rows(rows, columns, random)
                          : which.values == "offset" ? random.normals(rows * columns, 1000, 1)
                                                     : draw_rows(which.values, rows, columns, random);
  std::vector<double> expected(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < x.size(); ++i) expected[i / static_cast<std::size_t>(columns)] += x[i];
  const Tolerance tolerance = row_sum_tolerance(x, columns);
  return {{input("x", DType::f32, {rows, columns}, std::move(x)),
           output("out", DType::f32, {rows}, std::move(expected), tolerance), int_of(which, "rows"),
           int_of(which, "columns")}};
}

Formula row_sum_formula() {
  Formula f;
  f.axes = {{"row", {"rows"}}, {"column", {"columns"}}};
  output(sum(tensor(f, "x", {"row", "column"}), "column"), "out");
  return f;
}

std::vector<Budget> row_sum_budgets(const Case& counted) {
  const std::int64_t rows = size_of(counted, "rows"), columns = size_of(counted, "columns");
  return {
      {"launches", 1},
      {"bytes.requested", with_room(requested(rows, columns))},
      {"bytes.compulsory", with_room(compulsory(rows, columns))},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

FullSizeCase row_sum_full_size() {
  constexpr std::uint64_t kRows = 16384, kColumns = 4096;
  return {{"large", "x far larger than any cache", {{"rows", kRows}, {"columns", kColumns}}, "rows"},
          4 * (kRows * kColumns + kRows),
          [](const Case& which) -> Problem {
            const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
            return {{shaped("x", DType::f32, {rows, columns}, Role::in),
                     shaped("out", DType::f32, {rows}, Role::out), int_of(which, "rows"),
                     int_of(which, "columns")}};
          }};
}

std::vector<Budget> row_sum_full_size_budgets() {
  const Case full = row_sum_full_size().which;
  const std::int64_t rows = size_of(full, "rows"), columns = size_of(full, "columns");
  return full_size_budgets(compulsory(rows, columns), requested(rows, columns));
}

}  // namespace fusebox
