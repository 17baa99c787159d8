#include "viewer/plot/axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fusebox::view {
namespace {

std::vector<double> values(const std::vector<Tick>& ticks) {
  std::vector<double> result;
  for (const Tick& tick : ticks) result.push_back(tick.value);
  return result;
}

TEST(Axis, PutsValuesOnPixelsAndNothingOutside) {
  const Axis axis{0, 10, false, 100, 300};
  EXPECT_EQ(axis.at(0), 100);
  EXPECT_EQ(axis.at(5), 200);
  EXPECT_EQ(axis.at(99), 300);
  EXPECT_EQ(axis.at(-1), 100);
  EXPECT_EQ(axis.at(std::nan("")), 100);
  EXPECT_EQ(axis.at(std::numeric_limits<double>::infinity()), 300);
  EXPECT_EQ((Axis{1, 100, true, 0, 200}.at(10)), 100);
  EXPECT_EQ((Axis{1, 100, true, 0, 200}.at(0)), 0);
  EXPECT_EQ((Axis{3, 3, false, 7, 9}.at(3)), 7);
  EXPECT_EQ((Axis{0, 1, false, 300, 100}.at(0.5)), 200) << "upwards";
}

TEST(Axis, TicksAreRoundAndFarEnoughApart) {
  EXPECT_EQ(values(ticks({0, 10, false, 0, 100}, 20)), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(values(ticks({0, 10, false, 0, 100}, 21)), (std::vector<double>{0, 5, 10}));
  EXPECT_EQ(values(ticks({3, 13, false, 0, 100}, 40)), (std::vector<double>{5, 10}));
  EXPECT_EQ(values(ticks({0, 3000, false, 0, 100}, 30, true)), (std::vector<double>{0, 1024, 2048}));
  EXPECT_EQ(values(ticks({1, 1e6, true, 0, 600}, 100)).size(), 7u);
  EXPECT_EQ(values(ticks({1, 1e6, true, 0, 600}, 101)), (std::vector<double>{1, 100, 1e4, 1e6}));
  for (const double hi : {1e-9, 0.37, 1.0, 7e5, 1e18}) {
    const auto found = ticks({0, hi, false, 0, 640}, 70);
    ASSERT_GE(found.size(), 2u) << hi;
    for (std::size_t i = 1; i < found.size(); ++i) EXPECT_GE(found[i].at - found[i - 1].at, 69.9f) << hi;
  }
}

TEST(Axis, NothingSensibleHasNoTicks) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(ticks({0, kInfinity, false, 0, 100}, 10).empty());
  EXPECT_TRUE(ticks({0, std::nan(""), false, 0, 100}, 10).empty());
  EXPECT_TRUE(ticks({5, 5, false, 0, 100}, 10).empty());
  EXPECT_TRUE(ticks({0, 5, true, 0, 100}, 10).empty());
  EXPECT_TRUE(ticks({0, 5, false, 0, 0}, 10).empty());
  EXPECT_EQ(axis_end(kInfinity), 1);
  EXPECT_EQ(axis_end(std::nan("")), 1);
  EXPECT_GE(axis_end(10), 10);
}

}  // namespace
}  // namespace fusebox::view
