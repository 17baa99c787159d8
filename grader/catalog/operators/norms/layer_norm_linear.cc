#include "grader/catalog/operators/norms/layer_norm_linear.h"

#include <cmath>
#include <utility>

namespace fusebox {
namespace {

constexpr float kEpsOfLayer = 1e-5f;

}  // namespace

LayerNormLinear draw_layer_norm_linear(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "B") * size_of(which, "S"), hidden = size_of(which, "H"),
                     out_dim = size_of(which, "O");
  LayerNormLinear drawn;
  drawn.x = draw_rows(which.values, rows, hidden, random);
  drawn.gamma = draw_parameters(hidden, random);
  drawn.beta = draw_parameters(hidden, random);
  // Weights of a layer: scaled so that outputs are of size 1 whatever H is.
  drawn.weight = random.normals(out_dim * hidden, 0, 1 / std::sqrt(static_cast<double>(hidden)));
  drawn.bias = draw_parameters(out_dim, random);

  drawn.norm = layer_norm(drawn.x, drawn.gamma, drawn.beta, hidden, kEpsOfLayer);
  drawn.linear = product_transposed(drawn.norm.normalized, drawn.weight, hidden);
  drawn.out = drawn.linear.values;
  for (std::size_t i = 0; i < drawn.out.size(); ++i) drawn.out[i] += drawn.bias[i % drawn.bias.size()];
  return drawn;
}

Problem layer_norm_linear_problem(const Case& which, const LayerNormLinear& drawn, Tolerance allowed) {
  const std::int64_t batch = size_of(which, "B"), seq = size_of(which, "S"), hidden = size_of(which, "H"),
                     out_dim = size_of(which, "O");
  return {{input("x", DType::f32, {batch, seq, hidden}, drawn.x),
           input("gamma", DType::f32, {hidden}, drawn.gamma), input("beta", DType::f32, {hidden}, drawn.beta),
           input("weight", DType::f32, {out_dim, hidden}, drawn.weight),
           input("bias", DType::f32, {out_dim}, drawn.bias),
           output("out", DType::f32, {batch, seq, out_dim}, drawn.out, std::move(allowed)),
           int_of(which, "B"), int_of(which, "S"), int_of(which, "H"), int_of(which, "O"), kEpsOfLayer}};
}

Problem layer_norm_linear_arguments(const Case& which) {
  const std::int64_t batch = size_of(which, "B"), seq = size_of(which, "S"), hidden = size_of(which, "H"),
                     out_dim = size_of(which, "O");
  return {{shaped("x", DType::f32, {batch, seq, hidden}, Role::in),
           shaped("gamma", DType::f32, {hidden}, Role::in), shaped("beta", DType::f32, {hidden}, Role::in),
           shaped("weight", DType::f32, {out_dim, hidden}, Role::in),
           shaped("bias", DType::f32, {out_dim}, Role::in),
           shaped("out", DType::f32, {batch, seq, out_dim}, Role::out), int_of(which, "B"),
           int_of(which, "S"), int_of(which, "H"), int_of(which, "O"), kEpsOfLayer}};
}

Signature layer_norm_linear_signature(std::string function) {
  return signature<void(const float*, const float*, const float*, const float*, const float*, float*, int,
                        int, int, int, float)>(std::move(function));
}

std::vector<Case> layer_norm_linear_cases() {
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
  };
}

TimedCase layer_norm_linear_timed_case() {
  constexpr std::uint64_t kBatch = 8, kSeq = 256, kWidth = 768, kRows = kBatch * kSeq;
  return {{"large", "a layer of a small GPT", {{"B", kBatch}, {"S", kSeq}, {"H", kWidth}, {"O", kWidth}}},
          4 * (2 * kRows * kWidth + kWidth * kWidth + 3 * kWidth),
          LinearBaseline{"x", "weight", "bias", "out"}};
}

}  // namespace fusebox
