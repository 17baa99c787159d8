#include <cmath>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

namespace fusebox::specs::p24_rmsnorm_bf16 {
namespace {

constexpr double kEps = 1e-5;
constexpr std::uint64_t kBytes = 2;       // of an element
constexpr double kBf16Roundoff = 0x1p-8;  // the largest relative error of one rounding to 8 bits

const Curve kToBf16{"the rounding to bf16", "{} rounded to bf16", round_to_bf16};

std::vector<double> in_bf16(std::vector<double> values) {
  for (double& value : values) value = round_to_bf16(value);
  return values;
}

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
  const auto x = in_bf16(draw_rows(which.values, rows, columns, random));
  const auto residual = in_bf16(draw_rows(which.values, rows, columns, random));
  const auto weight = in_bf16(draw_parameters(columns, random));
  const double eps = as_float(kEps);

  std::vector<double> sum(x.size()), out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) sum[i] = round_to_bf16(x[i] + residual[i]);
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto first = static_cast<std::size_t>(row * columns);
    double squares = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) squares += sum[first + i] * sum[first + i];
    const double inverse_rms = 1 / std::sqrt(squares / static_cast<double>(columns) + eps);
    for (std::size_t i = 0; i < weight.size(); ++i) out[first + i] = sum[first + i] * inverse_rms * weight[i];
  }

  const Tolerance exact{0, 0, "the sum of two bf16 numbers, rounded once, has one right answer"};
  const Tolerance rounded{
      0, kBf16Roundoff + kFloatRoundoff * (12 + std::sqrt(static_cast<double>(columns)) / 2),
      "one rounding to bf16, at most 2^-8, and 12 + sqrt(N) / 2 float roundings before it: 3 of the scaling and sqrt(N) / 6 of the sum, four times over"};
  return {{input("x", DType::bf16, {rows, columns}, x),
           input("residual", DType::bf16, {rows, columns}, residual),
           input("weight", DType::bf16, {columns}, weight),
           output("sum", DType::bf16, {rows, columns}, sum, exact),
           output("out", DType::bf16, {rows, columns}, out, rounded), int_of(which, "rows"),
           int_of(which, "columns"), static_cast<float>(kEps)}};
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"rows"}}, {"column", {"columns"}}};
  f.floats = {"eps"};
  const Term x = tensor(f, "x", {"row", "column"}), residual = tensor(f, "residual", {"row", "column"});
  const Term sum_of_both = apply(kToBf16, x + residual).named("sum");
  const Term mean_square =
      (sum(apply(kSquare, sum_of_both), "column") / number(f, "columns")).named("the mean square");
  const Term inverse_rms = (1 / apply(kSquareRoot, mean_square + number(f, "eps"))).named("inverse_rms");
  output(sum_of_both, "sum");
  output(sum_of_both * inverse_rms * tensor(f, "weight", {"column"}), "out");
  return f;
}

std::vector<Case> cases() {
  const auto sized = [](std::int64_t rows, std::int64_t columns) {
    return Sizes{{"rows", rows}, {"columns", columns}};
  };
  return {
      {"one_element", "a row of 2 bytes", sized(1, 1), "rows"},
      {"columns_2", "a row of 4 bytes", sized(3, 2), "rows"},
      {"columns_3", "rows whose start is not a multiple of 4 bytes", sized(5, 3), "rows"},
      {"columns_8", "one group of eight, and a warp that has no other", sized(3, 8), "rows"},
      {"columns_31", "groups of eight, and seven elements more", sized(3, 31), "rows"},
      {"columns_33", "groups of eight, and one element more", sized(3, 33), "rows"},
      {"columns_100", "rows that start at multiples of 8 bytes", sized(33, 100), "rows"},
      {"columns_255", "one element less than a warp has in one access", sized(3, 255), "rows"},
      {"columns_264", "one group more than a warp has in one access", sized(3, 264), "rows"},
      {"columns_1000", "most lanes of a warp with four groups, the last ones with three", sized(4, 1000),
       "rows"},
      {"columns_1032", "one group more than a warp can keep", sized(3, 1032), "rows"},
      {"columns_4099", "a long row that starts at odd places", sized(2, 4099), "normal"},
      {"columns_8200", "one group more than 256 threads can keep", sized(2, 8200), "rows"},
      {"columns_32768", "the longest row", sized(1, 32768), "normal"},
      {"more_rows_than_columns", "rows and columns confused", sized(255, 3), "rows"},
      {"tiny_values", "eps: left out, or added outside the root", sized(4, 64), "tiny"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(7, 300),
       "rows",
       false,
       {{"rows", {1, 20}}, {"columns", {1, 1200}}}},
      {"counted", "traffic: whole sectors, 64 rows", sized(64, 1024), "rows", true},
  };
}

/// Bytes of one pass over a matrix and over the weight, and how many rows there are.
struct Bytes {
  double pass, weight, rows;
};
Bytes bytes_of(const Case& which) {
  const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
  return {sector_bytes(rows * columns, kBytes), sector_bytes(columns, kBytes), static_cast<double>(rows)};
}

/// `passes` over matrices, and the weight once for each row.
double requested(const Bytes& b, int passes) { return passes * b.pass + b.rows * b.weight; }
double compulsory(const Bytes& b, int passes) { return passes * b.pass + b.weight; }

// Unfused: x and residual read, sum written; sum read, out written. Fused, sum is not read.
constexpr int kUnfusedPasses = 5, kFusedPasses = 4;

std::vector<Budget> budgets(const Case& counted, int launches, int passes) {
  constexpr double kBytesOfARequest = 512;  // 32 lanes of 16 bytes
  const Bytes b = bytes_of(counted);
  return {
      {"launches", static_cast<double>(launches)},
      {"bytes.requested", with_room(requested(b, passes))},
      {"bytes.compulsory", with_room(compulsory(b, passes))},
      {"requests", with_room(requested(b, passes) / kBytesOfARequest)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

/// Tensors alone, without values.
Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
  return {{shaped("x", DType::bf16, {rows, columns}, Role::in),
           shaped("residual", DType::bf16, {rows, columns}, Role::in),
           shaped("weight", DType::bf16, {columns}, Role::in),
           shaped("sum", DType::bf16, {rows, columns}, Role::out),
           shaped("out", DType::bf16, {rows, columns}, Role::out), int_of(which, "rows"),
           int_of(which, "columns"), static_cast<float>(kEps)}};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p24";
  puzzle.slug = "rmsnorm_bf16";
  puzzle.title = "RMSNorm in bf16, with the residual";
  puzzle.chapter = "Part 6. RMSNorm";
  puzzle.cases = cases();
  constexpr std::uint64_t kRows = 8192, kColumns = 4096;
  puzzle.timed = {
      {{"large", "each matrix far larger than any cache", {{"rows", kRows}, {"columns", kColumns}}, "rows"},
       kBytes * (4 * kRows * kColumns + kColumns)}};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments};
  puzzle.make = make;
  puzzle.formula = formula;

  using Function = void(const bf16*, const bf16*, const bf16*, bf16*, bf16*, int, int, float);
  const Case& counted = puzzle.counted_case();
  const Bytes full = bytes_of(puzzle.full_size->which);
  puzzle.entries = {
      {"unfused",
       signature<Function>("add_rmsnorm_unfused"),
       {"load_eight", "store_eight", "normalize"},
       {},
       budgets(counted, 2, kUnfusedPasses),
       full_size_budgets(compulsory(full, kUnfusedPasses), requested(full, kUnfusedPasses))},
      {"fused",
       signature<Function>("add_rmsnorm_fused"),
       {"load_eight", "store_eight", "add_normalize"},
       {},
       budgets(counted, 1, kFusedPasses),
       full_size_budgets(compulsory(full, kFusedPasses), requested(full, kFusedPasses))},
  };
  return puzzle;
}

}  // namespace fusebox::specs::p24_rmsnorm_bf16
