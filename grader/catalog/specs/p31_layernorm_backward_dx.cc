#include "grader/catalog/operators/norms/layer_norm_backward.h"
#include "grader/report/hardware.h"

namespace fusebox::specs::p31_layernorm_backward_dx {
namespace {

Sizes sized(std::int64_t rows, std::int64_t columns) { return {{"M", rows}, {"N", columns}}; }

std::vector<Case> cases() {
  return {
      {"single", "a row of one value: whatever it is, its xhat is 0", sized(1, 1), "rows"},
      {"one_column", "several rows of one value, most of which start at odd addresses", sized(7, 1), "rows"},
      {"pair", "rows of two", sized(3, 2), "rows"},
      {"three", "more rows than columns: a mistaken axis shows", sized(100, 3), "rows"},
      {"below_warp", "the last lanes of a warp have nothing to read", sized(33, 31), "rows"},
      {"above_warp", "a second, nearly empty round for a warp", sized(31, 33), "rows"},
      {"same_gamma", "one number for all of gamma", sized(9, 64), "same_gamma"},
      {"same_gamma_odd", "one number for all of gamma, rows at odd addresses", sized(5, 77), "same_gamma"},
      {"hundred", "a row that is no multiple of a warp", sized(32, 100), "rows"},
      {"odd_rows", "one row above 128; rows start at odd addresses", sized(129, 15), "rows"},
      {"long_rows", "one column above 256", sized(3, 257), "rows"},
      {"offset", "values of 10000 +- 1", sized(5, 255), "offset"},
      {"tiny_variance", "an rstd of about 300", sized(4, 64), "tiny"},
      {"wide", "a row for a whole block", sized(2, 4100), "rows"},
      {"wide_odd", "the same with rows at odd addresses", sized(2, 2051), "rows"},
      {"widest", "the longest row there is", sized(1, 16384), "rows"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(17, 300),
       "rows",
       false,
       {{"M", {1, 40}}, {"N", {1, 700}}}},
      {"counted", "traffic: two tensors in, one out", sized(256, 512), "normal", true},
  };
}

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  const LayerNormSaved saved = draw_layer_norm_saved(which, random);
  const LayerNormGradient dx = layer_norm_dx(saved);
  return {{input("dy", DType::f32, {rows, columns}, saved.dy),
           input("x", DType::f32, {rows, columns}, saved.x),
           input("gamma", DType::f32, {columns}, saved.gamma), input("mean", DType::f32, {rows}, saved.mean),
           input("rstd", DType::f32, {rows}, saved.rstd),
           output("dx", DType::f32, {rows, columns}, dx.values, dx.tolerance), int_of(which, "M"),
           int_of(which, "N")}};
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  const Term dy = tensor(f, "dy", {"row", "column"}), gamma = tensor(f, "gamma", {"column"});
  const Term xhat = saved_normalized(f), n = number(f, "N");
  const Term g = (dy * gamma).named("dy * gamma");
  const Term mean_g = (sum(g, "column") / n).named("the mean of dy * gamma");
  const Term mean_product = (sum(g * xhat, "column") / n).named("the mean of dy * gamma * xhat");
  output(tensor(f, "rstd", {"row"}) * (g - mean_g - xhat * mean_product), "dx");
  return f;
}

struct Bytes {
  double compulsory, requested;
};

/// dy and x are asked for once, dx is written; a row asks for gamma, at most twice, and each of its warps, of
/// which there are no more than one for 64 columns, for its mean and rstd.
Bytes bytes_of(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  constexpr double kColumnsPerWarp = 64;
  const double tensor = sector_bytes(rows * columns), of_row = 2 * sector_bytes(rows),
               of_column = sector_bytes(columns), many = static_cast<double>(rows);
  const double warps = static_cast<double>(columns) / kColumnsPerWarp;
  return {3 * tensor + of_column + of_row, 3 * tensor + many * (2 * of_column + warps * 2 * kSectorBytes)};
}

std::vector<Budget> budgets(const Case& counted) {
  const Bytes bytes = bytes_of(counted);
  return {
      {"launches", 1},
      {"bytes.requested", with_room(bytes.requested)},
      {"bytes.compulsory", with_room(bytes.compulsory)},
      {"sectors_over_ideal", kCoalesced},
      {"local_requests", 0},
      {"intermediate_bytes", 0},
  };
}

/// Tensors alone, without values.
Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  const std::vector<std::int64_t> all{rows, columns};
  return {{shaped("dy", DType::f32, all, Role::in), shaped("x", DType::f32, all, Role::in),
           shaped("gamma", DType::f32, {columns}, Role::in), shaped("mean", DType::f32, {rows}, Role::in),
           shaped("rstd", DType::f32, {rows}, Role::in), shaped("dx", DType::f32, all, Role::out),
           int_of(which, "M"), int_of(which, "N")}};
}

TimedCase timed(const char* name, const char* purpose, std::int64_t rows, std::int64_t columns) {
  return {{name, purpose, sized(rows, columns)},
          static_cast<std::uint64_t>(4 * (3 * rows * columns + columns + 2 * rows))};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p31";
  puzzle.slug = "layernorm_backward_dx";
  puzzle.title = "LayerNorm backward: the gradient of x";
  puzzle.chapter = "Part 9. Backward";
  puzzle.cases = cases();
  puzzle.timed = {timed("large", "the activations of a small GPT", 32768, 768),
                  timed("wide", "rows for whole blocks", 16384, 4096)};
  const TimedCase& large = puzzle.timed.front();
  puzzle.full_size = {large.which, large.min_bytes, arguments};
  puzzle.make = make;
  puzzle.formula = formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature =
      signature<void(const float*, const float*, const float*, const float*, const float*, float*, int, int)>(
          "layernorm_backward_dx");
  entry.blanks = {"load_row", "means", "store_row"};
  entry.budgets = budgets(puzzle.counted_case());
  const Bytes full = bytes_of(puzzle.full_size->which);
  entry.full_size_budgets = full_size_budgets(full.compulsory, full.requested);
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p31_layernorm_backward_dx
