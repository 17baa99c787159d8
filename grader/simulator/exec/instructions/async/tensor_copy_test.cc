#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "grader/device/tensor/tensor_map.h"
#include "grader/simulator/exec/execution/test_device.h"

// What goes wrong with tiles of tensors, instruction by instruction. That the right bytes move simulator_test
// shows.
namespace fusebox::sim {
namespace {

const std::string kLoad =
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile], [%rd1, {%r0, %r1}], [bar];";
const std::string kStore =
    "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {%r0, %r1}], [tile];";

/// One thread has a map's address in %rd1 and coordinates in %r0 and %r1.
std::string by_one_thread(const std::string& body) {
  return kPtxHeader + R"(
.visible .entry k(.param .u64 map) {
  .reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %rd<16>;
  .shared .align 8 .b64 bar;
  .shared .align 128 .b8 tile[512];
  .local .align 128 .b8 mine[128];
  ld.param.u64 %rd1, [map];
  createpolicy.fractional.L2::evict_first.b64 %rd3;
  mov.u32 %r0, 4; mov.u32 %r1, 0;
  mbarrier.init.shared.b64 [bar], 1;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 512;
)" + body +
         "\n  ret;\n}";
}

/// Rows of 64 floats, of which a tile has 8 of 16.
TensorMap tensor(DeviceAddress memory) {
  TensorMap map;
  map.address = memory;
  map.element = TensorMap::Element::f32;
  map.rank = 2;
  map.size = {64, 16, 1, 1, 1};
  map.stride = {0, 256, 0, 0, 0};
  map.box = {16, 8, 1, 1, 1};
  return map;
}

/// With a cache policy.
std::string with_hint(std::string copy) {
  copy.replace(copy.find(" [tile]"), 1, ".L2::cache_hint ");
  return copy.replace(copy.find(';'), 1, ", %rd3;");
}

struct Case {
  const char* name;
  std::string body;
  std::function<void(TensorMap&)> change;
  FaultKind kind = FaultKind::bad_tensor_map;
  const char* note = "";
  std::uint64_t map_offset = 0;
};

TEST(TensorCopy, MistakesAreFaults) {
  const auto nothing = [](TensorMap&) {};
  const auto two_rows = [](TensorMap& map) { map.size[1] = 2; };
  const Case cases[] = {
      {"another rank", kLoad,
       [](TensorMap& map) {
         map.rank = 3;
         map.stride[2] = 4096;
       },
       FaultKind::bad_tensor_map,
       "it describes a tensor of 3 dimensions, and the instruction names 2 coordinates"},
      {"a map between two places", kLoad, nothing, FaultKind::bad_tensor_map,
       "its address is not a multiple of 64", 32},
      {"bytes that are no map", kLoad, nothing, FaultKind::bad_tensor_map,
       "its 128 bytes are not those that cuTensorMapEncodeTiled wrote", 64},
      {"a copy of the map", "cvta.local.u64 %rd1, mine;" + kLoad, nothing, FaultKind::bad_tensor_map,
       "the map is a copy in local memory; a parameter stays where it is as const __grid_constant__ CUtensorMap"},
      {"a map in shared memory", "cvta.shared.u64 %rd1, tile;" + kLoad, nothing, FaultKind::bad_tensor_map,
       "the map lies in shared memory, where the copy engine does not look for it"},
      {"a map behind the parameters", "cvta.param.u64 %rd1, map;" + kLoad, nothing, FaultKind::bad_tensor_map,
       "it ends behind the kernel's parameters"},
      {"a column that no 16 bytes begin at", "mov.u32 %r0, 5;" + kLoad, nothing, FaultKind::bad_tensor_map,
       "the tile begins at element 5 of a row, 20 bytes from the tensor's edge, and the copy engine takes multiples of 16"},
      {"a store before the tensor's edge", "mov.u32 %r1, -2;" + kStore, nothing, FaultKind::bad_tensor_map,
       "coordinate 1 is -2: a tile may be loaded from before the tensor's edge, and not stored there"},
      {"a prefetch by bytes that are no map",
       "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd1, {%r0, %r1}];", nothing,
       FaultKind::bad_tensor_map, "its 128 bytes are not those that cuTensorMapEncodeTiled wrote", 64},
      {"hints, and fences of the map, are none",
       "prefetch.tensormap [%rd1]; fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;"
       "cp.async.bulk.prefetch.tensor.2d.L2.global.tile.L2::cache_hint [%rd1, {%r0, %r1}], %rd3;" +
           with_hint(kLoad),
       nothing, FaultKind::bad_launch},
      {"a tile between two places",
       "mov.u32 %r5, tile; add.u32 %r5, %r5, 64;" +
           std::string(kLoad).replace(kLoad.find("[tile]"), 6, "[%r5]"),
       nothing, FaultKind::misaligned, "a tile of a tensor map"},
      {"a tile that leaves shared memory", kLoad, [](TensorMap& map) { map.box[1] = 9; },
       FaultKind::out_of_bounds},
      {"a tile larger than all of it", kLoad, [](TensorMap& map) { map.box[1] = 256; },
       FaultKind::out_of_bounds},
      {"a tensor that is larger than its memory", "mov.u32 %r1, 10;" + kLoad,
       [](TensorMap& map) { map.size[1] = 20; }, FaultKind::out_of_bounds},
      {"a store of what nobody wrote", kStore, nothing, FaultKind::uninitialised_read},
      {"the same outside the tensor is none", "mov.u32 %r1, 16;" + kStore, two_rows, FaultKind::bad_launch},
      {"an operation that floats do not have",
       "cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group [%rd1, {%r0, %r1}], [tile];",
       nothing, FaultKind::bad_tensor_map, "its elements have no operation .min"},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    TestDevice device(by_one_thread(each.body));
    std::vector<float> values(1024);
    std::iota(values.begin(), values.end(), 0.0F);
    TensorMap map = tensor(device.buffer(values));
    each.change(map);
    ASSERT_EQ(refusal(map), "");
    std::vector<std::byte> bytes(256);
    const auto packed = pack(map);
    std::copy(packed.begin(), packed.end(), bytes.begin());
    device.launch("k", {}, {}, {device.buffer(bytes) + each.map_offset});
    const auto& faults = device.faults();
    if (each.kind == FaultKind::bad_launch) {  // there is none
      EXPECT_TRUE(faults.empty());
      continue;
    }
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(static_cast<int>(faults[0].kind), static_cast<int>(each.kind));
    EXPECT_EQ(faults[0].note, each.note);
  }
}

// 20 columns are 5 pieces of 16 bytes: a tile at 16 has one of them, and zeros for what else was announced.
TEST(TensorCopy, WhatLiesOutsideIsZeroAndCounts) {
  TestDevice device(by_one_thread("mov.u32 %r0, 16; mov.u32 %r1, 15;" + kLoad + R"(
W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W;
  ld.param.u64 %rd1, [map];
  ld.shared.u32 %r2, [tile+12]; st.global.u32 [%rd1+128], %r2;
  ld.shared.u32 %r2, [tile+16]; st.global.u32 [%rd1+132], %r2;
  ld.shared.u32 %r2, [tile+508]; st.global.u32 [%rd1+136], %r2;)"));
  std::vector<std::uint32_t> values(1024, 7);
  TensorMap map = tensor(device.buffer(values));
  map.size[0] = 20;
  std::vector<std::byte> bytes(256, std::byte{0xff});
  const auto packed = pack(map);
  std::copy(packed.begin(), packed.end(), bytes.begin());
  const DeviceAddress at = device.buffer(bytes);
  EXPECT_EQ(device.launch("k", {}, {}, {at}), Ending::complete);
  EXPECT_TRUE(device.faults().empty());
  EXPECT_THAT(device.read<std::uint32_t>(at + 128, 3), testing::ElementsAre(7, 0, 0));
}

TEST(TensorCopy, FormsThatAreMissingAreRefused) {
  for (
      const std::string name :
      {"cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [tile], [%rd1, {%r0, %r1, %r1}], [bar], {%h1};",
       "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [tile], [%rd1, {%r0, %r1, %r1, %r1, %r1}], [bar];"}) {
    TestDevice device(by_one_thread(name));
    const auto program = device.module().program("k");
    ASSERT_FALSE(program) << name;
    EXPECT_THAT(program.error().what, testing::HasSubstr("of tensor copies, tiles (.tile) alone"));
  }
}

}  // namespace
}  // namespace fusebox::sim
