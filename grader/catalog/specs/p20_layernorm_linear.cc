#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/catalog/layer_norm.h"
#include "grader/catalog/product.h"

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
  const std::int64_t batch = size_of(which, "B"), seq = size_of(which, "S"), hidden = size_of(which, "H"),
                     out_dim = size_of(which, "O"), rows = batch * seq;
  const float eps = 1e-5f;
  const auto x = draw_rows(which.values, rows, hidden, random);
  const auto gamma = draw_parameters(hidden, random), beta = draw_parameters(hidden, random);
  // Weights of a layer: scaled so that outputs are of size 1 whatever H is.
  const auto weight = random.normals(out_dim * hidden, 0, 1 / std::sqrt(static_cast<double>(hidden)));
  const auto bias = draw_parameters(out_dim, random);

  const LayerNorm norm = layer_norm(x, gamma, beta, hidden, eps);
  const Product linear = product_transposed(norm.normalized, weight, hidden);
  std::vector<double> out = linear.values;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += bias[i % bias.size()];
  const Tolerance allowed =
      tolerance(weight, gamma, beta, norm, linear, layer_norm_tolerance(x, gamma, beta, norm));
  return {{input("x", DType::f32, {batch, seq, hidden}, x), input("gamma", DType::f32, {hidden}, gamma),
           input("beta", DType::f32, {hidden}, beta), input("weight", DType::f32, {out_dim, hidden}, weight),
           input("bias", DType::f32, {out_dim}, bias),
           output("out", DType::f32, {batch, seq, out_dim}, out, allowed), int_of(which, "B"),
           int_of(which, "S"), int_of(which, "H"), int_of(which, "O"), eps}};
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
  return {
      {"seed", "small enough to follow by hand", {{"B", 4}, {"S", 4}, {"H", 8}, {"O", 16}}},
      {"single",
       "one value is its own mean: the variance is 0 and only eps is left",
       {{"B", 1}, {"S", 1}, {"H", 1}, {"O", 1}}},
      {"pair", "the variance divides by H, not by H - 1", {{"B", 2}, {"S", 3}, {"H", 2}, {"O", 3}}, "rows"},
      {"below_warp",
       "the last lanes of a warp have nothing to read",
       {{"B", 1}, {"S", 3}, {"H", 31}, {"O", 33}},
       "rows"},
      {"above_warp",
       "a second, nearly empty round for each warp",
       {{"B", 2}, {"S", 1}, {"H", 33}, {"O", 31}},
       "rows"},
      {"wide_output",
       "more outputs than threads in a block",
       {{"B", 3}, {"S", 1}, {"H", 100}, {"O", 255}},
       "rows"},
      {"above_block",
       "a row one longer than a block of 128, and its base is not aligned to 16 bytes",
       {{"B", 1}, {"S", 3}, {"H", 129}, {"O", 100}},
       "rows"},
      {"offset",
       "values of 10000 +- 1: E[x^2] - mean^2 has no digits left",
       {{"B", 1}, {"S", 5}, {"H", 255}, {"O", 33}},
       "offset"},
      {"tiny_variance",
       "eps is ten times the variance: where it stands decides",
       {{"B", 1}, {"S", 4}, {"H", 64}, {"O", 40}},
       "tiny"},
      {"drawn",
       "sizes that each seed draws anew",
       {{"B", 2}, {"S", 5}, {"H", 70}, {"O", 50}},
       "rows",
       false,
       {{"B", {1, 3}}, {"S", {1, 12}}, {"H", {1, 200}}, {"O", {1, 200}}}},
      {"counted",
       "large enough that bytes tell fused from unfused",
       {{"B", 2}, {"S", 64}, {"H", 128}, {"O", 128}},
       "normal",
       true},
  };
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
constexpr double kLeastPositions = 16;
// Every block reads all of the weight for its tile of positions. A row of x is read for the mean, for the
// variance and to be normalised: the last two come from the cache but are requested all the same. A warp
// reads the bias for each of its rows.
double fused_requested(const Bytes& b) {
  return std::ceil(b.rows / kLeastPositions) * b.weight + b.rows * (b.parameters + b.bias) + 3 * b.x + b.out;
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

/// Tensors alone, without values.
Problem arguments(const Case& which) {
  const std::int64_t batch = size_of(which, "B"), seq = size_of(which, "S"), hidden = size_of(which, "H"),
                     out_dim = size_of(which, "O");
  return {{shaped("x", DType::f32, {batch, seq, hidden}, Role::in),
           shaped("gamma", DType::f32, {hidden}, Role::in), shaped("beta", DType::f32, {hidden}, Role::in),
           shaped("weight", DType::f32, {out_dim, hidden}, Role::in),
           shaped("bias", DType::f32, {out_dim}, Role::in),
           shaped("out", DType::f32, {batch, seq, out_dim}, Role::out), int_of(which, "B"),
           int_of(which, "S"), int_of(which, "H"), int_of(which, "O"), 1e-5f}};
}

FullSizeCase full_size() {
  constexpr std::uint64_t kBatch = 32, kSeq = 1024, kHead = 64, kRows = kBatch * kSeq;
  return {
      {"full", "many positions and a small weight", {{"B", kBatch}, {"S", kSeq}, {"H", kHead}, {"O", kHead}}},
      4 * (2 * kRows * kHead + kHead * kHead + 3 * kHead),
      arguments};
}

}  // namespace

Puzzle spec() {
  using Function = void(const float*, const float*, const float*, const float*, const float*, float*, int,
                        int, int, int, float);
  Puzzle puzzle;
  puzzle.id = "p20";
  puzzle.slug = "layernorm_linear";
  puzzle.title = "LayerNorm and Linear, unfused and fused";
  puzzle.chapter = "Part 5. Fusing whole operations";
  puzzle.entries = {
      {"unfused",
       signature<Function>("layernorm_linear_unfused"),
       {"layernorm"},
       {"normalized", "weight_t", "product"},
       unfused_budgets()},
      {"fused",
       signature<Function>("layernorm_linear_fused"),
       {"fused_stats", "fused_output"},
       {},
       fused_budgets()},
  };
  puzzle.cases = cases();
  constexpr std::uint64_t kBatch = 8, kSeq = 256, kWidth = 768, kRows = kBatch * kSeq;
  const auto many_positions = [](std::int64_t hidden, std::int64_t out_dim) -> TimedCase {
    constexpr std::int64_t kPositions = 32 * 1024;
    const auto bytes = 4 * (kPositions * (hidden + out_dim) + hidden * out_dim + 2 * hidden + out_dim);
    return {{fmt::format("many_{}_{}", hidden, out_dim),
             "many positions and a small weight",
             {{"B", 32}, {"S", 1024}, {"H", hidden}, {"O", out_dim}}},
            static_cast<std::uint64_t>(bytes),
            LinearBaseline{"x", "weight", "bias", "out"}};
  };
  puzzle.timed = {
      many_positions(64, 64),
      many_positions(128, 128),
      many_positions(256, 64),
      {{"large", "a layer of a small GPT", {{"B", kBatch}, {"S", kSeq}, {"H", kWidth}, {"O", kWidth}}},
       4 * (2 * kRows * kWidth + kWidth * kWidth + 3 * kWidth),
       LinearBaseline{"x", "weight", "bias", "out"}}};
  puzzle.full_size = full_size();
  const Bytes full = bytes_of(puzzle.full_size->which);
  puzzle.entries[0].full_size_budgets = full_size_budgets(unfused_compulsory(full), unfused_requested(full));
  puzzle.entries[1].full_size_budgets = full_size_budgets(fused_compulsory(full), fused_requested(full));
  puzzle.make = make;
  puzzle.formula = formula;
  return puzzle;
}

}  // namespace fusebox::specs::p20_layernorm_linear
