#include "grader/simulator/observe/traffic/issue_slots.h"

#include <gtest/gtest.h>

#include <sstream>

namespace fusebox::sim {
namespace {

ptx::Instruction named(const std::string& name) {
  ptx::Instruction instruction;
  std::istringstream words(name);
  std::string word;
  std::getline(words, word, '.');
  instruction.opcode = ptx::find_opcode(word);
  while (std::getline(words, word, '.')) instruction.modifiers.push_back(word);
  return instruction;
}

TEST(IssueSlots, FollowTheTable) {
  const struct {
    const char* name;
    double slots;
  } rows[] = {
      {"mov.u32", 0},         {"ld.param.u64", 0},  {"cvta.to.global.u64", 0}, {"ld.global.f32", 1},
      {"fma.rn.f32", 1},      {"add.f32", 1},       {"add.s32", 0.75},         {"add.s64", 2},
      {"mul.lo.s64", 4},      {"mul.wide.s32", 1},  {"mad.lo.s32", 1},         {"and.b64", 2},
      {"and.pred", 0.5},      {"setp.lt.u64", 2},   {"setp.lt.s32", 1},        {"bra.uni", 0.5},
      {"div.rn.f32", 11},     {"div.full.f32", 5},  {"div.approx.ftz.f32", 1}, {"div.s32", 15},
      {"rem.u64", 70},        {"sqrt.rn.f32", 12},  {"ex2.approx.ftz.f32", 1}, {"ex2.approx.f32", 2.5},
      {"tanh.approx.f32", 1}, {"st.shared.f32", 1}, {"bar.sync", 1},           {"sqrt.rn.f64", 24},
  };
  for (const auto& row : rows) EXPECT_EQ(issue_slots(named(row.name)), row.slots) << row.name;
}

}  // namespace
}  // namespace fusebox::sim
