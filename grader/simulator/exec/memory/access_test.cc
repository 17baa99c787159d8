#include "grader/simulator/exec/memory/access.h"

#include <gtest/gtest.h>

#include "grader/simulator/exec/execution/test_device.h"

// One table for all that touches memory: which fault an address is, by what is wanted of it.

namespace fusebox::sim {
namespace {

// %rd9 is the address under test; %rd8 the same as a generic one.
constexpr const char* kBefore = R"(
.visible .entry k(.param .u64 written, .param .u64 fresh, .param .u32 added) {
  .reg .b32 %r<8>; .reg .b64 %rd<16>;
  .shared .align 16 .b8 tile[64];
  .shared .align 16 .b8 unset[64];
  .shared .align 16 .b64 bar;
  .local .align 16 .b8 own[64];
  ld.param.u64 %rd0, [written]; ld.param.u64 %rd1, [fresh]; ld.param.u32 %r0, [added];
  mov.u32 %r1, 1; mov.u64 %rd2, tile; mov.u64 %rd3, unset; mov.u64 %rd4, own; cvt.u64.u32 %rd7, %r0;
  st.shared.v4.b32 [tile], {%r1, %r1, %r1, %r1}; st.shared.v4.b32 [tile+16], {%r1, %r1, %r1, %r1};
  st.shared.v4.b32 [tile+32], {%r1, %r1, %r1, %r1}; st.shared.v4.b32 [tile+48], {%r1, %r1, %r1, %r1};
  mbarrier.init.shared.b64 [bar], 1;
)";

/// An instruction, and what comes of each Point: - nothing, m misaligned, o out of bounds, u uninitialised,
/// b no mbarrier.
struct Way {
  const char* code;
  Space space;
  AccessKind access;
  const char* faults;
};

struct Point {
  const char* name;
  bool fresh;  ///< where nobody has written
  std::uint32_t added;
};
constexpr Point kPoints[] = {{"inside", false, 0},
                             {"misaligned", false, 1},
                             {"behind the end", false, 64},
                             {"misaligned behind the end", false, 65},
                             {"never written", true, 0}};

constexpr auto kLoad = AccessKind::load, kStore = AccessKind::store, kAtomic = AccessKind::atomic;

constexpr Way kWays[] = {
    {"ld.global.b32 %r2, [%rd9];", Space::global, kLoad, "-momu"},
    {"st.global.b32 [%rd9], %r1;", Space::global, kStore, "-mom-"},
    {"atom.global.add.u32 %r2, [%rd9], 1;", Space::global, kAtomic, "-momu"},
    {"red.global.add.v2.f32 [%rd9], {%r1, %r1};", Space::global, kAtomic, "-momu"},
    {"cp.async.ca.shared.global [tile], [%rd9], 16;", Space::global, kLoad, "-momu"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd9], 16, [bar];",
     Space::global, kLoad, "-momu"},
    {"cp.async.bulk.global.shared::cta.bulk_group [%rd9], [tile], 16;", Space::global, kStore, "-mom-"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd9], [tile], 16;", Space::global, kAtomic,
     "-momu"},
    {"mbarrier.arrive.b64 %rd10, [%rd9];", Space::global, kAtomic, "ooooo"},

    {"ld.shared.b32 %r2, [%rd9];", Space::shared, kLoad, "-momu"},
    {"st.shared.b32 [%rd9], %r1;", Space::shared, kStore, "-mom-"},
    {"atom.shared.add.u32 %r2, [%rd9], 1;", Space::shared, kAtomic, "-momu"},
    {"ld.b32 %r2, [%rd8];", Space::shared, kLoad, "-momu"},
    {"st.b32 [%rd8], %r1;", Space::shared, kStore, "-mom-"},
    {"atom.add.u32 %r2, [%rd8], 1;", Space::shared, kAtomic, "-momu"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%rd9];", Space::shared, kLoad, "-momu"},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%rd9], {%r2};", Space::shared, kStore, "-mom-"},
    {"cp.async.ca.shared.global [%rd9], [%rd0], 16;", Space::shared, kStore, "-mom-"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%rd9], [%rd0], 16, [bar];",
     Space::shared, kStore, "-mom-"},
    {"cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%rd9], 16;", Space::shared, kLoad, "-momu"},
    {"mbarrier.init.shared.b64 [%rd9], 1;", Space::shared, kStore, "-mom-"},
    {"mbarrier.arrive.shared.b64 %rd10, [%rd9];", Space::shared, kAtomic, "bmomb"},
    {"mbarrier.arrive.b64 %rd10, [%rd8];", Space::shared, kAtomic, "bmomb"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], 16, [%rd9];",
     Space::shared, kAtomic, "bmomb"},

    // Another block's shared memory, here by way of the own block's rank.
    {"mapa.shared::cluster.u64 %rd9, %rd9, 0; ld.shared::cluster.b32 %r2, [%rd9];", Space::shared, kLoad,
     "-momu"},
    {"mapa.shared::cluster.u64 %rd9, %rd9, 0; st.shared::cluster.b32 [%rd9], %r1;", Space::shared, kStore,
     "-mom-"},
    {"mapa.shared::cluster.u64 %rd9, %rd9, 0; atom.shared::cluster.add.u32 %r2, [%rd9], 1;", Space::shared,
     kAtomic, "-momu"},
    // There is no block of rank 1.
    {"mapa.shared::cluster.u64 %rd9, %rd9, 1; ld.shared::cluster.b32 %r2, [%rd9];", Space::shared, kLoad,
     "omomo"},
    {"mapa.shared::cluster.u64 %rd9, %rd9, 1; mbarrier.arrive.shared::cluster.b64 _, [%rd9];", Space::shared,
     kAtomic, "omomo"},

    // Local memory has no shadow: reading what was never written is no fault. No atomic works there.
    {"ld.local.b32 %r2, [%rd9];", Space::local, kLoad, "-mom-"},
    {"st.local.b32 [%rd9], %r1;", Space::local, kStore, "-mom-"},
    {"ld.b32 %r2, [%rd8];", Space::local, kLoad, "-mom-"},
    {"st.b32 [%rd8], %r1;", Space::local, kStore, "-mom-"},
    {"atom.add.u32 %r2, [%rd8], 1;", Space::local, kAtomic, "omomo"},
    {"mbarrier.arrive.b64 %rd10, [%rd8];", Space::local, kAtomic, "ooooo"},
};

std::string kernel_of(const Way& way, const Point& point) {
  const char* base = way.space == Space::global   ? (point.fresh ? "%rd1" : "%rd0")
                     : way.space == Space::shared ? (point.fresh ? "%rd3" : "%rd2")
                                                  : "%rd4";
  std::string text = kPtxHeader + kBefore + "  add.u64 %rd9, " + base + ", %rd7; mov.u64 %rd8, %rd9;\n";
  if (way.space == Space::shared) text += "  cvta.shared.u64 %rd8, %rd9;\n";
  if (way.space == Space::local) text += "  cvta.local.u64 %rd8, %rd9;\n";
  return text + "  " + way.code + "\n  ret;\n}\n";
}

char letter_of(const std::vector<RawFault>& faults) {
  if (faults.empty()) return '-';
  switch (faults.front().kind) {
    case FaultKind::misaligned:
      return 'm';
    case FaultKind::out_of_bounds:
      return 'o';
    case FaultKind::uninitialised_read:
      return 'u';
    case FaultKind::bad_mbarrier:
      return 'b';
    default:
      return '?';
  }
}

TEST(Access, EverySpaceAndNeedHasItsFaults) {
  for (const Way& way : kWays) {
    std::string found;
    for (const Point& point : kPoints) {
      SCOPED_TRACE(std::string(way.code) + " " + point.name);
      TestDevice device(kernel_of(way, point));
      const DeviceAddress written = device.buffer(std::vector<std::uint32_t>(16)), fresh = device.empty(64);
      device.launch("k", {1, 1, 1}, {1, 1, 1}, {written, fresh, point.added});
      found += letter_of(device.faults());
      EXPECT_LE(device.faults().size(), 1u);
      if (device.faults().empty()) continue;
      const RawFault& fault = device.faults().front();
      EXPECT_EQ(static_cast<int>(fault.space), static_cast<int>(way.space));
      EXPECT_EQ(static_cast<int>(fault.access), static_cast<int>(way.access));
      if (way.space == Space::global) {
        EXPECT_EQ(fault.address, (point.fresh ? fresh : written) + point.added);
      }
    }
    EXPECT_EQ(found, way.faults) << way.code;
  }
}

TEST(Access, ALongCopyNamesTheFirstPieceThatIsNotThere) {
  const Way way{
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd9], 64, [bar];",
      Space::global, kLoad, ""};
  TestDevice device(kernel_of(way, {"its second half lies behind the end", false, 32}));
  const DeviceAddress written = device.buffer(std::vector<std::uint32_t>(16)), fresh = device.empty(64);
  device.launch("k", {1, 1, 1}, {1, 1, 1}, {written, fresh, 32});
  ASSERT_EQ(device.faults().size(), 1u);
  EXPECT_EQ(device.faults()[0].address, written + 64);
  EXPECT_EQ(device.faults()[0].bytes, 16);
}

}  // namespace
}  // namespace fusebox::sim
