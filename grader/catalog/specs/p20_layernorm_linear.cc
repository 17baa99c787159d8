#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/catalog/operators/norms/layer_norm_linear.h"

namespace fusebox::specs::p20_layernorm_linear {
namespace {

/// What a float kernel may be wrong by: LayerNorm's errors carried through the weights, and the rounding of
/// the dot product.
Tolerance tolerance(const std::vector<double>& weight, const std::vector<double>& gamma,
                    const std::vector<double>& beta, const LayerNorm& norm, const Product& linear,
                    const LayerNormTolerance& of_norm) {
  const std::size_t hidden = gamma.size(), rows = norm.mean.size();
  double largest = 0;
  const std::size_t outputs = weight.size() / std::max<std::size_t>(hidden, 1);
  for (std::size_t o = 0; o < outputs; ++o) {
    const double* w = weight.data() + o * hidden;
    double slope = 0;
    for (std::size_t h = 0; h < hidden; ++h) slope += w[h] * gamma[h];
    for (std::size_t row = 0; row < rows; ++row) {
      const double* y = norm.normalized.data() + row * hidden;
      double scaled = 0;  // the part of the dot product that rstd multiplies
      for (std::size_t h = 0; h < hidden; ++h) scaled += w[h] * (y[h] - beta[h]);
      const double magnitude = linear.magnitudes[row * outputs + o];
      // A mean or an rstd that is off shifts or scales all terms of a row together: their errors meet signed
      // sums.
      largest = std::max(largest, of_norm.mean_error[row] * norm.rstd[row] * std::fabs(slope) +
                                      of_norm.rstd_error[row] * std::fabs(scaled) + dot_error(magnitude + 1));
    }
  }
  return {
      largest, 0,
      "LayerNorm's errors (mean: 4 sqrt(H) roundings; rstd: 2 sqrt(H) + 8) through the weights, and 8 roundings of the dot product's sum of |terms|"};
}

Problem make(const Case& which, Random& random) {
  const LayerNormLinear drawn = draw_layer_norm_linear(which, random);
  const LayerNormTolerance of_norm = layer_norm_tolerance(drawn.x, drawn.gamma, drawn.beta, drawn.norm);
  return layer_norm_linear_problem(
      which, drawn, tolerance(drawn.weight, drawn.gamma, drawn.beta, drawn.norm, drawn.linear, of_norm));
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"B", "S"}}, {"output", {"O"}}, {"h", {"H"}}};
  f.floats = {"eps"};
  const Term normalized = layer_norm_terms(f, "h", "H").normalized.named("normalized");
  const Term product = sum(normalized * tensor(f, "weight", {"output", "h"}), "h").named("product");
  output(product + tensor(f, "bias", {"output"}), "out");
  return f;
}

std::vector<Case> cases() {
  std::vector<Case> all = layer_norm_linear_cases();
  all.push_back({"counted",
                 "large enough that bytes tell fused from unfused",
                 {{"B", 2}, {"S", 64}, {"H", 128}, {"O", 128}},
                 "normal",
                 true});
  return all;
}

/// Bytes of a case's tensors, which the budgets are made of.
struct Bytes {
  double x, weight, out;
  double parameters, bias;         ///< parameters: gamma and beta
  double rows;                     ///< how many there are
  double row_tiles, column_tiles;  ///< of the unfused product's output
};

constexpr std::int64_t kTile = 32;  // rows and columns of the unfused product's tiles
Bytes bytes_of(const Case& which) {
  const std::int64_t rows = size_of(which, "B") * size_of(which, "S"), hidden = size_of(which, "H"),
                     out_dim = size_of(which, "O");
  return {sector_bytes(rows * hidden),
          sector_bytes(hidden * out_dim),
          sector_bytes(rows * out_dim),
          2 * sector_bytes(hidden),
          sector_bytes(out_dim),
          static_cast<double>(rows),
          static_cast<double>((rows + kTile - 1) / kTile),
          static_cast<double>((out_dim + kTile - 1) / kTile)};
}

Bytes counted_bytes() {
  const auto all = cases();
  return bytes_of(*std::find_if(all.begin(), all.end(), [](const Case& c) { return c.counted; }));
}

double unfused_compulsory(const Bytes& b) {
  return 3 * b.x + 3 * b.weight + 3 * b.out + b.parameters + b.bias;
}
// LayerNorm reads a row three times and writes it; the transpose reads and writes the weight; the product
// reads `normalized` once for each column of tiles and `weight_t` once for each row of tiles; the bias
// kernel reads what the product wrote.
double unfused_requested(const Bytes& b) {
  return 3 * b.x + b.rows * b.parameters + b.x * (1 + b.column_tiles) + b.weight * (2 + b.row_tiles) +
         3 * b.out + b.rows * b.bias;
}

double fused_compulsory(const Bytes& b) { return b.x + b.weight + b.out + b.parameters + b.bias; }
/// Positions that share one reading of the weight in the smallest tile that still wins at full size.
constexpr double kMinPositions = 16;
// Every block reads all of the weight for its tile of positions. A row of x is read for the mean, for the
// variance and to be normalised: the last two come from the cache but are requested all the same. A warp
// reads the bias for each of its rows.
double fused_requested(const Bytes& b) {
  return std::ceil(b.rows / kMinPositions) * b.weight + b.rows * (b.parameters + b.bias) + 3 * b.x + b.out;
}

std::vector<Budget> unfused_budgets() {
  const Bytes b = counted_bytes();
  return {
      {"launches", 4},
      {"bytes.compulsory", with_room(unfused_compulsory(b))},
      {"bytes.requested", with_room(unfused_requested(b))},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", with_room(b.x + b.weight + b.out)},
  };
}

std::vector<Budget> fused_budgets() {
  const Bytes b = counted_bytes();
  return {
      {"launches", 1},
      {"intermediate_bytes", 0},
      {"bytes.compulsory", with_room(fused_compulsory(b))},
      {"bytes.requested", with_room(fused_requested(b))},
      {"sectors_over_ideal", kCoalesced},
  };
}

FullSizeCase full_size() {
  constexpr std::uint64_t kBatch = 32, kSeq = 1024, kHead = 64, kRows = kBatch * kSeq;
  return {
      {"full", "many positions and a small weight", {{"B", kBatch}, {"S", kSeq}, {"H", kHead}, {"O", kHead}}},
      4 * (2 * kRows * kHead + kHead * kHead + 3 * kHead),
      layer_norm_linear_arguments};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p20";
  puzzle.slug = "layernorm_linear";
  puzzle.title = "LayerNorm and Linear, unfused and fused";
  puzzle.chapter = "Part 5. Fusing whole operations";
  puzzle.entries = {
      {"unfused",
       layer_norm_linear_signature("layernorm_linear_unfused"),
       {"layernorm"},
       {"normalized", "weight_t", "product"},
       unfused_budgets()},
      {"fused",
       layer_norm_linear_signature("layernorm_linear_fused"),
       {"fused_stats", "fused_output"},
       {},
       fused_budgets()},
  };
  puzzle.cases = cases();
  const auto many_positions = [](std::int64_t hidden, std::int64_t out_dim) -> TimedCase {
    constexpr std::int64_t kPositions = 32 * 1024;
    const auto bytes = 4 * (kPositions * (hidden + out_dim) + hidden * out_dim + 2 * hidden + out_dim);
    return {{fmt::format("many_{}_{}", hidden, out_dim),
             "many positions and a small weight",
             {{"B", 32}, {"S", 1024}, {"H", hidden}, {"O", out_dim}}},
            static_cast<std::uint64_t>(bytes),
            LinearBaseline{"x", "weight", "bias", "out"}};
  };
  puzzle.timed = {many_positions(64, 64), many_positions(128, 128), many_positions(256, 64),
                  layer_norm_linear_timed_case()};
  puzzle.full_size = full_size();
  const Bytes full = bytes_of(puzzle.full_size->which);
  puzzle.entries[0].full_size_budgets = full_size_budgets(unfused_compulsory(full), unfused_requested(full));
  puzzle.entries[1].full_size_budgets = full_size_budgets(fused_compulsory(full), fused_requested(full));
  puzzle.make = make;
  puzzle.formula = formula;
  return puzzle;
}

}  // namespace fusebox::specs::p20_layernorm_linear
