#include <gtest/gtest.h>

#include "grader/simulator/exec/execution/test_device.h"

// mbarriers, bulk copies and clusters, instruction by instruction. Whole programs with the CUDA headers'
// barriers are in testdata/programs.
namespace fusebox::sim {
namespace {

/// One thread runs `body` and stores %r0 to %r3 (as 32 bits) into the argument.
std::string one_thread(const std::string& body) {
  return kPtxHeader + R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p<8>; .reg .b16 %h<4>; .reg .b32 %r<16>; .reg .b64 %rd<16>;
  .shared .align 16 .b64 bar[2];
  .shared .align 16 .b8 tile[64];
  ld.param.u64 %rd0, [out];
  mov.u32 %r0, 0; mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0;
)" + body +
         R"(
  st.global.v4.u32 [%rd0], {%r0, %r1, %r2, %r3};
  ret;
})";
}

struct Expectation {
  const char* name;
  const char* body;
  std::vector<std::uint32_t> out;
};

// "test P" asks whether the phase of parity P is complete and adds a digit to %r0.
std::string with_tests(std::string body) {
  for (const char* parity : {"0", "1"}) {
    const std::string word = std::string("test ") + parity + ";";
    const std::string code = std::string("mbarrier.test_wait.parity.shared::cta.b64 %p1, [bar], ") + parity +
                             "; selp.u32 %r9, 1, 0, %p1; mad.lo.u32 %r0, %r0, 10, %r9;";
    for (std::size_t at; (at = body.find(word)) != body.npos;) body.replace(at, word.size(), code);
  }
  return body;
}

TEST(Mbarrier, Phases) {
  const Expectation cases[] = {
      {"the phase before the first counts as complete",
       "mbarrier.init.shared.b64 [bar], 2; test 0; test 1;",
       {1, 0, 0, 0}},
      {"it completes with the last arrival",
       "mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 %rd1, [bar]; test 0;"
       "mbarrier.arrive.shared.b64 %rd2, [bar]; test 0; test 1;",
       {10, 0, 0, 0}},
      {"and again",
       "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.shared.b64 _, [bar];"
       "mbarrier.arrive.shared.b64 _, [bar]; test 0; test 1;",
       {1, 0, 0, 0}},
      {"several arrivals at once",
       "mbarrier.init.shared.b64 [bar], 5; mov.u32 %r5, 5;"
       "mbarrier.arrive.release.cta.shared::cta.b64 %rd1, [bar], %r5; test 0;",
       {1, 0, 0, 0}},
      {"the state of an arrival knows its phase and what was missing",
       "mbarrier.init.shared.b64 [bar], 3; mbarrier.arrive.shared.b64 %rd1, [bar];"
       "mbarrier.arrive.shared.b64 %rd2, [bar]; mbarrier.pending_count.b64 %r1, %rd1;"
       "mbarrier.pending_count.b64 %r2, %rd2; mbarrier.test_wait.shared.b64 %p1, [bar], %rd1; selp.u32 %r0, "
       "1, 0, %p1;"
       "mbarrier.arrive.shared.b64 %rd3, [bar]; mbarrier.test_wait.shared.b64 %p1, [bar], %rd1; selp.u32 "
       "%r3, 1, 0, %p1;",
       {0, 3, 2, 1}},
      {"bytes that were announced are waited for",
       "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [bar], 48; test 0;"
       "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 32; test 0;"
       "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 16; test 0;",
       {1, 0, 0, 0}},
      {"and may come before they are announced",
       "mbarrier.init.shared.b64 [bar], 1; mbarrier.complete_tx.shared::cta.b64 [bar], 16; test 0;"
       "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 16; test 0; mbarrier.arrive.shared.b64 _, "
       "[bar]; test 0;",
       {1, 0, 0, 0}},
      {"who drops out is not waited for again",
       "mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive_drop.shared.b64 %rd1, [bar]; "
       "mbarrier.arrive.shared.b64 _, [bar];"
       "test 0; mbarrier.arrive.shared.b64 _, [bar]; test 1;",
       {11, 0, 0, 0}},
      {"asynchronous arrivals",
       "mbarrier.init.shared.b64 [bar], 1; cp.async.mbarrier.arrive.shared.b64 [bar]; test 0;"
       "cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; test 0;",
       {1, 0, 0, 0}},
      {"through a generic address",
       "cvta.shared.u64 %rd5, bar; mbarrier.init.b64 [%rd5], 1; mbarrier.arrive.b64 %rd1, [%rd5+0]; test 0;",
       {1, 0, 0, 0}},
      {"a copy from global memory tells its bytes",
       "st.global.u64 [%rd0], 0x500000007; st.global.u64 [%rd0+8], 9; mbarrier.init.shared.b64 [bar], 1;"
       "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], 16, [bar];"
       "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16; test 0; ld.shared.u32 %r1, [tile];"
       "ld.shared.u32 %r2, [tile+4]; ld.shared.u32 %r3, [tile+8];",
       {1, 7, 5, 9}},
      {"a copy to global memory",
       "st.shared.v4.u32 [tile], {%r0, %r1, %r2, %r3}; st.shared.u32 [tile+4], 8;"
       "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [tile], 16; cp.async.bulk.commit_group;"
       "cp.async.bulk.wait_group 0; ld.global.u32 %r1, [%rd0+4];",
       {0, 8, 0, 0}},
      {"a block outside any cluster is one by itself",
       "barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r1, %cluster_nctarank; "
       "mapa.shared::cluster.u32 %r5, bar, 0;"
       "st.shared.u32 [tile], 6; mov.u32 %r6, tile; mapa.shared::cluster.u32 %r6, %r6, 0;"
       "ld.shared::cluster.u32 %r2, [%r6]; getctarank.shared::cluster.u32 %r3, %r6;",
       {0, 1, 6, 0}},
  };
  for (const Expectation& expected : cases) {
    TestDevice device(one_thread(with_tests(expected.body)));
    const DeviceAddress out = device.empty(16);
    EXPECT_EQ(device.launch("k", {}, {}, {out}), Ending::complete) << expected.name;
    EXPECT_EQ(device.faults().size(), 0u)
        << expected.name << ": " << (device.faults().empty() ? "" : device.faults()[0].note);
    EXPECT_EQ(device.read<std::uint32_t>(out, 4), expected.out) << expected.name;
  }
}

struct Misuse {
  const char* body;
  FaultKind kind;
};

TEST(Mbarrier, MistakesAreFaults) {
  const Misuse cases[] = {
      {"mbarrier.arrive.shared.b64 _, [bar];", FaultKind::bad_mbarrier},
      {"mbarrier.init.shared.b64 [bar], 0;", FaultKind::bad_mbarrier},
      {"mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.shared.b64 _, [bar], 2;", FaultKind::bad_mbarrier},
      {"mbarrier.init.shared.b64 [bar], 1; mbarrier.inval.shared.b64 [bar]; mbarrier.arrive.shared.b64 _, "
       "[bar];",
       FaultKind::bad_mbarrier},
      {"mbarrier.init.shared.b64 [bar+4], 1;", FaultKind::misaligned},
      {"mbarrier.init.shared.b64 [bar+16], 1;", FaultKind::out_of_bounds},
      {"L: mbarrier.init.shared.b64 [bar], 1; M: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 "
       "bra M;",
       FaultKind::bad_mbarrier},
      {"cp.async.bulk.global.shared::cta.bulk_group [%rd0], [tile], 24;", FaultKind::misaligned},
      {"cp.async.bulk.global.shared::cta.bulk_group [%rd0], [tile], 16;", FaultKind::uninitialised_read},
      {"cp.async.bulk.global.shared::cta.bulk_group [%rd0+16], [tile], 16;", FaultKind::uninitialised_read},
      {"mov.u32 %r6, tile; mapa.shared::cluster.u32 %r6, %r6, 1; ld.shared::cluster.u32 %r2, [%r6];",
       FaultKind::out_of_bounds},
  };
  for (const Misuse& misuse : cases) {
    TestDevice device(one_thread(misuse.body));
    device.launch("k", {}, {}, {device.empty(16)});
    ASSERT_GE(device.faults().size(), 1u) << misuse.body;
    EXPECT_EQ(static_cast<int>(device.faults()[0].kind), static_cast<int>(misuse.kind)) << misuse.body;
  }
}

// A warp of which one lane waits for another: lanes that are still to come get their turn.
TEST(Mbarrier, LanesOfAWarpWaitForEachOther) {
  TestDevice device(kPtxHeader + R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  .shared .align 8 .b64 bar;
  ld.param.u64 %rd0, [out];
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 mbarrier.init.shared.b64 [bar], 31;
  bar.warp.sync 0xffffffff;
  @!%p1 bra ARRIVE;
WAIT:
  mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
  @!%p2 bra WAIT;
  st.global.u32 [%rd0], 5;
  bra END;
ARRIVE:
  mbarrier.arrive.shared.b64 %rd1, [bar];
END:
  ret;
})");
  const DeviceAddress out = device.empty(4);
  EXPECT_EQ(device.launch("k", {}, {32, 1, 1}, {out}), Ending::complete);
  EXPECT_TRUE(device.faults().empty());
  EXPECT_EQ(device.read<std::uint32_t>(out, 1)[0], 5u);
}

}  // namespace
}  // namespace fusebox::sim
