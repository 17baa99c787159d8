#include "grader/judge/again/grown_case.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fusebox {
namespace {

Case case_of(std::int64_t rows, std::int64_t columns) {
  return {"some", "", {{"M", rows}, {"N", columns}, {"K", 5}}};
}

Case drawn_case() {
  Case drawn = case_of(7, 300);
  drawn.drawn = {{"M", {1, 20}}, {"N", {2, 800}}};
  return drawn;
}

std::vector<LaunchOp> launch(std::int64_t blocks, std::uint32_t threads = 128) {
  LaunchOp op;
  op.kernel = "k";
  op.grid = {static_cast<std::uint32_t>(blocks)};
  op.block = {threads};
  return {op};
}

class Grown : public testing::Test {
 protected:
  /// Of a function that launches so many blocks for a case.
  std::optional<Case> grown(const std::function<std::int64_t(const Case&)>& blocks) {
    std::vector<const Case*> known;
    for (const Case& each : cases) known.push_back(&each);
    return beyond_the_grid(growing, known, [&](const Case& which) { return launch(blocks(which)); });
  }
  GrowingCase growing{drawn_case(), case_of(32768, 768)};
  std::vector<Case> cases = {case_of(100, 3), case_of(1, 1)};
};

TEST_F(Grown, OnTheWayOnlyDrawnSizesGrow) {
  EXPECT_EQ(growing.at(0).sizes, (Sizes{{"M", 1}, {"N", 2}, {"K", 5}}));
  EXPECT_EQ(growing.largest().sizes, (Sizes{{"M", 32768}, {"N", 768}, {"K", 5}}));
  EXPECT_EQ(growing.quarter().sizes, (Sizes{{"M", 8192}, {"N", 192}, {"K", 5}}));
  EXPECT_EQ(growing.at(0.5).sizes.at("M"), 181);
}

TEST_F(Grown, AGridThatGrowsNeedsNone) {
  EXPECT_FALSE(grown([](const Case& which) { return which.sizes.at("M"); }));
  EXPECT_FALSE(grown([](const Case& which) { return (which.sizes.at("N") + 31) / 32; }));
}

TEST_F(Grown, AGridThatIsHeldAtSomeSizeIsLeftBehind) {
  const auto found =
      grown([](const Case& which) { return std::min<std::int64_t>(which.sizes.at("M"), 132); });
  ASSERT_TRUE(found);
  EXPECT_GT(found->sizes.at("M"), 132 * 1.5);
  EXPECT_LT(found->sizes.at("M"), 132 * 3) << "and no larger than it has to be";
  EXPECT_EQ(found->sizes.at("N"), 40) << "of which the grid does not come";
  EXPECT_EQ(found->sizes.at("K"), 5);
  EXPECT_EQ(found->name, "some");
}

TEST_F(Grown, AGridThatNeverGrowsIsLeftBehindByItsWarps) {
  const auto found = grown([](const Case&) { return 100; });
  ASSERT_TRUE(found);
  EXPECT_GE(found->sizes.at("M"), 100 * 4 * 1.6);
}

TEST_F(Grown, NoneWhereACaseIsThatLargeAlready) {
  cases.push_back(case_of(40, 4000));
  const auto blocks = [](const Case& which) { return std::min<std::int64_t>(which.sizes.at("M"), 16); };
  EXPECT_FALSE(grown(blocks));
  cases.back() = case_of(4000, 1);
  EXPECT_TRUE(grown(blocks)) << "large in one way alone";
}

TEST_F(Grown, NoneThatIsTooLargeForACase) {
  EXPECT_FALSE(grown([](const Case& which) {
    return std::min<std::int64_t>(which.sizes.at("M") * which.sizes.at("N"), 1 << 22);
  }));
}

TEST_F(Grown, NoneWhereNothingIsKnown) {
  EXPECT_FALSE(beyond_the_grid(growing, {}, [](const Case&) { return std::vector<LaunchOp>(); }));
}

}  // namespace
}  // namespace fusebox
