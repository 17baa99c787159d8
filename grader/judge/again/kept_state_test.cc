#include "grader/judge/again/kept_state.h"

#include <gtest/gtest.h>

#include <cstring>

namespace fusebox {
namespace {

TEST(StaticPlaces, AreInsideOfBracesAndNotOfConstants) {
  const std::string text = R"(static int of_the_file;
static __global__ void kernel() {}
void f() {
  static constexpr int kTile = 4;
  // static int in_a_comment;
  static float* scratch = nullptr;
  const int x = static_cast<int>(1.0f);
})";
  const auto places = static_places(text);
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(text.substr(places[0], 20), "static float* scratc");
}

/// A kernel of (float* x, int n, float s), launched by a call behind another.
class Difference : public testing::Test {
 protected:
  Difference() {
    program.kernels = {{"_Z1kPfif", {{0, 8}, {8, 4}, {12, 4}}, 16}};
    program.source.text = "__global__ void k(float* x, int n, float s) { x[n] = s; }";
    calls.ops = {AllocOp{0x1000, 64}, launch(0x1000, 1, 1), AllocOp{0x2000, 64}, launch(0x2000, 5, 2)};
    calls.of_calls_before = 2;
    alone.ops = {AllocOp{0x1000, 64}, launch(0x1000, 5, 2)};
  }
  static LaunchOp launch(std::uint64_t x, int n, std::uint32_t blocks) {
    LaunchOp op;
    op.kernel = "_Z1kPfif";
    op.grid = {blocks};
    op.arguments.resize(16);
    std::memcpy(op.arguments.data(), &x, 8);
    std::memcpy(op.arguments.data() + 8, &n, 4);
    return op;
  }
  std::string said() const { return difference(calls, alone, program); }
  CompiledFile program;
  LaunchPlan calls, alone;
};

TEST_F(Difference, AddressesAreNone) { EXPECT_EQ(said(), ""); }

TEST_F(Difference, OfAnArgumentItsName) {
  calls.ops[3] = launch(0x2000, 1, 2);
  EXPECT_EQ(said(), "it gives `k` another `n` than when it is called first");
}

TEST_F(Difference, OfAGrid) {
  calls.ops[3] = launch(0x2000, 5, 1);
  EXPECT_EQ(said(), "it launches `k` with a grid of 1, and of 2 when it is called first");
}

TEST_F(Difference, OfLaunchesAndAllocationsThatAreNotThere) {
  calls.ops.erase(calls.ops.begin() + 2);
  EXPECT_EQ(said(), "it does not allocate what it allocates when it is called first, for other sizes");
  calls.ops.pop_back();
  EXPECT_EQ(said(), "it does not launch `k`, which it launches when it is called first");
}

}  // namespace
}  // namespace fusebox
