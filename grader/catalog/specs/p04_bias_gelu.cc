#include <algorithm>

#include "grader/catalog/operators/gelu.h"

namespace fusebox::specs::p04_bias_gelu {
namespace {

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  const auto bias = draw_parameters(columns, random);
  const auto x = draw_for_gelu(which.values, bias, rows, random);
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = gelu_tanh(x[i] + bias[i % bias.size()]);
  return {{input("x", DType::f32, {rows, columns}, x), input("bias", DType::f32, {columns}, bias),
           output("out", DType::f32, {rows, columns}, out, gelu_tolerance()), int_of(which, "M"),
           int_of(which, "N")}};
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  const Term x = tensor(f, "x", {"row", "column"}), bias = tensor(f, "bias", {"column"});
  const Term v = (x + bias).named("v");
  output(gelu_term(v), "out");
  return f;
}

std::vector<Case> cases() {
  const auto sizes = [](std::int64_t m, std::int64_t n) { return Sizes{{"M", m}, {"N", n}}; };
  return {
      {"single", "one element, one thread with work", sizes(1, 1)},
      {"one_column", "rows of one element, most of which start at odd addresses", sizes(7, 1)},
      {"narrow", "many rows of 3: rows and columns mixed up show", sizes(40, 3)},
      {"below_warp", "the last lane of a warp has nothing to do", sizes(3, 31)},
      {"above_warp", "one column above a warp", sizes(2, 33)},
      {"hundred", "no multiple of a warp", sizes(3, 100)},
      {"odd", "rows that start at odd addresses", sizes(5, 255)},
      {"above_block", "one column above a block of 256", sizes(2, 257)},
      {"above_tile", "one column above what a block of the fused kernel does", sizes(2, 513)},
      {"most_of_a_tile", "some threads have all of their columns, and others lack the last one",
       sizes(2, 400)},
      {"above_largest_block", "one column more than a block can have threads", sizes(2, 1025)},
      {"near_2_70", "x + bias near +-2.70, where tanh form and erf form differ most", sizes(4, 256), "near"},
      {"large", "|x| up to 100: e^2t overflows, tanh does not", sizes(2, 200), "large"},
      {"drawn",
       "sizes that each seed draws anew",
       sizes(7, 300),
       "normal",
       false,
       {{"M", {1, 20}}, {"N", {1, 800}}}},
      {"counted", "large enough that bytes tell fused from unfused", sizes(128, 1024), "normal", true},
  };
}

/// Bytes of a case.
struct Bytes {
  double tensor, bias;
};

Bytes bytes_of(const Case& which) {
  return {sector_bytes(size_of(which, "M") * size_of(which, "N")), sector_bytes(size_of(which, "N"))};
}

Bytes counted_bytes() {
  const auto all = cases();
  return bytes_of(*std::find_if(all.begin(), all.end(), [](const Case& c) { return c.counted; }));
}

std::vector<Budget> unfused_budgets() {
  const Bytes b = counted_bytes();
  return {
      {"launches", 2},
      {"bytes.compulsory", with_room(4 * b.tensor + b.bias)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", with_room(b.tensor)},
  };
}

std::vector<Budget> fused_budgets() {
  const Bytes b = counted_bytes();
  return {
      {"launches", 1},
      {"intermediate_bytes", 0},
      {"bytes.compulsory", with_room(2 * b.tensor + b.bias)},
      // Every row asks for the whole bias: from the cache, but it is asked for.
      {"bytes.requested", with_room(3 * b.tensor)},
      {"sectors_over_ideal", kCoalesced},
  };
}

/// Tensors alone, without values.
Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  return {{shaped("x", DType::f32, {rows, columns}, Role::in),
           shaped("bias", DType::f32, {columns}, Role::in),
           shaped("out", DType::f32, {rows, columns}, Role::out), int_of(which, "M"), int_of(which, "N")}};
}

}  // namespace

Puzzle spec() {
  using Function = void(const float*, const float*, float*, int, int);
  Puzzle puzzle;
  puzzle.id = "p04";
  puzzle.slug = "bias_gelu";
  puzzle.title = "Bias and GELU, unfused and fused";
  puzzle.chapter = "Part 2. Fusing elementwise work";
  puzzle.entries = {
      {"unfused",
       signature<Function>("bias_gelu_unfused"),
       {"gelu_tanh", "add_bias", "apply_gelu"},
       {"biased"},
       unfused_budgets()},
      {"fused", signature<Function>("bias_gelu_fused"), {"gelu_tanh", "fused"}, {}, fused_budgets()},
  };
  puzzle.cases = cases();
  constexpr std::uint64_t kRows = 8192, kColumns = 4096;
  puzzle.timed = {{{"large", "x and out far larger than any cache", {{"M", kRows}, {"N", kColumns}}},
                   4 * (2 * kRows * kColumns + kColumns)}};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments};
  const Bytes full = bytes_of(puzzle.full_size->which);
  // The bias is asked for by every row.
  puzzle.entries[0].full_size_budgets = full_size_budgets(4 * full.tensor + full.bias, 5 * full.tensor);
  puzzle.entries[1].full_size_budgets = full_size_budgets(2 * full.tensor + full.bias, 3 * full.tensor);
  puzzle.make = make;
  puzzle.formula = formula;
  return puzzle;
}

}  // namespace fusebox::specs::p04_bias_gelu
