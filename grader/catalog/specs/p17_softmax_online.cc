#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

namespace fusebox::specs::p17_softmax_online {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

std::vector<Case> cases() {
  const auto sized = [](std::int64_t rows, std::int64_t columns) {
    return Sizes{{"rows", rows}, {"columns", columns}};
  };
  return {
      {"single", "one value: its softmax is 1", sized(1, 1), "rows"},
      {"one_column", "rows of one value, most of which start at odd addresses", sized(6, 1), "rows"},
      {"columns_2", "threads without a column", sized(5, 2), "rows"},
      {"columns_3", "rows that start at odd addresses", sized(7, 3), "rows"},
      {"columns_31", "a warp with one idle lane", sized(5, 31), "rows"},
      {"columns_32", "one whole warp", sized(5, 32), "rows"},
      {"columns_33", "the first column of the second warp", sized(5, 33), "rows"},
      {"columns_100", "several warps, the last one not full", sized(33, 100), "rows"},
      {"columns_255", "one column less than 256", sized(5, 255), "rows"},
      {"columns_257", "one column more than 256", sized(5, 257), "rows"},
      {"columns_1000", "a tail behind several whole trips of a loop", sized(4, 1000), "rows"},
      {"columns_4099", "long rows", sized(2, 4099), "rows"},
      {"many_rows", "rows and columns confused", sized(300, 5), "rows"},
      {"rising", "each value is larger than all before it", sized(4, 600), "rising"},
      {"falling", "the first value is the largest", sized(4, 600), "falling"},
      {"large", "values around 1000", sized(4, 300), "large"},
      {"low", "values around -1000", sized(4, 300), "low"},
      {"masked", "values of -inf, and whole stretches of them", sized(6, 700), "masked"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(10, 300),
       "rows",
       false,
       {{"rows", {1, 20}}, {"columns", {1, 1500}}}},
      {"counted", "traffic: whole sectors, 64 rows", sized(64, 1024), "rows", true},
  };
}

std::vector<double> draw_x(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
  const std::string& kind = which.values;
  if (kind == "rows") return draw_rows(kind, rows, columns, random);
  if (kind == "large") return random.normals(rows * columns, 1000, 3);
  if (kind == "low") return random.normals(rows * columns, -1000, 3);
  std::vector<double> x = random.normals(rows * columns);
  const auto width = static_cast<std::size_t>(columns);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto column = static_cast<double>(i % width);
    // Steps of 0.02 to 0.04, so that all of a row still counts for something.
    if (kind == "rising") x[i] = as_float(0.02 * (column + random.uniform(0, 1)));
    if (kind == "falling") x[i] = as_float(-0.02 * (column + random.uniform(0, 1)));
  }
  if (kind == "masked") {
    // Of each row all but the first few values, or the first ones, or a third of all; one value always stays.
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t from = 1 + random.below(columns);
      for (std::int64_t column = 0; column < columns; ++column) {
        const bool masked = row % 3 == 0   ? column >= from
                            : row % 3 == 1 ? column < from - 1
                                           : column > 0 && random.below(3) == 0;
        if (masked) x[static_cast<std::size_t>(row * columns + column)] = kMasked;
      }
    }
  }
  return x;
}

/// Largest of max - value over the finite values of a row.
double largest_spread(const std::vector<double>& x, std::size_t width) {
  double spread = 0;
  for (std::size_t row = 0; row < x.size(); row += width) {
    const double* values = x.data() + row;
    const double largest = *std::max_element(values, values + width);
    for (std::size_t i = 0; i < width; ++i)
      if (std::isfinite(values[i])) spread = std::max(spread, largest - values[i]);
  }
  return spread;
}

Tolerance tolerance_of(const std::vector<double>& x, std::int64_t columns) {
  // The sum has positive terms, so the error is relative: about sqrt(N) / 3 roundings of the additions in any
  // order, and about as many again where a running sum is scaled anew; two each of exp, division and product.
  // What exp is given is rounded too: an argument of -t in units of its own last place, which makes t
  // roundings of the result, and as many again where exp is worked out as 2^(t / ln 2). Below e^-87 a float
  // has no full precision any more, and 0 is as good.
  const double spread = std::min(largest_spread(x, static_cast<std::size_t>(columns)), 87.0);
  return {
      4 * static_cast<double>(std::numeric_limits<float>::min()),
      kFloatRoundoff * (24 + 3 * std::sqrt(static_cast<double>(columns)) + 8 * spread),
      "24 + 3 sqrt(N) + 8 (max - x) float roundings: the sum in any order with its factors, and the argument of exp, four times over"};
}

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
  std::vector<double> x = draw_x(which, random);
  const auto width = static_cast<std::size_t>(columns);
  std::vector<double> expected(x.size());
  for (std::size_t row = 0; row < x.size(); row += width) {
    const double* values = x.data() + row;
    const double largest = *std::max_element(values, values + width);
    double sum = 0;
    for (std::size_t i = 0; i < width; ++i) sum += std::exp(values[i] - largest);
    for (std::size_t i = 0; i < width; ++i) expected[row + i] = std::exp(values[i] - largest) / sum;
  }
  const Tolerance tolerance = tolerance_of(x, columns);
  return {{input("x", DType::f32, {rows, columns}, std::move(x)),
           output("out", DType::f32, {rows, columns}, std::move(expected), tolerance), int_of(which, "rows"),
           int_of(which, "columns")}};
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"rows"}}, {"column", {"columns"}}};
  const Term x = tensor(f, "x", {"row", "column"});
  const Term power = apply(kExp, x - largest(x, "column").named("the largest of the row"));
  output(power / sum(power, "column").named("the sum of exponentials"), "out");
  return f;
}

std::vector<Budget> budgets(const Case& counted) {
  const double pass = sector_bytes(size_of(counted, "rows") * size_of(counted, "columns"));
  // Each row is read for its statistics, read again and written.
  return {
      {"launches", 1},
      {"bytes.requested", with_room(3 * pass)},
      {"bytes.compulsory", with_room(2 * pass)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "rows"), columns = size_of(which, "columns");
  return {{shaped("x", DType::f32, {rows, columns}, Role::in),
           shaped("out", DType::f32, {rows, columns}, Role::out), int_of(which, "rows"),
           int_of(which, "columns")}};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p17";
  puzzle.slug = "softmax_online";
  puzzle.title = "Softmax, maximum and sum in one pass";
  puzzle.chapter = "Part 5. Fusing whole operations";
  puzzle.cases = cases();
  constexpr std::uint64_t kRows = 8192, kColumns = 4096;
  puzzle.timed = {
      {{"large", "x and out far larger than any cache", {{"rows", kRows}, {"columns", kColumns}}, "rows"},
       8 * kRows * kColumns}};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments};
  puzzle.make = make;
  puzzle.formula = formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const float*, float*, int, int)>("softmax");
  entry.blanks = {"merge", "one_pass", "write_row"};
  entry.budgets = budgets(puzzle.counted_case());
  const double pass = sector_bytes(static_cast<std::int64_t>(kRows * kColumns));
  entry.full_size_budgets = full_size_budgets(2 * pass, 3 * pass);
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p17_softmax_online
