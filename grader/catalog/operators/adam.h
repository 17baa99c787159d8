#pragma once

#include <vector>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

/// What the puzzles of one Adam step over one tensor share: signature, cases, oracle with its error model,
/// formula, full size.
namespace fusebox {

/// parameters, gradients, m, v, count, lr, beta1, beta2, eps, step.
Signature adam_signature();

/// Sizes and steps at which wrong steps show, and the counted case of 16384 parameters.
std::vector<Case> adam_cases();

/// Arguments for adam_signature(); lr and the betas are drawn, eps = 1e-8.
Problem make_adam(const Case& which, Random& random);

/// What make_adam() computes.
Formula adam_formula();

/// Four tensors of 64 MiB each, where memory decides. `min_bytes` are those of one kernel: 28 a parameter.
std::vector<TimedCase> adam_timed();
FullSizeCase adam_full_size();

}  // namespace fusebox
