#include "grader/simulator/observe/modelled/balance.h"

#include <gtest/gtest.h>

#include <vector>

namespace fusebox::sim {
namespace {

using Work = std::vector<std::uint64_t>;

TEST(Balance, EqualBlocksAreEvenHoweverMany) {
  for (const std::size_t blocks : {1u, 3u, 12u, 13u}) {
    const Balance even = balance(Work(blocks, 7), 3, 2);
    EXPECT_DOUBLE_EQ(even.sms, 1) << blocks;
    EXPECT_DOUBLE_EQ(even.places, 1) << blocks;
  }
}

TEST(Balance, OneLongBlockKeepsItsSm) {
  const Balance one_long = balance(Work{9, 1, 1, 1}, 2, 1);
  EXPECT_DOUBLE_EQ(one_long.sms, 9 / 6.0);  // equal ones have 3 each, two on each SM
  EXPECT_DOUBLE_EQ(one_long.places, 9 / 6.0);
}

TEST(Balance, FewerBlocksThanSmsAreHeldAgainstTheSmsThatHaveOne) {
  EXPECT_DOUBLE_EQ(balance(Work{3, 1}, 132, 8).sms, 1.5);
  EXPECT_DOUBLE_EQ(balance(Work{3, 1}, 132, 8).places, 1.5);
}

TEST(Balance, AllAtOnceNothingCanBeEvenedOut) {
  // A triangle of work, a row of blocks for each SM: the last has seven times what the first has.
  EXPECT_DOUBLE_EQ(balance(Work{1, 3, 5, 7, 1, 3, 5, 7}, 4, 2).sms, 1.75);
}

TEST(Balance, LaterBlocksGoWhereOneHasEnded) {
  // The long one keeps its place; the other one takes all the rest.
  const Balance dynamic = balance(Work{6, 2, 2, 2}, 2, 1);
  EXPECT_DOUBLE_EQ(dynamic.sms, 1);
  EXPECT_DOUBLE_EQ(dynamic.places, 1);
}

TEST(Balance, NoWorkIsEven) {
  EXPECT_DOUBLE_EQ(balance(Work{}, 4, 2).sms, 1);
  EXPECT_DOUBLE_EQ(balance(Work(9, 0), 4, 2).sms, 1);
}

}  // namespace
}  // namespace fusebox::sim
