#include "grader/simulator/ptx/opcode.h"

#include <gtest/gtest.h>

#include <set>

#include "grader/simulator/ptx/module.h"
#include "grader/simulator/ptx/parser.h"

namespace fusebox::ptx {
namespace {

TEST(Opcodes, EachSpellingFindsItsOwnRow) {
  std::set<std::string_view> seen;
  for (const OpcodeTraits& row : all_opcodes()) {
    EXPECT_TRUE(seen.insert(row.spelling).second) << row.spelling << " stands there twice";
    EXPECT_EQ(&traits_of(find_opcode(row.spelling)), &row) << row.spelling;
    EXPECT_NE(row.family, Family::unknown) << row.spelling;
  }
  EXPECT_EQ(traits_of(Opcode::and_).spelling, "and");
  EXPECT_EQ(traits_of(Opcode::brkpt).spelling, "brkpt");
}

TEST(Opcodes, WhatTheTableLacksKeepsItsName) {
  for (const char* word : {"", "tcgen05", "ad", "addd", "ADD", "and_", "unknown"})
    EXPECT_EQ(find_opcode(word), Opcode::unknown) << word;
  const auto parsed = parse(
      ".version 8.6\n.target sm_90\n.address_size 64\n"
      ".visible .entry k() { tcgen05.fence.sync.aligned; add.rn.f32 %f1, %f2, %f3; ret; }\n");
  ASSERT_TRUE(parsed) << parsed.error().what;
  const auto& instructions = parsed->functions.at(0).instructions;
  EXPECT_EQ(instructions.at(0).opcode, Opcode::unknown);
  EXPECT_EQ(instructions.at(0).name(), "tcgen05.fence.sync.aligned");
  EXPECT_EQ(instructions.at(1).opcode, Opcode::add);
  EXPECT_EQ(instructions.at(1).name(), "add.rn.f32");
}

}  // namespace
}  // namespace fusebox::ptx
