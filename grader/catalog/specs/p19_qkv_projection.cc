#include <cmath>

#include "grader/catalog/operators/product.h"

namespace fusebox::specs::p19_qkv_projection {
namespace {

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "M"), channels = size_of(which, "C"), width = size_of(which, "D");
  const auto x = random.normals(rows * channels);
  Problem problem{{input("x", DType::f32, {rows, channels}, x)}};
  std::vector<Argument> outputs;
  for (const std::string name : {"q", "k", "v"}) {
    // Of such a size that what comes out is near 1 whatever C is.
    const auto w = random.normals(channels * width, 0, 1 / std::sqrt(static_cast<double>(channels)));
    const Product projected = product(x, w, channels);
    problem.arguments.push_back(input("w" + name, DType::f32, {channels, width}, w));
    outputs.push_back(
        output(name, DType::f32, {rows, width}, projected.values, product_tolerance(projected)));
  }
  problem.arguments.insert(problem.arguments.end(), outputs.begin(), outputs.end());
  for (const char* size : {"M", "C", "D"}) problem.arguments.push_back(int_of(which, size));
  return problem;
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"channel", {"C"}}, {"column", {"D"}}};
  const Term x = tensor(f, "x", {"row", "channel"});
  for (const std::string name : {"q", "k", "v"})
    output(sum(x * tensor(f, "w" + name, {"channel", "column"}), "channel").named(name), name);
  return f;
}

std::vector<Case> cases() {
  const auto sizes = [](std::int64_t m, std::int64_t c, std::int64_t d) {
    return Sizes{{"M", m}, {"C", c}, {"D", d}};
  };
  return {
      {"single", "one product for each projection", sizes(1, 1, 1)},
      {"three_extents", "three different extents, smaller than any tile", sizes(2, 5, 3)},
      {"below_tile", "the last row, channel and column of a tile are missing", sizes(31, 31, 31)},
      {"one_tile", "exactly one tile of 32", sizes(32, 32, 32)},
      {"above_tile", "a second tile with one row, channel and column in it", sizes(33, 33, 33)},
      {"one_channel", "a single product for each value", sizes(40, 1, 37)},
      {"many_channels", "many tiles of x for one of q, the last one not full", sizes(3, 255, 5)},
      {"tall", "many rows, few columns", sizes(100, 17, 3)},
      {"wide", "one row, many columns", sizes(1, 33, 100)},
      {"odd", "rows that start at odd addresses", sizes(35, 47, 65)},
      {"odd_rows_of_x", "rows of the weights begin at multiples of 16 bytes, those of x do not",
       sizes(34, 30, 36)},
      {"odd_weights", "rows of x begin at multiples of 16 bytes, those of the weights do not",
       sizes(33, 36, 30)},
      {"large", "several tiles of rows, channels and columns", sizes(70, 75, 66)},
      {"drawn",
       "sizes that each seed draws anew",
       sizes(30, 50, 40),
       "normal",
       false,
       {{"M", {1, 70}}, {"C", {1, 80}}, {"D", {1, 70}}}},
      {"counted", "large enough that bytes tell fused from unfused", sizes(512, 128, 32), "normal", true},
  };
}

/// Bytes of a case's tensors; `weight` and `out` are one of three.
struct Bytes {
  double x, weight, out;
  double row_tiles, column_tiles;  ///< of the narrowest tiles that are thought of
};

constexpr std::int64_t kNarrowTile = 16;
Bytes bytes_of(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), channels = size_of(which, "C"), width = size_of(which, "D");
  return {sector_bytes(rows * channels), sector_bytes(channels * width), sector_bytes(rows * width),
          tiles_along(rows, kNarrowTile), tiles_along(width, kNarrowTile)};
}

// A row of tiles asks for all of each weight; a column of tiles for all of x, once or for each projection.
double fused_requested(const Bytes& b) {
  return b.column_tiles * b.x + 3 * b.row_tiles * b.weight + 3 * b.out;
}
double unfused_requested(const Bytes& b) { return fused_requested(b) + 2 * b.column_tiles * b.x; }
double fused_compulsory(const Bytes& b) { return b.x + 3 * b.weight + 3 * b.out; }
double unfused_compulsory(const Bytes& b) { return fused_compulsory(b) + 2 * b.x; }

std::vector<Budget> unfused_budgets(const Bytes& b) {
  return {
      {"launches", 3},
      {"bytes.compulsory", with_room(unfused_compulsory(b))},
      {"bytes.requested", with_room(unfused_requested(b))},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

std::vector<Budget> fused_budgets(const Bytes& b) {
  return {
      {"launches", 1},
      {"intermediate_bytes", 0},
      {"bytes.compulsory", with_room(fused_compulsory(b))},
      // A single product with all 3 D columns is as good: it asks for x as often as three do, and the cache
      // answers.
      {"bytes.requested", with_room(unfused_requested(b))},
      {"sectors_over_ideal", kCoalesced},
  };
}

/// Tensors alone, without values.
Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), channels = size_of(which, "C"), width = size_of(which, "D");
  Problem problem{{shaped("x", DType::f32, {rows, channels}, Role::in)}};
  for (const char* name : {"wq", "wk", "wv"})
    problem.arguments.push_back(shaped(name, DType::f32, {channels, width}, Role::in));
  for (const char* name : {"q", "k", "v"})
    problem.arguments.push_back(shaped(name, DType::f32, {rows, width}, Role::out));
  for (const char* size : {"M", "C", "D"}) problem.arguments.push_back(int_of(which, size));
  return problem;
}

}  // namespace

Puzzle spec() {
  using Function =
      void(const float*, const float*, const float*, const float*, float*, float*, float*, int, int, int);
  Puzzle puzzle;
  puzzle.id = "p19";
  puzzle.slug = "qkv_projection";
  puzzle.title = "Three projections in one pass over x";
  puzzle.chapter = "Part 5. Fusing whole operations";
  puzzle.cases = cases();
  const Bytes counted = bytes_of(puzzle.counted_case());
  puzzle.entries = {
      {"unfused", signature<Function>("qkv_unfused"), {"three_products"}, {}, unfused_budgets(counted)},
      {"fused",
       signature<Function>("qkv_fused"),
       {"load_tiles", "multiply", "store"},
       {},
       fused_budgets(counted)},
  };
  constexpr std::uint64_t kRows = 32768, kChannels = 352, kWidth = 32;
  puzzle.timed = {
      {{"large", "many positions, and a head of 32", {{"M", kRows}, {"C", kChannels}, {"D", kWidth}}},
       4 * (kRows * kChannels + 3 * kChannels * kWidth + 3 * kRows * kWidth)}};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments};
  // x nearly fits L2, with the second places that lines have there: how much of it the second and third
  // product find depends on how its sets are filled, and an eighth of them is filled otherwise by some per
  // cent.
  puzzle.full_size->whole = true;
  const Bytes full = bytes_of(puzzle.full_size->which);
  puzzle.entries[0].full_size_budgets = full_size_budgets(unfused_compulsory(full), unfused_requested(full));
  puzzle.entries[1].full_size_budgets = full_size_budgets(fused_compulsory(full), fused_requested(full));
  puzzle.make = make;
  puzzle.formula = formula;
  return puzzle;
}

}  // namespace fusebox::specs::p19_qkv_projection
