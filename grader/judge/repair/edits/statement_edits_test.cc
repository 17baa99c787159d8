#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(StatementEdits, LoopsMayHaveToStandInTheOtherOrder) {
  const Edits edits(kernel_of(R"(  float past[4] = {}, next[4] = {};
  for (int i = 0; i < 4; ++i) past[i] = next[i];
#pragma unroll
  for (int i = 0; i < 4; ++i) next[i] = x[i];
  o[0] = past[0];)"));
  EXPECT_THAT(edits.with("`for (int i = 0; i < 4; ++i) next[i] = x[i];` before `for (int i = 0; i < 4; ++i) "
                         "past[i] = next[i];`"),
              HasSubstr("next[i] = x[i]; for (int i = 0; i < 4; ++i) past[i] = next[i];"));
  EXPECT_THAT(edits.says(),
              Contains("`o[0] = past[0];` before `for (int i = 0; i < 4; ++i) next[i] = x[i];`"));
}

TEST(StatementEdits, OneThreadOfTheGridMayTakeWhatIsLeft) {
  const Edits edits(kernel_of(R"(  for (int i = rows / 4 * 4; i < rows; ++i) o[blockIdx.x + i] += x[i];
  for (int i = threadIdx.x; i < rows; i += 32) o[i] = 1;)"));
  const std::string one = "`if (blockIdx.x == 0 && threadIdx.x == 0)` before the loop";
  EXPECT_THAT(edits.with(one), HasSubstr("if (blockIdx.x == 0 && threadIdx.x == 0) { for (int i = rows / 4"));
  const auto says = edits.says();
  EXPECT_EQ(std::count(says.begin(), says.end(), one), 1);
}

TEST(StatementEdits, AJumpBeforeABarrierIsLikelyWhatIsWrong) {
  const std::string code = code_of(R"(__device__ void meet() { __syncthreads(); }
__global__ void k(float* o, int n) {
  if (threadIdx.x > n) return;
  meet();
  if (threadIdx.x > 2 * n) return;
  o[threadIdx.x] = 0.0f;
})");
  std::map<std::string, std::pair<int, TextEdit::Likelihood>> jumps;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 9}}, {"_Z1kPfi"}))
    if (edit.says.starts_with("`return;`")) jumps[edit.says] = {edit.line, edit.likelihood};
  const std::pair before{3, TextEdit::Likelihood::likely}, behind{5, TextEdit::Likelihood::by_accident};
  EXPECT_EQ(jumps["`return;`, which stands before a barrier, left out"], before);
  EXPECT_EQ(jumps["`return;` left out"], behind);
}

// Nobody of its block waits where a whole block leaves.
TEST(StatementEdits, AJumpOfAWholeBlockKeepsNobodyFromABarrier) {
  const std::string code = code_of(R"(constexpr int kTile = 4;
__global__ void k(float* o, int n) {
  if (blockIdx.x * kTile > n) return;
  if (blockIdx.y > n) { return; }
  const int first = threadIdx.x / n;
  if (first > n) return;
  __syncthreads();
})");
  std::map<int, bool> before_barrier;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 9}}, {"_Z1kPfi"}))
    if (edit.says.starts_with("`return;`") && edit.says.ends_with("left out"))
      before_barrier[edit.line] = edit.likelihood == TextEdit::Likelihood::likely;
  EXPECT_EQ(before_barrier, (std::map<int, bool>{{3, false}, {4, false}, {6, true}}));
}

TEST(StatementEdits, WhatAFunctionIsGivenMayHaveToBeginAtNothing) {
  const std::string code =
      "__device__ float total(float v, const float* part) {\nv += part[9];\n__syncthreads();\n"
      "for (int i = 0; i < 8; ++i) v += part[i];\nreturn v;\n}\n"
      "__global__ void k(float* o, const float* x) { o[0] = total(x[0], x); }";
  const Edits edits(code);
  EXPECT_THAT(edits.with("`v = 0;` in front of the loop"),
              HasSubstr(" v = 0; for (int i = 0; i < 8; ++i) v +="));
}

}  // namespace
}  // namespace fusebox
