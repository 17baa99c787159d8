// How lanes part, meet, wait and call: small kernels whose result each thread can say beforehand.

#include <gtest/gtest.h>

#include <functional>

#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/execution/test_device.h"

namespace fusebox::sim {
namespace {

// %o points to this thread's word of out; %t is its index, %l its lane.
std::string kernel(const std::string& body, const std::string& before = "") {
  return kPtxHeader + before +
         ".visible .entry k(.param .u64 pout) {\n"
         ".reg .b64 %o, %w, %rd<8>; .reg .b32 %t, %l, %r<16>; .reg .pred %p<8>;\n"
         "ld.param.u64 %o, [pout]; mov.u32 %t, %tid.x; mov.u32 %l, %laneid;\n"
         "mul.wide.u32 %w, %t, 4; mov.u64 %rd0, %o; add.s64 %o, %o, %w;\n" +
         body + "\n}\n";
}

struct ControlCase {
  std::string name, text;
  std::uint32_t threads;
  std::function<std::uint32_t(std::uint32_t)> expected;
};

const std::vector<ControlCase> kCases = {
    {"nested ifs", kernel(R"(
       mov.u32 %r1, 0;
       setp.ge.u32 %p1, %l, 16;
       @%p1 bra ELSE;
       and.b32 %r2, %l, 1;
       setp.eq.u32 %p2, %r2, 0;
       @%p2 bra EVEN;
       add.u32 %r1, %r1, 1;
       bra JOIN;
     EVEN:
       add.u32 %r1, %r1, 2;
     JOIN:
       add.u32 %r1, %r1, 10;
       bra END;
     ELSE:
       add.u32 %r1, %r1, 100;
     END:
       activemask.b32 %r3;
       popc.b32 %r3, %r3;
       mad.lo.u32 %r1, %r3, 1000, %r1;
       st.global.u32 [%o], %r1;
       ret;)"),
     32, [](std::uint32_t t) { return 32000 + (t >= 16 ? 100
                                               : t % 2 ? 11
                                                       : 12); }},
    {"a cache policy is a hint", kernel(R"(
       createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;
       createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %rd2, 0.5;
       st.global.L2::cache_hint.u32 [%o], %t, %rd1;
       mov.u32 %r1, 0;
       ld.global.L1::evict_last.L2::cache_hint.u32 %r1, [%o], %rd2;
       add.u32 %r1, %r1, 5;
       st.global.L1::no_allocate.L2::cache_hint.u32 [%o], %r1, %rd1;
       ret;)"),
     32, [](std::uint32_t t) { return t + 5; }},
    {"loops of different lengths meet behind the loop", kernel(R"(
       mov.u32 %r1, 0; mov.u32 %r2, 0;
     LOOP:
       add.u32 %r2, %r2, %r1;
       add.u32 %r1, %r1, 1;
       setp.le.u32 %p1, %r1, %l;
       @%p1 bra LOOP;
       activemask.b32 %r3;
       setp.eq.u32 %p2, %r3, 0xffffffff;
       @%p2 add.u32 %r2, %r2, 1000;
       st.global.u32 [%o], %r2;
       ret;)"),
     32, [](std::uint32_t t) { return t * (t + 1) / 2 + 1000; }},
    {"early exit leaves the others together", kernel(R"(
       and.b32 %r1, %l, 3;
       st.global.u32 [%o], 7;
       setp.eq.u32 %p1, %r1, 0;
       @%p1 ret;
       activemask.b32 %r2;
       st.global.u32 [%o], %r2;
       ret;)"),
     32, [](std::uint32_t t) { return t % 4 == 0 ? 7u : 0xeeeeeeeeu; }},
    {"brx.idx", kernel(R"(
       and.b32 %r1, %l, 3;
     TS: .branchtargets A, B, C, B;
       brx.idx %r1, TS;
     A:
       mov.u32 %r2, 1;
       bra END;
     B:
       mov.u32 %r2, 2;
       bra END;
     C:
       mov.u32 %r2, 3;
     END:
       activemask.b32 %r3;
       popc.b32 %r3, %r3;
       mad.lo.u32 %r2, %r3, 10, %r2;
       st.global.u32 [%o], %r2;
       ret;)"),
     32, [](std::uint32_t t) { return 320u + (t % 4 == 0   ? 1
                                              : t % 4 == 2 ? 3
                                                           : 2); }},
    {"a warp of fewer threads", kernel("activemask.b32 %r1; st.global.u32 [%o], %r1; ret;"), 37,
     [](std::uint32_t t) { return t < 32 ? ~0u : 0x1fu; }},
    {"guarded instructions", kernel(R"(
       setp.lt.u32 %p1, %l, 5;
       mov.u32 %r1, 1;
       @%p1 mov.u32 %r1, 2;
       @!%p1 add.u32 %r1, %r1, 7;
       st.global.u32 [%o], %r1;
       ret;)"),
     32, [](std::uint32_t t) { return t < 5 ? 2u : 8u; }},
    {"a function that only some lanes call",
     kernel(R"(
       mov.u32 %r1, 5;
       setp.lt.u32 %p1, %l, 8;
       @!%p1 bra SKIP;
       { .param .b32 in; .param .b32 back;
       st.param.b32 [in], %l;
       call.uni (back), twice, (in);
       ld.param.b32 %r1, [back]; }
     SKIP:
       st.global.u32 [%o], %r1;
       ret;)",
            R"(.func (.param .b32 result) twice(.param .b32 value) {
       .reg .b32 %r<3>; .reg .pred %q;
       ld.param.u32 %r1, [value];
       setp.eq.u32 %q, %r1, 3;
       @%q bra THREE;
       add.u32 %r2, %r1, %r1;
       st.param.b32 [result], %r2;
       ret;
     THREE:
       st.param.b32 [result], 333;
       ret; }
     )"),
     32, [](std::uint32_t t) { return t >= 8   ? 5u
                                      : t == 3 ? 333u
                                               : 2 * t; }},
    {"recursion of different depths",
     kernel(R"(
       and.b32 %r1, %l, 7;
       { .param .b32 in; .param .b32 back;
       st.param.b32 [in], %r1;
       call.uni (back), factorial, (in);
       ld.param.b32 %r1, [back]; }
       activemask.b32 %r2;
       setp.eq.u32 %p1, %r2, 0xffffffff;
       @%p1 add.u32 %r1, %r1, 100000;
       st.global.u32 [%o], %r1;
       ret;)",
            R"(.func (.param .b32 result) factorial(.param .b32 value) {
       .reg .b32 %r<5>; .reg .pred %q;
       ld.param.u32 %r1, [value];
       mov.u32 %r3, 1;
       setp.le.u32 %q, %r1, 1;
       @%q bra DONE;
       sub.u32 %r2, %r1, 1;
       { .param .b32 in; .param .b32 back;
       st.param.b32 [in], %r2;
       call.uni (back), factorial, (in);
       ld.param.b32 %r3, [back]; }
       mul.lo.u32 %r3, %r3, %r1;
     DONE:
       st.param.b32 [result], %r3;
       ret; }
     )"),
     32,
     [](std::uint32_t t) {
       std::uint32_t f = 1;
       for (std::uint32_t i = 2; i <= t % 8; ++i) f *= i;
       return f + 100000;
     }},
    {"calls through pointers, two functions in one warp",
     kernel(R"(
       and.b32 %r1, %l, 1;
       setp.eq.u32 %p1, %r1, 0;
       mov.u64 %rd1, one; mov.u64 %rd2, two;
       selp.b64 %rd3, %rd1, %rd2, %p1;
       { .param .b32 in; .param .b32 back;
       st.param.b32 [in], %l;
       P: .callprototype (.param .b32 _) _ (.param .b32 _);
       call (back), %rd3, (in), P;
       ld.param.b32 %r1, [back]; }
       activemask.b32 %r2;
       setp.eq.u32 %p1, %r2, 0xffffffff;
       @%p1 add.u32 %r1, %r1, 1000;
       st.global.u32 [%o], %r1;
       ret;)",
            R"(.func (.param .b32 result) one(.param .b32 value) {
       .reg .b32 %r; ld.param.u32 %r, [value]; add.u32 %r, %r, 1; st.param.b32 [result], %r; ret; }
     .func (.param .b32 result) two(.param .b32 value) {
       .reg .b32 %r; ld.param.u32 %r, [value]; mul.lo.u32 %r, %r, 2; st.param.b32 [result], %r; ret; }
     )"),
     32, [](std::uint32_t t) { return 1000 + (t % 2 ? 2 * t : t + 1); }},
    {"local memory is each thread's own", kernel(R"(
       .local .align 4 .b8 scratch[64];
       mov.u64 %rd1, scratch;
       cvta.local.u64 %rd2, %rd1;
       and.b32 %r1, %l, 15;
       mul.wide.u32 %rd3, %r1, 4;
       add.s64 %rd3, %rd2, %rd3;
       st.u32 [%rd3], %t;
       ld.u32 %r2, [%rd3];
       add.s64 %rd1, %rd1, %rd3; sub.s64 %rd1, %rd1, %rd2;
       ld.local.u32 %r3, [%rd1];
       add.u32 %r2, %r2, %r3;
       st.global.u32 [%o], %r2;
       ret;)"),
     64, [](std::uint32_t t) { return 2 * t; }},
    {"bar.sync with counts: producers and consumers", kernel(R"(
       .shared .align 4 .b32 box[64];
       mov.u32 %r1, box;
       setp.ge.u32 %p1, %t, 64;
       @%p1 bra PRODUCE;
       bar.sync 1, 128;
       shl.b32 %r2, %t, 2; add.u32 %r2, %r1, %r2;
       ld.shared.u32 %r3, [%r2];
       st.global.u32 [%o], %r3;
       ret;
     PRODUCE:
       sub.u32 %r4, %t, 64;
       shl.b32 %r2, %r4, 2; add.u32 %r2, %r1, %r2;
       add.u32 %r3, %r4, 500;
       st.shared.u32 [%r2], %r3;
       bar.arrive 1, 128;
       st.global.u32 [%o], 9;
       ret;)"),
     128, [](std::uint32_t t) { return t < 64 ? t + 500 : 9; }},
    {"bar.red counts, ands and ors", kernel(R"(
       setp.lt.u32 %p1, %t, 40;
       bar.red.popc.u32 %r1, 0, %p1;
       bar.red.and.pred %p2, 0, %p1;
       bar.red.or.pred %p3, 0, !%p1;
       @%p2 add.u32 %r1, %r1, 1000;
       @%p3 add.u32 %r1, %r1, 10000;
       st.global.u32 [%o], %r1;
       ret;)"),
     96, [](std::uint32_t) { return 10040u; }},
    {"a lane that spins on another makes progress", kernel(R"(
       .shared .align 4 .b32 flag;
       mov.u32 %r1, flag;
       setp.eq.u32 %p1, %t, 0;
       @%p1 st.shared.u32 [flag], 0;
       bar.sync 0;
       setp.eq.u32 %p2, %l, 31;
       @%p2 bra SET;
     SPIN:
       ld.volatile.shared.u32 %r2, [flag];
       setp.eq.u32 %p3, %r2, 0;
       @%p3 bra SPIN;
       bra END;
     SET:
       atom.shared.exch.b32 %r3, [flag], 77;
       mov.u32 %r2, 77;
     END:
       st.global.u32 [%o], %r2;
       ret;)"),
     32, [](std::uint32_t) { return 77u; }},
    {"lanes that part meet at bar.warp.sync and shuffle", kernel(R"(
       mov.u32 %r1, %l;
       setp.lt.u32 %p1, %l, 16;
       @%p1 bra LOW;
       add.u32 %r1, %r1, 100;
       bar.warp.sync 0xffffffff;
       bra END;
     LOW:
       add.u32 %r1, %r1, 200;
       bar.warp.sync 0xffffffff;
     END:
       shfl.sync.bfly.b32 %r2, %r1, 16, 31, 0xffffffff;
       st.global.u32 [%o], %r2;
       ret;)"),
     32, [](std::uint32_t t) { return t < 16 ? t + 16 + 100 : t - 16 + 200; }},
    {"a condition code for each lane", kernel(R"(
       neg.s32 %r1, %l;
       add.cc.u32 %r2, %r1, %l;
       addc.u32 %r3, 0, 0;
       st.global.u32 [%o], %r3;
       ret;)"),
     32, [](std::uint32_t t) { return t == 0 ? 0u : 1u; }},
};

TEST(Control, EveryThreadEndsWithItsValue) {
  for (const ControlCase& c : kCases) {
    SCOPED_TRACE(c.name);
    TestDevice device(c.text);
    auto program = device.module().program("k");
    ASSERT_TRUE(program) << program.error().what;
    DeviceAddress out = device.buffer(std::vector<std::uint32_t>(c.threads, 0xcdcdcdcd));
    EXPECT_EQ(device.launch("k", {1, 1, 1}, {c.threads, 1, 1}, {out}), Ending::complete);
    for (const RawFault& fault : device.faults())
      ADD_FAILURE() << static_cast<int>(fault.kind) << " " << fault.note;
    auto values = device.read<std::uint32_t>(out, c.threads);
    for (std::uint32_t t = 0; t < c.threads; ++t) EXPECT_EQ(values[t], c.expected(t)) << "thread " << t;
  }
}

struct FaultCase {
  std::string name, text;
  std::uint32_t threads;
  FaultKind kind;
  std::string note;  ///< a part of it
};

const std::vector<FaultCase> kFaults = {
    {"a barrier that half the block never reaches", kernel(R"(
       setp.lt.u32 %p1, %t, 32;
       @%p1 bra WAIT;
       bar.sync 2, 96;
       ret;
     WAIT:
       bar.sync 1, 96;
       ret;)"),
     64, FaultKind::barrier_divergence, "nobody can go on"},
    {"a mask that names a lane that left", kernel(R"(
       setp.eq.u32 %p1, %l, 4;
       @%p1 ret;
       shfl.sync.bfly.b32 %r1, %l, 1, 31, 0xffffffff;
       ret;)"),
     32, FaultKind::missing_lanes, "left the kernel"},
    {"a mask without the caller", kernel("vote.sync.any.pred %p1, %p0, 0xfffffffe; ret;"), 32,
     FaultKind::bad_mask, "does not name"},
    {"an endless loop", kernel("LOOP: add.u32 %r1, %r1, 1; bra LOOP;"), 32, FaultKind::endless_loop, ""},
    {"endless recursion",
     kernel("call.uni deeper; ret;",
            ".func deeper() { .local .align 8 .b8 room[1024]; call.uni deeper; ret; }\n"),
     32, FaultKind::stack_overflow, ""},
    {"endless recursion without local variables",
     kernel("call.uni deeper; ret;", ".func deeper() { call.uni deeper; ret; }\n"), 32,
     FaultKind::stack_overflow, ""},
    {"trap", kernel("trap;"), 32, FaultKind::trap, ""},
    {"brx.idx past its table", kernel("TS: .branchtargets A; brx.idx %l, TS; A: ret;"), 32,
     FaultKind::invalid_call, ""},
    {"a call through a pointer to nothing",
     kernel("mov.u64 %rd1, 64; { P: .callprototype _ (); call %rd1, (), P; } ret;"), 32,
     FaultKind::invalid_call, ""},
};

TEST(Control, MistakesAreFaults) {
  for (const FaultCase& c : kFaults) {
    SCOPED_TRACE(c.name);
    TestDevice device(c.text);
    auto program = device.module().program("k");
    ASSERT_TRUE(program) << program.error().what;
    DeviceAddress out = device.buffer(std::vector<std::uint32_t>(c.threads));
    device.max_warp_instructions = 100'000;
    device.launch("k", {1, 1, 1}, {c.threads, 1, 1}, {out});
    ASSERT_EQ(device.faults().size(), 1u);
    EXPECT_EQ(static_cast<int>(device.faults()[0].kind), static_cast<int>(c.kind));
    EXPECT_NE(device.faults()[0].note.find(c.note), std::string::npos) << device.faults()[0].note;
  }
}

TEST(Control, RefusalsNameTheInstructionAndItsLine) {
  struct Refusal {
    std::string body, word;
  };
  const std::vector<Refusal> refusals = {
      {".loc 1 12 3\n tex.1d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5}]; ret;", "file.cu:12"},
      {"tcgen05.wait::ld.sync.aligned; ret;", "tcgen05.wait::ld.sync.aligned"},
      {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%r1, %r1, %r1, %r1}, %rd1, %rd1, %r1, 0, 1, 1, 1, 0, 0; ret;",
       "wgmma.mma_async.sp"},
      {"addd.u32 %r1, %r1, 3; ret;", "instruction `addd.u32`"},
      {"vshl2.u32.u32.u32.clamp %r1, %r1, %r1, %r1; ret;", "instruction `vshl2.u32.u32.u32.clamp`"},
      {"mov.u32 %r1, %pm7; ret;", "%pm7"},
      {"bra NOWHERE;", "NOWHERE"},
      {"call.uni elsewhere; ret;", "elsewhere"},
      {"add.u32 %r1, %rd1, 3; ret;", "add.u32"},
  };
  for (const Refusal& r : refusals) {
    TestDevice device(kernel(r.body, ".file 1 \"file.cu\"\n"));
    auto program = device.module().program("k");
    ASSERT_FALSE(program) << r.body;
    EXPECT_NE(program.error().what.find(r.word), std::string::npos) << program.error().what;
  }
}

TEST(Control, PrintsInOrderAndSaysWhatAnAssertFound) {
  const std::string before = R"(
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 format[18] = {37, 100, 32, 37, 46, 51, 102, 32, 37, 45, 53, 117, 124, 37, 37, 37, 115, 10};
.global .align 1 .b8 end[1] = {0};
.global .align 1 .b8 word[3] = {111, 107, 0};
)";
  // "%d %.3f %-5u|%%%s\n": its end is the guard behind the array, as a reader of strings must bear.
  const std::string body = R"(
  .local .align 8 .b8 room[32];
  .reg .f64 %f;
  mov.u64 %rd1, room; cvta.local.u64 %rd2, %rd1;
  cvt.rn.f64.u32 %f, %t; neg.f64 %f, %f;
  st.local.u32 [%rd1], %t; st.local.f64 [%rd1+8], %f; st.local.u32 [%rd1+16], 42;
  mov.u64 %rd3, word; st.local.u64 [%rd1+24], %rd3;
  mov.u64 %rd4, format;
  { .param .b64 p0; .param .b64 p1; .param .b32 back;
  st.param.b64 [p0], %rd4; st.param.b64 [p1], %rd2;
  call.uni (back), vprintf, (p0, p1);
  ld.param.b32 %r1, [back]; }
  st.global.u32 [%o], %r1;
  { .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;
  st.param.b64 [p0], %rd3; st.param.b64 [p1], %rd3; st.param.b32 [p2], 12; st.param.b64 [p3], %rd3; st.param.b64 [p4], 1;
  setp.eq.u32 %p1, %t, 1;
  @%p1 call.uni __assertfail, (p0, p1, p2, p3, p4); }
  ret;)";
  TestDevice device(kernel(body, before));
  auto program = device.module().program("k");
  ASSERT_TRUE(program) << program.error().what;
  DeviceAddress out = device.buffer(std::vector<std::uint32_t>(3));
  EXPECT_EQ(device.launch("k", {1, 1, 1}, {3, 1, 1}, {out}), Ending::stopped);
  EXPECT_EQ(device.output(), "0 -0.000 42   |%ok\n1 -1.000 42   |%ok\n2 -2.000 42   |%ok\n");
  EXPECT_EQ(device.read<std::uint32_t>(out, 3), std::vector<std::uint32_t>(3, 4));
  ASSERT_EQ(device.faults().size(), 1u);
  EXPECT_EQ(device.faults()[0].note, "ok:12: ok: assertion `ok` failed");
  EXPECT_EQ(device.faults()[0].thread, 1u);
}

/// Finding a fault takes longer than an instruction, and costs as many more.
TEST(Control, ALoopOfFaultsEndsAsSoonAsAnother) {
  TestDevice device(
      kernel("AGAIN: ld.shared.u32 %r1, [unset]; bra AGAIN;", ".shared .align 4 .b8 unset[4];\n"));
  ASSERT_TRUE(device.module().program("k"));
  device.max_warp_instructions = 100'000;
  EXPECT_EQ(device.launch("k", {1, 1, 1}, {1, 1, 1}, {device.buffer(std::vector<std::uint32_t>(1))}),
            Ending::stopped);
  ASSERT_EQ(device.faults().size(), 2u);
  EXPECT_EQ(device.faults()[0].kind, FaultKind::uninitialised_read);
  EXPECT_LT(device.faults()[0].count, 25'000u) << "two instructions a turn, and the fault's own";
  EXPECT_EQ(device.faults()[1].kind, FaultKind::endless_loop);
}

/// What a call costs counts, so that a loop around it ends as soon as any other.
TEST(Control, PrintingWithoutEndEnds) {
  const std::string before = R"(
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.global .align 1 .b8 format[7] = {37, 57, 57, 57, 100, 10, 0};
)";
  const std::string body = R"(
  .local .align 8 .b8 room[8];
  mov.u64 %rd1, room; cvta.local.u64 %rd2, %rd1; st.local.u32 [%rd1], %t;
  mov.u64 %rd4, format;
  AGAIN:
  { .param .b64 p0; .param .b64 p1; .param .b32 back;
  st.param.b64 [p0], %rd4; st.param.b64 [p1], %rd2;
  call.uni (back), vprintf, (p0, p1); }
  bra AGAIN;)";
  TestDevice device(kernel(body, before));
  auto program = device.module().program("k");
  ASSERT_TRUE(program) << program.error().what;
  device.max_warp_instructions = 200'000;
  EXPECT_EQ(device.launch("k", {1, 1, 1}, {32, 1, 1}, {device.buffer(std::vector<std::uint32_t>(1))}),
            Ending::stopped);
  ASSERT_EQ(device.faults().size(), 1u);
  EXPECT_EQ(device.faults()[0].kind, FaultKind::endless_loop);
  EXPECT_LT(device.output().size(), 300'000u) << "lines of 1000 characters";

  // A limit on what it prints comes first; the text as far as that is kept.
  device.max_printed_bytes = 50'000;
  EXPECT_EQ(device.launch("k", {1, 1, 1}, {32, 1, 1}, {device.buffer(std::vector<std::uint32_t>(1))}),
            Ending::stopped);
  ASSERT_EQ(device.faults().size(), 1u);
  EXPECT_EQ(device.faults()[0].kind, FaultKind::too_much_output);
  EXPECT_EQ(device.output().size(), 51'000u);
}

// What a check costs is taken from the same budget, and is no instruction of the block.
TEST(Control, WarpsIssueAsManyInstructionsWhateverIsChecked) {
  struct Checks : Observer {
    explicit Checks(FaultLog* charged) : log(charged) {}
    void access(const WarpAccess&) override {
      if (log != nullptr) log->charge(1000);
    }
    bool follows_runs() const override { return true; }
    void warp_issued(const WarpId&, std::uint64_t instructions) override { issued.push_back(instructions); }
    FaultLog* log;
    std::vector<std::uint64_t> issued;
  };
  TestDevice device(kernel("setp.ge.u32 %p1, %t, 32; @%p1 bra END; st.global.u32 [%o], %t; END: ret;"));
  Checks none(nullptr), dear(&device.fault_log());
  for (Checks* checks : {&none, &dear}) {
    device.observers = {checks};
    EXPECT_EQ(device.launch("k", {2, 1, 1}, {64, 1, 1}, {device.buffer(std::vector<std::uint32_t>(64))}),
              Ending::complete);
  }
  EXPECT_EQ(none.issued, (std::vector<std::uint64_t>{10, 9, 10, 9}))
      << "nine of each warp, a store of the first";
  EXPECT_EQ(dear.issued, none.issued);
}

}  // namespace
}  // namespace fusebox::sim
