#include "grader/simulator/runtime/counted_launches.h"

#include <gtest/gtest.h>

namespace fusebox::sim {
namespace {

LaunchOp launch_of(const char* kernel, unsigned grid, std::uint64_t argument) {
  LaunchOp op{kernel, {grid, 1, 1}, {64, 1, 1}, 0, false, std::vector<std::byte>(sizeof argument)};
  op.arguments[0] = static_cast<std::byte>(argument);
  return op;
}

TEST(CountedLaunches, TheFourthOfAKindHasTheNumbersOfTheThird) {
  CountedLaunches launches;
  const auto is_counted = [&](const LaunchOp& op) {
    const CountedLaunches::Turn turn = launches.next(op.kernel, op);
    LaunchRecord record;
    record.counters.flops = turn.number;
    if (turn.counted()) launches.keep(record);
    if (turn.like != nullptr) {
      EXPECT_EQ(turn.like->counters.flops, turn.like_number);
    }
    return turn.counted();
  };
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(is_counted(launch_of("a", 1, 1)));
  EXPECT_FALSE(is_counted(launch_of("a", 1, 1)));
  // Whatever the host decides otherwise makes another kind.
  EXPECT_TRUE(is_counted(launch_of("b", 1, 1)));
  EXPECT_TRUE(is_counted(launch_of("a", 2, 1)));
  EXPECT_TRUE(is_counted(launch_of("a", 1, 2)));
  LaunchOp other = launch_of("a", 1, 1);
  other.dynamic_shared_bytes = 4;
  EXPECT_TRUE(is_counted(other));
  EXPECT_FALSE(is_counted(launch_of("a", 1, 1)));
}

TEST(CountedLaunches, AKernelIsNamedAsItIsShownOrShorter) {
  EXPECT_TRUE(is_kernel_named("norm<float, ns::wide<2>>", "norm<float, ns::wide<2>>"));
  EXPECT_TRUE(is_kernel_named("norm<float, ns::wide<2>>", "norm"));
  EXPECT_TRUE(is_kernel_named("lib::norm<2>", "norm"));
  EXPECT_TRUE(is_kernel_named("lib::norm<2>", "lib::norm"));
  EXPECT_FALSE(is_kernel_named("lib::norm<2>", "lib"));
  EXPECT_FALSE(is_kernel_named("layernorm", "norm"));
}

TEST(CountedLaunches, Ranges) {
  const auto is = [](const char* text, std::uint64_t first, std::uint64_t last) {
    const auto range = read_launch_range(text);
    return range && range->first == first && range->last == last;
  };
  EXPECT_TRUE(is("7", 7, 7));
  EXPECT_TRUE(is("5-7", 5, 7));
  EXPECT_TRUE(is("5-", 5, ~std::uint64_t{0}));
  for (const char* wrong : {"", "0", "-", "7-5", "5-7x", "x", "99999999999999999999999"})
    EXPECT_FALSE(read_launch_range(wrong)) << wrong;
}

}  // namespace
}  // namespace fusebox::sim
