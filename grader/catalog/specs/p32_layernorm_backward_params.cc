#include "grader/catalog/operators/norms/layer_norm_backward.h"
#include "grader/report/hardware.h"

namespace fusebox::specs::p32_layernorm_backward_params {
namespace {

Sizes sized(std::int64_t rows, std::int64_t columns) { return {{"M", rows}, {"N", columns}}; }

std::vector<Case> cases() {
  return {
      {"single", "one value: its xhat is 0", sized(1, 1), "rows"},
      {"pair", "more columns than rows", sized(2, 3), "rows"},
      {"below_warp", "the last lanes of a warp have no column", sized(33, 31), "rows"},
      {"above_warp", "one column above a warp", sized(31, 33), "rows"},
      {"one_row", "nothing to add up", sized(1, 255), "rows"},
      {"hundred", "columns that are no multiple of a warp", sized(32, 100), "rows"},
      {"one_column", "a single, long sum", sized(1000, 1), "rows"},
      {"odd_rows", "one row above 256", sized(257, 15), "rows"},
      {"tall", "more rows than fit into few strips", sized(3001, 5), "rows"},
      {"wide", "one column above 1024", sized(3, 1025), "rows"},
      {"offset", "values of 10000 +- 1", sized(100, 255), "offset"},
      {"tiny_variance", "an rstd of about 300", sized(70, 64), "tiny"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(170, 90),
       "rows",
       false,
       {{"M", {1, 700}}, {"N", {1, 200}}}},
      {"counted", "traffic: two tensors in, two short vectors out", sized(1024, 256), "normal", true},
  };
}

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  const LayerNormSaved saved = draw_layer_norm_saved(which, random);
  const LayerNormParameterGradients d = layer_norm_dparameters(saved);
  return {{input("dy", DType::f32, {rows, columns}, saved.dy),
           input("x", DType::f32, {rows, columns}, saved.x), input("mean", DType::f32, {rows}, saved.mean),
           input("rstd", DType::f32, {rows}, saved.rstd),
           output("dgamma", DType::f32, {columns}, d.gamma.values, d.gamma.tolerance),
           output("dbeta", DType::f32, {columns}, d.beta.values, d.beta.tolerance), int_of(which, "M"),
           int_of(which, "N")}};
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  const Term dy = tensor(f, "dy", {"row", "column"});
  output(sum(dy * saved_normalized(f), "row"), "dgamma");
  output(sum(dy, "row"), "dbeta");
  return f;
}

/// Of a case: what must move, and what warps of 32 columns ask for beside dy and x, a mean and an rstd for
/// each row. A `sum` is what one strip of rows leaves of dgamma and dbeta together.
struct Bytes {
  double compulsory, requested, sum;
};
Bytes bytes_of(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  constexpr double kColumnsPerWarp = 32;
  const double inputs = 2 * sector_bytes(rows * columns), sums = 2 * sector_bytes(columns);
  const double warps = static_cast<double>(rows * columns) / kColumnsPerWarp;
  return {inputs + 2 * sector_bytes(rows) + sums, inputs + warps * 2 * kSectorBytes + sums, sums};
}

/// Rows that a warp has added up, at least, before it adds to dgamma and dbeta; and those of a strip whose
/// sums go through a workspace, at least. The reference has 64 of both.
constexpr double kRowsPerAtomic = 8, kRowsPerStrip = 16;

std::vector<Budget> atomics_budgets(const Case& counted) {
  const Bytes bytes = bytes_of(counted);
  const double times = static_cast<double>(size_of(counted, "M")) / kRowsPerAtomic;
  const double warps = static_cast<double>(size_of(counted, "N")) / 32;
  return {
      {"launches", 1},
      {"atomics", 2 * warps * times},
      {"bytes.requested", with_room(bytes.requested + times * bytes.sum)},
      {"bytes.compulsory", with_room(bytes.compulsory)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

std::vector<Budget> partials_budgets(const Case& counted) {
  const Bytes bytes = bytes_of(counted);
  const double workspace = static_cast<double>(size_of(counted, "M")) / kRowsPerStrip * bytes.sum;
  return {
      {"launches", 2},
      {"atomics", 0},
      {"intermediate_bytes", with_room(workspace)},
      {"bytes.requested", with_room(bytes.requested + 2 * workspace)},
      {"bytes.compulsory", with_room(bytes.compulsory + 2 * workspace)},
      {"sectors_over_ideal", kCoalesced},
  };
}

/// Tensors alone, without values.
Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  const std::vector<std::int64_t> all{rows, columns};
  return {{shaped("dy", DType::f32, all, Role::in), shaped("x", DType::f32, all, Role::in),
           shaped("mean", DType::f32, {rows}, Role::in), shaped("rstd", DType::f32, {rows}, Role::in),
           shaped("dgamma", DType::f32, {columns}, Role::out),
           shaped("dbeta", DType::f32, {columns}, Role::out), int_of(which, "M"), int_of(which, "N")}};
}

TimedCase timed(const char* name, const char* purpose, std::int64_t rows, std::int64_t columns) {
  return {{name, purpose, sized(rows, columns)},
          static_cast<std::uint64_t>(4 * (2 * rows * columns + 2 * columns + 2 * rows))};
}

}  // namespace

Puzzle spec() {
  using Function = void(const float*, const float*, const float*, const float*, float*, float*, int, int);
  Puzzle puzzle;
  puzzle.id = "p32";
  puzzle.slug = "layernorm_backward_params";
  puzzle.title = "LayerNorm backward: gamma and beta";
  puzzle.chapter = "Part 9. Backward";
  puzzle.cases = cases();
  puzzle.timed = {timed("large", "the activations of a small GPT", 32768, 768),
                  timed("wide", "wide rows", 16384, 4096)};
  const TimedCase& large = puzzle.timed.front();
  // All of its blocks are run: with 64 rows a block at least, there are too few to take some of them.
  puzzle.full_size = {large.which, large.min_bytes, arguments, true};
  puzzle.make = make;
  puzzle.formula = formula;

  const Case& counted = puzzle.counted_case();
  puzzle.entries = {
      {"atomics",
       signature<Function>("layernorm_backward_params_atomics"),
       {"strip", "add", "launch_atomics"},
       {},
       atomics_budgets(counted)},
      {"partials",
       signature<Function>("layernorm_backward_params"),
       {"strip", "store", "finalise", "launches"},
       {"partial"},
       partials_budgets(counted)},
  };
  const Bytes full = bytes_of(puzzle.full_size->which);
  for (Entry& entry : puzzle.entries)
    entry.full_size_budgets = full_size_budgets(full.compulsory, full.requested);
  return puzzle;
}

}  // namespace fusebox::specs::p32_layernorm_backward_params
