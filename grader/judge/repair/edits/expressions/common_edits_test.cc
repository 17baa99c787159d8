#include <gmock/gmock.h>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(CommonEdits, DistancesAreFromWhatARowBeginsWith) {
  const Edits edits(
      kernel_of("const float* row = x + blockIdx.x * rows;\nfloat kept[4] = {row[threadIdx.x]};\n"
                "const float origin = __shfl_sync(~0u, kept[0], 0);\nconst float mine = kept[0];\n"
                "const float unused = kept[1];\no[0] = (kept[1] - origin) + (kept[2] - mine) + unused;"));
  EXPECT_THAT(
      edits.with(
          "`const float origin = row[0]` in place of `const float origin = __shfl_sync(~0u, kept[0], 0)`"),
      HasSubstr("const float origin = (row[0]);"));
  EXPECT_THAT(edits.with("`const float mine = row[0]` in place of `const float mine = kept[0]`"),
              HasSubstr("const float mine = (row[0]);"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("unused = row[0]")))) << "nothing is taken from it";
  // Of all lanes the same number is no origin that anybody means.
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("__shfl_sync(~0u, 0, kept[0])"))));
}

TEST(CommonEdits, WhoGoesOnWithOneOfTwoSumsIsHandedTheOthersPart) {
  const Edits edits(
      kernel_of("float a = x[0], b = x[1];\nconst bool upper = threadIdx.x & 16;\n"
                "float sum = upper ? b : a;\nsum += __shfl_xor_sync(~0u, sum, 16);\n"
                "sum += __shfl_xor_sync(~0u, sum, 8);\no[0] = sum;"));
  EXPECT_THAT(edits.with("`upper ? a : b` in place of `sum`"),
              AllOf(HasSubstr("__shfl_xor_sync(~0u, (upper ? a : b), 16)"),
                    HasSubstr("__shfl_xor_sync(~0u, sum, 8)")));
}

TEST(CommonEdits, OneNumberOfAThreadForTheOtherWhereverItStands) {
  const Edits edits(
      kernel_of("const int lane = threadIdx.x % 32;\nconst int warp = threadIdx.x / 32;\n"
                "const float* from = x + threadIdx.x;\no[threadIdx.x] = from[warp] + lane;"));
  EXPECT_THAT(edits.with("`lane` in place of each `threadIdx.x`"),
              AllOf(HasSubstr("x + (static_cast<unsigned>(lane));"),
                    HasSubstr("o[(static_cast<unsigned>(lane))]"), HasSubstr("warp = threadIdx.x / 32;")));
}

}  // namespace
}  // namespace fusebox
