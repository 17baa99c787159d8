#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "grader/simulator/exec/execution/test_device.h"

namespace fusebox::sim {
namespace {

// Adds, divides and takes the root of what each thread has: a[i] + b[i], a[i] / b[i], sqrt(a[i]).
const char* const kPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry work(.param .u64 p0, .param .u64 p1)
{
  .reg .f32 %f<6>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [p0];
  ld.param.u64 %rd2, [p1];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  ld.global.f32 %f2, [%rd5];
  add.f32 %f3, %f1, %f2;
  div.rn.f32 %f4, %f1, %f2;
  sqrt.rn.f32 %f1, %f1;
  add.f32 %f4, %f4, %f1;
  ret;
}
)";

std::vector<RawFault> faults_of(const std::vector<float>& a, const std::vector<float>& b,
                                bool watch_nan = true, const std::string& ptx = kPtx) {
  TestDevice device(ptx, watch_nan);
  const auto threads = static_cast<std::uint32_t>(a.size());
  const DeviceAddress at = device.buffer(a), with = device.buffer(b);
  device.launch("work", {1, 1, 1}, {threads, 1, 1}, {at, with});
  return device.faults();
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(FirstNan, IsWhereNumbersMakeIt) {
  const auto faults = faults_of({1, 0, -kInfinity, 4}, {2, 0, kInfinity, 0});
  // The sum of infinities, the two quotients, and the root of what is below 0; not what comes of them.
  ASSERT_EQ(faults.size(), 3u);
  EXPECT_EQ(faults[0].note, "-inf + inf is worked out");
  EXPECT_EQ(faults[0].thread, 2u);
  EXPECT_EQ(faults[1].note, "0 / 0 is worked out");
  EXPECT_EQ(faults[1].count, 2u);
  EXPECT_EQ(faults[2].note, "the square root of -inf is worked out");  // although the root takes its place
  for (const RawFault& fault : faults) EXPECT_EQ(fault.kind, FaultKind::not_a_number);
}

TEST(FirstNan, IsAlsoWhereAVariableIsReadThatNothingHasSet) {
  std::string ptx = kPtx;
  ptx.replace(ptx.find("ld.global.f32 %f2"), 2, "@%p1 ld");
  ptx.replace(ptx.find(".reg .f32"), 0, ".reg .pred %p1;\n  ");
  const auto faults = faults_of({1, 4}, {2, 2}, true, ptx);
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].note, "a variable is read that has no value yet");
}

TEST(FirstNan, IsNoneWhereItCameInOrNobodyAsks) {
  EXPECT_TRUE(faults_of({kNan, kInfinity, 1}, {1, 2, kNan}).empty());
  EXPECT_TRUE(faults_of({0, -1}, {0, 1}, false).empty());
}

}  // namespace
}  // namespace fusebox::sim
