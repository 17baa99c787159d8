#include "grader/judge/repair/edits/text_edit.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "grader/judge/source/source_code.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const char* const kKernel = R"(constexpr int kTile = 32;
__device__ float twice(float v) { return v + v; }
__global__ void copy_kernel(const float* in, float* out, int n, int pitch) {
  __shared__ float tile[kTile][kTile + 1];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += kTile) {
    sum += in[i * pitch + k];
    tile[threadIdx.x][k] = sum;
  }
  if (i < n) out[i] = twice(sum) / n;
}
void copy(const float* in, float* out, int n) { copy_kernel<<<n / 2, 2>>>(in, out, n, n); }
)";

struct Found {
  std::string code = code_of(kKernel);
  std::vector<TextEdit> edits;
  explicit Found(LineRange lines = {1, 99}, const char* kernel = "_Z11copy_kernelPKfPfii")
      : edits(edits_of_device_code(code, std::vector{lines}, {kernel})) {}
  std::vector<std::string> says() const {
    std::vector<std::string> all;
    for (const TextEdit& edit : edits) all.push_back(edit.says);
    return all;
  }
};

TEST(TextEdits, TheOtherBoundAndAQuotientRoundedUpAreTypical) {
  std::set<std::string> typical;
  for (const TextEdit& edit : Found().edits)
    if (edit.is_typical) typical.insert(edit.says);
  EXPECT_EQ(typical, (std::set<std::string>{"`i <= n` in place of `i < n`", "`k <= n` in place of `k < n`"}));
  const std::string code = code_of("void copy(int n) { k<<<n / 2, 2>>>(n); }");
  for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{1, 9}}, "copy"))
    EXPECT_EQ(edit.is_typical, edit.with == "(n + 2 - 1) / 2") << edit.says;
}

TEST(TextEdits, AreWhatPeopleGetWrong) {
  const auto says = Found().says();
  for (const char* expected :
       {"`i <= n` in place of `i < n`", "`out[(i + 1)]` in place of `out[i]`",
        "`in[(i + 1) * pitch + k]` in place of `in[i * pitch + k]`",
        "`in[i * n + k]` in place of `in[i * pitch + k]`", "`in[k * n + i]` in place of `in[i * pitch + k]`",
        "`tile[k][threadIdx.x]` in place of `tile[threadIdx.x][k]`", "`k < n - 1` in place of `k < n`",
        "`sum = 0;` at the beginning of the loop's body", "`k += n` in place of `k += kTile`",
        "`__syncthreads();` behind `tile[threadIdx.x][k] = sum;`",
        "`sum = in[i * pitch + k]` in place of `sum += in[i * pitch + k]`",
        "no condition in place of `i < n`"})
    EXPECT_THAT(says, Contains(expected));
}

std::vector<TextEdit> edits_of(const std::string& body) {
  const std::string code = code_of(
      "constexpr int kThreads = 64;\n__global__ void kernel(int* out, int n, int id) {\n" + body + "\n}\n");
  return edits_of_device_code(code, std::vector{LineRange{1, 99}}, {"_Z6kernelPiii"});
}

std::vector<std::string> says_of(const std::string& body) {
  std::vector<std::string> all;
  for (const TextEdit& edit : edits_of(body)) all.push_back(edit.says);
  return all;
}

TEST(TextEdits, KnowWhatReadsOtherwiseInOtherLanguages) {
  for (const char* chain : {"const bool known = (0 <= id) < n;", "const bool known = 0 <= id < n;"})
    EXPECT_THAT(says_of(chain), Contains(HasSubstr("0 <= id && id < n")));
}

TEST(TextEdits, AFactorMayBelongToTheFirstTermAlone) {
  EXPECT_THAT(says_of("out[0] = n * id * (id - kThreads);"),
              Contains(HasSubstr("n * (id * id - kThreads)` in place of")));
}

TEST(TextEdits, AShuffleMayBeAmongFewerLanes) {
  EXPECT_THAT(says_of("id = __shfl_sync(0xffffffffu, id, 0);"),
              Contains(HasSubstr("__shfl_sync(0xffffffffu, id, 0, 8)` in place of")));
}

TEST(TextEdits, AShuffleMayBeAmongAllLanesAndItsWidthIsNoOtherNumber) {
  const std::string code = code_of(R"(__global__ void k(float* o) {
  o[0] = __shfl_sync(0xffffffffu, o[1], 3, 16);
})");
  std::vector<std::string> says;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{2, 2}}, {"_Z1kPf"}))
    says.push_back(edit.says);
  EXPECT_THAT(says, Contains(HasSubstr("`o[0] = __shfl_sync(0xffffffffu, o[1], 3)` in place of")));
  EXPECT_THAT(says, Contains("`2` in place of `3`"));
  EXPECT_THAT(says, Not(Contains(HasSubstr("in place of `16`"))));
}

// Of so many edits there must be no more than mean something: a constant is no place of a thread.
TEST(TextEdits, AConstantMayBeMeantForASizeOfTheBlock) {
  const std::string code = code_of(R"(constexpr int kRows = 8;
__global__ void k(float* o, int n) {
  for (int i = threadIdx.y; i < n; i += blockDim.x) o[i] = 0;
})");
  std::vector<std::string> says;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 4}}, {"_Z1kPfi"}))
    says.push_back(edit.says);
  EXPECT_THAT(says, Contains("`i += kRows` in place of `i += blockDim.x`"));
  EXPECT_THAT(says, Not(Contains(HasSubstr("i = kRows"))));
}

// As the puzzles' files have theirs, so that nvcc says nothing of them before the blanks are filled in.
TEST(TextEdits, KnowParametersThatMayBeUnused) {
  const std::string code = code_of(R"(struct Part { float mean, count; };
__device__ void join(Part a, [[maybe_unused]] Part b) { a.mean += a.count; }
__global__ void k(float* o, [[maybe_unused]] int n, int head) {
  join({}, {});
  o[n % 4] = 0;
})");
  std::vector<std::string> says;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 6}}, {"_Z1kPfii"}))
    says.push_back(edit.says);
  EXPECT_THAT(says, Contains("`o[(n - head) % 4]` in place of `o[n % 4]`"));
  EXPECT_THAT(says, Contains("`a.mean += b.count` in place of `a.mean += a.count`"));
}

TEST(TextEdits, WhatIsLeftMayBeWhereItBegins) {
  EXPECT_THAT(says_of("const int tail = n % 4; out[tail + id] = 1;"),
              Contains("`out[(n - tail) + id]` in place of `out[tail + id]`"));
}

TEST(TextEdits, AreForOneBlockAlone) {
  const auto says = says_of("if (id < n) out[blockIdx.x] = 1;\nfor (int i = 0; i < n; ++i) out[i] = 1;");
  EXPECT_THAT(says, Contains("`&& blockIdx.x == 0` behind `id < n`"));
  EXPECT_THAT(says, Contains("`if (blockIdx.x == 0)` before the loop"));
  EXPECT_THAT(says_of("if (id < n) out[id] = 1;"), Not(Contains(HasSubstr("blockIdx"))));
}

// With it every thread, or every round, goes the same way, which may go around what is wrong.
TEST(TextEdits, AConditionThatIsDecidedOnceIsTriedLast) {
  const auto edits = edits_of(
      "int i = threadIdx.x;\nif (i % 2 == 0 || id % 2 == 0) out[id] = n;\n"
      "for (int c = i; c < n; c += 2) { if (c % 2 == 1) out[c] = i % 4; }");
  const auto likelihood_of = [&](const std::string& says) {
    const auto found =
        std::find_if(edits.begin(), edits.end(), [&](const TextEdit& edit) { return edit.says == says; });
    return found == edits.end() ? -1 : static_cast<int>(found->likelihood);
  };
  const int last = static_cast<int>(TextEdit::Likelihood::by_accident), first = 0;
  EXPECT_EQ(likelihood_of("`n % 2 == 0 || id % 2 == 0` in place of `i % 2 == 0 || id % 2 == 0`"), last);
  EXPECT_EQ(likelihood_of("`i % 2 == 0 || i % 2 == 0` in place of `i % 2 == 0 || id % 2 == 0`"), first);
  EXPECT_EQ(likelihood_of("`i % 2 == 0 || n % 2 == 0` in place of `i % 2 == 0 || id % 2 == 0`"), first)
      << "it was so before";
  EXPECT_EQ(likelihood_of("`i % 2 == 1` in place of `c % 2 == 1`"), last);
}

TEST(TextEdits, LeaveAloneWhatMustBeKnownToTheCompilerAndTheHost) {
  for (const TextEdit& edit : Found().edits) {
    EXPECT_NE(edit.line, 1) << edit.says;
    EXPECT_TRUE(edit.line != 4 || edit.kind == TextEdit::Kind::insertion) << edit.says;
    EXPECT_NE(edit.line, 13) << edit.says;
  }
}

TEST(TextEdits, AreOfTheseLinesAndOfWhatIsLaunched) {
  for (const TextEdit& edit : Found({11, 11}).edits) EXPECT_EQ(edit.line, 11) << edit.says;
  EXPECT_THAT(Found({1, 99}, "_Z5otherv").edits, testing::IsEmpty());
  // What a kernel calls is launched with it.
  EXPECT_THAT(Found({2, 2}).says(), Contains("`v - v` in place of `v + v`"));
}

TEST(TextEdits, TheLikelierComeFirst) {
  const auto edits = Found().edits;
  EXPECT_TRUE(std::is_sorted(edits.begin(), edits.end(), [](const TextEdit& a, const TextEdit& b) {
    return a.likelihood < b.likelihood;
  }));
  EXPECT_EQ(edits.front().likelihood, TextEdit::Likelihood::likely);
  EXPECT_EQ(edits.back().likelihood, TextEdit::Likelihood::by_accident);
}

TEST(TextEdits, WhatWasMovedOnBeginsAnewInFrontOfALoop) {
  const std::string code = code_of(R"(__global__ void k(const float* x, float* o, int n) {
  const float* at = x;
  float sum = 0.0f, all = n;
  for (int i = 0; i < n; ++i) sum += *at++;
  for (int i = 0; i < n; ++i) o[i] = *at++ - sum / n + all;
})");
  std::vector<std::pair<int, std::string>> found;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 9}}, {"_Z1kPKfPfi"}))
    if (edit.says.ends_with("in front of the loop")) found.emplace_back(edit.line, edit.says);
  EXPECT_THAT(found,
              testing::UnorderedElementsAre(std::pair(5, std::string("`at = x;` in front of the loop")),
                                            std::pair(5, std::string("`sum = 0.0f;` in front of the loop"))));
}

TEST(TextEdits, AllSumsOfALoopBeginAnewTogether) {
  const std::string code = code_of(R"(__global__ void k(const float* x, float* o, int n) {
  float sum = 0.0f, squares = 0.0f;
  for (int r = 0; r < n; ++r) {
    for (int i = 0; i < n; ++i) sum += x[r * n + i];
    for (int i = 0; i < n; ++i) squares += x[r * n + i] * sum;
    o[r] = squares;
  }
})");
  std::set<std::string> found;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 9}}, {"_Z1kPKfPfi"}))
    if (edit.says.ends_with("at the beginning of the loop's body") && edit.line == 3) found.insert(edit.says);
  EXPECT_THAT(found, testing::Contains("`sum = 0; squares = 0;` at the beginning of the loop's body"));
  EXPECT_THAT(found, testing::Contains("`sum = 0;` at the beginning of the loop's body"));
}

TEST(TextEdits, AStateOfALoopMayBeginAnewInEachRound) {
  const std::string code = code_of(R"(struct Part { float largest, sum; };
constexpr Part kNothing = {-1, 0};
__device__ Part with(Part part, float v) { return {part.largest + v, part.sum}; }
__global__ void k(const float* x, float* o, int n) {
  Part row = kNothing, same = kNothing;
  for (int r = 0; r < n; ++r) {
    row = with(row, x[r]);
    o[r] = row.sum + same.sum;
  }
})");
  std::vector<std::string> found;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 12}}, {"_Z1kPKfPfi"}))
    if (edit.says.ends_with("at the beginning of the loop's body")) found.push_back(edit.says);
  EXPECT_THAT(found, testing::ElementsAre("`row = kNothing;` at the beginning of the loop's body"));
}

TEST(TextEdits, AMaskMayLackABit) {
  const std::string code = code_of(R"(__global__ void k(float* o, int n) { o[0] = (n & 7u) + (n + 7); })");
  std::set<std::string> found;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 9}}, {"_Z1kPfi"}))
    if (edit.with == "15u" || edit.with == "15") found.insert(edit.with);
  EXPECT_THAT(found, testing::ElementsAre("15u"));
}

TEST(TextEdits, NoneOfWhatIsComparedWithItself) {
  const std::string code = code_of(R"(__global__ void k(float* o, int head, int n) {
  const int whole = n > head ? (n - head) / 4 : 0;
  o[whole] = 0.0f;
})");
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 9}}, {"_Z1kPfii"}))
    EXPECT_EQ(edit.says.find("`const int whole = n > (head * n)"), std::string::npos) << edit.says;
}

TEST(TextEdits, AFactorMayBeWhatIsKnown) {
  const std::string code = code_of(R"(__global__ void k(float* o, int n) {
  Part part;
  part.count += 2.0f;
  o[0] = part.sum / 4.0f;
})");
  std::vector<std::string> says;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{4, 4}}, {"_Z1kPfi"}))
    says.push_back(edit.says);
  EXPECT_THAT(says, Contains("`o[0] = part.sum / part.count` in place of `o[0] = part.sum / 4.0f`"));
  EXPECT_THAT(says, Contains("`o[0] = part.sum / n` in place of `o[0] = part.sum / 4.0f`"));
}

TEST(TextEdits, AFactorMayBelongToAllOfASum) {
  const std::string code = code_of(R"(__global__ void k(float* o, const float* x, float top, int i) {
  o[i] = exp2f(x[i] * 1.442695f - top);
})");
  std::vector<std::string> says;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 3}}, {"_Z1kPfPKffi"}))
    says.push_back(edit.says);
  EXPECT_THAT(says, Contains("`(x[i] - top) * 1.442695f` in place of `x[i] * 1.442695f - top`"));
}

TEST(TextEdits, AConstantMayBeMeantToBeTheFirstLanes) {
  const std::string code = code_of(R"(__global__ void k(float* o, const float* x) {
  const float pivot = x[threadIdx.x], other = 1.0f;
  float sum = x[threadIdx.x] - pivot;
  sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  o[threadIdx.x] = sum;
})");
  std::vector<std::string> says;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 6}}, {"_Z1kPfPKf"}))
    says.push_back(edit.says);
  EXPECT_THAT(says, Contains("`pivot = __shfl_sync(0xffffffffu, x[threadIdx.x], 0)`, as lane 0 has it,"));
}

TEST(TextEdits, ADeclarationMayHaveToStandBeforeWhatChangesItsValue) {
  const std::string code = code_of(R"(struct Part {
  float mean, m2;
  __device__ void join(float other) {
    mean += other / 2;
    const float delta = other - mean;
    m2 += delta;
  }
};
__global__ void k(Part* o) { o->join(1); }
)");
  const auto edits = edits_of_device_code(code, std::vector{LineRange{1, 9}}, {"_Z1kP4Part"});
  const auto found = std::find_if(edits.begin(), edits.end(), [](const TextEdit& edit) {
    return edit.says == "`const float delta = other - mean;` before `mean += other / 2;`";
  });
  ASSERT_NE(found, edits.end());
  EXPECT_THAT(with_edit(code, *found),
              HasSubstr("    { ; }\n    const float delta = other - mean; mean += other / 2; \n"));
}

TEST(TextEdits, WhatIsTakenOffOnceMayHaveToBeTakenOffAgain) {
  const std::string code = code_of(R"(__global__ void k(float* o, int n, int m) {
  int at = 5 * n;
  if (at >= m) at -= m;
  if (n > m) o[1] = 0;
  if (n > 3) { n -= 2; } else { n = 0; }
  o[at] = n;
})");
  std::vector<std::string> says;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 7}}, {"_Z1kPfii"}))
    says.push_back(edit.says);
  EXPECT_THAT(says, Contains("`while (at >= m)` in place of `if (at >= m)`"));
  EXPECT_THAT(says, Not(Contains(HasSubstr("`while (n > "))));
}

TEST(TextEdits, OfOneLineAnotherJumpComesFirst) {
  const std::string code = code_of(R"(__global__ void k(float* o, int n) {
  for (int i = threadIdx.x; i < n; ++i) {
    if (i > 3) break;
    o[i] = 0.0f;
  }
})");
  const auto edits = edits_of_device_code(code, std::vector{LineRange{3, 3}}, {"_Z1kPfi"});
  ASSERT_FALSE(edits.empty());
  EXPECT_EQ(edits.front().says, "`continue;` in place of `break;`");
}

TEST(TextEdits, WhatHasNobodyInFrontOfItMayBeAsked) {
  const std::string code = code_of(R"(__global__ void k(const int* id, bool* o) {
  const int lane = threadIdx.x % 32;
  o[lane] = id[lane] != id[lane - 1];
  o[0] = __uint_as_float(id[0]) > 0.0f;
})");
  std::vector<std::string> says;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{3, 4}}, {"_Z1kPKiPb"}))
    says.push_back(edit.with);
  EXPECT_THAT(says, Contains("(id[lane] != id[lane - 1] || lane == 0)"));
  EXPECT_THAT(says, Contains("__uint_as_float((id[0]) & 0xffff0000u)"));
}

TEST(TextEdits, RowsMayBeCountedInAnotherOrder) {
  const std::string code = code_of(R"(__global__ void k(float* o, int strips, int columns) {
  const int which = blockIdx.y, strip = blockIdx.x;
  float* at = o + (which * strips + strip) * columns;
  at[threadIdx.x] = 0;
  o[threadIdx.y * strips + blockIdx.x] = 0;
  o[blockIdx.x * 32 + threadIdx.y] = 0;
})");
  std::vector<std::string> says;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{3, 6}}, {"_Z1kPfii"}))
    says.push_back(edit.says);
  EXPECT_THAT(says, Contains("`strip * 2 + which` in place of `which * strips + strip`"));
  // A thread of the other direction may be missing, but not be added to one that is there.
  EXPECT_THAT(says, Contains(HasSubstr("threadIdx.x + threadIdx.y * strips + blockIdx.x")));
  EXPECT_THAT(says, Not(Contains(HasSubstr("threadIdx.x + blockIdx.x * 32 + threadIdx.y"))));
}

TEST(TextEdits, ANestedChangeKeepsWhatIsAddedUpFirst) {
  // (b + c) * d * e is one product; the change of a + b must cover all of what is multiplied.
  const std::string code = code_of("__global__ void k(float a, float b, float* o) { o[0] = a + b * a * a; }");
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 1}}, {"_Z1kffPf"}))
    if (edit.says.find("(a + b)") != std::string::npos) {
      EXPECT_EQ(code.substr(edit.begin, edit.end - edit.begin), "a + b * a * a");
    }
}

TEST(TextEdits, ALengthMayBeMeantWhereItsEndIsAskedFor) {
  const std::string code = code_of(R"(__global__ void k(float* o, int first, int end) {
  if (end % 2 == 1) o[end - 1] = 0.0f;
})");
  std::vector<std::string> says;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{2, 2}}, {"_Z1kPfii"}))
    says.push_back(edit.says);
  EXPECT_THAT(says, Contains("`(end - first) % 2 == 1` in place of `end % 2 == 1`"));
}

TEST(TextEdits, AreMadeInTheTextItself) {
  const Found found;
  const auto edit = std::find_if(found.edits.begin(), found.edits.end(), [](const TextEdit& each) {
    return each.says == "`i <= n` in place of `i < n`";
  });
  ASSERT_NE(edit, found.edits.end());
  EXPECT_THAT(with_edit(kKernel, *edit), HasSubstr("if ((i <= n)) out[i]"));
}

}  // namespace
}  // namespace fusebox
