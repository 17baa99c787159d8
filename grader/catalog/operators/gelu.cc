#include "grader/catalog/operators/gelu.h"

#include <cmath>
#include <numbers>

namespace fusebox {
namespace {

constexpr double kCubic = 0.044715;
double root_two_over_pi() { return std::sqrt(2 / std::numbers::pi); }

}  // namespace

std::vector<double> draw_for_gelu(const std::string& kind, const std::vector<double>& bias, std::int64_t rows,
                                  Random& random) {
  const auto count = rows * static_cast<std::int64_t>(bias.size());
  std::vector<double> x = kind == "near"    ? random.signed_uniforms(count, 2.6, 2.8)
                          : kind == "large" ? random.signed_uniforms(count, 20, 100)
                                            : random.normals(count, 0, 2);
  if (kind == "near")
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = as_float(x[i] - bias[i % bias.size()]);
  return x;
}

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
