#include <gmock/gmock.h>

#include <cmath>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/recompute/recompute.h"

/// Functions that a formula writes out, as it writes out GELU.
namespace fusebox::patterns {
namespace {

using testing::HasSubstr;

/// silu(x + bias) w + y
Formula layer() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  const Term v = tensor(f, "x", {"row", "column"}) + tensor(f, "bias", {"column"});
  const Term curved = (v * (1 / (1 + apply(kExp, 0 - v)))).named("silu");
  const Term scaled = (curved * tensor(f, "w", {"column"})).named("scaled");
  output(scaled + tensor(f, "y", {"row", "column"}), "out");
  return f;
}

double silu(double v) { return v / (1 + std::exp(-v)); }

std::string said_of(double (*wrong)(double x, double bias, double w, double y)) {
  CaseOutputs made{"case", {}, {}, true};
  Random random(5);
  const auto x = random.normals(600), y = random.normals(600), bias = random.normals(30),
             w = random.normals(30);
  made.bindings.tensors = {{"x", x}, {"y", y}, {"bias", bias}, {"w", w}};
  made.bindings.lengths = {{"row", 20}, {"column", 30}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.role = Role::out, out.tensor.shape = {20, 30};
  out.tensor.tolerance = {1e-6, 1e-6, ""};
  for (std::size_t i = 0; i < x.size(); ++i) {
    out.tensor.expected.push_back(silu(x[i] + bias[i % 30]) * w[i % 30] + y[i]);
    out.got.push_back(static_cast<float>(wrong(x[i], bias[i % 30], w[i % 30], y[i])));
  }
  made.outputs = {out};
  const auto found = recompute(layer(), std::vector{made});
  return found ? found->sentence() : "";
}

TEST(Operations, AFunctionThatIsTakenOfAnotherValueToo) {
  EXPECT_THAT(said_of([](double x, double bias, double w, double y) { return silu(silu(x + bias) * w) + y; }),
              HasSubstr("`silu` is taken of `scaled` too"));
  EXPECT_THAT(said_of([](double x, double bias, double w, double y) { return silu(x + bias) * w + silu(y); }),
              HasSubstr("`silu` is taken of `y` too"));
  EXPECT_THAT(said_of([](double x, double bias, double w, double y) { return silu(silu(x + bias)) * w + y; }),
              HasSubstr("`silu` is taken of `silu` too"));
}

/// function(x), and what stands where it belongs.
std::string said_of_function(const Curve& function, double (*wrong)(double x)) {
  Formula f;
  f.axes = {{"row", {"M"}}};
  output(apply(function, tensor(f, "x", {"row"})), "out");
  CaseOutputs made{"case", {}, {}, true};
  const auto x = Random(7).normals(400);
  made.bindings.tensors = {{"x", x}};
  made.bindings.lengths = {{"row", 400}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.role = Role::out, out.tensor.shape = {400};
  out.tensor.tolerance = {1e-7, 1e-7, ""};
  for (const double v : x) {
    out.tensor.expected.push_back(function.of(v));
    out.got.push_back(static_cast<float>(wrong(v)));
  }
  made.outputs = {out};
  const auto found = recompute(f, std::vector{made});
  return found ? found->sentence() : "";
}

std::string said_of_erf(double (*wrong)(double x)) { return said_of_function(kErf, wrong); }
std::string said_of_tanh(double (*wrong)(double x)) { return said_of_function(kTanh, wrong); }

// As they are written where somebody has copied them.
TEST(Operations, ApproximationsOfErfOutOfATable) {
  EXPECT_THAT(said_of_erf([](double x) {
                const double z = std::abs(x), t = 1 / (1 + 0.47047 * z);
                const double p = ((0.7478556 * t - 0.0958798) * t + 0.3480242) * t;
                return std::copysign(1 - p * std::exp(-z * z), x);
              }),
              HasSubstr("erf is worked out by an approximation that is off by as much as 2.5e-5"));
  EXPECT_THAT(said_of_erf([](double x) {
                const double z = std::abs(x);
                const double d =
                    1 + 0.278393 * z + 0.230389 * z * z + 0.000972 * z * z * z + 0.078108 * z * z * z * z;
                return std::copysign(1 - 1 / (d * d * d * d), x);
              }),
              HasSubstr("off by as much as 5e-4"));
  EXPECT_EQ(said_of_erf([](double x) { return std::erf(x) + 1e-5 * std::cos(9 * x); }), "");
}

TEST(Operations, AFractionThatIsNearTanh) {
  EXPECT_THAT(said_of_tanh([](double x) { return x * (27 + x * x) / (27 + 9 * x * x); }),
              HasSubstr("tanh is worked out as v (27 + v^2) / (27 + 9 v^2)"));
  EXPECT_THAT(said_of_tanh([](double x) {
                return std::abs(x) >= 3 ? std::copysign(1.0, x) : x * (27 + x * x) / (27 + 9 * x * x);
              }),
              HasSubstr("tanh is worked out as v (27 + v^2) / (27 + 9 v^2)"));
  EXPECT_EQ(said_of_tanh([](double x) { return x * (26 + x * x) / (26 + 9 * x * x); }), "");
}

TEST(Operations, AFunctionThatIsCutOffWhereItComesNearToOne) {
  EXPECT_THAT(said_of_erf([](double x) { return std::abs(x) < 2 ? std::erf(x) : std::copysign(1.0, x); }),
              HasSubstr("of `x` is taken for 1 where that is 2 or more, and for -1 below its opposite"));
}

TEST(Operations, WhatIsALeastValueAndNotAdded) {
  Formula f;
  f.axes = {{"row", {"M"}}};
  f.floats = {"eps"};
  output(apply(kSquareRoot, tensor(f, "v", {"row"}) + number(f, "eps")), "out");
  CaseOutputs made{"case", {}, {}, true};
  std::vector<double> v = Random(3).signed_uniforms(400, 0, 1e-3);
  for (double& each : v) each = std::abs(each);
  made.bindings.tensors = {{"v", v}};
  made.bindings.lengths = {{"row", 400}};
  made.bindings.numbers = {{"eps", 3e-4}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.role = Role::out, out.tensor.shape = {400};
  out.tensor.tolerance = {1e-7, 1e-7, ""};
  for (const double each : v) {
    out.tensor.expected.push_back(std::sqrt(each + 3e-4));
    out.got.push_back(static_cast<float>(std::sqrt(std::max(each, 3e-4))));
  }
  made.outputs = {out};
  const auto found = recompute(f, std::vector{made});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), HasSubstr("`eps` is only taken where `v` is less than that, and not added"));
}

}  // namespace
}  // namespace fusebox::patterns
