#include "grader/judge/cases/compile_like.h"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fusebox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const SourceFile kReference{"solutions/p01.cu", "__global__ void k(int* p) { *p = 1; }\nvoid f(int* p) {}\n"};
const SourceFile kMine{"puzzles/p01.cu", "__global__ void k(int* p) { *p = 2; }\nvoid f(int* p) {}\n"};

/// Compilers that keep what they are given, and a host program.
class CompileLike : public testing::Test {
 protected:
  CompileLike() {
    services_.compile = compiler(whole_);
    services_.compile_module = compiler(modules_);
    host_.host_library = "library.so";
    host_.mangled = {"_Z1fPi"};
    host_.module = {.ptx = "of the reference", .cubin = {}, .resources = {{"_Z1kPi", 8, 0, 0}}};
  }
  std::function<Result<CompileResult>(const SourceFile&)> compiler(std::vector<std::string>& texts) {
    return [this, &texts](const SourceFile& source) -> Result<CompileResult> {
      texts.push_back(source.text);
      if (refuses_) return CompileResult(CompileFailure{{}, "error"});
      Artifact artifact;
      artifact.source_sha256 = "of mine";
      artifact.warnings = {{"p01.cu", 1, 2, "warning", "unused"}};
      artifact.module = {.ptx = ptx_, .cubin = {std::byte{1}}, .resources = {{kernel_, 40, 0, 16}}};
      return CompileResult(std::move(artifact));
    };
  }
  Result<CompileResult> compile(const SourceFile& source) {
    return compile_like(
        services_, kReference, [this] { return has_host_ ? &host_ : nullptr; }, source);
  }

  Services services_;
  Artifact host_;
  std::vector<std::string> whole_, modules_;
  std::string ptx_ = "of mine", kernel_ = "_Z1kPi";
  bool refuses_ = false, has_host_ = true;
};

TEST_F(CompileLike, TheReferencesHostProgramLaunchesTheModule) {
  const auto made = compile(kMine);
  ASSERT_TRUE(made) << made.error().what;
  const auto& artifact = std::get<Artifact>(*made);
  EXPECT_EQ(artifact.host_library, "library.so");
  EXPECT_THAT(artifact.mangled, ElementsAre("_Z1fPi"));
  EXPECT_EQ(artifact.source_sha256, "of mine");
  EXPECT_EQ(artifact.warnings.size(), 1u);
  EXPECT_EQ(artifact.module.ptx, "of mine");
  EXPECT_EQ(artifact.module.cubin.size(), 1u);
  ASSERT_EQ(artifact.module.resources.size(), 1u);
  EXPECT_EQ(artifact.module.resources[0].registers, 40);
  EXPECT_THAT(modules_, ElementsAre(kMine.text));
  EXPECT_TRUE(whole_.empty());
}

TEST_F(CompileLike, AllIsCompiledWhereTheHostCodeIsAnother) {
  const SourceFile launches{kMine.path, kMine.text + "int g() { return 2; }\n"};
  ASSERT_TRUE(compile(launches));
  EXPECT_THAT(whole_, ElementsAre(launches.text));
  EXPECT_TRUE(modules_.empty());
}

TEST_F(CompileLike, AllIsCompiledWithoutAHostProgram) {
  has_host_ = false;
  ASSERT_TRUE(compile(kMine));
  EXPECT_THAT(whole_, ElementsAre(kMine.text));
}

TEST_F(CompileLike, AllIsCompiledWhereAKernelIsMissing) {
  kernel_ = "_Z1kPf";
  ASSERT_TRUE(compile(kMine));
  EXPECT_THAT(whole_, ElementsAre(kMine.text));
}

TEST_F(CompileLike, WhatIsKnownIsNotCompiledAgain) {
  Artifact known;
  services_.known = [&](const std::string&) { return &known; };
  ASSERT_TRUE(compile(kMine));
  EXPECT_TRUE(modules_.empty());
  EXPECT_THAT(whole_, ElementsAre(kMine.text));
}

TEST_F(CompileLike, WhatDoesNotCompileIsAFailureAtOnce) {
  refuses_ = true;
  const auto made = compile(kMine);
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_TRUE(std::holds_alternative<CompileFailure>(*made));
  EXPECT_TRUE(whole_.empty());
}

TEST_F(CompileLike, WhatIsStaticIsFoundByTheHostProgram) {
  host_.module.ptx = ".global .u32 _ZN37_INTERNAL_11efa4e9_7_text_cu_1a3a1ec41gE;";
  ptx_ = ".global .u32 _ZN37_INTERNAL_c683f76b_7_text_cu_5a3a1ec41gE;";
  const auto made = compile(kMine);
  ASSERT_TRUE(made) << made.error().what;
  const ModuleImage& module = std::get<Artifact>(*made).module;
  EXPECT_EQ(module.ptx, host_.module.ptx);
  EXPECT_TRUE(module.cubin.empty());
}

}  // namespace
}  // namespace fusebox
