#include "grader/judge/workshop/problems_once.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

TEST(ProblemsOnce, AreMadeAgainForAnotherCaseSizeOrSeedOnly) {
  int made = 0;
  Puzzle puzzle;
  puzzle.make = [&made](const Case&, Random& random) {
    ++made;
    Tensor x;
    x.name = "x";
    x.values = random.normals(1);
    return Problem{{x}};
  };
  const Puzzle kept = with_problems_once(puzzle);
  const auto ask = [](const Puzzle& from, const char* name, std::int64_t n, std::uint64_t seed) {
    Case which;
    which.name = name;
    which.sizes = {{"N", n}};
    Random random(seed);
    return std::get<Tensor>(from.make(which, random).arguments.at(0)).values;
  };
  const auto first = ask(kept, "small", 3, 1);
  EXPECT_EQ(first, ask(puzzle, "small", 3, 1));
  made = 0;
  EXPECT_EQ(ask(kept, "small", 3, 1), first);
  EXPECT_EQ(made, 0);
  EXPECT_NE(ask(kept, "small", 3, 2), first);
  ask(kept, "large", 3, 1);
  ask(kept, "small", 4, 1);
  EXPECT_EQ(made, 3);
}

}  // namespace
}  // namespace fusebox
