// Changes of the host function.

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grader/judge/repair/edits/text_edit.h"
#include "grader/judge/source/source_code.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(HostCode, ChangesAreThoseOfTheFunctionAndOfWhatItCalls) {
  const std::string code = code_of(R"(__global__ void k(float* o, int n) { if (n > 1) o[n] = 0; }
struct Part { int first, last; };
template <class T> static T parts_of(T n) { return n / 4; }
void other(int n) { if (n > 5) return; }
void entry(float* o, const int* sizes, int n, unsigned each) {
  std::vector<Part> parts;
  for (int t = 0; t < n; ++t) parts.push_back({sizes[t], t});
  k<<<parts_of(n), 32>>>(o, std::min(n, sizes[0]));
})");
  const auto edits = edits_of_host_code(code, std::vector{LineRange{1, 99}}, "entry");
  std::vector<std::string> says;
  says.reserve(edits.size());
  for (const TextEdit& edit : edits) says.push_back(edit.says);
  EXPECT_THAT(says, Contains("`n * 4` in place of `n / 4`"));
  EXPECT_THAT(says, Contains("`t <= n` in place of `t < n`"));
  EXPECT_THAT(says, Contains("`sizes[t] + t` in place of `sizes[t]`"));
  EXPECT_THAT(says, Contains("`sizes[0] - n` in place of `sizes[0]`"));
  EXPECT_THAT(says, Not(Contains(HasSubstr("`n > 5`"))));
  EXPECT_THAT(says, Not(Contains(HasSubstr("`n > 1`"))));
  EXPECT_THAT(says, Not(Contains(HasSubstr("fusebox"))));
  for (const TextEdit& edit : edits) EXPECT_THAT(with_edit(code, edit), Not(HasSubstr("fusebox")));
}

// Six warps are not added up by halves.
TEST(HostCode, AGroupOfThreadsMayHaveToBeAPowerOfTwo) {
  const std::string code = code_of(R"(template <int kThreads, int kEach> void launch(float* o) {}
void entry(float* o, int n) {
  auto chosen = n > 768 ? launch<192, 8> : n > 256 ? launch<192, 4> : launch<64, 4>;
  chosen(o);
})");
  std::vector<std::string> says, texts;
  for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{1, 99}}, "entry")) {
    says.push_back(edit.says), texts.push_back(with_edit(code, edit));
    EXPECT_TRUE(edit.is_typical || !edit.says.starts_with("`launch<"));
  }
  EXPECT_THAT(
      says,
      Contains("`launch<256, 8>` and `launch<256, 4>` in place of `launch<192, 8>` and `launch<192, 4>`"));
  EXPECT_THAT(says, Contains(HasSubstr("`launch<128, 8>` and `launch<128, 4>` in place of")));
  EXPECT_THAT(says, Not(Contains(HasSubstr("of `launch<64"))));
  EXPECT_THAT(texts, Contains(HasSubstr("? (launch<256, 8>) : n > 256 ? (launch<256, 4>) : launch<64, 4>;")));
}

// Any bound that is large enough would be right.
TEST(HostCode, ABoundIsChangedAfterWhatItBounds) {
  const std::string code = code_of(R"(__global__ void k(float* o, int n) { o[n] = 0; }
void entry(float* o, int n) {
  const int tiles = std::max(1, n / 512);
  k<<<tiles + 1, 32>>>(o, tiles);
})");
  std::vector<std::string> likely;
  for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{1, 99}}, "entry"))
    if (edit.likelihood == TextEdit::Likelihood::likely) likely.push_back(edit.says);
  EXPECT_THAT(likely, Contains("`(n + 512 - 1) / 512` in place of `n / 512`"));
  EXPECT_THAT(likely, Contains("`n / 256` in place of `n / 512`"));
  EXPECT_THAT(likely, Not(Contains("`3` in place of `1`")));
}

TEST(HostCode, AsManyThreadsAsThereIsToDoMayHaveToBeWholeWarps) {
  const std::string code = code_of(R"(__global__ void k(float* o, int n) { o[n] = 0; }
int threads_for(int n) { return n < 1024 ? n : 1024; }
void entry(float* o, int n, int m) {
  k<<<m, threads_for(n), 4>>>(o, m);
  k<<<m, m>>>(o, n);
})");
  std::vector<std::string> typical;
  for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{1, 99}}, "entry"))
    if (edit.with.find("31") != std::string::npos && edit.is_typical) typical.push_back(edit.says);
  // What a kernel works out is no number of threads.
  const std::string device =
      code_of("__global__ void f(float* o, int n) { const int m = n; o[m] = 0; }\n" + code);
  for (const TextEdit& edit : edits_of_device_code(device, std::vector{LineRange{1, 1}}, {"_Z1fPfi"}))
    EXPECT_THAT(edit.with, Not(HasSubstr("/ 32 * 32")));
  // What the kernel is told is none either.
  EXPECT_THAT(typical, testing::ElementsAre(HasSubstr("`n < 1024 ? (n + 31) / 32 * 32`"),
                                            HasSubstr("`(m + 31) / 32 * 32` in place of `m`")));
}

TEST(HostCode, WhatIsSentInPartsBeginsBehindWhatHasBeenSent) {
  const std::string code = code_of(R"(__global__ void k(float* o, int n) { o[n] = 0; }
void entry(float* o, int n) {
  std::vector<int> all(n);
  for (int sent = 0; sent < n; sent += 240) {
    List list{};
    std::copy_n(all.begin(), 240, list.at);
    k<<<1, 32>>>(o, n);
  }
})");
  std::vector<std::string> likely;
  for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{1, 99}}, "entry"))
    if (edit.likelihood == TextEdit::Likelihood::likely) likely.push_back(edit.says);
  EXPECT_THAT(likely, Contains("`all.begin() + sent` in place of `all.begin()`"));
}

// A chunk that begins where no float4 may is mended too by one that is as long as all.
TEST(HostCode, AShareThatIsRoundedUpMayHaveToBeOfWholeVectorsAndIsNothingElse) {
  const std::string code = code_of(
      "void f(const long* n, int parts) {\n"
      "  const long share = (n[0] + parts - 1) / parts;\n  use(share);\n}\n");
  std::vector<std::string> with, typical;
  for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{2, 2}}, "f")) {
    with.push_back(edit.with);
    if (edit.is_typical) typical.push_back(edit.with);
  }
  EXPECT_THAT(typical, testing::ElementsAre("((n[0] + parts - 1) / parts + 3) / 4 * 4"));
  EXPECT_THAT(with, Not(Contains("(n[0] + parts - 1) * parts")));
  EXPECT_THAT(with, Not(Contains("n[0] + parts - 1 / parts")));
}

TEST(HostCode, WhatALambdaIsGivenIsKnownInIt) {
  const std::string code = code_of(
      "void f(int n) {\n  const auto run = [&](auto kernel, int share) {\n"
      "    use(n / share);\n  };\n  run(0, 8);\n}\n");
  std::vector<std::string> typical;
  for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{1, 6}}, "f")) {
    if (edit.is_typical) typical.push_back(edit.with);
    const bool is_outside = edit.line == 5;
    EXPECT_FALSE(is_outside && edit.with.find("share") != std::string::npos) << edit.with;
  }
  EXPECT_THAT(typical, testing::ElementsAre("(n + share - 1) / share"));
}

// One change that names another variable, and none of the text compiles.
TEST(HostCode, WhatALambdaDoesNotCaptureIsNotKnownInIt) {
  const auto names_rows = [](const std::string& captures) {
    const std::string code =
        code_of("void f(int first, int rows, int n) {\n  const auto blocks = [" + captures +
                "](int share) {\n" + "    return n / share;\n  };\n  use(blocks(8), rows);\n}\n");
    const auto edits = edits_of_host_code(code, std::vector{LineRange{3, 3}}, "f");
    EXPECT_FALSE(edits.empty());
    return std::any_of(edits.begin(), edits.end(),
                       [](const TextEdit& edit) { return edit.with.find("rows") != std::string::npos; });
  };
  EXPECT_FALSE(names_rows("n"));
  EXPECT_FALSE(names_rows("&n"));
  for (const char* captures : {"&", "=", "n, rows", "&, n", "n, &rows"})
    EXPECT_TRUE(names_rows(captures)) << captures;
}

TEST(HostCode, WhatIsRoundedUpIsNotRoundedUpAgain) {
  for (const std::string count : {"n + 512 - 1) / 512", "n + 511) / 512", "n + each - 1) / each"}) {
    const std::string code = code_of("void f(int n, int each) { k<<<(" + count + ", 32>>>(n); }");
    for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{1, 9}}, "f"))
      EXPECT_THAT(edit.with, Not(HasSubstr("1) + "))) << count;
  }
}

TEST(HostCode, ArgumentsThatNoTypeTellsApartAreLikelyExchanged) {
  const std::string code = code_of(R"(void entry(float* o, double beta, int step, size_t bytes) {
  const double power = std::pow(step, beta);
  cudaMemsetAsync(o, bytes, 0);
  const int most = std::max(step, 4);
})");
  std::vector<std::string> likely;
  for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{1, 99}}, "entry"))
    if (edit.likelihood == TextEdit::Likelihood::likely) likely.push_back(with_edit(code, edit));
  EXPECT_THAT(likely, Contains(HasSubstr("= (std::pow(beta, step));")));
  EXPECT_THAT(likely, Contains(HasSubstr("(cudaMemsetAsync(o, 0, bytes));")));
  EXPECT_THAT(likely, Contains(HasSubstr("= (std::min(step, 4));")));
}

TEST(HostCode, ABlockMayHaveAnotherConstantsThreads) {
  const std::string code = code_of(R"(constexpr int kWide = 32;
__global__ void k(float* o) {}
void entry(float* o, int n) {
  constexpr int kAll = kWide * 8;
  k<<<(n + kAll - 1) / kAll, kWide>>>(o);
})");
  std::vector<std::string> says;
  for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{1, 99}}, "entry"))
    says.push_back(edit.says);
  EXPECT_THAT(says, Contains("`(n + kWide - 1) / kWide` in place of `(n + kAll - 1) / kAll`"));
}

}  // namespace
}  // namespace fusebox
