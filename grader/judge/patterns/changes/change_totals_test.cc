#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/changes/changes.h"
#include "grader/judge/patterns/recompute/recompute.h"

/// Sums as kernels make them, in the types that kernels have, and what is said of them.
namespace fusebox::patterns {
namespace {

using testing::HasSubstr;
using Row = std::vector<float>;

/// To 11 digits; below 2^-14 to multiples of 2^-24.
float half(float v) {
  if (std::abs(v) < 0x1p-14f) return std::nearbyint(v * 0x1p24f) * 0x1p-24f;
  const auto bits = std::bit_cast<std::uint32_t>(v);
  return std::bit_cast<float>((bits + 0xfffu + ((bits >> 13) & 1)) & 0xffffe000u);
}
float cut(float v) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(v) & 0xffff0000u); }
float bf16(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  return std::bit_cast<float>((bits + 0x7fffu + ((bits >> 16) & 1)) & 0xffff0000u);
}
float none(float v) { return v; }

/// 256 threads, each with every 256th value; then halves of the block, or warps first.
template <class Mine, class Met>
float by_threads(const Row& x, bool warps_first, Mine mine, Met met) {
  Row totals(256, 0);
  for (std::size_t k = 0; k < x.size(); ++k) totals[k % 256] = mine(totals[k % 256] + x[k]);
  const auto halve = [&](std::size_t from, std::size_t half, std::size_t stride) {
    for (; half > 0; half /= 2)
      for (std::size_t l = 0; l < half; ++l)
        totals[from + l * stride] = met(totals[from + l * stride], totals[from + (l + half) * stride]);
  };
  if (!warps_first) halve(0, 128, 1);
  for (std::size_t warp = 0; warps_first && warp < 256; warp += 32) halve(warp, 16, 1);
  if (warps_first) halve(0, 4, 32);
  return totals[0];
}

/// mean = sum of x / N, by another kernel in each row.
struct Sum {
  const char* what;
  float (*mean)(const Row& x);
  const char* says;
};

CaseOutputs rows_of(const Sum& sum, std::int64_t rows, std::int64_t columns) {
  Random random(static_cast<std::uint64_t>(columns));
  CaseOutputs made{"case", {}, {}, true};
  const auto x = random.normals(rows * columns, 0.25, 1);
  made.bindings.tensors = {{"x", x}};
  made.bindings.numbers = {{"M", static_cast<double>(rows)}, {"N", static_cast<double>(columns)}};
  made.bindings.lengths = {{"row", rows}, {"column", columns}};
  WrongOutput out;
  out.tensor.name = "mean", out.tensor.role = Role::out, out.tensor.shape = {rows};
  out.tensor.tolerance = {1e-6, 1e-6, ""};
  for (std::int64_t r = 0; r < rows; ++r) {
    const Row row(x.begin() + r * columns, x.begin() + (r + 1) * columns);
    double right = 0;
    for (const float v : row) right += v;
    out.tensor.expected.push_back(right / static_cast<double>(columns));
    out.got.push_back(sum.mean(row));
  }
  made.outputs = {out};
  return made;
}

Formula mean_of_rows() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  output(sum(tensor(f, "x", {"row", "column"}), "column") / number(f, "N"), "mean");
  return f;
}

std::string said_of(const Sum& sum) {
  const std::vector<CaseOutputs> cases = {rows_of(sum, 40, 70), rows_of(sum, 12, 300), rows_of(sum, 30, 9)};
  const auto found = recompute(mean_of_rows(), cases);
  return found ? found->sentence() : "";
}

template <float (*round)(float)>
float in_order(const Row& x) {
  float total = 0;
  for (const float v : x) total = round(total + v);
  return total / static_cast<float>(x.size());
}

template <float (*round)(float)>
float backwards(const Row& x) {
  return in_order<round>(Row(x.rbegin(), x.rend()));
}

template <float (*round)(float), bool warps_first, bool only_met, bool only_mine>
float shared(const Row& x) {
  const auto mine = [](float v) { return only_met ? v : round(v); };
  const auto met = [](float a, float b) { return only_mine ? a + b : round(a + b); };
  return by_threads(x, warps_first, mine, met) / static_cast<float>(x.size());
}

/// A warp, whose lanes have every 32nd value each.
float handed(const Row& x) {
  Row totals(32, 0);
  for (std::size_t k = 0; k < x.size(); ++k) totals[k % 32] += x[k];
  for (std::size_t half_of = 16; half_of > 0; half_of /= 2)
    for (std::size_t l = 0; l < half_of; ++l) totals[l] += half(totals[l + half_of]);
  return totals[0] / static_cast<float>(x.size());
}

TEST(NarrowNumbers, AreRoundedAsTheTypesDo) {
  EXPECT_EQ(to_fp16(1 + 0x1p-11), 1) << "in the middle: the even one";
  EXPECT_EQ(to_fp16(1 + 3 * 0x1p-11), 1 + 2 * 0x1p-10);
  EXPECT_EQ(to_fp16(-1 - 0x1.8p-11), -1 - 0x1p-10);
  EXPECT_EQ(to_fp16(0x1.8p-24), 0x1p-23) << "below 2^-14 the last digit stays where it is";
  EXPECT_EQ(to_fp16(0x1p-26), 0);
  EXPECT_EQ(to_fp16(65519), 65504);
  EXPECT_TRUE(std::isinf(to_fp16(65520)));
  EXPECT_EQ(to_fp16(-70000), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(to_fp16(NAN)));
  EXPECT_EQ(to_bf16(1 + 0x1p-8), 1);
  EXPECT_EQ(to_bf16(1 + 0x1.8p-8), 1 + 0x1p-7);
  EXPECT_EQ(cut_to_bf16(-1 - 0x1.8p-8), -1);
  Random random(5);
  for (const double v : random.normals(1000)) {
    EXPECT_EQ(to_fp16(v), half(static_cast<float>(v))) << v;
    EXPECT_EQ(to_bf16(static_cast<float>(v)), bf16(static_cast<float>(v))) << v;
  }
}

TEST(Totals, AreNamedByTheTypeThatTheyAreKeptIn) {
  const std::string kept = "`mean` is exactly what comes out when the sum of `x` is kept in ";
  const Sum sums[] = {
      {"half, one after the other", in_order<half>, "fp16 while it is added up."},
      {"bf16, one after the other", in_order<bf16>, "bf16 while it is added up."},
      {"bf16, cut off", in_order<cut>, "bf16, with the rest cut off and not rounded, while it is added up."},
      {"half by threads", shared<half, false, false, false>, "fp16 while it is added up."},
      {"half by warps", shared<half, true, false, false>, "fp16 while it is added up."},
      {"half by threads, which meet in float", shared<half, true, false, true>, "fp16 while it is added up."},
      {"bf16 by threads", shared<bf16, false, false, false>, "bf16 while it is added up."},
  };
  for (const Sum& sum : sums) EXPECT_EQ(said_of(sum), kept + sum.says) << sum.what;
}

/// What __hfma makes of it.
float squares_in_half(const Row& x) {
  float total = 0;
  for (const float v : x) total = half(total + half(v) * half(v));
  return total / static_cast<float>(x.size());
}

TEST(Totals, OfFactorsThatWereRoundedBefore) {
  std::vector<CaseOutputs> cases;
  const Sum kernel{"", squares_in_half, ""};
  for (const std::int64_t columns : {9, 70, 300}) {
    cases.push_back(rows_of(kernel, 20, columns));
    const auto& x = cases.back().bindings.tensors["x"];
    auto& right = cases.back().outputs[0].tensor.expected;
    std::fill(right.begin(), right.end(), 0);
    for (std::size_t i = 0; i < x.size(); ++i)
      right[i / static_cast<std::size_t>(columns)] += x[i] * x[i] / static_cast<double>(columns);
  }
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  output(sum(apply(kSquare, tensor(f, "x", {"row", "column"})), "column") / number(f, "N"), "mean");
  const auto found = recompute(f, cases);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), HasSubstr("is kept in fp16 while it is added up"));
}

TEST(Totals, ThatAreHandedOnInFewDigits) {
  EXPECT_EQ(said_of({"", handed, ""}),
            "`mean` is exactly what comes out when parts of the sum of `x` are rounded to fp16 where threads "
            "hand them to each other.");
}

TEST(Totals, OfAnotherKindAreNotCalledNarrow) {
  const Sum sums[] = {
      {"float", in_order<none>, ""},
      {"float, the other way round", backwards<none>, ""},
      {"rounded once, at the end", [](const Row& x) { return half(in_order<none>(x)); }, "rounded to fp16"},
      {"terms alone",
       [](const Row& x) {
         Row rounded;
         for (const float v : x) rounded.push_back(bf16(v));
         return in_order<none>(rounded);
       },
       "rounded to bf16"},
      {"another order than is known", backwards<half>, ""},
      {"one too few", [](const Row& x) { return in_order<none>(Row(x.begin(), x.end() - 1)); }, ""},
  };
  for (const Sum& sum : sums) {
    const std::string said = said_of(sum);
    EXPECT_THAT(said, HasSubstr(sum.says)) << sum.what;
    EXPECT_THAT(said, testing::Not(HasSubstr("while it is added up"))) << sum.what;
    EXPECT_THAT(said, testing::Not(HasSubstr("hand"))) << sum.what;
  }
}

template <std::size_t tile>
float divided_on_the_way(const Row& x) {
  float total = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    total += x[k];
    if ((k + 1) % tile == 0 || k + 1 == x.size()) total /= static_cast<float>(x.size());
  }
  return total;
}

TEST(Totals, ThatAreDividedOnTheWay) {
  const std::string so_far = "the sum of `x` so far is divided by `N` after each ";
  EXPECT_THAT(said_of({"", divided_on_the_way<1>, ""}), HasSubstr(so_far + "column and not once."));
  EXPECT_THAT(said_of({"", divided_on_the_way<8>, ""}),
              HasSubstr(so_far + "tile of 8 columns and not once."));
}

}  // namespace
}  // namespace fusebox::patterns
