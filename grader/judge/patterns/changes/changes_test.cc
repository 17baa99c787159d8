#include "grader/judge/patterns/changes/changes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/recompute/recompute.h"

namespace fusebox::patterns {
namespace {

using testing::HasSubstr;

/// out = (x - mean) / sqrt(variance + eps) * gamma + beta, and mean, as the LayerNorm puzzles have it.
Formula layer_norm_of_test() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  f.floats = {"eps"};
  const Term x = tensor(f, "x", {"row", "column"}), gamma = tensor(f, "gamma", {"column"}),
             beta = tensor(f, "beta", {"column"}), n = number(f, "N"), eps = number(f, "eps");
  const Term mean = (sum(x, "column") / n).named("mean");
  const Term variance = (sum(apply(kSquare, x - mean), "column") / n).named("variance");
  const Term rstd = (1 / apply(kSquareRoot, variance + eps)).named("rstd");
  output((x - mean) * rstd * gamma + beta, "out");
  output(mean, "mean");
  return f;
}

struct Size {
  std::int64_t rows, columns;
};

/// What a learner's kernel could have done otherwise, written out once more: the finder is not asked to
/// recognise its own changes.
struct Wrong {
  const char* when;  ///< the sentence has this in it
  std::function<double(const std::vector<double>& x, std::size_t n)> mean = nullptr;
  std::function<double(double squares, double n, double eps)> rstd = nullptr;
  std::function<double(double centred, double rstd, double gamma, double beta)> out = nullptr;
  int row_off = 0;     ///< mean and rstd come from so many rows on
  int column_mod = 0;  ///< gamma and beta are indexed so
};

double total(const std::vector<double>& x, std::size_t from, std::size_t to) {
  double sum = 0;
  for (std::size_t i = from; i < to; ++i) sum += x[i];
  return sum;
}

CaseOutputs case_of(const Wrong& wrong, Size size, std::uint64_t seed, bool really = true) {
  Random random(seed);
  const auto m = static_cast<std::size_t>(size.rows), n = static_cast<std::size_t>(size.columns);
  CaseOutputs made;
  made.name = "case";
  made.wrong = really;
  constexpr double kEps = 1e-1;
  const auto x = random.normals(size.rows * size.columns, 0.5, 1),
             gamma = random.normals(size.columns, 1, 0.3), beta = random.normals(size.columns);
  made.bindings.tensors = {{"x", x}, {"gamma", gamma}, {"beta", beta}};
  made.bindings.numbers = {{"M", static_cast<double>(m)}, {"N", static_cast<double>(n)}, {"eps", kEps}};
  made.bindings.numbers[kThreadsOfABlock] = 96;
  made.bindings.lengths = {{"row", size.rows}, {"column", size.columns}};
  WrongOutput out, means;
  out.tensor.name = "out", means.tensor.name = "mean";
  out.tensor.shape = {size.rows, size.columns}, means.tensor.shape = {size.rows};
  for (WrongOutput* each : {&out, &means})
    each->tensor.role = Role::out, each->tensor.tolerance = {2e-6, 2e-6, ""};
  std::vector<double> mean, rstd;
  for (const bool right : {true, false}) {
    mean.clear(), rstd.clear();
    for (std::size_t r = 0; r < m; ++r) {
      const std::vector<double> row(x.begin() + static_cast<std::ptrdiff_t>(r * n),
                                    x.begin() + static_cast<std::ptrdiff_t>((r + 1) * n));
      const double n_real = static_cast<double>(n);
      mean.push_back(!right && wrong.mean ? wrong.mean(row, n) : total(row, 0, n) / n_real);
      double squares = 0;
      for (const double v : row) squares += (v - mean.back()) * (v - mean.back());
      rstd.push_back(!right && wrong.rstd ? wrong.rstd(squares, n_real, kEps)
                                          : 1 / std::sqrt(squares / n_real + kEps));
    }
    for (std::size_t r = 0; r < m; ++r) {
      const std::size_t from = right ? r : std::min(m - 1, r + static_cast<std::size_t>(wrong.row_off));
      for (std::size_t c = 0; c < n; ++c) {
        const std::size_t k =
            !right && wrong.column_mod > 0 ? c % static_cast<std::size_t>(wrong.column_mod) : c;
        const double centred = x[r * n + c] - mean[from];
        const double value = !right && wrong.out ? wrong.out(centred, rstd[from], gamma[k], beta[k])
                                                 : centred * rstd[from] * gamma[k] + beta[k];
        (right ? out.tensor.expected : out.got).push_back(right ? value : static_cast<float>(value));
      }
      (right ? means.tensor.expected : means.got).push_back(right ? mean[r] : static_cast<float>(mean[r]));
    }
  }
  if (!really) out.got = out.tensor.expected, means.got = means.tensor.expected;
  made.outputs = {out, means};
  return made;
}

std::vector<CaseOutputs> cases_of(const Wrong& wrong) {
  return {case_of(wrong, {3, 7}, 1), case_of(wrong, {4, 33}, 2), case_of(wrong, {2, 300}, 3)};
}

TEST(Recompute, NamesTheOneMistake) {
  const auto n_of = [](std::size_t n) { return static_cast<double>(n); };
  const Wrong table[] = {
      {"`beta` is not added", nullptr, nullptr,
       [](double c, double r, double g, double) { return c * r * g; }},
      {"`beta` is subtracted instead of added", nullptr, nullptr,
       [](double c, double r, double g, double b) { return c * r * g - b; }},
      {"the factor `gamma` is left out", nullptr, nullptr,
       [](double c, double r, double, double b) { return c * r + b; }},
      {"the factor `gamma` is there twice", nullptr, nullptr,
       [](double c, double r, double g, double b) { return c * r * g * g + b; }},
      {"`gamma` and `beta` are exchanged", nullptr, nullptr,
       [](double c, double r, double g, double b) { return c * r * b + g; }},
      {"1 + `gamma` stands where `gamma` belongs", nullptr, nullptr,
       [](double c, double r, double g, double b) { return c * r * (1 + g) + b; }},
      {"the square root of `variance` + `eps` is left out", nullptr,
       [](double s, double n, double e) { return 1 / (s / n + e); }},
      {"`eps` is not added", nullptr, [](double s, double n, double) { return 1 / std::sqrt(s / n); }},
      {"`eps` is added to sqrt(`variance`), outside the square root", nullptr,
       [](double s, double n, double e) { return 1 / (std::sqrt(s / n) + e); }},
      {"+ `eps` is divided by `N`", nullptr,
       [](double s, double n, double e) { return 1 / std::sqrt((s + e) / n); }},
      {"is divided by `N` - 1 instead of by `N`", nullptr,
       [](double s, double n, double e) { return 1 / std::sqrt(s / (n - 1) + e); }},
      {"`eps` is added by each lane of a warp, and so 32 times", nullptr,
       [](double s, double n, double e) { return 1 / std::sqrt(s / n + 32 * e); }},
      {"`eps` is added by each thread of a block, and so as often as it has threads, to what is then divided by `N`",
       nullptr, [](double s, double n, double e) { return 1 / std::sqrt((s + 96 * e) / n); }},
      {"in `variance` counts everything twice, as when threads add up again", nullptr,
       [](double s, double n, double e) { return 1 / std::sqrt(2 * s / n + e); }},
      {"`eps` is typed in as 1e-05", nullptr,
       [](double s, double n, double) { return 1 / std::sqrt(s / n + 1e-5); }},
      {"sqrt(`variance` + `eps`) stands where 1 / sqrt", nullptr,
       [](double s, double n, double e) { return std::sqrt(s / n + e); }},
      {"is not divided by `N`", [](const auto& x, std::size_t n) { return total(x, 0, n); }},
      {"is divided by 256, whatever `N` is,",
       [](const auto& x, std::size_t n) { return total(x, 0, n) / 256; }},
      {"`x` of the first column is taken off `mean` and not added again",
       [=](const auto& x, std::size_t n) { return total(x, 0, n) / n_of(n) - x[0]; }},
      {"counts all but column 0", [=](const auto& x, std::size_t n) { return total(x, 1, n) / n_of(n); }},
      {"counts all but the last column",
       [=](const auto& x, std::size_t n) { return total(x, 0, n - 1) / n_of(n); }},
      {"counts all but the first column of the tail behind whole groups of 32",
       [=](const auto& x, std::size_t n) {
         return (total(x, 0, n) - (n % 32 ? x[n / 32 * 32] : 0)) / n_of(n);
       }},
      {"counts only the first 32 columns",
       [=](const auto& x, std::size_t n) { return total(x, 0, std::min<std::size_t>(n, 32)) / n_of(n); }},
      {"counts whole groups of 4 columns only",
       [=](const auto& x, std::size_t n) { return total(x, 0, n / 4 * 4) / n_of(n); }},
      {"once for each of 32 threads that begins before it: they step by 1 and not by 32",
       [=](const auto& x, std::size_t n) {
         double sum = 0;
         for (std::size_t thread = 0; thread < 32; ++thread) sum += total(x, std::min(thread, n), n);
         return sum / n_of(n);
       }},
      {"`gamma` and `beta` are taken from column % 4", nullptr, nullptr, nullptr, 0, 4},
      {"are taken from the next row", nullptr, nullptr, nullptr, 1, 0},
  };
  for (const Wrong& wrong : table) {
    const auto found = recompute(layer_norm_of_test(), cases_of(wrong));
    ASSERT_TRUE(found) << wrong.when;
    EXPECT_THAT(found->sentence(), HasSubstr(wrong.when));
    EXPECT_EQ(found->whens.size(), 1u) << found->sentence();
    EXPECT_EQ(found->cases, 3u);
  }
}

// All zeros come of many things, of which a table that is never read is only one.
TEST(Changes, WhatAllIsMadeOfIsNotTakenToBeNothing) {
  Formula f;
  f.axes = {{"token", {"T"}}, {"word", {"V"}}, {"column", {"N"}}};
  const Term table = tensor(f, "table", {"word", "column"});
  const Term rows = gather(table, tensor(f, "ids", {"token"}), "word");
  const auto says_nothing = [](const Formula& formula) {
    std::vector<Change> changes;
    change_operands(formula, changes);
    return std::any_of(changes.begin(), changes.end(),
                       [](const Change& change) { return change.when == "`table` is 0 everywhere"; });
  };
  output(rows, "out");
  EXPECT_FALSE(says_nothing(f));
  f.outputs.clear();
  output(rows + tensor(f, "beta", {"column"}), "out");
  EXPECT_TRUE(says_nothing(f));
}

TEST(Recompute, NamesWhatStandsWhereTheLargerOfTwoBelongs) {
  struct Mistake {
    const char* when;
    double (*of)(double flops, double bytes);
  };
  const Mistake table[] = {
      {"`flops` stands where the larger of `flops` and `bytes` belongs", [](double f, double) { return f; }},
      {"`bytes` stands where the larger of `flops` and `bytes` belongs", [](double, double b) { return b; }},
      {"`flops` and `bytes` are added where only the larger of them counts",
       [](double f, double b) { return f + b; }},
      {"the smaller of `flops` and `bytes` stands where the larger belongs",
       [](double f, double b) { return std::min(f, b); }},
  };
  Formula f;
  f.axes = {{"job", {"J"}}};
  output(larger(tensor(f, "flops", {"job"}), tensor(f, "bytes", {"job"})), "time");
  for (const Mistake& mistake : table) {
    std::vector<CaseOutputs> cases;
    for (const std::uint64_t seed : {1, 2}) {
      Random random(seed);
      const auto flops = random.normals(50, 10, 3), bytes = random.normals(50, 10, 3);
      CaseOutputs& made = cases.emplace_back();
      made.name = "case", made.wrong = true;
      made.bindings.tensors = {{"flops", flops}, {"bytes", bytes}};
      made.bindings.lengths = {{"job", 50}};
      WrongOutput time;
      time.tensor.name = "time", time.tensor.shape = {50}, time.tensor.role = Role::out;
      time.tensor.tolerance = {0, 2e-6, ""};
      for (std::size_t j = 0; j < flops.size(); ++j) {
        time.tensor.expected.push_back(std::max(flops[j], bytes[j]));
        time.got.push_back(static_cast<float>(mistake.of(flops[j], bytes[j])));
      }
      made.outputs = {time};
    }
    const auto found = recompute(f, cases);
    ASSERT_TRUE(found) << mistake.when;
    EXPECT_THAT(found->sentence(), HasSubstr(mistake.when));
  }
}

const Wrong kNoBeta{"", nullptr, nullptr, [](double c, double r, double g, double) { return c * r * g; }};

TEST(Recompute, OneCaseThatIsOtherwiseRefutes) {
  auto cases = cases_of(kNoBeta);
  ASSERT_TRUE(recompute(layer_norm_of_test(), cases));
  cases[1].outputs[0].got[7] += 0.01;
  EXPECT_FALSE(recompute(layer_norm_of_test(), cases));
}

TEST(Recompute, ARightCaseThatTheMistakeWouldMakeWrongRefutes) {
  auto cases = cases_of(kNoBeta);
  cases.push_back(case_of(kNoBeta, {4, 8}, 9, false));
  EXPECT_FALSE(recompute(layer_norm_of_test(), cases));
}

int worked_out = 0;
const Curve kCounted{"the counted value", "counted({})", [](double v) {
                       ++worked_out;
                       return v;
                     }};

TEST(Recompute, NothingIsWorkedOutOfWhatWasNeverWritten) {
  Formula f;
  f.axes = {{"job", {"J"}}};
  output(apply(kCounted, tensor(f, "x", {"job"})) + tensor(f, "y", {"job"}), "out");
  Random random(7);
  CaseOutputs made;
  made.wrong = true;
  made.bindings.tensors = {{"x", random.normals(50, 10, 3)}, {"y", random.normals(50, 10, 3)}};
  made.bindings.lengths = {{"job", 50}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.shape = {50}, out.tensor.role = Role::out;
  out.tensor.tolerance = {0, 2e-6, ""};
  for (std::size_t j = 0; j < 50; ++j) {
    out.tensor.expected.push_back(made.bindings.tensors["x"][j] + made.bindings.tensors["y"][j]);
    out.got.push_back(made.bindings.tensors["x"][j]);
  }
  out.written.assign(50, true);
  made.outputs = {out};
  EXPECT_TRUE(recompute(f, std::vector{made}));
  EXPECT_GT(worked_out, 0);
  worked_out = 0;
  made.outputs[0].written[49] = false;
  EXPECT_FALSE(recompute(f, std::vector{made}));
  EXPECT_EQ(worked_out, 0);
}

TEST(Recompute, UnwrittenAndNanEqualNothing) {
  auto unwritten = cases_of(kNoBeta);
  unwritten[0].outputs[0].written.assign(unwritten[0].outputs[0].got.size(), true);
  unwritten[0].outputs[0].written[3] = false;
  EXPECT_FALSE(recompute(layer_norm_of_test(), unwritten));
  auto nan = cases_of(kNoBeta);
  nan[0].outputs[0].got[3] = NAN;
  EXPECT_FALSE(recompute(layer_norm_of_test(), nan));
}

TEST(Recompute, SevenElementsAreNotEnough) {
  EXPECT_FALSE(recompute(layer_norm_of_test(), std::vector{case_of(kNoBeta, {1, 7}, 4)}));
  EXPECT_TRUE(recompute(layer_norm_of_test(), std::vector{case_of(kNoBeta, {2, 7}, 4)}));
}

TEST(Recompute, NoiseAndTwoMistakesAtOnceAreNotNamed) {
  auto noise = cases_of(kNoBeta);
  Random random(5);
  for (CaseOutputs& each : noise)
    for (double& v : each.outputs[0].got) v = random.uniform(-2, 2);
  EXPECT_FALSE(recompute(layer_norm_of_test(), noise));
  const Wrong two{"", nullptr, [](double s, double n, double) { return 1 / (s / n); },
                  [](double c, double r, double, double b) { return c * r + b; }};
  EXPECT_FALSE(recompute(layer_norm_of_test(), cases_of(two)));
}

TEST(Recompute, NothingIsWrong) {
  const Wrong right{""};
  EXPECT_FALSE(recompute(layer_norm_of_test(), std::vector{case_of(right, {4, 8}, 1, false)}));
  EXPECT_FALSE(recompute(Formula{}, cases_of(kNoBeta))) << "no formula";
}

TEST(Recompute, OfTwoThatMakeTheSameNumbersTheLikelierIsSaid) {
  // Of rows of 33 and 40 the first 32 are also all whole groups.
  const Wrong wrong{"", [](const auto& x, std::size_t n) {
                      return total(x, 0, std::min<std::size_t>(n, 32)) / static_cast<double>(n);
                    }};
  const auto found =
      recompute(layer_norm_of_test(), std::vector{case_of(wrong, {4, 33}, 2), case_of(wrong, {3, 40}, 3)});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), HasSubstr("whole groups of"));
}

TEST(Recompute, WhatTheCasesCannotTellApartIsAllSaid) {
  // x is small enough for fp16 and tf32 to be one.
  Formula f;
  f.axes = {{"element", {"N"}}};
  output(tensor(f, "x", {"element"}) + tensor(f, "y", {"element"}), "out");
  Random random(1);
  CaseOutputs made;
  made.wrong = true;
  const auto x = random.normals(64), y = random.normals(64);
  made.bindings = {{{"x", x}, {"y", y}}, {{"N", 64}}, {{"element", 64}}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.shape = {64}, out.tensor.tolerance = {1e-7, 1e-7, ""};
  for (std::size_t i = 0; i < 64; ++i) {
    out.tensor.expected.push_back(x[i] + y[i]);
    const double unit = std::ldexp(1.0, std::ilogb(x[i]) - 10);
    out.got.push_back(static_cast<float>(std::nearbyint(x[i] / unit) * unit + y[i]));
  }
  made.outputs = {out};
  const auto found = recompute(f, std::vector{made});
  ASSERT_TRUE(found);
  EXPECT_EQ(
      found->sentence(),
      "`out` is exactly what comes out when `x` is rounded to fp16, or when `x` is rounded to tf32: the "
      "cases cannot tell which.");
}

TEST(Recompute, AnOutputByItselfWhereTheOthersHaveAnotherMistake) {
  auto cases = cases_of(kNoBeta);
  for (CaseOutputs& each : cases)
    for (double& v : each.outputs[1].got) v = 0.123;
  const auto found = recompute(layer_norm_of_test(), cases);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->outputs, testing::ElementsAre("out"));
}

/// time = m * n / 1000 of jobs, and whether that is too long.
std::vector<CaseOutputs> jobs_in_int(bool time_is_right_by_itself) {
  Random random(4);
  std::vector<double> m, n;
  for (int j = 0; j < 60; ++j)
    m.push_back(std::floor(random.uniform(1e3, 2e5))), n.push_back(std::floor(random.uniform(1e3, 2e5)));
  CaseOutputs made;
  made.name = "case", made.wrong = true;
  made.bindings.tensors = {{"m", m}, {"n", n}};
  made.bindings.lengths = {{"job", 60}};
  WrongOutput time, late;
  for (WrongOutput* each : {&time, &late})
    each->tensor.shape = {60}, each->tensor.role = Role::out, each->tensor.tolerance = {0, 2e-6, ""};
  time.tensor.name = "time", late.tensor.name = "late";
  for (std::size_t j = 0; j < 60; ++j) {
    const auto whole = static_cast<std::int64_t>(m[j] * n[j]);
    const double in_int = static_cast<std::int32_t>(static_cast<std::uint32_t>(whole));
    time.tensor.expected.push_back(0.001 * m[j] * n[j]);
    time.got.push_back(time_is_right_by_itself ? 0.001 * in_int : 0.001 * in_int + 1e5 * std::sin(j));
    late.tensor.expected.push_back(m[j] * n[j] > 1e9);
    late.got.push_back(in_int > 1e9);
  }
  made.outputs = {time, late};
  return {made};
}

const Curve kLate{"being late", "late({})", [](double v) { return v > 1e9 ? 1.0 : 0.0; }};

Formula jobs_of_test() {
  Formula f;
  f.axes = {{"job", {"J"}}};
  const Term work = tensor(f, "m", {"job"}) * tensor(f, "n", {"job"});
  output(0.001 * work, "time");
  output(apply(kLate, work), "late");
  return f;
}

TEST(Recompute, AProductThatOverflowsAnInt) {
  const auto found = recompute(jobs_of_test(), jobs_in_int(true));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), HasSubstr("`m` * `n` is kept in an int of 32 bits, which overflows"));
}

TEST(Recompute, AConstantIsLikelierThanHalfOfWhatItIsMultipliedWith) {
  Formula f;
  f.axes = {{"job", {"J"}}};
  output(8 * (tensor(f, "m", {"job"}) * tensor(f, "n", {"job"})), "time");
  auto cases = jobs_in_int(true);
  WrongOutput& time = cases[0].outputs[0];
  const auto &m = cases[0].bindings.tensors["m"], &n = cases[0].bindings.tensors["n"];
  for (std::size_t j = 0; j < m.size(); ++j)
    time.tensor.expected[j] = 8 * m[j] * n[j], time.got[j] = 4 * m[j] * n[j];
  cases[0].outputs.resize(1);
  const auto found = recompute(f, cases);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), HasSubstr("the constant is 4 where 8 belongs"));
}

TEST(Recompute, OfTwoAnswersTheOtherOneProvesNothingByItself) {
  EXPECT_FALSE(recompute(jobs_of_test(), jobs_in_int(false)));
}

TEST(Recompute, ARoundingBeforeThatOfABf16Output) {
  Formula f;
  f.axes = {{"element", {"N"}}};
  const Term x = tensor(f, "x", {"element"}), y = tensor(f, "y", {"element"}),
             w = tensor(f, "w", {"element"});
  output((x + y).named("total") * w, "out");
  Random random(6);
  const auto xs = random.normals(300), ys = random.normals(300), ws = random.normals(300);
  for (const bool twice : {true, false}) {
    CaseOutputs made;
    made.wrong = true;
    made.bindings = {{{"x", xs}, {"y", ys}, {"w", ws}}, {{"N", 300}}, {{"element", 300}}};
    WrongOutput out;
    out.tensor.name = "out", out.tensor.shape = {300}, out.tensor.dtype = DType::bf16;
    out.tensor.tolerance = {0, 0x1p-9, ""};
    for (std::size_t i = 0; i < 300; ++i) {
      const double total = xs[i] + ys[i];
      out.tensor.expected.push_back(total * ws[i]);
      out.got.push_back(to_bf16((twice ? to_bf16(total) : total * (1 + 0.01 * ys[i])) * ws[i]));
    }
    made.outputs = {out};
    const auto found = recompute(f, std::vector{made});
    ASSERT_EQ(found.has_value(), twice);
    EXPECT_THAT(found ? found->sentence() : "",
                twice ? HasSubstr("`total` is rounded to bf16") : HasSubstr(""));
  }
}

TEST(Changes, WhatACallChangesMayBeUsedAsItWasBefore) {
  Formula f;
  f.axes = {{"element", {"count"}}};
  const Term p = tensor(f, "p", {"element"}), g = tensor(f, "g", {"element"}),
             m = tensor(f, "m", {"element"}), v = tensor(f, "v", {"element"});
  const Term new_m = 0.5 * m + g, new_v = 0.25 * v + apply(kSquare, g);
  output(p - new_m / apply(kSquareRoot, new_v), "p");
  output(new_m, "m");
  output(new_v, "v");
  std::vector<Change> changes;
  change_order(f, changes);
  std::vector<std::string> whens;
  whens.reserve(changes.size());
  for (const Change& change : changes) whens.push_back(change.when);
  for (const char* when :
       {"`m` is used as it was before the call, and not as the call leaves it",
        "`v` is used as it was before the call, and not as the call leaves it",
        "`m` and `v` are used as they were before the call, and not as the call leaves them"})
    EXPECT_THAT(whens, ::testing::Contains(when));
  EXPECT_THAT(whens, ::testing::Not(::testing::Contains(HasSubstr("`p` is used as it was"))));
}

TEST(Changes, AreFormulasOfTheSameOutputs) {
  for (const Puzzle& puzzle : puzzles()) {
    if (!puzzle.formula) continue;
    const Formula formula = puzzle.formula();
    const auto changes = changes_of(formula);
    EXPECT_GT(changes.size(), 20u) << puzzle.id;
    const Case& smallest = puzzle.cases[1];
    Random random(1);
    const Bindings bindings = bindings_of(formula, puzzle.make(smallest, random), smallest.sizes);
    const Evaluation base(formula, bindings);
    for (const Change& change : changes) {
      ASSERT_EQ(change.formula.outputs.size(), formula.outputs.size());
      const Evaluation lent(change.formula, bindings, &base, change.changed), fresh(change.formula, bindings);
      for (std::size_t i = 0; i < formula.outputs.size(); ++i) {
        const int node = change.formula.outputs[i].second;
        ASSERT_EQ(lent[node].size(), base[formula.outputs[i].second].size()) << change.when;
        // What is lent from the unchanged formula is what would come out anew.
        for (std::size_t k = 0; k < lent[node].size(); ++k) {
          const double is = lent[node][k], should_be = fresh[node][k];
          if (std::isnan(should_be) || is == should_be) continue;  // infinite ones too
          ASSERT_NEAR(is, should_be, 1e-11 * (1 + std::abs(should_be))) << change.when;
        }
      }
    }
  }
}

TEST(Changes, ScopesAreOneUseOneValueAndAll) {
  const Formula formula = layer_norm_of_test();
  const auto node_of = [&](const char* name) {
    for (std::size_t i = 0; i < formula.nodes.size(); ++i)
      if (formula.nodes[i].name == name) return static_cast<int>(i);
    return -1;
  };
  std::vector<std::string> where;
  for (const Scope& scope : scopes_of(formula, node_of("N"))) where.push_back(scope.where);
  EXPECT_THAT(where, testing::ElementsAre("", " in `mean`", " in `variance`"));
  EXPECT_EQ(scopes_of(formula, node_of("eps")).size(), 1u);
}

TEST(Recompute, APlainSumFourTimes) {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  output(sum(tensor(f, "x", {"row", "column"}), "column"), "out");
  Random random(7);
  CaseOutputs made{"case", {}, {}, true};
  made.bindings.tensors["x"] = random.normals(std::int64_t{20} * 33);
  made.bindings.numbers = {{"M", 20}, {"N", 33}};
  made.bindings.lengths = {{"row", 20}, {"column", 33}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.role = Role::out, out.tensor.shape = {20};
  out.tensor.tolerance = {1e-6, 1e-6, ""};
  for (std::size_t r = 0; r < 20; ++r) {
    out.tensor.expected.push_back(total(made.bindings.tensors["x"], 33 * r, 33 * (r + 1)));
    out.got.push_back(4 * out.tensor.expected.back());
  }
  made.outputs = {out};
  const auto found = recompute(f, std::vector{made});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), HasSubstr("everything four times, as when each of two sums over lanes"));
}

}  // namespace
}  // namespace fusebox::patterns
