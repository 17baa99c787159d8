#include <algorithm>
#include <cmath>

#include "grader/catalog/operators/norms/layer_norm.h"
#include "grader/catalog/operators/product.h"

namespace fusebox::specs::p38_do_not_fuse {
namespace {

constexpr float kEps = 1e-5f;

Sizes sized(std::int64_t rows, std::int64_t hidden, std::int64_t outputs) {
  return {{"M", rows}, {"H", hidden}, {"O", outputs}};
}

/// Every value of LayerNorm may be wrong by its own tolerance, and all of a row in the same direction.
Tolerance tolerance(const Product& linear, const LayerNormTolerance& norm, const std::vector<double>& weight,
                    std::int64_t outputs) {
  const auto columns = static_cast<std::size_t>(outputs);
  std::vector<double> magnitudes(columns);
  for (std::size_t i = 0; i < weight.size(); ++i) magnitudes[i % columns] += std::fabs(weight[i]);
  const double carried = norm.normalized.absolute * *std::max_element(magnitudes.begin(), magnitudes.end());
  const double largest = *std::max_element(linear.magnitudes.begin(), linear.magnitudes.end());
  return {carried + dot_error(largest + 1), 0,
          "LayerNorm's tolerance through the weights, and 8 roundings of the dot product's sum of |terms|"};
}

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "M"), hidden = size_of(which, "H"), outputs = size_of(which, "O");
  const auto x = draw_rows(which.values, rows, hidden, random);
  const auto gamma = draw_parameters(hidden, random), beta = draw_parameters(hidden, random);
  const auto weight = random.normals(hidden * outputs, 0, 1 / std::sqrt(static_cast<double>(hidden)));
  const auto bias = draw_parameters(outputs, random);
  const LayerNorm norm = layer_norm(x, gamma, beta, hidden, kEps);
  const Product linear = product(norm.normalized, weight, hidden);
  std::vector<double> out = linear.values;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += bias[i % bias.size()];
  const Tolerance allowed = tolerance(linear, layer_norm_tolerance(x, gamma, beta, norm), weight, outputs);
  return {{input("x", DType::f32, {rows, hidden}, x), input("gamma", DType::f32, {hidden}, gamma),
           input("beta", DType::f32, {hidden}, beta), input("weight", DType::f32, {hidden, outputs}, weight),
           input("bias", DType::f32, {outputs}, bias),
           output("out", DType::f32, {rows, outputs}, out, allowed), int_of(which, "M"), int_of(which, "H"),
           int_of(which, "O"), kEps}};
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"h", {"H"}}, {"output", {"O"}}};
  f.floats = {"eps"};
  const Term normalized = layer_norm_terms(f, "h", "H").normalized.named("normalized");
  const Term product = sum(normalized * tensor(f, "weight", {"h", "output"}), "h").named("product");
  output(product + tensor(f, "bias", {"output"}), "out");
  return f;
}

std::vector<Case> cases() {
  return {
      {"single", "one value is its own mean: the variance is 0 and only eps is left", sized(1, 1, 1)},
      {"pair", "the variance divides by H, not by H - 1", sized(3, 2, 5), "rows"},
      {"below_tile", "the last row, value and output of a tile are missing", sized(31, 31, 31), "rows"},
      {"above_tile", "a second tile with one row, value and output in it", sized(33, 33, 33), "rows"},
      {"wide_output", "more outputs than threads in a block", sized(5, 20, 300), "rows"},
      {"long_rows", "rows that take more than 48 KiB of a block", sized(34, 420, 10), "rows"},
      {"odd_rows_of_x", "rows of the weight begin at multiples of 16 bytes, those of x do not",
       sized(20, 70, 48), "rows"},
      {"tile_beside_rows", "rows that take 48 KiB of a block, and the tile of the weight beside them",
       sized(33, 384, 12), "rows"},
      {"tiny_variance", "eps is ten times the variance: where it stands decides", sized(4, 64, 40), "tiny"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(20, 70, 50),
       "rows",
       false,
       {{"M", {1, 60}}, {"H", {1, 200}}, {"O", {1, 100}}}},
      {"counted", "large enough that bytes tell the designs apart", sized(128, 128, 128), "normal", true},
  };
}

/// Bytes of a case's tensors, and how many tiles its output has down and across.
struct Bytes {
  double x, weight, out, vectors, parameters, bias, rows, row_tiles, column_tiles;
};
constexpr std::int64_t kTile = 32;
Bytes bytes_of(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), hidden = size_of(which, "H"), outputs = size_of(which, "O");
  return {sector_bytes(rows * hidden),  sector_bytes(hidden * outputs),
          sector_bytes(rows * outputs), 2 * sector_bytes(hidden) + sector_bytes(outputs),
          2 * sector_bytes(hidden),     sector_bytes(outputs),
          static_cast<double>(rows),    tiles_along(rows, kTile),
          tiles_along(outputs, kTile)};
}

double fused_compulsory(const Bytes& b) { return b.x + b.weight + b.out + b.vectors; }
double unfused_compulsory(const Bytes& b) { return fused_compulsory(b) + 2 * b.x; }
// Both read x three times, gamma, beta and bias for each row, and all of the weights for each row of tiles;
// the product reads `normalized` once for each column of tiles.
double fused_requested(const Bytes& b) {
  return 3 * b.x + b.rows * (b.parameters + b.bias) + b.row_tiles * b.weight + b.out;
}
double unfused_requested(const Bytes& b) { return fused_requested(b) + b.x * (1 + b.column_tiles); }

std::vector<Budget> budgets(double launches, double intermediate, double compulsory, double requested) {
  return {
      {"launches", launches},
      {"intermediate_bytes", intermediate},
      {"bytes.compulsory", with_room(compulsory)},
      {"bytes.requested", with_room(requested)},
      {"sectors_over_ideal", kCoalesced},
  };
}

/// Tensors alone, without values.
Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), hidden = size_of(which, "H"), outputs = size_of(which, "O");
  return {{shaped("x", DType::f32, {rows, hidden}, Role::in), shaped("gamma", DType::f32, {hidden}, Role::in),
           shaped("beta", DType::f32, {hidden}, Role::in),
           shaped("weight", DType::f32, {hidden, outputs}, Role::in),
           shaped("bias", DType::f32, {outputs}, Role::in),
           shaped("out", DType::f32, {rows, outputs}, Role::out), int_of(which, "M"), int_of(which, "H"),
           int_of(which, "O"), kEps}};
}

std::uint64_t min_bytes(const Case& which) {
  const auto b = bytes_of(which);
  return static_cast<std::uint64_t>(fused_compulsory(b));
}

FullSizeCase full_size_of(const Case& which) { return {which, min_bytes(which), arguments}; }

/// Where the two designs differ by more than the 1.2 that a choice may cost, as modelled; with a reason each.
/// An H200 prefers the same design at the first six, though by 1.08 at `many`, 1.16 at `some` and 1.20 at
/// `deep`.
std::vector<FullSizeCase> judged_at() {
  return {
      full_size_of({"many", "many rows, a small weight", sized(32768, 64, 64)}),
      full_size_of({"deep", "many rows of 256 values", sized(16384, 256, 64)}),
      full_size_of({"few", "fewer blocks than SMs", sized(2048, 128, 128)}),
      full_size_of({"some", "two blocks for each SM", sized(8192, 64, 64)}),
      full_size_of({"layer", "a projection of a small GPT", sized(2048, 768, 256)}),
      full_size_of({"long", "many rows, but of a thousand values", sized(12800, 1024, 32)}),
      full_size_of({"drawn_many",
                    "many rows, drawn anew",
                    sized(24576, 96, 64),
                    "normal",
                    false,
                    {{"M", {20480, 32768}}, {"H", {33, 160}}, {"O", {33, 96}}}}),
      full_size_of({"drawn_few",
                    "few rows, drawn anew",
                    sized(1024, 200, 200),
                    "normal",
                    false,
                    {{"M", {512, 2560}}, {"H", {64, 400}}, {"O", {64, 320}}}}),
  };
}

/// A choice may be wrong where the two designs are within a fifth of each other.
constexpr double kNearlyAsFast = 1.2;

std::vector<Budget> chosen_budgets(const Bytes& b) {
  std::vector<Budget> all = budgets(2, with_room(b.x), unfused_compulsory(b), unfused_requested(b));
  for (const FullSizeCase& size : judged_at())
    all.push_back({"time." + size.which.name, kNearlyAsFast, {"unfused", "fused"}});
  return all;
}

}  // namespace

Puzzle spec() {
  using Function = void(const float*, const float*, const float*, const float*, const float*, float*, int,
                        int, int, float);
  Puzzle puzzle;
  puzzle.id = "p38";
  puzzle.slug = "do_not_fuse";
  puzzle.title = "When not to fuse";
  puzzle.chapter = "Part 11. Judgement";
  puzzle.cases = cases();
  const Bytes b = bytes_of(puzzle.counted_case());
  puzzle.entries = {
      {"unfused",
       signature<Function>("layernorm_linear_unfused"),
       {"launch_unfused"},
       {"normalized"},
       budgets(2, with_room(b.x), unfused_compulsory(b), unfused_requested(b))},
      {"chosen",
       signature<Function>("layernorm_linear"),
       {"launch_unfused", "launch_fused", "decide"},
       {"normalized"},
       chosen_budgets(b)},
      {"fused",
       signature<Function>("layernorm_linear_fused"),
       {"launch_fused"},
       {},
       budgets(1, 0, fused_compulsory(b), fused_requested(b))},
  };
  puzzle.judged_at = judged_at();
  for (const FullSizeCase& size : puzzle.judged_at)
    if (size.which.drawn.empty()) puzzle.timed.push_back({size.which, size.min_bytes});
  puzzle.full_size = full_size_of({"full", "many positions and a small weight", sized(32768, 64, 64)});
  const Bytes full = bytes_of(puzzle.full_size->which);
  for (Entry& entry : puzzle.entries)
    entry.full_size_budgets = entry.name == "fused"
                                  ? full_size_budgets(fused_compulsory(full), fused_requested(full))
                                  : full_size_budgets(unfused_compulsory(full), unfused_requested(full));
  puzzle.make = make;
  puzzle.formula = formula;
  return puzzle;
}

}  // namespace fusebox::specs::p38_do_not_fuse
