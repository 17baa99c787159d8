#include <algorithm>
#include <cmath>

#include "grader/catalog/operators/product.h"

namespace fusebox::specs::p18_swiglu {
namespace {

std::vector<Case> cases() {
  const auto sized = [](std::int64_t rows, std::int64_t hidden, std::int64_t width) {
    return Sizes{{"rows", rows}, {"hidden", hidden}, {"width", width}};
  };
  return {
      {"single", "one element of each", sized(1, 1, 1)},
      {"three_extents", "three small sizes that cannot be taken for each other", sized(3, 2, 5)},
      {"below_tile", "tiles of 32 with a row, a column and an h missing", sized(31, 31, 31)},
      {"whole_tiles", "tiles of 32 and nothing over", sized(32, 32, 64)},
      {"above_tile", "one row, column and h more than 32", sized(33, 33, 33)},
      {"one_h", "products of a single term", sized(20, 1, 40)},
      {"long_h", "many steps along h, the last one not full", sized(5, 255, 7)},
      {"tall", "many rows, few columns", sized(130, 19, 3)},
      {"wide", "two rows, many columns", sized(2, 33, 300)},
      {"odd", "rows that start at odd addresses", sized(35, 47, 65)},
      {"saturated", "|g| up to hundreds: e^g is beyond float", sized(20, 100, 40), "large"},
      {"near_zero", "g near 0, where silu(g) is g / 2", sized(20, 40, 30), "small"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(30, 50, 40),
       "normal",
       false,
       {{"rows", {1, 80}}, {"hidden", {1, 100}}, {"width", {1, 80}}}},
      {"counted", "large enough that bytes tell fused from unfused", sized(128, 128, 128), "normal", true},
  };
}

double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }

/// What g and u may be wrong by, carried through silu(g) u, whose slopes are at most 1.1 |u| and |silu(g)|.
Tolerance tolerance_of(const Product& g, const Product& u) {
  double largest = 0;
  for (std::size_t i = 0; i < g.values.size(); ++i) {
    const double silu = g.values[i] * sigmoid(g.values[i]);
    largest = std::max(largest, 1.1 * std::fabs(u.values[i]) * dot_error(g.magnitudes[i]) +
                                    std::fabs(silu) * dot_error(u.magnitudes[i]));
  }
  return {
      largest, 16 * kFloatRoundoff,
      "8 roundings of each dot product's sum of |terms| through silu(g) u, and 16 of exp, sum, division and product"};
}

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "rows"), hidden = size_of(which, "hidden"),
                     width = size_of(which, "width");
  const auto x = random.normals(rows * hidden);
  // Of such a size that g and u are near 1 whatever `hidden` is; "large" and "small" are of g alone.
  const double scale = 1 / std::sqrt(static_cast<double>(hidden));
  const double of_gate = which.values == "large" ? 100 : which.values == "small" ? 0.01 : 1.5;
  const auto gate = random.normals(width * hidden, 0, of_gate * scale);
  const auto up = random.normals(width * hidden, 0, scale);

  const Product g = product_transposed(x, gate, hidden), u = product_transposed(x, up, hidden);
  std::vector<double> out(g.values.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = g.values[i] * sigmoid(g.values[i]) * u.values[i];
  return {{input("x", DType::f32, {rows, hidden}, x), input("gate", DType::f32, {width, hidden}, gate),
           input("up", DType::f32, {width, hidden}, up),
           output("out", DType::f32, {rows, width}, out, tolerance_of(g, u)), int_of(which, "rows"),
           int_of(which, "hidden"), int_of(which, "width")}};
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"rows"}}, {"f", {"width"}}, {"h", {"hidden"}}};
  const Term x = tensor(f, "x", {"row", "h"});
  const Term g = sum(x * tensor(f, "gate", {"f", "h"}), "h").named("g");
  const Term u = sum(x * tensor(f, "up", {"f", "h"}), "h").named("u");
  output((g * apply(kSigmoid, g)).named("silu(g)") * u, "out");
  return f;
}

/// Bytes that are asked for with square tiles of out: x once for each column of tiles, each of the two
/// weights once for each row of tiles.
double requested(const Case& which, std::int64_t tile) {
  const std::int64_t rows = size_of(which, "rows"), hidden = size_of(which, "hidden"),
                     width = size_of(which, "width");
  return tiles_along(width, tile) * sector_bytes(rows * hidden) +
         2 * tiles_along(rows, tile) * sector_bytes(width * hidden) + sector_bytes(rows * width);
}

double compulsory(const Case& which) {
  const std::int64_t rows = size_of(which, "rows"), hidden = size_of(which, "hidden"),
                     width = size_of(which, "width");
  return sector_bytes(rows * hidden) + 2 * sector_bytes(width * hidden) + sector_bytes(rows * width);
}

constexpr std::int64_t kNarrowTile = 16;  ///< divides the requests by enough

std::vector<Budget> budgets(const Case& counted) {
  return {
      {"launches", 1},
      {"intermediate_bytes", 0},
      {"bytes.compulsory", with_room(compulsory(counted))},
      {"bytes.requested", with_room(requested(counted, kNarrowTile))},
      {"sectors_over_ideal", kCoalesced},
  };
}

Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "rows"), hidden = size_of(which, "hidden"),
                     width = size_of(which, "width");
  return {{shaped("x", DType::f32, {rows, hidden}, Role::in),
           shaped("gate", DType::f32, {width, hidden}, Role::in),
           shaped("up", DType::f32, {width, hidden}, Role::in),
           shaped("out", DType::f32, {rows, width}, Role::out), int_of(which, "rows"),
           int_of(which, "hidden"), int_of(which, "width")}};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p18";
  puzzle.slug = "swiglu";
  puzzle.title = "SwiGLU, gate and up in one pass";
  puzzle.chapter = "Part 5. Fusing whole operations";
  puzzle.cases = cases();
  const Case full{"large",
                  "x and out far larger than any cache together",
                  {{"rows", 81920}, {"hidden", 32}, {"width", 128}}};
  puzzle.timed = {{full, static_cast<std::uint64_t>(compulsory(full))}};
  puzzle.full_size = {full, puzzle.timed.front().min_bytes, arguments};
  puzzle.make = make;
  puzzle.formula = formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature =
      signature<void(const float*, const float*, const float*, float*, int, int, int)>("swiglu");
  entry.blanks = {"kernel", "launch"};
  entry.budgets = budgets(puzzle.counted_case());
  entry.full_size_budgets = full_size_budgets(compulsory(full), requested(full, kNarrowTile));
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p18_swiglu
