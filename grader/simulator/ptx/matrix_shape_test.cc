#include "grader/simulator/ptx/matrix_shape.h"

#include <gtest/gtest.h>

namespace fusebox::ptx {
namespace {

TEST(MatrixShape, IsReadFromTheName) {
  const struct {
    std::vector<std::string> modifiers;
    std::uint32_t m, n, k;  // zeros: none
  } rows[] = {
      {{"sync", "aligned", "m16n8k16", "f32"}, 16, 8, 16},
      {{"mma_async", "m64n256k32", "f16"}, 64, 256, 32},
      {{"m8n8k128"}, 8, 8, 128},
      {{"m8n8", "x4", "shared"}, 0, 0, 0},
      {{"m16n8k16x"}, 0, 0, 0},
      {{}, 0, 0, 0},
  };
  for (const auto& row : rows) {
    Instruction instruction;
    instruction.modifiers = row.modifiers;
    const auto shape = matrix_shape(instruction).value_or(MatrixShape{});
    EXPECT_EQ(shape.m, row.m);
    EXPECT_EQ(shape.n, row.n);
    EXPECT_EQ(shape.k, row.k);
  }
}

TEST(MatrixShape, SaysHowManyValuesOfKAreTakenAtOnce) {
  Instruction instruction;
  instruction.modifiers = {"mma", "m16n16k8", "f32", "tf32"};
  for (const auto& [opcode, k] : {std::pair{Opcode::wmma, 4u}, {Opcode::mma, 8u}}) {
    instruction.opcode = opcode;
    EXPECT_EQ(k_at_once(instruction, *matrix_shape(instruction)), k);
  }
  instruction.opcode = Opcode::wmma;
  instruction.modifiers = {"mma", "m16n16k16", "f32", "f32"};
  EXPECT_EQ(k_at_once(instruction, *matrix_shape(instruction)), 16u);
}

}  // namespace
}  // namespace fusebox::ptx
