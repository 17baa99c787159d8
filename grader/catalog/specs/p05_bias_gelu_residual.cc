#include <algorithm>
#include <cmath>
#include <numbers>

#include "grader/catalog/operators/gelu.h"

namespace fusebox::specs::p05_bias_gelu_residual {
namespace {

double gelu_erf(double v) { return 0.5 * v * (1 + std::erf(v / std::numbers::sqrt2)); }

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  const auto bias = draw_parameters(columns, random);
  const auto x = draw_for_gelu(which.values, bias, rows, random);
  const auto residual = random.normals(rows * columns);
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = residual[i] + gelu_erf(x[i] + bias[i % bias.size()]);
  const Tolerance allowed{
      2.4e-6, 16 * kFloatRoundoff,
      "4 times 0.5 |v| (2 roundings of erf and one of 1 + erf, at |v| = 6, where erf reaches 1), and 4 times the roundings of two sums and two products; the tanh form is up to 4.7e-4 away"};
  return {{input("x", DType::f32, {rows, columns}, x), input("bias", DType::f32, {columns}, bias),
           input("residual", DType::f32, {rows, columns}, residual),
           output("out", DType::f32, {rows, columns}, out, allowed), int_of(which, "M"), int_of(which, "N")}};
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  const Term x = tensor(f, "x", {"row", "column"}), bias = tensor(f, "bias", {"column"});
  const Term residual = tensor(f, "residual", {"row", "column"});
  const Term v = (x + bias).named("v");
  const Term inner = (1 / std::numbers::sqrt2 * v).named("the argument of erf");
  const Term gelu = (0.5 * v * (1 + apply(kErf, inner))).named("gelu");
  output(residual + gelu, "out");
  return f;
}

std::vector<Case> cases() {
  const auto sizes = [](std::int64_t m, std::int64_t n) { return Sizes{{"M", m}, {"N", n}}; };
  return {
      {"single", "one element, one thread with work", sizes(1, 1)},
      {"one_column", "rows of one element, most of which start at odd addresses", sizes(7, 1)},
      {"pair", "rows of 2", sizes(3, 2)},
      {"narrow", "many rows of 3: rows and columns mixed up show", sizes(40, 3)},
      {"below_warp", "the last lane of a warp has nothing to do", sizes(3, 31)},
      {"warp", "rows of one whole warp", sizes(2, 32)},
      {"above_warp", "one column above a warp; all elements are a multiple of 4, those of a row are not",
       sizes(4, 33)},
      {"hundred", "no multiple of a warp", sizes(3, 100)},
      {"odd", "rows that start at odd addresses", sizes(5, 255)},
      {"above_block", "one column above a block of 128", sizes(2, 129)},
      {"above_tile", "one column above what a block does", sizes(2, 513)},
      {"most_of_a_tile", "some threads have all of their columns, and others lack the last one",
       sizes(2, 400)},
      {"above_largest_block", "one column more than a block can have threads", sizes(2, 1025)},
      {"near_2_70", "x + bias near +-2.70, where erf form and tanh form differ most", sizes(4, 256), "near"},
      {"large", "|x| up to 100", sizes(2, 200), "large"},
      {"drawn",
       "sizes that each seed draws anew",
       sizes(7, 300),
       "normal",
       false,
       {{"M", {1, 20}}, {"N", {1, 800}}}},
      {"counted", "large enough that bytes tell one read from two", sizes(128, 1024), "normal", true},
  };
}

/// Bytes of a case.
struct Bytes {
  double tensor, bias;
};

Bytes bytes_of(const Case& which) {
  return {sector_bytes(size_of(which, "M") * size_of(which, "N")), sector_bytes(size_of(which, "N"))};
}

std::vector<Budget> budgets(const Case& counted) {
  const Bytes b = bytes_of(counted);
  return {
      {"launches", 1},
      {"intermediate_bytes", 0},
      {"bytes.compulsory", with_room(3 * b.tensor + b.bias)},
      // Every row asks for the whole bias: from the cache, but it is asked for.
      {"bytes.requested", with_room(4 * b.tensor)},
      {"sectors_over_ideal", kCoalesced},
  };
}

/// Tensors alone, without values.
Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  return {{shaped("x", DType::f32, {rows, columns}, Role::in),
           shaped("bias", DType::f32, {columns}, Role::in),
           shaped("residual", DType::f32, {rows, columns}, Role::in),
           shaped("out", DType::f32, {rows, columns}, Role::out), int_of(which, "M"), int_of(which, "N")}};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p05";
  puzzle.slug = "bias_gelu_residual";
  puzzle.title = "Bias, GELU in the erf form, and a residual";
  puzzle.chapter = "Part 2. Fusing elementwise work";
  puzzle.cases = cases();
  constexpr std::uint64_t kRows = 8192, kColumns = 4096;
  puzzle.timed = {{{"large", "tensors far larger than any cache", {{"M", kRows}, {"N", kColumns}}},
                   4 * (3 * kRows * kColumns + kColumns)}};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments};
  puzzle.make = make;
  puzzle.formula = formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature =
      signature<void(const float*, const float*, const float*, float*, int, int)>("bias_gelu_residual");
  entry.blanks = {"gelu_erf", "fused"};
  entry.budgets = budgets(puzzle.counted_case());
  const Bytes full = bytes_of(puzzle.full_size->which);
  entry.full_size_budgets = full_size_budgets(3 * full.tensor + full.bias, 4 * full.tensor);
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p05_bias_gelu_residual
