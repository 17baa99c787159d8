#include "grader/catalog/gelu.h"

#include <cmath>
#include <numbers>

namespace fusebox {
namespace {

constexpr double kCubic = 0.044715;
double root_two_over_pi() { return std::sqrt(2 / std::numbers::pi); }

}  // namespace

double gelu_tanh(double v) {
  return 0.5 * v * (1 + std::tanh(root_two_over_pi() * (v + kCubic * v * v * v)));
}

Term gelu_term(Term v) {
  const Term inner = (root_two_over_pi() * (v + kCubic * apply(kCube, v))).named("the argument of tanh");
  return (0.5 * v * (1 + apply(kTanh, inner))).named("gelu");
}

Tolerance gelu_tolerance() {
  return {
      2e-6, 16 * kFloatRoundoff,
      "4 times 0.5 |v| (a rounding of tanh and one of 1 + tanh) at |v| = 6, where tanh reaches 1; the erf form is up to 4.7e-4 away"};
}

}  // namespace fusebox
