#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/catalog/operators/norms/layer_norm.h"
#include "grader/catalog/operators/product.h"

/// What the puzzles of a LayerNorm with a Linear behind it share: signature, draws, oracle, cases.
namespace fusebox {

/// out = LayerNorm(x) weight^T + bias: x [B,S,H], gamma, beta [H], weight [O,H], bias [O], out [B,S,O].
struct LayerNormLinear {
  std::vector<double> x, gamma, beta, weight, bias;
  LayerNorm norm;
  Product linear;           ///< of what is normalized, with the weight
  std::vector<double> out;  ///< the oracle's answer
};
LayerNormLinear draw_layer_norm_linear(const Case& which, Random& random);

/// Arguments for layer_norm_linear_signature(): x, gamma, beta, weight, bias, out, B, S, H, O, eps = 1e-5.
Problem layer_norm_linear_problem(const Case& which, const LayerNormLinear& drawn, Tolerance allowed);

/// The same without values, for the full size.
Problem layer_norm_linear_arguments(const Case& which);

Signature layer_norm_linear_signature(std::string function);

/// Sizes B, S (positions), H and O at which wrong answers show.
std::vector<Case> layer_norm_linear_cases();

/// 2048 positions of 768 values: a size at which the puzzles are timed, beside a library's Linear.
TimedCase layer_norm_linear_timed_case();

}  // namespace fusebox
