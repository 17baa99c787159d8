#include <gmock/gmock.h>

#include <string>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(PlaceEdits, AMaskMayHaveToBeARemainder) {
  const Edits edits(
      kernel_of("const size_t i = threadIdx.x;\no[i] = i < count ? x[i & (columns - 1)] : 0.0f;"));
  EXPECT_THAT(edits.with("`x[i % columns]` in place of `x[i & (columns - 1)]`"),
              HasSubstr("x[(i % columns)]"));
}

TEST(PlaceEdits, WhatIsBehindARowsEndIsInTheNext) {
  const Edits edits(kernel_of("int c = threadIdx.x;\no[c] = x[c < rows ? c : 0];"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("c : c - rows` in place of `c < rows ? c : 0`")));
  // Another value is meant.
  const Edits other(kernel_of("int c = threadIdx.x;\no[c] = x[c < rows ? heads : 0];"));
  EXPECT_THAT(other.says(), Not(Contains(HasSubstr(": c - rows"))));
}

TEST(PlaceEdits, TheLastOfSeveralIsAsFarAsTheyAreApart) {
  const Edits edits(
      kernel_of("const int top = threadIdx.x;\nif (top > rows || heads > top + kEach - 1) return;\n"
                "for (int i = 0; i < kEach; ++i) o[top + i * kSide] = x[i];"));
  EXPECT_THAT(edits.with("`top > rows || heads > top + (kEach - 1) * kSide` in place of `top > rows || "
                         "heads > top + kEach - 1`"),
              HasSubstr("top + ((kEach - 1) * kSide)"));
  const Edits loop(
      kernel_of("const int top = threadIdx.x;\nif (heads > top + (kEach - 1)) return;\n"
                "for (int i = top; i < rows; i += kSide) o[i] = x[i];"));
  EXPECT_THAT(loop.says(), Contains(HasSubstr("(kEach - 1) * kSide")));
}

TEST(PlaceEdits, ARoundOfNeighboursMayBeOfAGroup) {
  const Edits edits(
      kernel_of("const int warp = threadIdx.x / 32;\n__shared__ float s[kWarps];\n"
                "for (int w = 1; w < kWide; ++w) o[w] = s[(warp + w) % kWarps];"));
  EXPECT_THAT(
      edits.says(),
      Contains("`s[warp / kWide * kWide + (warp + w) % kWide]` in place of `s[(warp + w) % kWarps]`"));
}

TEST(PlaceEdits, ANumberOfTwoMayBeTakenApartByTheOther) {
  const Edits edits(
      kernel_of("const int row = blockIdx.z % rows, head = blockIdx.z / rows;\no[row] = x[head];"));
  EXPECT_THAT(edits.with("`blockIdx.z / heads` and `blockIdx.z % heads` in place of `blockIdx.z % rows` and "
                         "`blockIdx.z / rows`"),
              HasSubstr("row = (blockIdx.z / heads), head = (blockIdx.z % heads)"));
}

TEST(StaleEdits, WhatWasWorkedOutBeforeALoopMovesOn) {
  const Edits edits(
      kernel_of("size_t i = threadIdx.x;\nconst size_t row = i / columns;\n"
                "const float m = x[row], s = x[row + 1];\n"
                "for (int n = 0; n < 4; ++n, i += 32) o[i] = (x[i] - m) * s;"));
  EXPECT_THAT(edits.with("`m` and `s` worked out anew for the `i` of each round"),
              AllOf(HasSubstr("- (static_cast<float>(x[(static_cast<size_t>((i) / columns))])))"),
                    HasSubstr("* (static_cast<float>(x[(static_cast<size_t>((i) / columns)) + 1]))")));
  // It stays where it is.
  const Edits steady(
      kernel_of("size_t i = threadIdx.x;\nconst size_t row = i / columns;\n"
                "for (int n = 0; n < 4; ++n) o[i] = x[row];"));
  EXPECT_THAT(steady.says(), Not(Contains(HasSubstr("worked out anew"))));
}

TEST(StaleEdits, WhatIsChangedMayHaveToBeStoredAgain) {
  const Edits edits(
      kernel_of("if (rows > 1) {\nconst int at = threadIdx.x;\nfloat a = o[at], b = o[at + 1], c = x[at];\n"
                "a += c, b += c;\no[at] = a;\n}\nif (heads > 1) { float d = o[rows]; d += 1; }"));
  EXPECT_THAT(edits.with("`o[rows] = d;` where the block ends,"), HasSubstr("d += 1;  o[rows] = d; }"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("o[at] = a;` where"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("x[at] = c;` where")))) << "nothing may be stored there";
}

TEST(StaleEdits, WhatAnArrayKeepsOfAPlaceMayHaveToBeReadAgain) {
  const Edits edits(
      kernel_of("float kept[4];\nfor (int i = 0; i < 4; ++i) {\nconst int c = threadIdx.x + i;\n"
                "kept[i] = c < rows ? x[c] : 0.0f;\n}\n"
                "for (int t = 0; t < heads; ++t)\nfor (int i = 0; i < 4; ++i) {\nconst int c = t + i;\n"
                "o[c] = kept[i] + kept[0];\n}\nfor (int k = 0; k < 4; ++k) o[k] = kept[k];"));
  EXPECT_THAT(edits.with("`c < rows ? x[c] : 0.0f`, worked out here, in place of `kept[i]`"),
              HasSubstr("o[c] = ((c < rows ? x[c] : 0.0f)) + kept[0];"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("worked out here, in place of `kept[k]`"))));
}

TEST(StaleEdits, WhatWasWorkedOutForAnotherPlace) {
  const Edits edits(
      kernel_of("int i = threadIdx.x;\nconst float m = x[i / rows];\n"
                "for (int n = 0; n < 4; ++n) {\nconst int at = i + n * 32;\no[at] = x[at] - m;\n}"));
  EXPECT_THAT(edits.with("`m` worked out for `at`, not for `i`,"),
              HasSubstr("x[at] - (static_cast<float>(x[(at) / rows]))"));
}

TEST(StaleEdits, WhatAStatementChangesAsItWasBefore) {
  const Edits edits(kernel_of(
      "Part p{0, 0};\nfor (int i = 0; i < rows; ++i) {\nfloat top = x[i], fresh = 0;\n"
      "p.mean = fmaxf(p.mean, top);\n#pragma unroll\nfor (int k = 0; k < kEach; ++k) fresh += x[k];\n"
      "p.n = fmaf(p.n, expf(top - p.mean), fresh);\n}\nfloat v = x[0], w = 1;\nv *= 2;\n"
      "v = v + 1;\nif (w > 0) {\nw = v;\n} else {\no[0] = w;\n}\nv = 2;\no[1] = w;"));
  EXPECT_THAT(
      edits.with("`p.mean` as it was before `p.mean = fmaxf(p.mean, top);` in place of `top` behind that"),
      HasSubstr("{ const auto as_it_was = p.mean; p.mean = fmaxf(p.mean, top); for (int k = 0; k < kEach; "
                "++k) fresh += x[k]; p.n = fmaf(p.n, expf(as_it_was - p.mean), fresh); }"));
  EXPECT_THAT(
      edits.with("`p.mean` as it was before `p.mean = fmaxf(p.mean, top);` in place of `p.mean` behind that"),
      HasSubstr("expf(top - as_it_was)"));
  EXPECT_THAT(
      edits.with("`v` as it was before `v = v + 1;` in place of `v` behind that"),
      HasSubstr("{ const auto as_it_was = v; v = v + 1; if (w > 0) { w = as_it_was; } else { o[0] = w; } }"));
  const auto of_v = [](const std::string& says) {
    return says.starts_with("`v` as it was before `v = v + 1;`");
  };
  const std::vector<std::string> says = edits.says();
  EXPECT_EQ(std::count_if(says.begin(), says.end(), of_v), 3) << "none behind the next value of v";
}

TEST(StaleEdits, ASumMayHaveToBeScaledBeforeALargerValueIsTaken) {
  const Edits edits(
      kernel_of("Part p{0, 0};\nfloat top = x[0], sum = 0;\n"
                "for (int i = 0; i < rows; ++i) {\nconst float v = x[i];\np.mean = fmaxf(p.mean, v);\n"
                "p.n += expf(v - p.mean);\ntop = max(top, v);\nsum += v;\n}"));
  EXPECT_THAT(edits.with("`p.n *= expf(p.mean - fmaxf(p.mean, v));` before `p.mean = fmaxf(p.mean, v);`"),
              HasSubstr("p.n *= expf(p.mean - fmaxf(p.mean, v)); p.mean = fmaxf(p.mean, v);"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`sum *= expf"))));
}

TEST(StaleEdits, WhatIsHandedOverBesideAnotherPlace) {
  const Edits edits(
      kernel_of("const auto ask = [&](int k, bool there) { o[k] = there ? x[k] : 0.0f; };\n"
                "for (int f = 0; f < rows; f += 16) {\nconst int k = f + threadIdx.x;\n"
                "const bool there = k < rows;\nask(k + kSide, there);\n}"));
  EXPECT_THAT(edits.with("`there` worked out for `k + kSide`, not for `k`,"),
              HasSubstr("ask(k + kSide, (static_cast<bool>((k + kSide) < rows)));"));
}

TEST(PlaceEdits, AGuardMayBeOfAnotherPlaceThanWhatIsWritten) {
  const Edits edits(
      kernel_of("const int first = threadIdx.x;\nfor (int i = 0; i < 4; ++i)\n"
                "if (first + i < rows) o[heads + first + i * kSide] = x[i];"));
  EXPECT_THAT(edits.says(),
              testing::AllOf(Contains("`first + i * kSide < rows` in place of `first + i < rows`"),
                             Contains("`i * kSide < rows` in place of `first + i < rows`")));
}

TEST(PlaceEdits, TilesThatAreNotSquareAreComparedByElements) {
  const Edits edits(
      kernel_of("if (blockIdx.x > blockIdx.y) return;\no[blockIdx.x * kEach] = x[blockIdx.y * kSide];"));
  EXPECT_THAT(edits.says(), Contains("`blockIdx.x * kEach > blockIdx.y * kSide + (kSide - 1)` in place of "
                                     "`blockIdx.x > blockIdx.y`"));
  const Edits square(
      kernel_of("if (blockIdx.x > blockIdx.y) return;\no[blockIdx.x * kSide] = x[blockIdx.y * kSide];"));
  EXPECT_THAT(square.says(), Not(Contains(HasSubstr("+ (kSide - 1)` in place of"))));
}

}  // namespace
}  // namespace fusebox
