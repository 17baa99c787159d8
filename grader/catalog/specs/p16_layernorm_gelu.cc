#include <algorithm>

#include "grader/catalog/operators/gelu.h"
#include "grader/catalog/operators/norms/layer_norm.h"

namespace fusebox::specs::p16_layernorm_gelu {
namespace {

constexpr float kEps = 1e-5f;
constexpr char kNoGamma[] = "no_gamma";

/// In the others LayerNorm's own error is allowed for, and hides how many digits GELU has.
std::vector<Case> cases() {
  std::vector<Case> all = layer_norm_cases(128, 1024);
  all.insert(
      all.end() - 2,
      {"beta_alone", "gamma is 0: GELU of beta, with all of its digits", {{"M", 3}, {"N", 300}}, kNoGamma});
  return all;
}

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  const bool beta_alone = which.values == kNoGamma;
  const auto x = draw_rows(beta_alone ? "rows" : which.values, rows, columns, random);
  auto gamma = draw_parameters(columns, random);
  auto beta = draw_parameters(columns, random);
  if (beta_alone) {
    std::fill(gamma.begin(), gamma.end(), 0.0);
    beta = random.signed_uniforms(columns, 0.5, 4);  // where tanh is neither its argument nor 1
  }
  const LayerNorm norm = layer_norm(x, gamma, beta, columns, kEps);
  std::vector<double> out = norm.normalized;
  for (double& v : out) v = gelu_tanh(v);
  const Tolerance behind = gelu_tolerance();
  // However it is written, a gamma of 0 leaves beta and no error.
  const Tolerance before = beta_alone ? Tolerance{} : layer_norm_tolerance(x, gamma, beta, norm).normalized;
  const Tolerance allowed{kGeluSlope * before.absolute + behind.absolute, behind.relative,
                          "LayerNorm's error times 1.13, GELU's largest slope, and 2e-6 of GELU itself"};
  return {{input("x", DType::f32, {rows, columns}, x), input("gamma", DType::f32, {columns}, gamma),
           input("beta", DType::f32, {columns}, beta),
           output("out", DType::f32, {rows, columns}, out, allowed), int_of(which, "M"), int_of(which, "N"),
           kEps}};
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  f.floats = {"eps"};
  output(gelu_term(layer_norm_terms(f, "column", "N").normalized.named("normalized")), "out");
  return f;
}

/// Bytes of a case.
struct Bytes {
  double tensor, parameters, rows;  ///< parameters: gamma and beta
};

Bytes bytes_of(const Case& which) {
  return {sector_bytes(size_of(which, "M") * size_of(which, "N")), 2 * sector_bytes(size_of(which, "N")),
          static_cast<double>(size_of(which, "M"))};
}

// A row is read for the mean, for the variance and to be normalised, each row asks for gamma and beta, and
// what comes out is written. Unfused it is written and read once more.
double fused_requested(const Bytes& b) { return 4 * b.tensor + b.rows * b.parameters; }
double unfused_requested(const Bytes& b) { return fused_requested(b) + 2 * b.tensor; }
double fused_compulsory(const Bytes& b) { return 2 * b.tensor + b.parameters; }
double unfused_compulsory(const Bytes& b) { return 4 * b.tensor + b.parameters; }

std::vector<Budget> unfused_budgets(const Bytes& b) {
  return {
      {"launches", 2},
      {"bytes.compulsory", with_room(unfused_compulsory(b))},
      {"bytes.requested", with_room(unfused_requested(b))},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", with_room(b.tensor)},
  };
}

std::vector<Budget> fused_budgets(const Bytes& b) {
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
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  return {{shaped("x", DType::f32, {rows, columns}, Role::in),
           shaped("gamma", DType::f32, {columns}, Role::in), shaped("beta", DType::f32, {columns}, Role::in),
           shaped("out", DType::f32, {rows, columns}, Role::out), int_of(which, "M"), int_of(which, "N"),
           kEps}};
}

}  // namespace

Puzzle spec() {
  using Function = void(const float*, const float*, const float*, float*, int, int, float);
  Puzzle puzzle;
  puzzle.id = "p16";
  puzzle.slug = "layernorm_gelu";
  puzzle.title = "LayerNorm and GELU, unfused and fused";
  puzzle.chapter = "Part 5. Fusing whole operations";
  puzzle.cases = cases();
  const Bytes counted = bytes_of(puzzle.counted_case());
  puzzle.entries = {
      {"unfused",
       signature<Function>("layernorm_gelu_unfused"),
       {"layernorm", "apply_gelu"},
       {"normalized"},
       unfused_budgets(counted)},
      {"fused", signature<Function>("layernorm_gelu_fused"), {"fused"}, {}, fused_budgets(counted)},
  };
  constexpr std::uint64_t kRows = 8192, kColumns = 4096;
  puzzle.timed = {{{"large", "x and out far larger than any cache", {{"M", kRows}, {"N", kColumns}}},
                   4 * (2 * kRows * kColumns + 2 * kColumns)}};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments};
  const Bytes full = bytes_of(puzzle.full_size->which);
  puzzle.entries[0].full_size_budgets = full_size_budgets(unfused_compulsory(full), unfused_requested(full));
  puzzle.entries[1].full_size_budgets = full_size_budgets(fused_compulsory(full), fused_requested(full));
  puzzle.make = make;
  puzzle.formula = formula;
  return puzzle;
}

}  // namespace fusebox::specs::p16_layernorm_gelu
