#include "grader/report/text/demangle.h"

#include <gtest/gtest.h>

#include <new>

namespace fusebox {
namespace {

struct Name {
  const char *symbol, *whole, *kernel;
};

TEST(Demangle, SymbolsAndKernels) {
  for (const Name& row :
       {Name{"_Z4copyPKfPfi", "copy(float const*, float*, int)", "copy"},
        {"_Z4normILi2EEvPf", "void norm<2>(float*)", "norm<2>"},
        {"_ZN12_GLOBAL__N_14copyEPf", "(anonymous namespace)::copy(float*)", "copy"},
        {"_ZN12_GLOBAL__N_14copyILi3EEEvPf", "void (anonymous namespace)::copy<3>(float*)", "copy<3>"},
        {"_Z5applyIPFffEEvT_", "void apply<float (*)(float)>(float (*)(float))", "apply<float (*)(float)>"},
        {"_ZZ4copyPfE4tile", "copy(float*)::tile", "copy"},
        // extern "C": no mangled name, also where it is one of a type.
        {"copy", "copy", "copy"},
        {"f", "f", "f"},
        {"_Zwhatever", "_Zwhatever", "_Zwhatever"},
        {"", "", ""}}) {
    EXPECT_EQ(demangle(row.symbol), row.whole);
    EXPECT_EQ(kernel_name(row.symbol), row.kernel);
  }
}

TEST(Demangle, Types) { EXPECT_EQ(type_name(typeid(std::bad_alloc)), "std::bad_alloc"); }

}  // namespace
}  // namespace fusebox
