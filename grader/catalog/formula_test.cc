#include "grader/catalog/formula.h"

#include <gmock/gmock.h>

#include <cmath>

namespace fusebox {
namespace {

// Two statements of one thing: a mistake in either shows.
TEST(Formula, SaysWhatTheOracleSays) {
  for (const Puzzle& puzzle : puzzles()) {
    if (!puzzle.formula) continue;
    const Formula formula = puzzle.formula();
    for (const Case& which : puzzle.cases) {
      Random random(7);
      const Problem problem = puzzle.make(which, random);
      const Bindings bindings = bindings_of(formula, problem, which.sizes);
      const Evaluation values(formula, bindings);
      std::size_t outputs = 0;
      for (const Argument& argument : problem.arguments) {
        const auto* tensor = std::get_if<Tensor>(&argument);
        if (!tensor || tensor->role == Role::in) continue;
        ++outputs;
        for (const auto& [name, node] : formula.outputs) {
          if (name != tensor->name) continue;
          ASSERT_EQ(values[node].size(), tensor->expected.size()) << puzzle.id << which.name << name;
          for (std::size_t i = 0; i < tensor->expected.size(); ++i) {
            if (tensor->is_overlooked(static_cast<std::int64_t>(i))) continue;
            ASSERT_NEAR(values[node][i], tensor->expected[i], 1e-9 * (1 + std::abs(tensor->expected[i])))
                << puzzle.id << " " << which.name << " " << name << " " << i;
          }
        }
      }
      EXPECT_EQ(outputs, formula.outputs.size()) << puzzle.id;
    }
  }
}

/// x [2, 3] and w [3], f = sum(x * w) / n.
struct Small {
  Formula formula;
  Bindings bindings;
  int product = -1, result = -1;
  Small() {
    formula.axes = {{"row", {"R"}}, {"column", {"C"}}};
    const Term x = tensor(formula, "x", {"row", "column"}), w = tensor(formula, "w", {"column"});
    const Term p = x * w, f = sum(p, "column") / number(formula, "C");
    output(f, "f");
    product = p.node, result = f.node;
    bindings.lengths = {{"row", 2}, {"column", 3}};
    bindings.numbers = {{"C", 3}};
    bindings.tensors = {{"x", {1, 2, 3, 4, 5, 6}}, {"w", {1, 10, 100}}};
  }
};

TEST(Formula, LaysVectorsOverMatricesByTheirAxes) {
  const Small small;
  const Evaluation values(small.formula, small.bindings);
  EXPECT_THAT(values[small.product], testing::ElementsAre(1, 20, 300, 4, 50, 600));
  EXPECT_THAT(values[small.result], testing::ElementsAre(107, 218));
}

TEST(Formula, ATensorMayLieInAnotherOrderThanTheFormulasAxes) {
  Formula f;
  f.axes = {{"column", {"C"}}, {"row", {"R"}}};
  const Term x = tensor(f, "x", {"row", "column"});
  Node reread;
  reread.op = Node::Op::reread;
  reread.a = x.node;
  reread.flat = [](auto r, auto c, auto, auto columns) { return r * columns + c; };
  const int same = f.add(reread), transposed = (1 * x).node, again = (1 * Term{&f, same}).node,
            squares = (1 * apply(kSquare, x)).node, sums = sum(x, "row").node;
  Bindings bindings;
  bindings.lengths = {{"row", 2}, {"column", 3}};
  bindings.tensors = {{"x", {1, 2, 3, 4, 5, 6}}};
  const Evaluation values(f, bindings);
  EXPECT_THAT(values[transposed], testing::ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(values[again], testing::ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(values[squares], testing::ElementsAre(1, 16, 4, 25, 9, 36));
  EXPECT_THAT(values[sums], testing::ElementsAre(5, 7, 9));
}

TEST(Formula, APartStandsWhereItsStepsLead) {
  Formula f;
  f.axes = {{"head", {"H"}}, {"row", {"R"}}, {"channel", {"C"}}};
  // [R, 2, H, C]: the second of two that each row has.
  const Term k = part(f, "k", "both",
                      {{"row", 2, {"H", "C"}}, {"head", 1, {"C"}}, {"channel", 1, {}}, {"", 1, {"H", "C"}}});
  EXPECT_EQ(f.text(k.node), "`k`");
  Node behind = f.nodes[0];
  behind.steps.back().times = 3;
  const int outside = f.add(behind), sums = sum(k * tensor(f, "w", {"channel"}), "channel").node;
  Bindings bindings;
  bindings.lengths = {{"head", 2}, {"row", 2}, {"channel", 2}};
  bindings.numbers = {{"H", 2}, {"R", 2}, {"C", 2}};
  bindings.tensors = {{"both", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}, {"w", {1, 100}}};
  const Evaluation values(f, bindings);
  const auto unknown = testing::IsNan();
  EXPECT_THAT(values[k.node], testing::ElementsAre(4, 5, 6, 7, 12, 13, 14, 15));
  EXPECT_THAT(values[outside], testing::ElementsAre(12, 13, 14, 15, unknown, unknown, unknown, unknown));
  // Its axes are the formula's in its order, and the products are nowhere laid out.
  EXPECT_THAT(values[sums], testing::ElementsAre(504, 1312, 706, 1514));
}

TEST(Formula, IsWrittenAsPeopleWriteIt) {
  const Small small;
  EXPECT_EQ(small.formula.text(small.result), "sum of (`x` * `w`) / `C`");
  Formula f;
  const Term a = number(f, "a"), b = number(f, "b");
  EXPECT_EQ(f.text((a * (b - (a - b))).node), "`a` * (`b` - (`a` - `b`))");
  EXPECT_EQ(f.text((1 / apply(kSquareRoot, a + b)).node), "1 / sqrt(`a` + `b`)");
  EXPECT_EQ(f.text(apply(kSquare, a - b).node), "(`a` - `b`)^2");
  EXPECT_EQ(f.text((1 - power(a, b)).named("c").node), "`c`");
  EXPECT_EQ(f.text(apply(kExp, a - b).node), "exp(`a` - `b`)");
}

TEST(Formula, TheLargestOfARow) {
  Small small;
  const Term x{&small.formula, 0};
  const int shifted = (x - largest(x, "column")).node;
  const Evaluation values(small.formula, small.bindings);
  EXPECT_THAT(values[shifted], testing::ElementsAre(-2, -1, 0, -2, -1, 0));
}

TEST(Formula, AChangeIsWorkedOutAndTheRestLent) {
  Small small;
  const Evaluation base(small.formula, small.bindings);
  Formula changed = small.formula;
  Node& division = changed.nodes.own(static_cast<std::size_t>(small.result));
  division.op = Node::Op::multiply;
  const Evaluation values(changed, small.bindings, &base, {small.result});
  EXPECT_THAT(values[small.result], testing::ElementsAre(963, 1962));
  EXPECT_EQ(&values[small.product], &base[small.product]);
}

TEST(Formula, WhatAChangeMakesNoDifferenceToIsLentToo) {
  Small small;
  const Evaluation base(small.formula, small.bindings);
  Formula changed = small.formula;
  // The other operand of a product first.
  Node& product = changed.nodes.own(static_cast<std::size_t>(small.product));
  std::swap(product.a, product.b);
  const Evaluation values(changed, small.bindings, &base, {small.product});
  EXPECT_EQ(&values[small.result], &base[small.result]);
  // Infinity is no rounding error of anything.
  Node& quotient = changed.nodes.own(static_cast<std::size_t>(small.result));
  Node nothing;
  nothing.constant = 0;
  quotient.b = changed.add(nothing);
  EXPECT_THAT(Evaluation(changed, small.bindings, &base, {small.result})[small.result],
              testing::ElementsAre(HUGE_VAL, HUGE_VAL));
}

TEST(Formula, WhatIsReadOutsideIsUnknown) {
  Small small;
  Node shifted;
  shifted.op = Node::Op::read;
  shifted.a = 0;
  shifted.axis = "column";
  shifted.place = [](std::int64_t k, std::int64_t) { return k + 1; };
  const int node = small.formula.add(shifted);
  const Evaluation values(small.formula, small.bindings);
  const auto unknown = testing::IsNan();
  EXPECT_THAT(values[node], testing::ElementsAre(2, 3, unknown, 5, 6, unknown));
}

TEST(Formula, SumsSomeAtEachIndex) {
  Small small;
  Node some;
  some.op = Node::Op::sum_some;
  some.a = 0;
  some.axis = "column";
  some.counts = [](auto k, auto to, auto) { return k <= to; };
  const int along = small.formula.add(some);
  some.axis = "row";
  const int down = small.formula.add(some);
  const Evaluation values(small.formula, small.bindings);
  EXPECT_THAT(values[along], testing::ElementsAre(1, 3, 6, 4, 9, 15));
  EXPECT_THAT(values[down], testing::ElementsAre(1, 2, 3, 5, 7, 9));
}

TEST(Formula, AMatrixIsReadFromAnotherPlace) {
  Small small;
  Node other;
  other.op = Node::Op::reread;
  other.a = 0;
  // Rows four apart; the last column is 0.
  other.flat = [](auto r, auto c, auto, auto columns) { return c + 1 < columns ? 4 * r + c : -1; };
  const int node = small.formula.add(other);
  other.flat = [](auto r, auto c, auto rows, auto) { return c * rows + r; };
  const int turned = small.formula.add(other);
  other.flat = [](auto, auto c, auto rows, auto columns) { return c == 0 ? rows * columns : c; };
  const int outside = small.formula.add(other);
  const Evaluation values(small.formula, small.bindings);
  EXPECT_THAT(values[node], testing::ElementsAre(1, 2, 0, 5, 6, 0));
  EXPECT_THAT(values[turned], testing::ElementsAre(1, 3, 5, 2, 4, 6));
  EXPECT_THAT(values[outside], testing::ElementsAre(testing::IsNan(), 2, 3, testing::IsNan(), 2, 3));
}

TEST(Formula, TheLargerOfTwoIsWhatItSaysAndUnknownIfEitherIs) {
  Formula f;
  f.axes = {{"job", {"J"}}};
  const Term both = larger(tensor(f, "flops", {"job"}), tensor(f, "bytes", {"job"}));
  EXPECT_EQ(f.text(both.node), "the larger of `flops` and `bytes`");
  Bindings bindings;
  bindings.lengths = {{"job", 4}};
  bindings.tensors = {{"flops", {1, 5, NAN, 2}}, {"bytes", {3, 4, 1, NAN}}};
  EXPECT_THAT(Evaluation(f, bindings)[both.node],
              testing::ElementsAre(3, 5, testing::IsNan(), testing::IsNan()));
}

TEST(Formula, GathersZerosWhereThereIsNoRow) {
  Formula f;
  f.axes = {{"token", {"T"}}, {"line", {"V"}}, {"column", {"W"}}};
  output(gather(tensor(f, "table", {"line", "column"}), tensor(f, "ids", {"token"}), "line"), "out");
  Bindings bindings;
  bindings.lengths = {{"token", 3}, {"line", 2}, {"column", 2}};
  bindings.tensors = {{"table", {1, 2, 3, 4}}, {"ids", {1, 5, 0}}};
  EXPECT_THAT(Evaluation(f, bindings)[f.outputs[0].second], testing::ElementsAre(3, 4, 0, 0, 1, 2));
}

TEST(Formula, ScattersToThePlacesItIsGiven) {
  Formula f;
  f.axes = {{"token", {"T"}}, {"visit", {"V"}}, {"column", {"W"}}};
  output(scatter(tensor(f, "rows", {"visit", "column"}), tensor(f, "order", {"visit"}), "visit", "token"),
         "out");
  EXPECT_EQ(f.text(f.outputs[0].second), "`rows` put to `order`");
  EXPECT_THAT(f.nodes.back().axes, testing::ElementsAre("token", "column"));
  Bindings bindings;
  bindings.lengths = {{"token", 3}, {"visit", 3}, {"column", 2}};
  bindings.tensors = {{"rows", {1, 2, 3, 4, 5, 6}}, {"order", {2, 0, 7}}};
  EXPECT_THAT(Evaluation(f, bindings)[f.outputs[0].second],
              testing::ElementsAre(3, 4, testing::IsNan(), testing::IsNan(), 1, 2));
}

TEST(Formula, PoolsFromEachStartToTheNext) {
  Formula f;
  f.axes = {{"bag", {"B"}}, {"id", {"L"}}, {"column", {"W"}}};
  output(pool(tensor(f, "rows", {"id", "column"}), tensor(f, "starts", {"bag"}), "id"), "out");
  EXPECT_EQ(f.text(f.outputs[0].second), "sum of `rows` from each of `starts` to the next");
  Bindings bindings;
  bindings.lengths = {{"bag", 4}, {"id", 3}, {"column", 2}};
  // The second bag and the last are empty.
  bindings.tensors = {{"rows", {1, 2, 10, 20, 100, 200}}, {"starts", {0, 2, 2, 3}}};
  EXPECT_THAT(Evaluation(f, bindings)[f.outputs[0].second],
              testing::ElementsAre(11, 22, 0, 0, 100, 200, 0, 0));
  bindings.tensors["starts"] = {0, 4, 4, 4};  // outside
  EXPECT_THAT(Evaluation(f, bindings)[f.outputs[0].second], testing::Each(testing::IsNan()));
}

}  // namespace
}  // namespace fusebox
