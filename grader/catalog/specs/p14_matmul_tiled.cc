#include <cmath>

#include "grader/catalog/operators/product.h"

namespace fusebox::specs::p14_matmul_tiled {
namespace {

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "M"), inner = size_of(which, "K"), columns = size_of(which, "N");
  const auto a = random.normals(rows * inner);
  // Of such a size that values of c are near 1 whatever K is.
  const auto b = random.normals(inner * columns, 0, 1 / std::sqrt(static_cast<double>(inner)));
  const Product c = product(a, b, inner);
  return {{input("a", DType::f32, {rows, inner}, a), input("b", DType::f32, {inner, columns}, b),
           output("c", DType::f32, {rows, columns}, c.values, product_tolerance(c)), int_of(which, "M"),
           int_of(which, "K"), int_of(which, "N")}};
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"k", {"K"}}, {"column", {"N"}}};
  output(sum(tensor(f, "a", {"row", "k"}) * tensor(f, "b", {"k", "column"}), "k").named("product"), "c");
  return f;
}

std::vector<Case> cases() {
  const auto sizes = [](std::int64_t m, std::int64_t k, std::int64_t n) {
    return Sizes{{"M", m}, {"K", k}, {"N", n}};
  };
  return {
      {"single", "one product: nearly all of every tile hangs over the edge", sizes(1, 1, 1)},
      {"two_by_three", "three different extents, smaller than any tile", sizes(2, 5, 3)},
      {"below_tile", "the last row, column and k of a tile are missing", sizes(31, 31, 31)},
      {"one_tile", "exactly one tile of 32", sizes(32, 32, 32)},
      {"above_tile", "a second tile with one row, one column and one k in it", sizes(33, 33, 33)},
      {"one_k", "a single product for each value of c", sizes(40, 1, 37)},
      {"long_k", "many pairs of tiles for one tile of c, the last one not full", sizes(3, 255, 5)},
      {"tall", "many rows of tiles and few columns", sizes(100, 17, 3)},
      {"wide", "one row of c and many columns", sizes(1, 33, 255)},
      {"odd", "rows that start at odd addresses", sizes(35, 47, 65)},
      {"odd_rows_of_a", "rows of b and c begin at multiples of 16 bytes, those of a do not",
       sizes(36, 30, 40)},
      {"odd_rows_of_b", "rows of a begin at multiples of 16 bytes, those of b and c do not",
       sizes(34, 40, 38)},
      {"drawn",
       "sizes that each seed draws anew",
       sizes(30, 50, 40),
       "normal",
       false,
       {{"M", {1, 70}}, {"K", {1, 100}}, {"N", {1, 70}}}},
      {"counted", "whole tiles, several in each direction", sizes(128, 128, 128), "normal", true},
  };
}

/// Tiles this narrow still divide the reads by enough.
constexpr std::int64_t kNarrowTile = 16;

/// Each row of tiles of c asks for all of b, each column of tiles for all of a.
double requested(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), inner = size_of(which, "K"), columns = size_of(which, "N");
  return tiles_along(columns, kNarrowTile) * sector_bytes(rows * inner) +
         tiles_along(rows, kNarrowTile) * sector_bytes(inner * columns) + sector_bytes(rows * columns);
}

double compulsory(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), inner = size_of(which, "K"), columns = size_of(which, "N");
  return sector_bytes(rows * inner) + sector_bytes(inner * columns) + sector_bytes(rows * columns);
}

/// A wavefront more than needed for every 32 products: no layout that was thought about has as many.
double conflicts(const Case& which) {
  return static_cast<double>(size_of(which, "M") * size_of(which, "K") * size_of(which, "N")) / 32;
}

Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), inner = size_of(which, "K"), columns = size_of(which, "N");
  return {{shaped("a", DType::f32, {rows, inner}, Role::in),
           shaped("b", DType::f32, {inner, columns}, Role::in),
           shaped("c", DType::f32, {rows, columns}, Role::out), int_of(which, "M"), int_of(which, "K"),
           int_of(which, "N")}};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p14";
  puzzle.slug = "matmul_tiled";
  puzzle.title = "Matrix product, tile by tile";
  puzzle.chapter = "Part 5. Fusing whole operations";
  puzzle.cases = cases();
  const Case& counted = puzzle.counted_case();
  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const float*, const float*, float*, int, int, int)>("matmul");
  entry.blanks = {"load_tiles", "multiply", "store"};
  entry.budgets = {
      {"launches", 1},
      {"bytes.requested", with_room(requested(counted))},
      {"bytes.compulsory", with_room(compulsory(counted))},
      {"sectors_over_ideal", kCoalesced},
      {"bank_conflicts", conflicts(counted)},
      {"intermediate_bytes", 0},
  };
  constexpr std::uint64_t kRows = 2048, kInner = 256, kColumns = 1024;
  puzzle.timed = {{{"large", "a layer of a small network", {{"M", kRows}, {"K", kInner}, {"N", kColumns}}},
                   4 * (kRows * kInner + kInner * kColumns + kRows * kColumns)}};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments};
  // All of it fits an L2: what matters at this size is how often it is asked for. Each row of tiles asks for
  // b anew; what the cache has lost of a and b meanwhile, as it takes in c, is fetched again.
  const Case& full = puzzle.full_size->which;
  entry.full_size_budgets =
      full_size_budgets(2 * compulsory(full) - sector_bytes(kRows * kColumns), requested(full));
  puzzle.entries = {entry};
  puzzle.make = make;
  puzzle.formula = formula;
  return puzzle;
}

}  // namespace fusebox::specs::p14_matmul_tiled
