#include "grader/judge/source/host_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fusebox {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HostCodeOf, BodiesOfDeviceFunctionsAreNone) {
  const std::string host = host_code_of(R"(constexpr int kWarp = 32;
template <int kSize>
__device__ float sum(float v) { return v; }
static __forceinline__ __device__ float twice(float v) { return 2 * v; }
__global__ void __launch_bounds__(kWarp) kernel(float* out, [[maybe_unused]] int n) {
#pragma unroll
  for (int i = 0; i < n; ++i) { out[i] = sum<1>(1); }
}
void f(float* out) {
  kernel<<<1, kWarp>>>(out, 3);
}
)");
  for (const char* gone : {"return v", "2 * v", "out[i]", "pragma"}) EXPECT_THAT(host, Not(HasSubstr(gone)));
  for (const char* kept : {"constexpr int kWarp = 32;", "kernel(float* out, [[maybe_unused]] int n) {",
                           "kernel<<<1, kWarp>>>(out, 3);"})
    EXPECT_THAT(host, HasSubstr(kept));
}

TEST(HostCodeOf, WhatTheHostExecutesToo) {
  for (const char* text : {"__host__ __device__ int f(int a) { return a + 7; }",
                           "__device__ __host__ int f(int a) { return a + 7; }",
                           "int g(int a) { return a + 7; }", "__device__ int table[2] = {7, 7};",
                           "__device__ int table[2]{7, 7};", "auto f = [] __device__(int a) { return 7; };",
                           "__global__ void k(int a);\nint g(int a) { return a + 7; }",
                           // What a macro is made to be says something of all that follows.
                           "__global__ void k(int* a) {\n#define N 7\n  *a = 3; }"})
    EXPECT_THAT(host_code_of(text), HasSubstr("7")) << text;
}

TEST(HostCodeOf, WhatCannotBeReadIsAllOfIt) {
  for (const char* text : {"__global__ void k() { if (7) {", "__global__", "}{ __device__ 7"})
    EXPECT_EQ(host_code_of(text), std::string(text) + "\n");
  EXPECT_EQ(host_code_of(""), "");
}

TEST(HostCodeOf, LinesKeepNoSpaceAroundThem) {
  EXPECT_EQ(host_code_of("  int a;  \n\n\tint b;\n"), host_code_of("int a;\nint b;"));
  EXPECT_NE(host_code_of("puts(\"a b\");"), host_code_of("puts(\"ab\");"));
}

}  // namespace
}  // namespace fusebox
