#include <algorithm>
#include <cmath>

#include "grader/catalog/operators/norms/layer_norm_linear.h"

namespace fusebox::specs::p21_layernorm_linear_folded {
namespace {

/// A row of the folded weights: the sums that its errors are made of.
struct FoldedRow {
  double sum = 0, magnitude = 0, shift_magnitude = 0;
};

FoldedRow folded_row(const LayerNormLinear& drawn, std::size_t o) {
  const std::size_t hidden = drawn.gamma.size();
  FoldedRow row;
  row.shift_magnitude = std::fabs(drawn.bias[o]);
  for (std::size_t h = 0; h < hidden; ++h) {
    const double w = drawn.weight[o * hidden + h];
    row.sum += w * drawn.gamma[h];
    row.magnitude += std::fabs(w * drawn.gamma[h]);
    row.shift_magnitude += std::fabs(w * drawn.beta[h]);
  }
  return row;
}

/// What a float kernel may be wrong by. Both sums of the folded form, x folded^T and mean * row_sum, are
/// rounded at their own size and subtracted, and rstd multiplies what is left of that: with a mean of 10000
/// deviations they are 10000 times as large as their difference.
Tolerance tolerance(const LayerNormLinear& drawn) {
  const LayerNormTolerance of_norm = layer_norm_tolerance(drawn.x, drawn.gamma, drawn.beta, drawn.norm);
  const std::size_t hidden = drawn.gamma.size(), outputs = drawn.bias.size(), rows = drawn.norm.mean.size();
  double largest = 0;
  for (std::size_t o = 0; o < outputs; ++o) {
    const FoldedRow of_weight = folded_row(drawn, o);
    for (std::size_t row = 0; row < rows; ++row) {
      const double mean = drawn.norm.mean[row], rstd = drawn.norm.rstd[row];
      double terms = 0, scaled = 0;
      for (std::size_t h = 0; h < hidden; ++h) {
        const double folded = drawn.weight[o * hidden + h] * drawn.gamma[h];
        terms += std::fabs(drawn.x[row * hidden + h] * folded);
        scaled += (drawn.x[row * hidden + h] - mean) * rstd * folded;
      }
      const double sums = dot_error(terms + std::fabs(mean) * of_weight.magnitude);
      const double of_mean = of_norm.mean_error[row] * std::fabs(of_weight.sum);
      largest = std::max(largest,
                         rstd * (sums + of_mean) + of_norm.rstd_error[row] * std::fabs(scaled) +
                             dot_error(of_weight.shift_magnitude + std::fabs(drawn.out[row * outputs + o])));
    }
  }
  return {
      largest, 0,
      "8 roundings of the sums of |x folded| and of |mean folded|, which cancel, times rstd; LayerNorm's errors (mean: 4 sqrt(H) roundings; rstd: 2 sqrt(H) + 8) through the weights; 8 roundings of the shift"};
}

Problem make(const Case& which, Random& random) {
  const LayerNormLinear drawn = draw_layer_norm_linear(which, random);
  return layer_norm_linear_problem(which, drawn, tolerance(drawn));
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"B", "S"}}, {"output", {"O"}}, {"h", {"H"}}};
  f.floats = {"eps"};
  const LayerNormTerms norm = layer_norm_terms(f, "h", "H");
  const Term weight = tensor(f, "weight", {"output", "h"}), x = tensor(f, "x", {"row", "h"});
  const Term folded = (tensor(f, "gamma", {"h"}) * weight).named("folded");
  const Term row_sum = sum(folded, "h").named("row_sum");
  const Term shift =
      (sum(tensor(f, "beta", {"h"}) * weight, "h") + tensor(f, "bias", {"output"})).named("shift");
  const Term product = sum(x * folded, "h").named("product");
  output(norm.rstd * (product - norm.mean * row_sum) + shift, "out");
  return f;
}

std::vector<Case> cases() {
  std::vector<Case> all = layer_norm_linear_cases();
  all.push_back({"above_tile",
                 "a second tile with one row, one output and one h in it",
                 {{"B", 5}, {"S", 13}, {"H", 65}, {"O", 65}},
                 "rows"});
  all.push_back({"counted",
                 "several tiles in each direction, and more positions than weights",
                 {{"B", 4}, {"S", 64}, {"H", 128}, {"O", 128}},
                 "normal",
                 true});
  return all;
}

/// Bytes of a case's tensors, which the budgets are made of.
struct Bytes {
  double x, weight, out;
  double of_h, of_o, of_row;  ///< gamma or beta; bias, row_sum or shift; mean or rstd
  double rows, outputs;       ///< how many there are
};

Bytes bytes_of(const Case& which) {
  const std::int64_t rows = size_of(which, "B") * size_of(which, "S"), hidden = size_of(which, "H"),
                     outputs = size_of(which, "O");
  return {sector_bytes(rows * hidden), sector_bytes(hidden * outputs), sector_bytes(rows * outputs),
          sector_bytes(hidden),        sector_bytes(outputs),          sector_bytes(rows),
          static_cast<double>(rows),   static_cast<double>(outputs)};
}

/// folded, row_sum, shift, mean and rstd: nothing of the size of x or of out.
double between(const Bytes& b) { return b.weight + 2 * b.of_o + 2 * b.of_row; }

/// Folding reads W and writes as much, the statistics read x, the product reads x and the folded weights.
double compulsory(const Bytes& b) {
  return 2 * b.x + 3 * b.weight + b.out + 2 * b.of_h + 5 * b.of_o + 4 * b.of_row;
}

/// Tiles of the product as narrow as p20's still divide the reads by enough.
constexpr std::int64_t kNarrowTile = 32;

/// Folding reads gamma and beta again for each output, and the statistics a row of x for its mean and for its
/// variance. Each row of tiles of the product reads all of the weights, each column of tiles all of x; each
/// value of out reads what belongs to its output and to its row, six sectors for every four of its own.
double requested(const Bytes& b) {
  const double tiles_down = std::ceil(b.rows / kNarrowTile),
               tiles_across = std::ceil(b.outputs / kNarrowTile);
  const double fold = 2 * b.weight + 2 * b.outputs * b.of_h, statistics = 2 * b.x + 2 * b.of_row;
  return fold + statistics + tiles_across * b.x + tiles_down * b.weight + 2.5 * b.out;
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p21";
  puzzle.slug = "layernorm_linear_folded";
  puzzle.title = "LayerNorm and Linear, folded";
  puzzle.chapter = "Part 5. Fusing whole operations";
  puzzle.cases = cases();
  const Bytes counted = bytes_of(puzzle.counted_case());
  Entry entry;
  entry.name = "kernel";
  entry.signature = layer_norm_linear_signature("layernorm_linear_folded");
  entry.blanks = {"fold", "statistics", "epilogue"};
  entry.intermediates = {"folded", "row_sum", "shift", "mean", "rstd"};
  entry.budgets = {
      {"launches", 3},
      {"intermediate_bytes", with_room(between(counted))},
      {"bytes.compulsory", with_room(compulsory(counted))},
      {"bytes.requested", with_room(requested(counted))},
      {"sectors_over_ideal", kCoalesced},
  };
  puzzle.timed = {layer_norm_linear_timed_case()};
  // All of it fits an L2: p20's question is of this size, at which no kernel of p20 wins by fusing. It has
  // too few tiles for some of them to stand for all.
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, layer_norm_linear_arguments,
                      true};
  const Bytes full = bytes_of(puzzle.full_size->which);
  entry.full_size_budgets = full_size_budgets(compulsory(full), requested(full));
  puzzle.entries = {entry};
  puzzle.make = make;
  puzzle.formula = formula;
  return puzzle;
}

}  // namespace fusebox::specs::p21_layernorm_linear_folded
