#include "grader/toolchain/messages.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

struct Case {
  const char* what;
  const char* output;
  Diagnostic expected;
};

const std::string kLearners =
    "#include <cstdio>\n"
    "__global__ void k(int* p) { p[0] = 1 }\n"
    "  int y = nothing;\n"
    "void f() { int x; }\n";

TEST(Messages, EveryToolsFormat) {
  const Case cases[] = {
      {"front end, macro before the caret",
       "a.cu(2): error: expected a \";\"\n"
       "  __attribute__((global)) void k(int* p) { p[0] = 1 }\n"
       "                                                    ^\n\n",
       {"a.cu", 2, 38, "error", "expected a \";\""}},
      {"front end, indented line",
       "a.cu(3): error: identifier \"nothing\" is undefined\n    int y = nothing;\n            ^\n",
       {"a.cu", 3, 11, "error", "identifier \"nothing\" is undefined"}},
      {"front end warning with its number",
       "a.cu(4): warning #177-D: variable \"x\" was declared but never referenced\n"
       "  void f() { int x; }\n"
       "                 ^\n",
       {"a.cu", 4, 16, "warning", "variable \"x\" was declared but never referenced"}},
      {"front end without a caret", "a.cu(2): error #20: something\n", {"a.cu", 2, 0, "error", "something"}},
      {"a path with brackets", "dir (1)/a.cu(2): error: x\n", {"dir (1)/a.cu", 2, 0, "error", "x"}},
      {"host preprocessor",
       "a.cu:1:10: fatal error: nothere.h: No such file or directory\n    1 | #include \"nothere.h\"\n",
       {"a.cu", 1, 10, "error", "nothere.h: No such file or directory"}},
      {"host compiler without a column",
       "a.cu:6: warning: \"X\" redefined\n    6 | #define X 3\n      | \n",
       {"a.cu", 6, 0, "warning", "\"X\" redefined"}},
      {"host assembler",
       "a.cu: Assembler messages:\na.cu:3: Error: no such instruction: `bogus_insn'\n",
       {"a.cu", 3, 0, "error", "no such instruction: `bogus_insn'"}},
      {"ptxas names kernels as people do",
       "ptxas error   : Entry function '_Z1kPf' uses too much shared data (0x445c0 bytes, 0xc000 max)\n",
       {"a.cu", 0, 0, "error",
        "Entry function 'k(float*)' uses too much shared data (0x445c0 bytes, 0xc000 max)"}},
      {"ptxas about a line of PTX",
       "ptxas /tmp/tmpxft_1-6_a.ptx, line 25; error   : Unknown modifier '.bar'\n",
       {"a.cu", 0, 0, "error", "Unknown modifier '.bar'"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const auto found = parse_diagnostics(c.output, kLearners, "a.cu");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].file, c.expected.file);
    EXPECT_EQ(found[0].line, c.expected.line);
    EXPECT_EQ(found[0].column, c.expected.column);
    EXPECT_EQ(found[0].severity, c.expected.severity);
    EXPECT_EQ(found[0].text, c.expected.text);
  }
}

TEST(Messages, RepeatedOnesOnceAndOtherLinesNotAtAll) {
  const auto found = parse_diagnostics(
      "a.cu:3:2: warning: #warning hello [-Wcpp]\na.cu:3:2: warning: #warning hello [-Wcpp]\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
      "ptxas info    : 0 bytes gmem\nptxas info    : Compile time = 1.897 ms\n"
      "1 error detected in the compilation of \"a.cu\".\na.cu:5: note: previous definition\n\n",
      kLearners, "a.cu");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line, 3);
}

TEST(Messages, AWarningInATemplateIsAnErrorWhereItIsInstantiated) {
  const std::string output =
      "a.cu(3): warning #349-D: no operator \"+=\" matches these operands\n    int y = nothing;\n          ^\n\n"
      "a.cu(3): error: no operator \"+=\" matches these operands\n"
      "            operand types are: float4 += float4\n    int y = nothing;\n          ^\n";
  const auto found = parse_diagnostics(output, kLearners, "a.cu");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, "error");
  EXPECT_EQ(found[0].line, 3);
  EXPECT_EQ(found[0].column, 9);
}

TEST(Messages, OfATemplateWhoAskedForIt) {
  const auto found = parse_diagnostics(
      "a.cu(3): error: no instance of function template \"g\" matches the argument list\n"
      "a.cu(1): note #3327-D: candidate function template \"g\" failed deduction\n"
      "          detected during:\n            instantiation of \"h<T>\" [with T=float] at line 4\n"
      "            instantiation of \"f<T>\" [with T=float] at line 7\n\n"
      "a.cu(2): error: expected a \";\"\n",
      kLearners, "a.cu");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].instantiated_at, 7);
  EXPECT_EQ(found[1].instantiated_at, 0);
}

TEST(Messages, ResourcesOfEachKernel) {
  const auto kernels = parse_resources(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z3mulPf' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z3mulPf\n"
      "    96 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads\n"
      "ptxas info    : Used 8 registers, used 0 barriers\n"
      "ptxas info    : Function properties for _Z6helperf\n"
      "    64 bytes stack frame, 100 bytes spill stores, 100 bytes spill loads\n"
      "ptxas info    : Compiling entry function '_Z3addPKf' for 'sm_75'\n"
      "ptxas info    : Function properties for _Z3addPKf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 128 registers, used 1 barriers, 4352 bytes smem, 372 bytes cmem[0]\n");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].kernel, "_Z3mulPf");
  EXPECT_EQ(kernels[0].registers, 8);
  EXPECT_EQ(kernels[0].static_shared_bytes, 0);
  EXPECT_EQ(kernels[0].spill_bytes, 32);
  EXPECT_EQ(kernels[1].kernel, "_Z3addPKf");
  EXPECT_EQ(kernels[1].registers, 128);
  EXPECT_EQ(kernels[1].static_shared_bytes, 4352);
  EXPECT_EQ(kernels[1].spill_bytes, 0);
}

}  // namespace
}  // namespace fusebox
