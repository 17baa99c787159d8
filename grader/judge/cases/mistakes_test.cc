#include "grader/judge/cases/mistakes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fusebox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const SourceFile kSolution{"solutions/p.cu", R"(#include <cuda_runtime.h>
  #  include "own.h"
__global__ void kernel(float* out) {
  // FILL ME IN: body (roughly 1 line)
  out[0] = 1;
  // END: body
}
)"};

Mutant mutant(std::string name, std::string from, std::string to, std::string blank = "body") {
  Mutant made;
  made.name = std::move(name), made.blank = std::move(blank);
  made.edits = {{std::move(from), std::move(to)}};
  return made;
}

TEST(InOneFile, HoistsIncludesOnceAndKeepsLineNumbers) {
  const std::string text = in_one_file(std::vector<SourceFile>{kSolution, kSolution});
  EXPECT_THAT(text, testing::StartsWith("#include <cuda_runtime.h>\n  #  include \"own.h\"\nnamespace "));
  EXPECT_EQ(text.find("#include", 1), std::string::npos);
  // Behind `#line 1` stand as many lines as the file has before the kernel.
  EXPECT_THAT(text, HasSubstr("namespace fusebox_mistake_001 {\n#line 1\n\n\n__global__"));
}

TEST(InOneFile, MacrosAndByteOrderMarksEndWithTheirFile) {
  const SourceFile macros{"p.cu", "\xEF\xBB\xBF#include <a.h>\n# define N 4\n#define F(x) x\nint n = N;\n"};
  const std::string text = in_one_file(std::vector<SourceFile>{macros, kSolution});
  EXPECT_EQ(text.find('\xEF'), std::string::npos);
  EXPECT_LT(text.find("#undef N\n#undef F\n"), text.find("namespace fusebox_mistake_001 {"));
}

TEST(AsIfAlone, NamesLoseTheNamespacesOfOurOwn) {
  EXPECT_EQ(as_if_alone("fusebox_mistake_012::k<fusebox_mistake_012::T> of a::k"), "k<T> of a::k");
  EXPECT_EQ(as_if_alone("fusebox_mistake_012"), "fusebox_mistake_012");
}

const char kPtx[] = R"(//
// Generated
.version 9.0
.target sm_90
.address_size 64
	.file	1 "a { b.cu"
.extern .func  (.param .b32 r) vprintf
(
	.param .b64 p
)
;
.global .align 4 .b8 shared_by_all[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.global .align 4 .u32 _ZN19fusebox_mistake_0005tableE;
.visible .entry _ZN19fusebox_mistake_0006kernelEPf(
	.param .u64 a
)
.maxntid 256, 1, 1
{
	.reg .b32 r0; // }
	{ ret; }
}
.visible .entry _ZN19fusebox_mistake_0016kernelEPf(
	.param .u64 a
)
{
	ret; // one
}
	.section	.debug_str
	{
$L_1:
.b8 1
	}
)";

TEST(PtxOf, KeepsItsOwnPartAndWhatIsCommon) {
  const std::string second = ptx_of(ptx_pieces(kPtx), 1);
  EXPECT_THAT(second, Not(HasSubstr("fusebox_mistake_000")));
  for (const char* kept :
       {".version 9.0", "\t.file\t1 \"a { b.cu\"", "vprintf", "shared_by_all", "ret; // one", ".debug_str"})
    EXPECT_THAT(second, HasSubstr(kept));
  EXPECT_THAT(second, Not(HasSubstr("maxntid")));
  const std::string first = ptx_of(ptx_pieces(kPtx), 0);
  EXPECT_THAT(first, HasSubstr("_ZN19fusebox_mistake_0005tableE;"));
  EXPECT_THAT(first, Not(HasSubstr("ret; // one")));
}

TEST(PtxPieces, KernelsThatAreNotAskedForAreLeftOut) {
  const std::string one = with_kernels(kPtx, {"_ZN19fusebox_mistake_0016kernelEPf"});
  EXPECT_THAT(one, Not(HasSubstr("_ZN19fusebox_mistake_0006kernelEPf")));
  EXPECT_THAT(one, Not(HasSubstr("maxntid")));
  for (const char* kept :
       {".version 9.0", "vprintf", "shared_by_all", "0005tableE", "ret; // one", ".debug_str"})
    EXPECT_THAT(one, HasSubstr(kept));
}

TEST(PtxPieces, WhatKernelsAskForStandsInFrontOfTheirBodies) {
  const std::string headers = without_bodies(kPtx);
  EXPECT_THAT(headers, Not(HasSubstr(".reg")));
  EXPECT_THAT(headers, HasSubstr(".maxntid 256, 1, 1\n{\nret;\n}\n"));
  for (const char* kept : {"vprintf", "shared_by_all[8] = {1, 2, 3, 4, 5, 6, 7, 8};", ".debug_str", ".b8 1"})
    EXPECT_THAT(headers, HasSubstr(kept));
}

TEST(PtxPieces, WhatNamesTwoIsNobodys) {
  const auto pieces =
      ptx_pieces(".global .u64 p = _ZN19fusebox_mistake_0001aE + _ZN19fusebox_mistake_0011bE;\n");
  EXPECT_EQ(ptx_of(pieces, 0), "");
  EXPECT_EQ(ptx_of(pieces, 1), "");
}

TEST(PartOf, NamesFunctionsAsIfTheyStoodAlone) {
  Artifact whole;
  whole.functions = {"fusebox_mistake_000::f(fusebox_mistake_000::S*, int)", "fusebox_mistake_001::f(int)"};
  whole.mangled = {"_ZN19fusebox_mistake_0001fEPNS_1SEi", "_ZN19fusebox_mistake_0011fEi"};
  const Artifact part = part_of(whole, {}, 0);
  EXPECT_THAT(part.functions, ElementsAre("f(S*, int)"));
  EXPECT_THAT(part.mangled, ElementsAre("_ZN19fusebox_mistake_0001fEPNS_1SEi"));
}

/// A compiler that keeps what it is given and refuses texts that hold `refused`.
struct FakeCompiler {
  std::vector<std::string> texts;
  std::string refused = "nothing";
  Services services() {
    Services services;
    services.compile = [this](const SourceFile& source) -> Result<CompileResult> {
      texts.push_back(source.text);
      if (source.text.find(refused) != source.text.npos)
        return CompileResult(CompileFailure{{}, "error: " + refused});
      Artifact artifact;
      artifact.module.ptx = ".version 9.0\n.target sm_90\n.address_size 64\n";
      return CompileResult(std::move(artifact));
    };
    return services;
  }
};

TEST(CompileMistakes, ThoseOfOneBlankTogether) {
  FakeCompiler compiler;
  const std::vector<Mutant> mutants = {mutant("two", "= 1", "= 2"), mutant("other", "x", "y", "elsewhere"),
                                       mutant("three", "= 1", "= 3")};
  const auto programs = compile_wrong_answers(compiler.services(), kSolution, mutants, "body");
  ASSERT_TRUE(programs) << programs.error().what;
  ASSERT_EQ(programs->size(), 2u);
  EXPECT_EQ((*programs)[1].mutant->name, "three");
  EXPECT_THAT((*programs)[1].program.source.text, HasSubstr("out[0] = 3;"));
  ASSERT_EQ(compiler.texts.size(), 1u);
  EXPECT_THAT(compiler.texts[0], testing::AllOf(HasSubstr("= 2"), HasSubstr("= 3")));
}

TEST(CompileMistakes, WhatIsKnownIsNotCompiledAgain) {
  FakeCompiler compiler;
  const std::vector<Mutant> mutants = {mutant("two", "= 1", "= 2"), mutant("three", "= 1", "= 3")};
  Services services = compiler.services();
  Artifact known;
  known.module.ptx = ".version 9.0\n.target sm_90\n.address_size 64\n";
  services.known = [&](const std::string& text) { return text.find("= 2") == text.npos ? nullptr : &known; };
  ASSERT_TRUE(compile_wrong_answers(services, kSolution, mutants, "body"));
  ASSERT_EQ(compiler.texts.size(), 1u);
  EXPECT_THAT(compiler.texts[0], testing::AllOf(Not(HasSubstr("= 2")), HasSubstr("= 3")));
}

TEST(CompileMistakes, AloneWhereTheyDoNotCompileTogether) {
  FakeCompiler compiler;
  compiler.refused = "fusebox_mistake_000";
  const std::vector<Mutant> mutants = {mutant("two", "= 1", "= 2"), mutant("three", "= 1", "= 3")};
  const auto programs = compile_wrong_answers(compiler.services(), kSolution, mutants, "body");
  ASSERT_TRUE(programs) << programs.error().what;
  EXPECT_EQ(programs->size(), 2u);
  EXPECT_EQ(compiler.texts.size(), 3u);
  compiler.refused = "= 3";
  const auto broken = compile_wrong_answers(compiler.services(), kSolution, mutants, "body");
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().what, HasSubstr("`three`"));
}

/// Compilers of device code alone that make a kernel in each namespace of the text; that of a module says
/// which takes how many registers.
struct FakeDeviceCompiler {
  std::vector<std::string> texts, modules;
  void add_to(Services& services) {
    services.compile_device_code = compiler(texts, false);
    services.compile_module = compiler(modules, true);
  }
  static std::function<Result<CompileResult>(const SourceFile&)> compiler(std::vector<std::string>& texts,
                                                                          bool ptxas) {
    return [&texts, ptxas](const SourceFile& source) -> Result<CompileResult> {
      texts.push_back(source.text);
      if (source.text.find("refused") != source.text.npos)
        return CompileResult(CompileFailure{{}, "error: refused"});
      Artifact artifact;
      artifact.module.ptx = ".version 9.0\n.target sm_90\n.address_size 64\n";
      for (std::size_t i = 0; source.text.find(namespace_name(i)) != source.text.npos; ++i) {
        const std::string kernel = fmt::format("_ZN19{}6kernelEPf", namespace_name(i));
        artifact.module.ptx += fmt::format(".visible .entry {}()\n{{\nret; // of {}\n}}\n", kernel, i);
        if (ptxas) artifact.module.resources.push_back({kernel, 32 + static_cast<int>(i), 0, 0});
      }
      return CompileResult(std::move(artifact));
    };
  }
};

TEST(CompileTogether, WhatHasTheReferencesHostCodeIsCompiledForTheDeviceAlone) {
  FakeCompiler compiler;
  FakeDeviceCompiler device_compiler;
  Services services = compiler.services();
  device_compiler.add_to(services);
  const std::vector<Mutant> mutants = {mutant("two", "= 1", "= 2"), mutant("three", "= 1", "= 3")};
  const auto programs = compile_wrong_answers(services, kSolution, mutants, "body");
  ASSERT_TRUE(programs) << programs.error().what;
  ASSERT_EQ(device_compiler.texts.size(), 1u);
  EXPECT_THAT(device_compiler.texts[0], testing::AllOf(HasSubstr("= 2"), HasSubstr("= 3")));
  // The host program is the reference's, and each kernel is named as it is there.
  EXPECT_THAT(compiler.texts, ElementsAre(testing::AllOf(HasSubstr("namespace fusebox_mistake_000 {"),
                                                         HasSubstr("= 1"), Not(HasSubstr("= 2")))));
  const std::string& second = (*programs)[1].program.artifact.module.ptx;
  EXPECT_THAT(second, testing::AllOf(HasSubstr("fusebox_mistake_000"), HasSubstr("ret; // of 1")));
  EXPECT_THAT(second, Not(HasSubstr("fusebox_mistake_001")));
  EXPECT_THAT((*programs)[1].program.source.text, HasSubstr("= 3"));
}

TEST(CompileTogether, OtherHostCodeIsCompiledWhole) {
  FakeCompiler compiler;
  FakeDeviceCompiler device_compiler;
  Services services = compiler.services();
  device_compiler.add_to(services);
  SourceFile launches = kSolution, refused = kSolution;
  launches.text += "void f(float* out) { kernel<<<1, 1>>>(out); }\n";
  refused.text.replace(refused.text.find("= 1"), 3, "= refused");
  const auto programs =
      compile_together(services, kSolution, std::vector<SourceFile>{launches, kSolution, refused});
  ASSERT_TRUE(programs) << programs.error().what;
  EXPECT_EQ(compiler.texts.front(), launches.text);
  EXPECT_TRUE((*programs)[0]);
  EXPECT_TRUE((*programs)[1]);
  EXPECT_FALSE((*programs)[2]);
  EXPECT_EQ(device_compiler.texts.size(), 3u);  // together, then each
}

TEST(CompileTogether, WithResourcesPtxasSaysOfEachWhatItTakes) {
  FakeCompiler compiler;
  FakeDeviceCompiler device_compiler;
  Services services = compiler.services();
  device_compiler.add_to(services);
  std::vector<SourceFile> dear(2, kSolution);
  dear[0].text.replace(dear[0].text.find("= 1"), 3, "= 2");
  dear[1].text.replace(dear[1].text.find("= 1"), 3, "= 4");
  const auto programs = compile_together(with_resources(services), kSolution, dear);
  ASSERT_TRUE(programs) << programs.error().what;
  ASSERT_TRUE(programs->size() == 2 && (*programs)[1]);
  EXPECT_THAT(device_compiler.modules, ElementsAre(testing::AllOf(HasSubstr("= 2"), HasSubstr("= 4"))));
  EXPECT_THAT(device_compiler.texts, testing::IsEmpty());
  // Each has its own, under the name that the host program launches.
  const auto& resources = (*programs)[1]->artifact.module.resources;
  ASSERT_EQ(resources.size(), 1u);
  EXPECT_THAT(resources[0].kernel, HasSubstr("fusebox_mistake_000"));
  EXPECT_EQ(resources[0].registers, 33);
}

TEST(WithMistake, AnEditThatFitsNowhereIsAnError) {
  EXPECT_THAT(with_mistake(kSolution, mutant("m", "= 7", "")).error().what, HasSubstr("nowhere"));
  EXPECT_THAT(with_mistake(kSolution, mutant("m", "= 1", "", "gone")).error().what, HasSubstr("`gone`"));
}

}  // namespace
}  // namespace fusebox
