#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

/// What the puzzles with GELU share: values at which its forms and their floats differ, the tanh form in
/// double and as a formula, and what a float kernel of that may be wrong by.
namespace fusebox {

/// x [rows, as many as `bias` has] such that x + bias is: "normal" of deviation 2; "near" +-2.7, where the
/// two forms are furthest apart; "large" of magnitude 20 to 100, where tanh and erf are 1 and e^2t is beyond
/// float.
std::vector<double> draw_for_gelu(const std::string& kind, const std::vector<double>& bias, std::int64_t rows,
                                  Random& random);

/// 0.5 v (1 + tanh(sqrt(2 / pi) (v + 0.044715 v^3))), Hendrycks and Gimpel 2016.
double gelu_tanh(double v);

/// The same as a formula.
Term gelu_term(Term v);

/// Of GELU alone, in the tanh form, from a v that is exact. The erf form is up to 4.7e-4 away.
Tolerance gelu_tolerance();

/// The largest slope of GELU, near v = 1.4: an error of v grows by no more.
inline constexpr double kGeluSlope = 1.13;

}  // namespace fusebox
