#include "grader/catalog/operators/norms/rms_norm.h"

#include <cmath>

namespace fusebox {
namespace {

constexpr double kRmsNormEps = 1e-5;

struct RmsNormBytes {
  double compulsory, requested;
};

RmsNormBytes rms_norm_bytes(const Case& which, int reads) {
  const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
  const double pass = sector_bytes(rows * columns), weight = sector_bytes(columns);
  return {2 * pass + weight, (reads + 1) * pass + static_cast<double>(rows) * weight};
}

/// Tensors alone, without values.
Problem rms_norm_arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
  return {{shaped("x", DType::f32, {rows, columns}, Role::in),
           shaped("weight", DType::f32, {columns}, Role::in),
           shaped("out", DType::f32, {rows, columns}, Role::out), int_of(which, "rows"),
           int_of(which, "columns"), static_cast<float>(kRmsNormEps)}};
}

}  // namespace

Signature rms_norm_signature(std::string function) {
  return signature<void(const float*, const float*, float*, int, int, float)>(std::move(function));
}

std::vector<Case> rms_norm_cases() {
  const auto sized = [](std::int64_t rows, std::int64_t columns) {
    return Sizes{{"rows", rows}, {"columns", columns}};
  };
  return {
      {"one_element", "a sum over a padded block, or a length of N - 1", sized(1, 1), "rows"},
      {"one_column", "rows that are shorter than what stands in front of their first float4", sized(7, 1),
       "rows"},
      {"columns_2", "lanes without a column that join the sum", sized(3, 2), "rows"},
      {"columns_3", "rows whose start is not a multiple of 16 bytes", sized(5, 3), "rows"},
      {"columns_31", "a warp with one idle lane", sized(3, 31), "rows"},
      {"columns_32", "a whole warp and seven warps without work", sized(2, 32), "normal"},
      {"columns_33", "the first column of the second warp", sized(3, 33), "rows"},
      {"columns_100", "several warps, the last one not full", sized(33, 100), "rows"},
      {"columns_255", "one column less than a block has threads", sized(3, 255), "rows"},
      {"columns_257", "one column more than a block has threads", sized(3, 257), "rows"},
      {"columns_1000", "a tail behind several whole trips of the loop", sized(4, 1000), "rows"},
      {"columns_4099", "a long row", sized(2, 4099), "normal"},
      {"columns_6148", "a longer one of whole float4s", sized(1, 6148), "rows"},
      {"more_rows_than_columns", "rows and columns confused", sized(255, 3), "rows"},
      {"tiny_values", "eps: left out, or added outside the root", sized(4, 64), "tiny"},
      {"large_mean", "a mean that is subtracted, as LayerNorm would", sized(3, 100), "offset"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(7, 300),
       "rows",
       false,
       {{"rows", {1, 20}}, {"columns", {1, 1200}}}},
      {"counted", "traffic: whole sectors, 64 rows", sized(64, 1024), "rows", true},
  };
}

Problem make_rms_norm(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
  std::vector<double> x = draw_rows(which.values, rows, columns, random);
  std::vector<double> weight = draw_parameters(columns, random);
  const double eps = as_float(kRmsNormEps);

  std::vector<double> expected(x.size());
  for (std::int64_t row = 0; row < rows; ++row) {
    const double* in = x.data() + row * columns;
    double sum = 0;
    for (std::int64_t i = 0; i < columns; ++i) sum += in[i] * in[i];
    const double inverse_rms = 1 / std::sqrt(sum / static_cast<double>(columns) + eps);
    for (std::int64_t i = 0; i < columns; ++i)
      expected[static_cast<std::size_t>(row * columns + i)] =
          in[i] * inverse_rms * weight[static_cast<std::size_t>(i)];
  }

  // Nothing cancels, so the error is relative. A sum of N squares in any order is off by about sqrt(N) / 3
  // roundings (a random walk), which the root halves; division, eps, 1/sqrt and two products add about three.
  const Tolerance tolerance{
      0, kFloatRoundoff * (12 + std::sqrt(static_cast<double>(columns)) / 2),
      "12 + sqrt(N) / 2 float roundings: about 3 of the scaling and sqrt(N) / 6 of the sum, four times over"};
  return {{input("x", DType::f32, {rows, columns}, std::move(x)),
           input("weight", DType::f32, {columns}, std::move(weight)),
           output("out", DType::f32, {rows, columns}, std::move(expected), tolerance),
           static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns),
           static_cast<float>(kRmsNormEps)}};
}

Formula rms_norm_formula() {
  Formula f;
  f.axes = {{"row", {"rows"}}, {"column", {"columns"}}};
  f.floats = {"eps"};
  const Term x = tensor(f, "x", {"row", "column"}), weight = tensor(f, "weight", {"column"});
  const Term mean_square = (sum(apply(kSquare, x), "column") / number(f, "columns")).named("the mean square");
  const Term inverse_rms = (1 / apply(kSquareRoot, mean_square + number(f, "eps"))).named("inverse_rms");
  output(x * inverse_rms * weight, "out");
  return f;
}

std::vector<Budget> rms_norm_budgets(const Case& counted, int reads) {
  const RmsNormBytes bytes = rms_norm_bytes(counted, reads);
  return {
      {"launches", 1},
      {"bytes.requested", with_room(bytes.requested)},
      {"bytes.compulsory", with_room(bytes.compulsory)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

std::vector<Budget> rms_norm_full_size_budgets(int reads) {
  const RmsNormBytes bytes = rms_norm_bytes(rms_norm_full_size().which, reads);
  return full_size_budgets(bytes.compulsory, bytes.requested);
}

std::vector<TimedCase> rms_norm_timed() {
  constexpr std::uint64_t kRows = 8192, kColumns = 4096;
  return {{{"large", "x and out far larger than any cache", {{"rows", kRows}, {"columns", kColumns}}, "rows"},
           4 * (2 * kRows * kColumns + kColumns),
           std::nullopt,
           NormBaseline{"x", "weight", "", "out", "", "", static_cast<float>(kRmsNormEps)}}};
}

FullSizeCase rms_norm_full_size() {
  const TimedCase large = rms_norm_timed().front();
  return {large.which, large.min_bytes, rms_norm_arguments};
}

}  // namespace fusebox
