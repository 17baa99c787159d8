#include "grader/judge/workshop/slips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace fusebox {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kText = R"(__global__ void scale(float* out, const float* x, int rows, int columns) {
  // FILL ME IN: body (roughly 5 lines)
  const int row = blockIdx.x, column = threadIdx.x;
  if (column >= columns) return;
  float sum = 0.0f;
  sum = __shfl_down_sync(~0u, sum, 16);
  out[row * columns + column] = x[row] + sum;  // not sum - x[row]
  // END: body
}
int unused(int rows) { return rows + 1; }
)";

/// "was -> is" of all slips that there are.
std::set<std::string> all_slips(const std::string& text) {
  std::set<std::string> all;
  for (const Slip& slip : slips_of(text, 10'000, 1)) all.insert(slip.was + " -> " + slip.is);
  return all;
}

TEST(Slips, AreWhatPeopleMake) {
  const auto all = all_slips(kText);
  for (const char* expected :
       {"+ -> -", ">= -> >", "16 -> 8", "0.0f -> 1.0f", "x -> y", "row -> column",
        "__shfl_down_sync -> __shfl_up_sync", "sum, 16 -> 16, sum", "column >= columns -> true",
        "out[row * columns + column] = x[row] + sum; -> ;"})
    EXPECT_THAT(all, Contains(expected));
  // Outside of the blank, and in a remark, there is none.
  EXPECT_THAT(all, Not(Contains("1 -> 2")));
  EXPECT_THAT(all, Not(Contains("- -> +")));
}

TEST(Slips, LeaveAllElseAsItIs) {
  const std::string text = kText;
  const auto slips = slips_of(text, 10'000, 3);
  ASSERT_FALSE(slips.empty());
  std::set<std::string> texts;
  for (const Slip& slip : slips) {
    EXPECT_TRUE(texts.insert(slip.text).second) << slip.was << " -> " << slip.is;
    EXPECT_EQ(std::count(slip.text.begin(), slip.text.end(), '\n'),
              std::count(text.begin(), text.end(), '\n'));
    EXPECT_EQ(slip.text.size(), text.size() + slip.is.size() - slip.was.size());
    EXPECT_GT(slip.line, 2);
    EXPECT_LT(slip.line, 8);
  }
}

TEST(Slips, AreTheSameForTheSameSeedAndNoMoreThanAsked) {
  const auto texts = [](std::uint64_t seed) {
    std::vector<std::string> all;
    for (const Slip& slip : slips_of(kText, 5, seed)) all.push_back(slip.text);
    return all;
  };
  EXPECT_EQ(texts(7).size(), 5u);
  EXPECT_EQ(texts(7), texts(7));
  EXPECT_NE(texts(7), texts(8));
  EXPECT_THAT(slips_of("__global__ void k(int* o) { o[0] = 1 + 2; }", 5, 1), IsEmpty());
}

Told told(const std::string& sentence, int shown_line = 0) {
  Slip slip;
  slip.line = 40;
  Report report;
  report.verdict = Outcome::failed;
  report.entries.emplace_back();
  report.entries[0].outcome = Outcome::failed;
  report.entries[0].cause.emplace();
  report.entries[0].cause->sentence = sentence;
  report.entries[0].cause->line = shown_line;
  return told_of(slip, report);
}

TEST(Slips, AreToldByTheirPlaceOrByWhatTheyCompute) {
  EXPECT_EQ(told("With `a` in place of `b` in line 41, every answer is right."), Told::where);
  EXPECT_EQ(told("With `a` in place of `b` in lines 12 and 38, every answer is right."), Told::where);
  EXPECT_EQ(told("Race: store and load at line 7.", 40), Told::where);
  EXPECT_EQ(told("`out` is exactly what comes out when `beta` is not added."), Told::what);
  EXPECT_EQ(told("With `a` in place of `b` in line 12, every answer is right."), Told::elsewhere);
  EXPECT_EQ(told("`out` is 0."), Told::symptom);
  Report passed;
  passed.verdict = Outcome::passed;
  EXPECT_EQ(told_of({}, passed), Told::passed);
}

}  // namespace
}  // namespace fusebox
