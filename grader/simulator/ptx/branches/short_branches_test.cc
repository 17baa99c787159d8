#include "grader/simulator/ptx/branches/short_branches.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "grader/simulator/ptx/parser.h"

namespace fusebox::ptx {
namespace {

/// Instruction 0 makes %p1; 1 is the branch.
ShortBranches branches_of(const std::string& body) {
  const auto module = parse(fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<2>;\n"
      ".reg .b32 %r<4>;\nsetp.eq.s32 %p1, %r1, %r2;\n{}ret;\n}}\n",
      body));
  EXPECT_TRUE(module) << module.error().what;
  return module ? short_branches(module->functions.at(0)) : ShortBranches{};
}

std::string adds(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "add.s32 %r1, %r1, %r2;\n";
  return text;
}

/// 0 for what lies behind the end.
std::string choices(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += fmt::format("add.s32 %r3, %r2, {};\nsetp.lt.s32 %p0, %r3, %r0;\nselp.b32 %r1, %r1, 0, %p0;\n", i);
  return text;
}

TEST(ShortBranches, AreThoseOverAFewInstructions) {
  const std::string over = "@%p1 bra L;\n", label = "L:\n";
  const struct {
    const char* what;
    std::string body;
    bool expected;
  } kRows[] = {
      {"seven", over + adds(7) + label, true},
      {"eight", over + adds(8) + label, false},
      {"seven choices", over + choices(7) + label, true},
      {"eight choices", over + choices(8) + label, false},
      {"choices and something else", over + choices(3) + "mul.lo.s32 %r1, %r1, %r2;\n" + label, false},
      {"always taken", "bra L;\n" + adds(2) + label, false},
      {"a barrier", over + "bar.sync 0;\n" + label, false},
      {"another branch inside", over + "@%p1 bra M;\n" + label + adds(9) + "M:\n", false},
      {"a label inside", over + adds(1) + "M:\n" + label + "@%p1 bra M;\n", false},
      {"a loop comes back to it", over + adds(1) + label + "@%p1 bra L;\n", false},
  };
  for (const auto& row : kRows) EXPECT_EQ(branches_of(row.body).branch.at(1), row.expected) << row.what;
  EXPECT_FALSE(branches_of("L:\n" + adds(1) + over).branch.at(2)) << "backward";
  EXPECT_TRUE(branches_of(over + adds(2) + label).join.at(4));
}

}  // namespace
}  // namespace fusebox::ptx
