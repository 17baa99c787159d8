// Where observers are told that a warp's straight run of instructions ends: there it waits for what it
// loaded.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/simulator/exec/execution/test_device.h"

namespace fusebox::sim {
namespace {

/// What the first warp loads and stores, and the ends of its runs between.
class Runs : public Observer {
 public:
  void access(const WarpAccess& access) override {
    if (access.warp.warp == 0) told += access.kind == AccessKind::store ? "store " : "load ";
  }
  bool follows_runs() const override { return true; }
  void run_ended(const WarpId& warp) override {
    if (warp.warp == 0 && !told.ends_with("| ")) told += "| ";
  }
  std::string told;
};

/// Of a warp that loads one value, goes another way from lane `first` on, and loads a second one if it does
/// not. `more`: instructions behind the second load.
std::string runs_of(std::uint64_t first, std::uint32_t threads, const std::string& more = "") {
  TestDevice device(kPtxHeader + R"(.visible .entry k(.param .u64 out, .param .u64 first) {
    .reg .pred %p<4>;
    .reg .b32 %t, %f, %r<4>;
    .reg .b64 %o;
    ld.param.u64 %o, [out];
    ld.param.u32 %f, [first];
    mov.u32 %t, %tid.x;
    setp.ge.u32 %p1, %t, %f;
    setp.ge.u32 %p2, %t, 99;
    ld.global.u32 %r1, [%o];
    @%p1 bra OTHER;
    ld.global.u32 %r2, [%o+4];
    add.u32 %r2, %r2, %r1;
)" + more + R"(
    st.global.u32 [%o+8], %r2;
    bra END;
  OTHER:
    st.global.u32 [%o+12], %r1;
    add.u32 %r1, %r1, 1;
  END:
    ret;
})");
  Runs runs;
  device.observers = {&runs};
  const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(threads, 1));
  EXPECT_EQ(device.launch("k", {1, 1, 1}, {threads, 1, 1}, {out, first}), Ending::complete);
  return runs.told;
}

TEST(StraightRuns, GoOnOverABranchAtWhichNothingIsWaitedFor) {
  for (const std::uint32_t threads : {32u, 64u}) {  // alone, and together with another warp
    EXPECT_EQ(runs_of(64, threads), "load load store | ") << threads;
    EXPECT_EQ(runs_of(0, threads), "load store | ") << threads;
  }
}

TEST(StraightRuns, EndForWhoGoesToWhereOthersComeToo) {
  const std::string too = "@%p2 bra OTHER;\n";
  for (const std::uint32_t threads : {32u, 64u}) {
    EXPECT_EQ(runs_of(64, threads, too), "load load | store | ") << threads;
    EXPECT_EQ(runs_of(0, threads, too), "load | store | ") << threads;
    EXPECT_THAT(runs_of(7, threads, too), testing::StartsWith("load | ")) << threads;
  }
}

}  // namespace
}  // namespace fusebox::sim
