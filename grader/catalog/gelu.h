#pragma once

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

/// What the puzzles with GELU share: the tanh form in double, as a formula, and what a float kernel may be
/// wrong by.
namespace fusebox {

/// 0.5 v (1 + tanh(sqrt(2 / pi) (v + 0.044715 v^3))), Hendrycks and Gimpel 2016.
double gelu_tanh(double v);

/// The same as a formula.
Term gelu_term(Term v);

/// Of GELU alone, in the tanh form, from a v that is exact. The erf form is up to 4.7e-4 away.
Tolerance gelu_tolerance();

/// The largest slope of GELU, near v = 1.4: an error of v grows by no more.
inline constexpr double kGeluSlope = 1.13;

}  // namespace fusebox
