#include <gmock/gmock.h>

#include <algorithm>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/recompute/recompute.h"

/// Means of runs of rows, as kernels pool them, with slips at the runs' ends and between the pieces of a row.
namespace fusebox::patterns {
namespace {

using testing::HasSubstr;

struct Slip {
  bool all_end_early = false, last_ends_early = false, goes_on = false;
};

CaseOutputs bags_of(const Slip& slip, std::size_t width, bool wrong = true) {
  constexpr std::size_t kBags = 9, kIds = 40, kLanes = 32;
  Random random(width);
  CaseOutputs made{"case", {}, {}, wrong};
  const auto rows = random.normals(kIds * static_cast<std::int64_t>(width));
  const std::vector<double> starts = {0, 3, 7, 7, 12, 20, 21, 30, 34};
  made.bindings.tensors = {{"rows", rows}, {"starts", starts}};
  made.bindings.lengths = {{"bag", kBags}, {"id", kIds}, {"column", width}};
  made.bindings.numbers = {{"bags", kBags}, {"ids", kIds}, {"width", static_cast<double>(width)}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.role = Role::out;
  out.tensor.shape = {kBags, static_cast<std::int64_t>(width)};
  out.tensor.tolerance = {1e-5, 1e-5, ""};
  const std::size_t piece = width % 4 == 0 ? 4 : 1;
  for (std::size_t bag = 0; bag < kBags; ++bag) {
    const auto begin = static_cast<std::size_t>(starts[bag]),
               end = bag + 1 < kBags ? static_cast<std::size_t>(starts[bag + 1]) : kIds;
    const bool early = slip.all_end_early || (slip.last_ends_early && bag + 1 == kBags);
    const double count = std::max(1.0, static_cast<double>(end - begin));
    std::vector<double> carried(kLanes * piece, 0);
    for (std::size_t c = 0; c < width; ++c) {
      double right = 0, sum = slip.goes_on ? carried[c % carried.size()] : 0;
      for (std::size_t i = begin; i < end; ++i) {
        right += rows[i * width + c];
        if (!early || i + 1 < end) sum += rows[i * width + c];
      }
      carried[c % carried.size()] = sum / count;
      out.tensor.expected.push_back(right / count);
      out.got.push_back(static_cast<float>(sum / count));
    }
  }
  made.outputs = {out};
  return made;
}

/// The sum of each bag, divided by how many there are in it.
Formula means_of_bags() {
  static const Curve kOne{"1 for each", "1", [](double) { return 1.0; }};
  static const Curve kAtLeastOne{"at least 1", "max({}, 1)", [](double v) { return std::max(v, 1.0); }};
  Formula f;
  f.axes = {{"bag", {"bags"}}, {"id", {"ids"}}, {"column", {"width"}}};
  const Term rows = tensor(f, "rows", {"id", "column"}), starts = tensor(f, "starts", {"bag"});
  const Term ones = apply(kOne, part(f, "ids", "rows", {{"id", 1, {"width"}}}));
  const Term count = apply(kAtLeastOne, pool(ones, starts, "id").named("the number of ids"));
  output(pool(rows, starts, "id") / count, "out");
  return f;
}

std::string said_of(const Slip& slip) {
  const std::vector<CaseOutputs> cases = {bags_of(slip, 70), bags_of(slip, 300)};
  const auto found = recompute(means_of_bags(), cases);
  return found ? found->sentence() : "";
}

TEST(Pools, RunsThatEndTooEarly) {
  // The divisor counts the id that was left out.
  EXPECT_THAT(said_of({false, true, false}),
              HasSubstr("when the last bag ends one id early in sum of `rows`"));
  EXPECT_THAT(said_of({true, false, false}), HasSubstr("when each bag ends one id early in sum of `rows`"));
}

TEST(Pools, ASumThatGoesOnFromPieceToPiece) {
  EXPECT_THAT(said_of({false, false, true}),
              HasSubstr("is not set to 0 anew for each piece of a row: what a thread has divided"));
  EXPECT_EQ(said_of({true, false, true}), "") << "two slips at once are another matter";
}

TEST(Pools, ARightCaseThatEndsEarlyRefutesIt) {
  Slip slip;
  slip.last_ends_early = true;
  std::vector<CaseOutputs> cases = {bags_of(slip, 70), bags_of({}, 300, false)};
  EXPECT_FALSE(recompute(means_of_bags(), cases));
}

}  // namespace
}  // namespace fusebox::patterns
