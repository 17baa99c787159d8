// Warps of a block that are at one place go on together: what that must not change, and what it must keep.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/simulator/exec/execution/test_device.h"

namespace fusebox::sim {
namespace {

using testing::ElementsAre;

/// Writes down which instruction stores for which warp, and the barriers that complete.
class Order : public Observer {
 public:
  void access(const WarpAccess& access) override {
    if (access.kind == AccessKind::store)
      events.push_back(std::to_string(access.instruction) + " w" + std::to_string(access.warp.warp));
  }
  void barrier_complete(std::uint64_t, std::uint32_t id, std::span<const BarrierParty> parties,
                        bool whole) override {
    events.push_back("barrier " + std::to_string(id) + " of " + std::to_string(parties.size()) +
                     (whole ? " whole" : ""));
  }
  std::vector<std::string> events;
};

std::string ptx_of(const std::string& body) {
  return kPtxHeader + R"(.visible .entry k(.param .u64 out) {
    .reg .pred %p<4>;
    .reg .b32 %t, %w, %l, %r<4>;
    .reg .b64 %o, %a;
    ld.param.u64 %o, [out];
    mov.u32 %t, %tid.x;
    shr.u32 %w, %t, 5;
    and.b32 %l, %t, 31;
    mul.wide.u32 %a, %t, 4;
    add.u64 %o, %o, %a;
)" + body +
         "\n}\n";
}

/// Runs `body` for one block and returns what each thread left in `out`.
std::vector<std::uint32_t> run(const std::string& body, std::uint32_t threads, Order& order) {
  TestDevice device(ptx_of(body));
  device.observers = {&order};
  const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(threads, 0xcdcdcdcd));
  EXPECT_EQ(device.launch("k", {1, 1, 1}, {threads, 1, 1}, {out}), Ending::complete);
  EXPECT_TRUE(device.faults().empty());
  return device.read<std::uint32_t>(out, threads);
}

// The first instruction of a body is number 6.

TEST(Converged, EachInstructionIsForAllWarpsBeforeTheNext) {
  Order order;
  run(R"(st.global.u32 [%o], 1;
         st.global.u32 [%o], 2;
         bar.sync 0;
         ret;)",
      80, order);  // the third warp is half a one
  EXPECT_THAT(order.events,
              ElementsAre("6 w0", "6 w1", "6 w2", "7 w0", "7 w1", "7 w2", "barrier 0 of 3 whole"));
}

TEST(Converged, WarpsThatGoDifferentWaysMeetAgain) {
  Order order;
  run(R"(setp.eq.u32 %p1, %w, 1;
         @%p1 bra OTHER;
         st.global.u32 [%o], 1;
         bra END;
       OTHER:
         st.global.u32 [%o], 2;
       END:
         st.global.u32 [%o], 3;
         ret;)",
      96, order);
  EXPECT_THAT(order.events, ElementsAre("8 w0", "8 w2", "10 w1", "11 w0", "11 w1", "11 w2"));
}

TEST(Converged, AWarpThatGoesThroughALoopOnceMoreIsWaitedFor) {
  Order order;
  const auto values = run(R"(mov.u32 %r1, 0;
       AGAIN:
         add.u32 %r1, %r1, 1;
         setp.le.u32 %p1, %r1, %w;
         @%p1 bra AGAIN;
         st.global.u32 [%o], %r1;
         ret;)",
                          96, order);
  EXPECT_THAT(order.events, ElementsAre("10 w0", "10 w1", "10 w2"));
  for (std::uint32_t t = 0; t < 96; ++t) EXPECT_EQ(values[t], t / 32 + 1);
}

TEST(Converged, AWarpWhoseLanesPartCatchesUp) {
  Order order;
  run(R"(setp.eq.u32 %p1, %t, 40;
         @%p1 bra OTHER;
         st.global.u32 [%o], 1;
         bra END;
       OTHER:
         st.global.u32 [%o], 2;
       END:
         st.global.u32 [%o], 3;
         bar.sync 0;
         ret;)",
      96, order);
  // The second warp's lanes come first, one after the other: who jumps, then who goes on.
  EXPECT_THAT(order.events, ElementsAre("10 w1", "8 w1", "8 w0", "8 w2", "11 w0", "11 w1", "11 w2",
                                        "barrier 0 of 3 whole"));
}

/// Lanes that are even call `callee`, directly or through a pointer, and meet the others at a barrier.
std::string calls_in_a_branch(const std::string& call) {
  return ptx_of(
             "st.global.u32 [%o], %t; and.b32 %r1, %t, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra MEET;\n"
             "mov.u64 %a, callee; { .param .b64 to; st.param.b64 [to], %o;\n" +
             call +
             "}\nMEET: bar.sync 0; ld.global.u32 %r2, [%o]; add.u32 %r2, %r2, 1;\n"
             "st.global.u32 [%o], %r2; ret;") +
         ".func callee(.param .b64 to) { .reg .b64 %to; .reg .b32 %v<40>; ld.param.u64 %to, [to];\n"
         "ld.global.u32 %v1, [%to]; add.u32 %v1, %v1, 1000; st.global.u32 [%to], %v1; ret; }\n";
}

TEST(Converged, LanesThatCalledAFunctionInABranchAreBackInTheKernelsFrame) {
  for (const char* call :
       {"call.uni callee, (to);", "P: .callprototype _ (.param .b64 _); call %a, (to), P;"})
    for (const std::uint32_t threads : {32u, 64u, 96u}) {
      SCOPED_TRACE(std::string(call) + " " + std::to_string(threads) + " threads");
      TestDevice device(calls_in_a_branch(call));
      const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(threads));
      EXPECT_EQ(device.launch("k", {1, 1, 1}, {threads, 1, 1}, {out}), Ending::complete);
      EXPECT_TRUE(device.faults().empty());
      const auto values = device.read<std::uint32_t>(out, threads);
      for (std::uint32_t t = 0; t < threads; ++t) EXPECT_EQ(values[t], t + 1 + (t % 2 == 0 ? 1000 : 0));
    }
}

TEST(Converged, BarriersOfSomeWarpsLetThemGoOnTogether) {
  Order order;
  run(R"(setp.eq.u32 %p1, %w, 2;
         @%p1 bra END;
         bar.sync 1, 64;
         st.global.u32 [%o], 1;
       END:
         st.global.u32 [%o], 3;
         ret;)",
      96, order);
  EXPECT_THAT(order.events, ElementsAre("barrier 1 of 2", "9 w0", "9 w1", "10 w0", "10 w1", "10 w2"));
}

TEST(Converged, WarpsThatSpinLetTheOneSpeakThatTheyWaitFor) {
  Order order;
  const auto values = run(R"(.shared .align 4 .b32 flag;
         setp.eq.u32 %p1, %t, 0;
         @%p1 st.shared.u32 [flag], 0;
         bar.sync 0;
         setp.eq.u32 %p2, %w, 1;
         @%p2 bra SET;
       SPIN:
         ld.volatile.shared.u32 %r2, [flag];
         setp.eq.u32 %p3, %r2, 0;
         @%p3 bra SPIN;
         bra END;
       SET:
         mov.u32 %r2, 77;
         st.volatile.shared.u32 [flag], %r2;
       END:
         st.global.u32 [%o], %r2;
         ret;)",
                          128, order);
  for (const std::uint32_t value : values) EXPECT_EQ(value, 77u);
}

TEST(Converged, ALaneThatWaitsForAnotherBlockCostsAWarpsTurnAndNoMore) {
  TestDevice device(ptx_of(R"(mov.u32 %r1, %ctaid.x;
         ld.param.u64 %a, [out];
         setp.ne.u32 %p1, %t, 0;
         @%p1 bra END;
         setp.ne.u32 %p2, %r1, 0;
         @%p2 bra SET;
       SPIN:
         ld.volatile.global.u32 %r2, [%a];
         setp.eq.u32 %p3, %r2, 0;
         @%p3 bra SPIN;
         bra END;
       SET:
         st.volatile.global.u32 [%a], 1;
       END:
         bar.sync 0;
         ret;)"));
  device.max_warp_instructions = 300'000;
  const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(1024));
  EXPECT_EQ(device.launch("k", {2, 1, 1}, {1024, 1, 1}, {out}), Ending::complete);
  EXPECT_TRUE(device.faults().empty());
}

TEST(Converged, AnEndlessLoopOfAllWarpsIsFound) {
  TestDevice device(ptx_of("AGAIN: bra AGAIN;"));
  const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(96));
  EXPECT_EQ(device.launch("k", {1, 1, 1}, {96, 1, 1}, {out}), Ending::stopped);
  ASSERT_EQ(device.faults().size(), 1u);
  EXPECT_EQ(device.faults()[0].kind, FaultKind::endless_loop);
}

}  // namespace
}  // namespace fusebox::sim
