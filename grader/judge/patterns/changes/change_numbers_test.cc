#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/recompute/recompute.h"

namespace fusebox::patterns {
namespace {

using testing::HasSubstr;
using testing::Not;

/// out[row][column] = x[row][column] / count[row]^mean: a sum, or where `mean` is 1 an average.
Formula averaged() {
  Formula f;
  f.axes = {{"row", {"rows"}}, {"column", {"columns"}}};
  const Term divisor = power(tensor(f, "count", {"row"}), number(f, "mean")).named("the divisor");
  output(tensor(f, "x", {"row", "column"}) / divisor, "out");
  return f;
}

/// What `of` makes of x and the divisor, in a case with rows of 1 to `rows` numbers each.
template <class F>
CaseOutputs averages(std::int64_t rows, double mean, F of) {
  constexpr std::int64_t kColumns = 9;
  CaseOutputs made;
  made.wrong = mean == 1;
  const auto x = Random(static_cast<std::uint64_t>(rows)).normals(rows * kColumns);
  std::vector<double> counts;
  for (std::int64_t r = 0; r < rows; ++r) counts.push_back(static_cast<double>(r % 4 + 1));
  made.bindings.tensors = {{"x", x}, {"count", counts}};
  made.bindings.numbers = {{"rows", static_cast<double>(rows)}, {"columns", kColumns}, {"mean", mean}};
  made.bindings.lengths = {{"row", rows}, {"column", kColumns}};
  WrongOutput out;
  out.tensor.name = "out";
  out.tensor.shape = {rows, kColumns};
  out.tensor.tolerance = {1e-6, 1e-6, "test"};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double divisor = mean == 1 ? counts[i / kColumns] : 1;
    out.tensor.expected.push_back(x[i] / divisor);
    out.got.push_back(of(x[i], divisor));
  }
  made.outputs = {out};
  return made;
}

TEST(ChangeNumbers, AReciprocalOfIntegersIsNamedAndASwitchIsNoSize) {
  const auto in_integers = [](double v, double divisor) { return v * static_cast<int>(1 / divisor); };
  std::vector<CaseOutputs> cases;
  for (const std::int64_t rows : {3, 8, 13})
    for (const double mean : {0.0, 1.0}) cases.push_back(averages(rows, mean, in_integers));
  const auto found = recompute(averaged(), cases);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), HasSubstr("1 / the divisor is worked out in integers"));
  EXPECT_THAT(found->sentence(), Not(HasSubstr("`mean`"))) << "as an exponent of 32 it makes the same zeros";
}

/// out = x / (1 - beta^step) / (sqrt(v / (1 - rho^step)) + eps), as what `wrong` makes of it is told.
template <class F>
std::string said_of_step(F wrong) {
  constexpr double kBeta = 0.9, kRho = 0.99, kEps = 0.5;
  Formula f;
  f.axes = {{"element", {"count"}}};
  f.floats = {"beta", "rho", "eps"};
  const Term step = number(f, "step");
  const Term v_hat = (tensor(f, "v", {"element"}) / (1 - power(number(f, "rho"), step))).named("v_hat");
  const Term x_hat = tensor(f, "x", {"element"}) / (1 - power(number(f, "beta"), step));
  output(x_hat / (apply(kSquareRoot, v_hat).named("the root of v_hat") + number(f, "eps")), "out");
  std::vector<CaseOutputs> cases;
  for (const double steps : {1.0, 3.0, 20.0}) {
    CaseOutputs made;
    made.wrong = true;
    Random random(static_cast<std::uint64_t>(steps));
    const auto x = random.normals(50), roots = random.normals(50);
    std::vector<double> v;
    v.reserve(roots.size());
    for (const double root : roots) v.push_back(root * root);
    made.bindings.tensors = {{"x", x}, {"v", v}};
    made.bindings.numbers = {{"count", 50}, {"beta", kBeta}, {"rho", kRho}, {"eps", kEps}, {"step", steps}};
    made.bindings.lengths = {{"element", 50}};
    WrongOutput out;
    out.tensor.name = "out";
    out.tensor.shape = {50};
    out.tensor.tolerance = {1e-6, 1e-6, "test"};
    const auto right = [&](std::size_t i, double power) {
      return x[i] / (1 - std::pow(kBeta, power)) / (std::sqrt(v[i] / (1 - std::pow(kRho, power))) + kEps);
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
      out.tensor.expected.push_back(right(i, steps));
      out.got.push_back(static_cast<float>(
          wrong(right, i, x[i] / (1 - std::pow(kBeta, steps)), v[i] / (1 - std::pow(kRho, steps)), kEps)));
    }
    made.wrong = out.got[0] != static_cast<float>(out.tensor.expected[0]);
    made.outputs = {out};
    cases.push_back(std::move(made));
  }
  const auto found = recompute(f, cases);
  return found ? found->sentence() : "";
}

TEST(ChangeNumbers, WhatSeveralPowersAreRaisedToMayBeTakenForOne) {
  EXPECT_THAT(said_of_step([](auto right, std::size_t i, double, double, double) { return right(i, 1); }),
              HasSubstr("1 stands where `step` belongs: nothing is raised to that power"));
}

TEST(ChangeNumbers, WhatIsAddedToARootMayStandInsideAsItsSquare) {
  EXPECT_THAT(
      said_of_step(
          [](auto, std::size_t, double x, double v, double eps) { return x / std::sqrt(v + eps * eps); }),
      HasSubstr("the square of `eps` is added to `v_hat`, inside the square root, and not `eps` to the "
                "root of v_hat itself."));
}

}  // namespace
}  // namespace fusebox::patterns
