#include "grader/simulator/ptx/link.h"

#include <gtest/gtest.h>

#include "grader/simulator/ptx/parser.h"

namespace fusebox::ptx {
namespace {

constexpr const char* kCaller = R"(
.version 8.0
.target sm_80
.address_size 64
.file 1 "caller.cu"
.extern .func (.param .b32 r) twice (.param .b32 x);
.extern .global .align 4 .u32 counter;
.visible .entry kernel() {
	.reg .b32 %r<3>;
	.loc 1 3 1
	mov.u32 %r1, 1;
	ret;
}
)";
constexpr const char* kCallee = R"(
.version 8.3
.target sm_80
.address_size 64
.file 1 "callee.cu"
.visible .global .align 4 .u32 counter = 7;
.global .align 4 .u32 own;
.visible .func (.param .b32 r) twice (.param .b32 x) {
	.reg .b32 %r<3>;
	.loc 1 9 1
	mov.u32 %r1, 2;
	ret;
}
)";

TEST(Link, WhatOneDeclaresAnotherDefines) {
  for (const bool reversed : {false, true}) {
    std::vector<Module> modules;
    for (const char* text : reversed ? std::vector{kCallee, kCaller} : std::vector{kCaller, kCallee}) {
      auto parsed = parse(text);
      ASSERT_TRUE(parsed) << parsed.error().what;
      modules.push_back(std::move(*parsed));
    }
    const Module all = link(std::move(modules));
    EXPECT_EQ(all.version_minor, 3);
    EXPECT_EQ(all.functions.size(), 2u);
    const Function *twice = all.find("twice"), *kernel = all.find("kernel");
    ASSERT_TRUE(twice && kernel);
    EXPECT_FALSE(twice->declared_only);
    EXPECT_EQ(all.files.at(twice->instructions.front().location.file), "callee.cu");
    EXPECT_EQ(all.files.at(kernel->instructions.front().location.file), "caller.cu");
    ASSERT_EQ(all.globals.size(), 2u);
    for (const Variable& variable : all.globals) EXPECT_FALSE(variable.external) << variable.name;
  }
}

TEST(Link, OfTheSameTheFirstHolds) {
  std::vector<Module> modules;
  for (int i = 0; i < 3; ++i) modules.push_back(*parse(kCallee));
  const Module all = link(std::move(modules));
  EXPECT_EQ(all.functions.size(), 1u);
  EXPECT_EQ(all.globals.size(), 2u);
}

}  // namespace
}  // namespace fusebox::ptx
