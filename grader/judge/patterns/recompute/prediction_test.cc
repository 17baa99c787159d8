#include "grader/judge/patterns/recompute/prediction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grader/catalog/random.h"

namespace fusebox::patterns {
namespace {

/// d[row] = sum of x - shift, in a row where the two are nearly equal; total = sum of x.
Formula formula() {
  Formula f;
  f.axes = {{"row", {"rows"}}, {"column", {"columns"}}};
  f.floats = {"shift"};
  const Term total = sum(tensor(f, "x", {"row", "column"}), "column").named("total");
  output((total - number(f, "shift")) * tensor(f, "gamma", {"column"}), "d");
  output(total, "total");
  return f;
}

constexpr std::int64_t kRows = 4, kColumns = 64;

WrongOutput right(const std::string& name, std::vector<std::int64_t> shape, std::vector<double> values) {
  WrongOutput made;
  made.tensor.name = name;
  made.tensor.shape = std::move(shape);
  made.tensor.expected = values;
  made.tensor.tolerance = {1e-7, 1e-7, "test"};
  made.got = std::move(values);
  return made;
}

struct Fixture {
  Formula original = formula();
  CaseOutputs which;
  Prepared prepared;
  Change change;

  Fixture() {
    Random random(7);
    which.wrong = true;
    which.bindings.tensors = {{"x", random.normals(kRows * kColumns, 100, 1)},
                              {"gamma", random.normals(kColumns)}};
    which.bindings.numbers = {{"rows", kRows}, {"columns", kColumns}, {"shift", 6400}};
    which.bindings.lengths = {{"row", kRows}, {"column", kColumns}};
    const Evaluation values(original, which.bindings);
    which.outputs = {right("d", {kRows, kColumns}, values[original.outputs[0].second]),
                     right("total", {kRows}, values[original.outputs[1].second])};
    prepared = {&which, std::make_unique<Evaluation>(original, which.bindings)};
    change = Change{original, {}, "d is half of what it should be", 1, false, false};
    for (double& v : which.outputs[0].tensor.expected) v *= 2;
  }
  Match compare() const { return compare_case(prepared, change, ""); }
};

TEST(Prediction, AChangeThatComesNoNearerThanTheRightAnswerExplainsNothing) {
  Fixture halfway;
  for (double& v : halfway.which.outputs[0].got) v *= 1 + 2e-5;
  for (double& v : halfway.which.outputs[0].tensor.expected) v *= 0.5 * (1 + 4e-5);
  EXPECT_TRUE(halfway.compare().refuted) << "what floats make of it need not be worked out";
  Fixture nearer;
  for (double& v : nearer.which.outputs[0].got) v *= 1 + 1e-5;
  for (double& v : nearer.which.outputs[0].tensor.expected) v *= 0.5 * (1 + 4e-5);
  EXPECT_FALSE(nearer.compare().refuted);
}

TEST(Prediction, WhatFloatsExplainStandsAndWhatIsFurtherOffDoesNot) {
  Fixture floats;
  for (double& v : floats.which.outputs[0].got) v *= 1 + 2e-6;
  const Match near = floats.compare();
  EXPECT_FALSE(near.refuted);
  EXPECT_FALSE(near.near_misses.empty());
  EXPECT_TRUE(stands(floats.prepared, floats.change, near)) << "sums of 6400 that all but cancel";

  Fixture more;
  for (double& v : more.which.outputs[0].got) v += std::copysign(4e-4, v);
  const Match off = more.compare();
  EXPECT_FALSE(off.refuted);
  EXPECT_FALSE(stands(more.prepared, more.change, off));
}

TEST(Prediction, WhatAChangeLeavesAsItShouldBeItDoesNotExplain) {
  Fixture made;
  made.which.outputs[0].tensor.expected = made.which.outputs[0].got;
  EXPECT_FALSE(made.compare().refuted);
  for (double& v : made.which.outputs[0].got) v *= 1 + 2e-6;
  EXPECT_TRUE(made.compare().refuted) << "near misses, none of them in an element that it changes";
}

TEST(Prediction, WhatIsRefutedByASmallOutputIsNotAskedOfALargeOne) {
  Fixture made;
  for (double& v : made.which.outputs[0].got) v *= 1 + 2e-6;
  for (double& v : made.which.outputs[1].got) v += 100;
  const Match match = made.compare();
  EXPECT_TRUE(match.refuted);
  EXPECT_TRUE(match.near_misses.empty());
}

TEST(Prediction, WhatIsRefutedWithoutThemLeavesNearMissesAlone) {
  Fixture made;
  auto& d = made.which.outputs[0].got;
  for (double& v : d) v *= 1 + 2e-6;
  d.back() += 1;
  EXPECT_TRUE(made.compare().refuted);
}

}  // namespace
}  // namespace fusebox::patterns
