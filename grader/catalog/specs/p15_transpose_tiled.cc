#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

namespace fusebox::specs::p15_transpose_tiled {
namespace {

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  const auto in = random.normals(rows * columns);
  std::vector<double> out(in.size());
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c)
      out[static_cast<std::size_t>(c * rows + r)] = in[static_cast<std::size_t>(r * columns + c)];
  const Tolerance exact{0, 0, "nothing is computed: every value must arrive as it was"};
  return {{input("in", DType::f32, {rows, columns}, in),
           output("out", DType::f32, {columns, rows}, out, exact), int_of(which, "M"), int_of(which, "N")}};
}

Formula formula() {
  Formula f;
  f.axes = {{"column", {"N"}}, {"row", {"M"}}};
  // A tensor lies as it is; a product of two values lies along the formula's axes in their order.
  output((1 * tensor(f, "in", {"row", "column"})).named("transposed"), "out");
  return f;
}

std::vector<Case> cases() {
  const auto sizes = [](std::int64_t m, std::int64_t n) { return Sizes{{"M", m}, {"N", n}}; };
  return {
      {"single", "one value in a tile of a thousand", sizes(1, 1)},
      {"two_by_three", "two different extents, smaller than any tile", sizes(2, 3)},
      {"one_tile", "exactly one tile of 32", sizes(32, 32)},
      {"below_tile", "the last row and column of a tile are missing", sizes(31, 31)},
      {"above_tile", "a second tile with one row or column in it, each way", sizes(33, 33)},
      {"one_row", "a row that becomes a column", sizes(1, 100)},
      {"one_column", "a column that becomes a row", sizes(100, 1)},
      {"tall", "more rows of tiles than columns of them", sizes(255, 40)},
      {"wide", "more columns of tiles than rows of them", sizes(40, 255)},
      {"odd", "rows that start at odd addresses, in and out", sizes(65, 97)},
      {"drawn",
       "sizes that each seed draws anew",
       sizes(70, 50),
       "normal",
       false,
       {{"M", {1, 200}}, {"N", {1, 200}}}},
      {"counted", "whole tiles, several each way", sizes(256, 512), "normal", true},
  };
}

double pass(const Case& which) { return sector_bytes(size_of(which, "M") * size_of(which, "N")); }

Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  return {{shaped("in", DType::f32, {rows, columns}, Role::in),
           shaped("out", DType::f32, {columns, rows}, Role::out), int_of(which, "M"), int_of(which, "N")}};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p15";
  puzzle.slug = "transpose_tiled";
  puzzle.title = "Transpose through a padded tile";
  puzzle.chapter = "Part 5. Fusing whole operations";
  puzzle.cases = cases();
  const double counted = pass(puzzle.counted_case());
  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const float*, float*, int, int)>("transpose");
  entry.blanks = {"tile", "read_rows", "write_rows"};
  entry.budgets = {
      {"launches", 1},
      {"bytes.requested", with_room(2 * counted)},
      {"bytes.compulsory", with_room(2 * counted)},
      {"sectors_over_ideal", kCoalesced},
      {"bank_conflicts", 0},
      {"intermediate_bytes", 0},
  };
  constexpr std::uint64_t kRows = 8192, kColumns = 4096;
  puzzle.timed = {{{"large", "in and out far larger than any cache", {{"M", kRows}, {"N", kColumns}}},
                   8 * kRows * kColumns}};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments};
  const double full = pass(puzzle.full_size->which);
  entry.full_size_budgets = full_size_budgets(2 * full, 2 * full);
  puzzle.entries = {entry};
  puzzle.make = make;
  puzzle.formula = formula;
  return puzzle;
}

}  // namespace fusebox::specs::p15_transpose_tiled
