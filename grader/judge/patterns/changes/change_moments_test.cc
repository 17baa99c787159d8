#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/changes/changes.h"
#include "grader/judge/patterns/recompute/recompute.h"

/// Moments that threads merge as kernels do, each with a mistake, and what is said of them.
namespace fusebox::patterns {
namespace {

using testing::HasSubstr;
using Row = std::vector<float>;

struct Moments {
  float count = 0, mean = 0, squares = 0;
};

struct MomentsKernel {
  const char* what;
  std::size_t threads;
  bool nearest_first;  ///< lanes meet their neighbours first, as some butterflies do
  float (*between)(float na, float nb, float apart);
  const char* says;
  float (*step)(float before, float after) = [](float before, float after) { return before * after; };
  bool begins_with_first = false;  ///< whose mean is the first value, which adds nothing
};

/// What each thread knows of its own values.
std::vector<Moments> moments_of(const Row& x, const MomentsKernel& how) {
  std::vector<Moments> all(how.threads);
  for (std::size_t k = 0; k < x.size(); ++k) {
    Moments& m = all[k % how.threads];
    const float before = x[k] - m.mean;
    m.count += 1, m.mean += before / m.count;
    if (m.count > 1 || !how.begins_with_first) m.squares += how.step(before, x[k] - m.mean);
  }
  return all;
}

float variance(const MomentsKernel& how, const Row& x) {
  std::vector<Moments> all = moments_of(x, how);
  const auto merge = [&](Moments& a, const Moments& b) {
    const float both = a.count + b.count, apart = b.mean - a.mean;
    if (both == 0 || b.count == 0) return;
    a.squares += b.squares + how.between(a.count, b.count, apart);
    a.mean += apart * b.count / both, a.count = both;
  };
  const auto meet = [&](std::size_t from, std::size_t count, std::size_t stride) {
    for (std::size_t step = 1; step < count; step *= 2) {
      const std::size_t far = how.nearest_first ? step : count / 2 / step;
      for (std::size_t l = 0; l + far < count; l += how.nearest_first ? 2 * far : 1)
        if (how.nearest_first || l < far) merge(all[from + l * stride], all[from + (l + far) * stride]);
    }
  };
  for (std::size_t warp = 0; warp < how.threads; warp += 32)
    meet(warp, std::min<std::size_t>(how.threads, 32), 1);
  meet(0, how.threads / 32, 32);
  return all[0].squares / static_cast<float>(x.size());
}

CaseOutputs rows_of(const MomentsKernel& how, std::int64_t rows, std::int64_t columns) {
  Random random(static_cast<std::uint64_t>(columns));
  CaseOutputs made{"case", {}, {}, true};
  const auto x = random.normals(rows * columns, 3, 1);
  made.bindings.tensors = {{"x", x}};
  made.bindings.numbers = {{"M", static_cast<double>(rows)}, {"N", static_cast<double>(columns)}};
  made.bindings.lengths = {{"row", rows}, {"column", columns}};
  WrongOutput out;
  out.tensor.name = "variance", out.tensor.role = Role::out, out.tensor.shape = {rows};
  out.tensor.tolerance = {1e-6, 1e-5, ""};
  const MomentsKernel right{"", 32, false, [](float a, float b, float d) { return d * d * a * b / (a + b); },
                            ""};
  for (std::int64_t r = 0; r < rows; ++r) {
    const Row row(x.begin() + r * columns, x.begin() + (r + 1) * columns);
    out.tensor.expected.push_back(variance(right, row));
    out.got.push_back(variance(how, row));
  }
  made.outputs = {out};
  return made;
}

std::string said_of(const MomentsKernel& how) {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  const Term x = tensor(f, "x", {"row", "column"}), n = number(f, "N");
  const Term mean = (sum(x, "column") / n).named("mean");
  output(sum(apply(kSquare, x - mean), "column") / n, "variance");
  const std::vector<CaseOutputs> cases = {rows_of(how, 20, 50), rows_of(how, 9, 301), rows_of(how, 7, 900)};
  const auto found = recompute(f, cases);
  return found ? found->sentence() : "";
}

TEST(MergedMoments, AWrongTermBetweenTwoMeansIsNamed) {
  const auto undivided = [](float a, float b, float d) { return d * d * a * b; };
  const auto overwritten = [](float, float b, float d) { return d * d * b; };
  const char* const not_divided = "is not divided by how many values both have";
  const MomentsKernel kernels[] = {
      {"a warp", 32, false, undivided, not_divided},
      {"neighbours first", 32, true, undivided, not_divided},
      {"a block", 256, false, undivided, not_divided},
      {"the count is changed first", 32, false, overwritten,
       "takes how many values both have where it should"},
      {"of a block too", 128, false, overwritten, "takes how many values both have where it should"},
      {"no square", 32, false, [](float a, float b, float d) { return d * a * b / (a + b); }, "no square"},
      {"twice", 32, false, [](float a, float b, float d) { return d * d * a * b / (a + b) / (a + b); },
       "twice"},
      {"nothing", 64, false, [](float, float, float) { return 0.0f; }, "is left out"},
  };
  for (const MomentsKernel& how : kernels) {
    EXPECT_THAT(said_of(how), HasSubstr("the term for the distance of two means")) << how.what;
    EXPECT_THAT(said_of(how), HasSubstr(how.says)) << how.what;
  }
}

TEST(MergedMoments, AWrongTermForAValueIsNamed) {
  const auto right = [](float a, float b, float d) { return d * d * a * b / (a + b); };
  for (const std::size_t threads : {1, 32, 256}) {
    for (const bool first : {false, true})
      EXPECT_THAT(said_of({"", threads, false, right, "", [](float before, float) { return before * before; },
                           first}),
                  HasSubstr("from the mean of those before it is squared"))
          << threads << first;
    EXPECT_THAT(said_of({"", threads, false, right, "", [](float, float after) { return after * after; }}),
                HasSubstr("from the running mean, of the values so far and not of all, is squared"))
        << threads;
  }
}

/// The mean of a row by what each of `parts` has of it, group by group of `each`, and of these means.
float mean_of_means(const Row& x, std::size_t parts, std::size_t each) {
  std::vector<float> sums(parts, 0.0f), counts(parts, 0.0f);
  for (std::size_t k = 0; k < x.size(); ++k) sums[k / each % parts] += x[k], ++counts[k / each % parts];
  float sum = 0, count = 0;
  for (std::size_t p = 0; p < parts; ++p)
    if (counts[p] > 0) sum += sums[p] / counts[p], ++count;
  return sum / count;
}

TEST(MeansOfParts, ThatCountAlikeAreNamed) {
  const struct {
    std::size_t parts, each;
    const char* says;
  } rows[] = {{256, 1, "`mean` is the plain mean of the means of 256 threads"},
              {64, 4, "`mean` is the plain mean of the means of 64 threads"},
              {8, 32, "`mean` is the plain mean of the means of 8 warps"}};
  for (const auto& row : rows) {
    Formula f;
    f.axes = {{"row", {"M"}}, {"column", {"N"}}};
    output((sum(tensor(f, "x", {"row", "column"}), "column") / number(f, "N")).named("mean"), "mean");
    std::vector<CaseOutputs> cases;
    for (const std::int64_t columns : {301, 900}) {
      CaseOutputs made = rows_of({"", 32, false, [](float, float, float) { return 0.0f; }, ""}, 9, columns);
      WrongOutput& out = made.outputs[0];
      out.tensor.name = "mean", out.tensor.expected.clear(), out.got.clear();
      const std::vector<double>& x = made.bindings.tensors["x"];
      for (auto begin = x.begin(); begin != x.end(); begin += columns) {
        const Row values(begin, begin + columns);
        out.tensor.expected.push_back(std::accumulate(begin, begin + columns, 0.0) /
                                      static_cast<double>(columns));
        out.got.push_back(mean_of_means(values, row.parts, row.each));
      }
      cases.push_back(std::move(made));
    }
    const auto found = recompute(f, cases);
    ASSERT_TRUE(found) << row.says;
    EXPECT_THAT(found->sentence(), HasSubstr(row.says));
  }
}

/// Groups of a row's threads that a launch chooses by its length: of the block, or four warps of one, with
/// float4s where rows are of whole ones. Threads without a value count too where `all` do.
TEST(MeansOfParts, ThatAreOfAsManyThreadsAsARowWasGivenAreNamed) {
  for (const bool all : {false, true}) {
    Formula f;
    f.axes = {{"row", {"M"}}, {"column", {"N"}}};
    output((sum(tensor(f, "x", {"row", "column"}), "column") / number(f, "N")).named("mean"), "mean");
    std::vector<CaseOutputs> cases;
    for (const auto& [columns, block] :
         {std::pair<std::int64_t, std::size_t>{76, 128}, {301, 256}, {2500, 512}}) {
      CaseOutputs made = rows_of({"", 32, false, [](float, float, float) { return 0.0f; }, ""}, 9, columns);
      made.bindings.numbers[kThreadsOfABlock] = static_cast<double>(block);
      const std::size_t threads = block == 128 ? 32 : block, each = columns % 4 == 0 ? 4 : 1;
      WrongOutput& out = made.outputs[0];
      out.tensor.name = "mean", out.tensor.expected.clear(), out.got.clear();
      const std::vector<double>& x = made.bindings.tensors["x"];
      const std::size_t used = std::min(threads, (static_cast<std::size_t>(columns) + each - 1) / each);
      for (auto begin = x.begin(); begin != x.end(); begin += columns) {
        const Row values(begin, begin + columns);
        out.tensor.expected.push_back(std::accumulate(begin, begin + columns, 0.0) /
                                      static_cast<double>(columns));
        out.got.push_back(mean_of_means(values, threads, each) *
                          (all ? static_cast<float>(used) / static_cast<float>(threads) : 1.0f));
      }
      cases.push_back(std::move(made));
    }
    const auto found = recompute(f, cases);
    ASSERT_TRUE(found) << all;
    EXPECT_THAT(found->sentence(),
                HasSubstr("`mean` is the plain mean of the means of the threads that share a row"));
    EXPECT_EQ(found->sentence().find("some may have none") != std::string::npos, all);
  }
}

/// Neighbours meet first, and each takes what the other has for as much as its own: as a share of all, or
/// `counted`.
Moments butterfly_of_equals(const Row& x, std::size_t lanes, bool counted) {
  std::vector<Moments> all = moments_of(x, {"", lanes, false, nullptr, ""});
  if (!counted)
    for (Moments& each : all) each.count = static_cast<float>(x.size()) / static_cast<float>(lanes);
  for (std::size_t far = 1; far < lanes; far *= 2) {
    const std::vector<Moments> old = all;
    for (std::size_t l = 0; l < lanes; ++l) {
      const Moments &a = old[l], &b = old[l ^ far];
      const float apart = b.mean - a.mean;
      all[l] = {2 * a.count, 0.5f * (a.mean + b.mean),
                a.squares + b.squares + apart * apart * 0.5f * a.count};
    }
  }
  return all[0];
}

TEST(MergedMoments, PartsThatAreTakenForEquallyLongAreNamed) {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  const Term x = tensor(f, "x", {"row", "column"}), n = number(f, "N");
  const Term mean = (sum(x, "column") / n).named("mean");
  output(mean, "mean");
  output(sum(apply(kSquare, x - mean), "column") / n, "variance");
  for (const auto& [lanes, counted] : {std::pair(32, false), std::pair(64, false), std::pair(32, true)}) {
    std::vector<CaseOutputs> cases;
    for (const std::int64_t columns : {7, 50, 301}) {
      CaseOutputs made = rows_of({"", 32, false, [](float, float, float) { return 0.0f; }, ""}, 9, columns);
      WrongOutput &variance = made.outputs[0], mean_of_row = variance;
      mean_of_row.tensor.name = "mean", mean_of_row.tensor.expected.clear(), mean_of_row.got.clear();
      variance.got.clear();
      const std::vector<double>& values = made.bindings.tensors["x"];
      for (auto begin = values.begin(); begin != values.end(); begin += columns) {
        const Moments merged =
            butterfly_of_equals(Row(begin, begin + columns), static_cast<std::size_t>(lanes), counted);
        mean_of_row.tensor.expected.push_back(std::accumulate(begin, begin + columns, 0.0) /
                                              static_cast<double>(columns));
        mean_of_row.got.push_back(merged.mean);
        variance.got.push_back(merged.squares / static_cast<float>(columns));
      }
      made.outputs.push_back(mean_of_row);
      cases.push_back(std::move(made));
    }
    const auto found = recompute(f, cases);
    ASSERT_TRUE(found) << lanes;
    EXPECT_TRUE(found->explains_all);
    EXPECT_THAT(
        found->sentence(),
        HasSubstr(counted
                      ? "is merged as if the other's count were its own, though some have more values"
                      : "is merged as if all of them had as many values, though some have more than others"));
    EXPECT_THAT(found->sentence(), HasSubstr(std::to_string(lanes) + " threads"));
  }
}

TEST(MergedMoments, NothingIsSaidOfOtherTerms) {
  const MomentsKernel odd{"", 32, false, [](float a, float b, float d) { return d * d * (a + 3 * b); }, ""};
  EXPECT_EQ(said_of(odd), "");
}

TEST(MergedMoments, OnlyWhereSquaresAroundAMeanAreAddedUp) {
  Formula f;
  f.axes = {{"row", {"M"}}, {"column", {"N"}}};
  output(sum(apply(kSquare, tensor(f, "x", {"row", "column"})), "column"), "out");
  std::vector<Change> changes;
  change_moments(f, changes);
  EXPECT_TRUE(changes.empty());
}

}  // namespace
}  // namespace fusebox::patterns
