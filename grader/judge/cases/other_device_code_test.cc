#include "grader/judge/cases/other_device_code.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace fusebox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Compilers that keep what they are given.
struct FakeCompilers {
  std::vector<std::string> all, device_code;
  bool refuses = false;
  auto compiler(std::vector<std::string>& texts) {
    return [this, &texts](const SourceFile& source) -> Result<CompileResult> {
      texts.push_back(source.text);
      if (refuses) return CompileResult(CompileFailure{{}, "error"});
      Artifact artifact;
      artifact.module.ptx = ".version 9.0\n.target sm_90\n.address_size 64\n";
      return CompileResult(std::move(artifact));
    };
  }
};

const SourceFile kText{"p01.cu", "__global__ void k() {}\n"};

TEST(WithDeviceCode, TheHostsFunctionsStay) {
  FakeCompilers compilers;
  Services services;
  services.compile = compilers.compiler(compilers.all);
  CompiledFile program;
  program.artifact.host_library = "library.so";
  program.artifact.module.ptx = "another";
  program.artifact.mangled = {"_Z1fi"};
  const auto made = with_device_code(services, program, kText);
  ASSERT_TRUE(made) << made.error().what;
  const auto& changed = std::get<CompiledFile>(*made);
  EXPECT_EQ(changed.artifact.host_library, "library.so");
  EXPECT_THAT(changed.artifact.module.ptx, HasSubstr(".target sm_90"));
  EXPECT_EQ(changed.source.text, kText.text);
  EXPECT_THAT(compilers.all, ElementsAre(kText.text));
  // Where there is a compiler of device code alone, it is asked.
  services.compile_device_code = compilers.compiler(compilers.device_code);
  ASSERT_TRUE(with_device_code(services, program, kText));
  EXPECT_EQ(compilers.all.size(), 1u);
  EXPECT_EQ(compilers.device_code.size(), 1u);
  compilers.refuses = true;
  EXPECT_TRUE(std::holds_alternative<CompileFailure>(*with_device_code(services, program, kText)));
}

TEST(WithDeviceCode, KernelsAreNamedAsThoseOfTheProgram) {
  FakeCompilers compilers;
  Services services;
  services.compile_device_code = compilers.compiler(compilers.device_code);
  CompiledFile program;
  program.artifact.mangled = {"_ZN19fusebox_mistake_0071fEi"};
  const auto made = with_device_code(services, program, kText);
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_THAT(compilers.device_code,
              ElementsAre(HasSubstr("namespace fusebox_mistake_007 {\n#line 1\n__global__")));
  EXPECT_EQ(std::get<CompiledFile>(*made).source.text, kText.text);
}

TEST(WithStaticNamesOf, AHostProgramFindsThem) {
  const std::string host = ".visible .entry _ZN37_INTERNAL_11efa4e9_7_text_cu_1a3a1ec41kEPf()";
  EXPECT_EQ(with_static_names_of(host,
                                 "call _ZN37_INTERNAL_c683f76b_7_text_cu_5a3a1ec41fEf;\n"
                                 ".entry _ZN37_INTERNAL_c683f76b_7_text_cu_5a3a1ec41kEPf()"),
            "call _ZN37_INTERNAL_11efa4e9_7_text_cu_1a3a1ec41fEf;\n"
            ".entry _ZN37_INTERNAL_11efa4e9_7_text_cu_1a3a1ec41kEPf()");
  EXPECT_EQ(with_static_names_of("none", "_ZN37_INTERNAL_c683f76b_7_text_cu_5a3a1ec41fEf"),
            "_ZN37_INTERNAL_c683f76b_7_text_cu_5a3a1ec41fEf");
  EXPECT_EQ(with_static_names_of(host, "none"), "none");
  // In a namespace whose name ends in digits.
  EXPECT_EQ(with_static_names_of("_ZN19fusebox_mistake_00737_INTERNAL_11efa4e9_7_text_cu_1a3a1ec41kEPf",
                                 "_ZN19fusebox_mistake_00737_INTERNAL_c683f76b_7_text_cu_5a3a1ec41kEPf"),
            "_ZN19fusebox_mistake_00737_INTERNAL_11efa4e9_7_text_cu_1a3a1ec41kEPf");
  // A namespace without a name has one too.
  EXPECT_EQ(with_static_names_of("_ZN39_GLOBAL__N__1f93f06c_7_text_cu_d2794d2e1kEPf",
                                 "_ZN39_GLOBAL__N__c86397de_7_text_cu_d2794d2e1kEPf _ZN37_INTERNAL_1_f"),
            "_ZN39_GLOBAL__N__1f93f06c_7_text_cu_d2794d2e1kEPf _ZN37_INTERNAL_1_f");
}

}  // namespace
}  // namespace fusebox
