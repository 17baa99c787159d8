// Lanes that come to the same collective at different places do it together, as on an H200 (the same
// shuffles, votes, matches and sums in both branches of an `if`), on which lanes that come to different ones
// wait for ever.

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "grader/simulator/exec/execution/test_device.h"

namespace fusebox::sim {
namespace {

/// Lanes 0 to 15 go through `low`, the others through `high`; both leave their result in %r1. %r2 and %s2 are
/// 3 l + 1, %p1 says that a lane is odd, %q1 that it is even, %d1 and %d2 are l % 4.
std::string branches(const std::string& low, const std::string& high, const std::string& before = "") {
  return kPtxHeader + before + R"(
    .visible .entry k(.param .u64 pout) {
      .reg .b64 %o, %w, %d<4>; .reg .b32 %l, %r<9>, %s<9>; .reg .pred %low, %p<5>, %q<5>;
      ld.param.u64 %o, [pout];
      mov.u32 %l, %laneid;
      mul.wide.u32 %w, %l, 4;
      add.s64 %o, %o, %w;
      mad.lo.u32 %r2, %l, 3, 1;
      mov.u32 %s2, %r2;
      and.b32 %r3, %l, 3;
      and.b32 %r4, %l, 1;
      setp.ne.u32 %p1, %r4, 0;
      setp.eq.u32 %q1, %r4, 0;
      cvt.u64.u32 %d1, %r3;
      mov.u64 %d2, %d1;
      setp.lt.u32 %low, %l, 16;
      @%low bra LOW;
      )" +
         high + R"(
      bra END;
    LOW:
      )" +
         low + R"(
    END:
      st.global.u32 [%o], %r1;
      ret;
    })";
}

struct Meeting {
  const char* what;
  std::string text;
  std::function<std::uint32_t(std::uint32_t)> expected;
};

const Meeting kMeetings[] = {
    {"each other's values",
     branches("shfl.sync.bfly.b32 %r1, %r2, 16, 31, 0xffffffff;",
              "add.u32 %s2, %s2, 7; shfl.sync.bfly.b32 %s1, %s2, 16, 31, 0xffffffff;"
              "add.u32 %r1, %s1, 1000;"),
     [](std::uint32_t l) { return l < 16 ? 3 * (l + 16) + 1 + 7 : 3 * (l - 16) + 1 + 1000; }},
    {"other lanes' values, each from its own",
     branches("shfl.sync.idx.b32 %r1|%p2, %r2, 20, 31, 0xffffffff;",
              "shfl.sync.idx.b32 %s2|%q2, %s2, 3, 31, 0xffffffff;"
              "add.u32 %r1, %s2, 1000;"),
     [](std::uint32_t l) { return l < 16 ? 61u : 1010u; }},
    {"a ballot, one of what is not so",
     branches("vote.sync.ballot.b32 %r1, %p1, 0xffffffff;", "vote.sync.ballot.b32 %r1, !%q1, 0xffffffff;"),
     [](std::uint32_t) { return 0xaaaaaaaau; }},
    {"a vote",
     branches("setp.gt.u32 %p4, %l, 99; vote.sync.any.pred %p3, %p4, 0xffffffff; selp.u32 %r1, 1, 2, %p3;",
              "vote.sync.any.pred %q3, %q1, 0xffffffff; selp.u32 %r1, 1, 2, %q3;"),
     [](std::uint32_t) { return 1u; }},
    {"values that match, of 64 bits",
     branches("match.any.sync.b64 %r1, %d1, 0xffffffff;", "match.any.sync.b64 %r1, %d2, 0xffffffff;"),
     [](std::uint32_t l) { return 0x11111111u << l % 4; }},
    {"a sum",
     branches("redux.sync.add.u32 %r1, %r2, 0xffffffff;",
              "mul.lo.u32 %s2, %s2, 100; redux.sync.add.u32 %r1, %s2, 0xffffffff;"),
     [](std::uint32_t) { return 114776u; }},
    {"where they are in a function that each has called",
     branches("{ .param .b32 in; .param .b32 back; st.param.b32 [in], %r2; call.uni (back), other, (in);"
              "  ld.param.b32 %r1, [back]; }",
              "{ .param .b32 in; .param .b32 back; st.param.b32 [in], %s2; call.uni (back), other, (in);"
              "  ld.param.b32 %r1, [back]; }",
              ".func (.param .b32 result) other(.param .b32 value) { .reg .b32 %v<3>;"
              " ld.param.u32 %v1, [value]; bar.warp.sync 0xffffffff;"
              " shfl.sync.bfly.b32 %v2, %v1, 16, 31, 0xffffffff; st.param.b32 [result], %v2; ret; }\n"),
     [](std::uint32_t l) { return 3 * (l ^ 16) + 1; }},
};

// A mask may name lanes that have left; a shuffle may take nothing from them, whoever comes first.
TEST(CollectiveLanes, MayNameLanesThatLeftAndTakeNothingFromThem) {
  const std::string within =
      "shfl.sync.idx.b32 %r1, %r2, 15, 0x101f, 0xffffffff;"
      "vote.sync.ballot.b32 %r5, %p1, 0xffffffff; bar.warp.sync 0xffffffff;"
      "add.u32 %r1, %r1, %r5;";
  TestDevice good(branches(within, "ret;"));
  const DeviceAddress out = good.buffer(std::vector<std::uint32_t>(32, 7));
  EXPECT_EQ(good.launch("k", {1, 1, 1}, {32, 1, 1}, {out}), Ending::complete);
  for (const RawFault& fault : good.faults()) ADD_FAILURE() << fault.note;
  const auto values = good.read<std::uint32_t>(out, 32);
  for (std::uint32_t l = 0; l < 32; ++l) EXPECT_EQ(values[l], l < 16 ? 46 + 0xaaaau : 7) << "lane " << l;

  const std::string across = "shfl.sync.bfly.b32 %r1, %r2, 16, 31, 0xffffffff;";
  for (const std::string& text : {branches(across, "ret;"), branches("ret;", across)}) {
    TestDevice bad(text);
    bad.launch("k", {1, 1, 1}, {32, 1, 1}, {bad.buffer(std::vector<std::uint32_t>(32))});
    ASSERT_EQ(bad.faults().size(), 1u);
    EXPECT_EQ(bad.faults()[0].kind, FaultKind::missing_lanes);
    EXPECT_NE(bad.faults()[0].note.find("left the kernel"), std::string::npos);
  }
}

TEST(CollectiveLanes, MeetWhereverTheyCome) {
  for (const Meeting& meeting : kMeetings) {
    SCOPED_TRACE(meeting.what);
    TestDevice device(meeting.text);
    const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(32, 0xcdcdcdcd));
    EXPECT_EQ(device.launch("k", {1, 1, 1}, {32, 1, 1}, {out}), Ending::complete);
    for (const RawFault& fault : device.faults()) ADD_FAILURE() << fault.note;
    const auto values = device.read<std::uint32_t>(out, 32);
    for (std::uint32_t l = 0; l < 32; ++l) EXPECT_EQ(values[l], meeting.expected(l)) << "lane " << l;
  }
}

// Each half names its own lanes, and the last of the upper one come when the lower one has gone on.
TEST(CollectiveLanes, HalvesThatDoNotNameEachOtherDoNotWaitForEachOther) {
  TestDevice device(branches(R"(
      and.b32 %r5, %l, 8;
      setp.ne.u32 %p2, %r5, 0;
      @%p2 bra LATER;
      shfl.sync.bfly.b32 %r1, %r2, 8, 31, 0xffff;
      bra END;
    LATER:
      shfl.sync.bfly.b32 %r1, %r2, 8, 31, 0xffff;
      ld.param.u64 %d3, [pout];
      atom.global.exch.b32 %r6, [%d3+124], 77;)",
                             R"(
      and.b32 %s5, %l, 8;
      setp.ne.u32 %q2, %s5, 0;
      @%q2 bra SPIN;
      shfl.sync.bfly.b32 %r1, %s2, 8, 31, 0xffff0000;
      bra END;
    SPIN:
      ld.param.u64 %d3, [pout];
      atom.global.or.b32 %s6, [%d3+124], 0;
      setp.ne.u32 %q3, %s6, 77;
      @%q3 bra SPIN;
      shfl.sync.bfly.b32 %r1, %s2, 8, 31, 0xffff0000;)"));
  device.max_warp_instructions = 100'000;
  const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(32));
  EXPECT_EQ(device.launch("k", {1, 1, 1}, {32, 1, 1}, {out}), Ending::complete);
  for (const RawFault& fault : device.faults()) ADD_FAILURE() << fault.note;
  const auto values = device.read<std::uint32_t>(out, 32);
  for (std::uint32_t l = 0; l < 32; ++l) EXPECT_EQ(values[l], 3 * (l ^ 8) + 1) << "lane " << l;
}

TEST(CollectiveLanes, DoNotMeetAtDifferentOnes) {
  const std::string butterfly = "shfl.sync.bfly.b32 %r1, %r2, 1, 31, 0xffffffff;";
  for (const char* other : {"shfl.sync.up.b32 %r1, %r2, 1, 0, 0xffffffff;",
                            "vote.sync.ballot.b32 %r1, %p1, 0xffffffff;", "bar.warp.sync 0xffffffff;"}) {
    SCOPED_TRACE(other);
    TestDevice device(branches(butterfly, other));
    const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(32));
    device.launch("k", {1, 1, 1}, {32, 1, 1}, {out});
    ASSERT_EQ(device.faults().size(), 1u);
    EXPECT_EQ(device.faults()[0].kind, FaultKind::missing_lanes);
  }
}

}  // namespace
}  // namespace fusebox::sim
