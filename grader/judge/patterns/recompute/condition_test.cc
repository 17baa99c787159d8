#include "grader/judge/patterns/recompute/condition.h"

#include <gtest/gtest.h>

#include <vector>

namespace fusebox::patterns {
namespace {

std::vector<Numbers> of_columns(std::initializer_list<double> columns) {
  std::vector<Numbers> all;
  for (const double n : columns) all.push_back({{"M", 3 + n}, {"N", n}, {"eps", 1e-5}});
  return all;
}

std::vector<Numbers> of_two(std::initializer_list<std::pair<double, double>> sizes) {
  std::vector<Numbers> all;
  for (const auto& [m, n] : sizes) all.push_back({{"M", m}, {"N", n}, {"eps", 1e-5}});
  return all;
}

TEST(WhatParts, SaysWhatIsTrueOfOneSizeHereAndNotThere) {
  const struct {
    std::vector<Numbers> shown, not_shown;
    const char* says;
  } table[] = {
      {of_columns({4, 64, 100}), of_columns({2, 31, 33}), "`N` is a multiple of 4"},
      {of_columns({2, 31, 33}), of_columns({4, 64, 100}), "`N` is no multiple of 4"},
      {of_columns({2, 6, 4}), of_columns({3, 9}), "`N` is a multiple of 2"},
      {of_columns({7, 33, 100}), of_columns({128, 256}),
       "`N` is no multiple of 32, or of a power of two up to 128"},
      {of_columns({257, 301, 515}), of_columns({3, 255, 256}), "`N` is larger than 256"},
      {of_columns({7, 31, 32}), of_columns({33, 100, 301}), "`N` is 32 at most"},
      {of_columns({7, 30, 31}), of_columns({32, 100, 301}), "`N` is smaller than 32"},
      {of_columns({256, 300, 515}), of_columns({7, 100, 255}), "`N` is 256 or more"},
  };
  for (const auto& row : table) EXPECT_EQ(what_parts(row.shown, row.not_shown), row.says);
}

TEST(RelationThatParts, SaysHowTwoSizesAreToEachOther) {
  const auto same = of_two({{33, 33}, {1, 1}, {128, 128}});
  const auto wide = of_two({{1, 255}, {33, 40}, {100, 128}}), tall = of_two({{255, 1}, {40, 33}});
  const auto other = of_two({{2, 3}, {300, 1}, {33, 64}});
  EXPECT_EQ(relation_that_parts(other, same), "`M` and `N` differ");
  EXPECT_EQ(relation_that_parts(wide, tall), "`M` is smaller than `N`");
  EXPECT_EQ(relation_that_parts(tall, wide), "`M` is larger than `N`");
  EXPECT_EQ(relation_that_parts(same, other), "") << "nothing that is wrong for being the same";
  EXPECT_EQ(relation_that_parts(other, of_two({{1, 1}})), "") << "one case parts nothing";
}

TEST(WhatParts, NamesAllSizesThatWouldDoAsWell) {
  EXPECT_EQ(what_parts(of_two({{3, 31}, {33, 7}}), of_two({{64, 16}, {128, 64}})),
            "`M` or `N` is no multiple of 4, or of a power of two up to 16");
}

TEST(WhatParts, OneCasePartsNothing) {
  EXPECT_EQ(what_parts(of_columns({4}), of_columns({2, 31, 33})), "");
  EXPECT_EQ(what_parts(of_columns({4, 8}), of_columns({31})), "");
  EXPECT_EQ(what_parts(of_columns({4, 9, 31}), of_columns({8, 5, 30})), "") << "nothing simple does";
}

TEST(WhatParts, AFloatIsNoSize) {
  const std::vector<Numbers> small = {{{"eps", 0.5}}, {{"eps", 0.25}}},
                             large = {{{"eps", 2.5}}, {{"eps", 3.5}}};
  EXPECT_EQ(what_parts(small, large), "");
}

}  // namespace
}  // namespace fusebox::patterns
