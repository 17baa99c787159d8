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

}  // namespace
}  // namespace fusebox::patterns
