#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/changes/changes.h"
#include "grader/judge/patterns/recompute/recompute.h"

/// Online softmaxes as kernels make them, each with a mistake, and what is said of them.
namespace fusebox::patterns {
namespace {

using testing::HasSubstr;
using Row = std::vector<float>;

struct Softmax {
  const char* what;
  std::size_t threads, ahead;
  bool rescales, meets_scaled, own_inverse;
  const char* says;
};

struct State {
  float largest = -std::numeric_limits<float>::infinity(), sum = 0;
};

Row softmax(const Softmax& how, const Row& x) {
  std::vector<State> states(how.threads);
  for (std::size_t t = 0; t < how.threads; ++t)
    for (std::size_t first = t; first < x.size(); first += how.threads * how.ahead) {
      State& mine = states[t];
      const float before = mine.largest;
      const auto each = [&](auto use) {
        for (std::size_t i = 0; i < how.ahead && first + i * how.threads < x.size(); ++i)
          use(x[first + i * how.threads]);
      };
      each([&](float v) { mine.largest = std::max(mine.largest, v); });
      if (how.rescales) mine.sum *= std::exp(before - mine.largest);
      each([&](float v) { mine.sum += std::exp(v - mine.largest); });
    }
  State all;
  for (const State& state : states) all.largest = std::max(all.largest, state.largest);
  for (const State& state : states)
    if (state.sum > 0) all.sum += state.sum * (how.meets_scaled ? std::exp(state.largest - all.largest) : 1);
  Row out;
  for (std::size_t c = 0; c < x.size(); ++c)
    out.push_back(std::exp(x[c] - all.largest) / (how.own_inverse ? states[c % how.threads].sum : all.sum));
  return out;
}

CaseOutputs rows_of(const Softmax& how, std::int64_t rows, std::int64_t columns) {
  Random random(static_cast<std::uint64_t>(columns));
  CaseOutputs made{"case", {}, {}, true};
  const auto x = random.normals(rows * columns);
  made.bindings.tensors = {{"x", x}};
  made.bindings.numbers = {{"rows", static_cast<double>(rows)}, {"columns", static_cast<double>(columns)}};
  made.bindings.lengths = {{"row", rows}, {"column", columns}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.role = Role::out, out.tensor.shape = {rows, columns};
  out.tensor.tolerance = {0, 1e-5, ""};
  const Softmax right{"", 1, 1, true, true, false, ""};
  for (std::int64_t r = 0; r < rows; ++r) {
    const Row row(x.begin() + r * columns, x.begin() + (r + 1) * columns);
    for (const float v : softmax(right, row)) out.tensor.expected.push_back(v);
    for (const float v : softmax(how, row)) out.got.push_back(v);
  }
  made.outputs = {out};
  return made;
}

Formula formula() {
  Formula f;
  f.axes = {{"row", {"rows"}}, {"column", {"columns"}}};
  const Term x = tensor(f, "x", {"row", "column"});
  const Term power = apply(kExp, x - largest(x, "column"));
  output(power / sum(power, "column").named("total"), "out");
  return f;
}

std::string said_of(const Softmax& how) {
  const std::vector<CaseOutputs> cases = {rows_of(how, 40, 70), rows_of(how, 12, 700), rows_of(how, 6, 1500)};
  const auto found = recompute(formula(), cases);
  return found ? found->sentence() : "";
}

TEST(Running, PartsOfAnOnlineSoftmaxThatAreNotScaled) {
  const char* const never = "`total` so far is not scaled to the new largest when a larger value comes";
  const Softmax mistakes[] = {
      {"one value at a time", 256, 1, false, true, false, never},
      {"four at a time", 256, 4, false, true, false, never},
      {"a warp", 32, 1, false, true, false, never},
      {"one thread", 1, 1, false, true, false, never},
      {"nowhere", 128, 1, false, false, false, "neither when a larger value comes nor where"},
      {"where threads meet", 256, 1, true, false, false,
       "the threads' parts of `total` are added up without scaling each to the largest of all"},
      {"each thread's own", 256, 1, true, true, true, "each of 256 threads takes its own part of `total`"},
      {"each lane's own", 32, 4, true, true, true, "each of 32 threads takes its own part of `total`"},
  };
  for (const Softmax& how : mistakes) EXPECT_THAT(said_of(how), HasSubstr(how.says)) << how.what;
}

/// A row's softmax, and what it makes of the values v: both in one pass, as attention does.
double attended(const Row& x, const std::vector<double>& v, bool rescales_values, std::size_t together) {
  float largest = -std::numeric_limits<float>::infinity(), sum = 0, all = 0;
  for (std::size_t first = 0; first < x.size(); first += together) {
    const std::size_t end = std::min(first + together, x.size());
    const float before = largest;
    for (std::size_t k = first; k < end; ++k) largest = std::max(largest, x[k]);
    sum *= std::exp(before - largest);
    if (rescales_values) all *= std::exp(before - largest);
    for (std::size_t k = first; k < end; ++k) {
      sum += std::exp(x[k] - largest);
      all += std::exp(x[k] - largest) * static_cast<float>(v[k]);
    }
  }
  return all / sum;
}

std::string said_of_attention(std::size_t together) {
  Formula f;
  f.axes = {{"row", {"rows"}}, {"column", {"columns"}}};
  const Term x = tensor(f, "x", {"row", "column"}), v = tensor(f, "v", {"column"});
  const Term power = apply(kExp, x - largest(x, "column"));
  output(sum(power * v, "column") / sum(power, "column"), "out");
  CaseOutputs made = rows_of({"", 1, 1, true, true, false, ""}, 60, 90);
  Random random(3);
  made.bindings.tensors["v"] = random.normals(90);
  WrongOutput& out = made.outputs[0];
  out.tensor.shape = {60};
  out.tensor.expected.clear(), out.got.clear();
  const auto& values = made.bindings.tensors.at("x");
  for (std::size_t r = 0; r < 60; ++r) {
    const Row row(values.begin() + static_cast<std::ptrdiff_t>(r) * 90,
                  values.begin() + static_cast<std::ptrdiff_t>(r + 1) * 90);
    out.tensor.expected.push_back(attended(row, made.bindings.tensors.at("v"), true, together));
    out.got.push_back(attended(row, made.bindings.tensors.at("v"), false, together));
  }
  const auto found = recompute(f, std::vector{made});
  return found ? found->sentence() : "";
}

TEST(Running, ValuesThatAreNotScaledWithTheSum) {
  const char* const says = "what is added up of `v` so far is not scaled to the new largest";
  EXPECT_THAT(said_of_attention(1), HasSubstr(says));
  EXPECT_THAT(said_of_attention(32), HasSubstr(says));
  EXPECT_EQ(said_of_attention(90), "") << "all at once: there is nothing to scale";
}

/// Two cases: one of rows around 0, which came out right, and one of rows that are all far below it.
std::vector<CaseOutputs> around_and_below(double below) {
  std::vector<CaseOutputs> cases = {rows_of({"", 1, 1, true, true, false, ""}, 5, 40),
                                    rows_of({"", 1, 1, true, true, false, ""}, 4, 30)};
  cases[0].wrong = false;
  for (double& v : cases[1].bindings.tensors.at("x")) v -= below;
  std::fill(cases[1].outputs[0].got.begin(), cases[1].outputs[0].got.end(), std::nan(""));
  return cases;
}

TEST(Running, ALargestThatBeginsAtZeroIsToldByWhereNoNumbersAre) {
  const auto said = [](const std::vector<CaseOutputs>& cases) {
    const auto found = recompute(formula(), cases);
    return found ? found->sentence() : "";
  };
  EXPECT_THAT(said(around_and_below(1000)),
              HasSubstr("the largest `x` begins at 0, or magnitudes are compared"));
  EXPECT_EQ(said(around_and_below(10)), "") << "nothing vanishes there";
  auto one_number = around_and_below(1000);
  one_number[1].outputs[0].got[7] = one_number[1].outputs[0].tensor.expected[7];
  EXPECT_EQ(said(one_number), "");
  auto right_ones_too = around_and_below(1000);
  right_ones_too[0].outputs[0].got[3] = std::nan("");
  EXPECT_EQ(said(right_ones_too), "");
}

TEST(Running, NothingIsSaidOfOtherMistakes) {
  const Softmax odd = {"48 threads, which nobody knows", 48, 1, false, true, false, ""};
  EXPECT_EQ(said_of(odd), "");
}

TEST(Running, OnlyWhereThereIsSuchASum) {
  Formula f;
  f.axes = {{"row", {"rows"}}, {"column", {"columns"}}};
  const Term x = tensor(f, "x", {"row", "column"});
  output(sum(apply(kExp, x), "column"), "out");
  std::vector<Change> changes;
  change_running(f, changes);
  EXPECT_TRUE(changes.empty());
}

}  // namespace
}  // namespace fusebox::patterns
