#include "grader/device/tensor/tensor_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "bench/patterns/tensor_copies.h"

namespace fusebox {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A matrix of 20 rows of 40 floats.
TensorMap matrix() {
  TensorMap map;
  map.address = 0x1000;
  map.element = TensorMap::Element::f32;
  map.rank = 2;
  map.size = {40, 20, 1, 1, 1};
  map.stride = {0, 160, 0, 0, 0};
  map.box = {8, 4, 1, 1, 1};
  return map;
}

// The table is what an H200's driver said (bench/patterns/record.sh).
TEST(TensorMap, TakesWhatTheDriverTakes) {
  std::ifstream in(FUSEBOX_SOURCE_DIR "/assets/recorded/parity/tensor_encodings_h200.csv");
  std::string line;
  std::getline(in, line);
  std::size_t rows = 0;
  for (const auto& [name, mapping] : patterns::tensor_encodings()) {
    ASSERT_TRUE(std::getline(in, line));
    ASSERT_EQ(line.substr(0, line.find(',')), name);
    ++rows;
    if (name.starts_with("interleave")) continue;  // refused by another name
    TensorMap map;
    const std::string why =
        read_request({static_cast<int>(mapping.type), mapping.rank, 0x1000 + mapping.offset,
                      mapping.size.data(), mapping.stride.data() + 1, mapping.box.data(), mapping.step.data(),
                      static_cast<int>(mapping.interleave), static_cast<int>(mapping.swizzle),
                      static_cast<int>(mapping.promotion), static_cast<int>(mapping.fill)},
                     map);
    EXPECT_EQ(why.empty(), line.ends_with(",0")) << name << ": " << why;
  }
  EXPECT_GT(rows, 200u);
}

TEST(TensorMap, ItsBytesAreWhatWasPacked) {
  TensorMap map = matrix();
  map.size[1] = std::uint64_t{1} << 32;
  map.swizzle = TensorMap::Swizzle::span64;
  map.fills_with_nan = true;
  map.step[1] = 3;
  auto bytes = pack(map);
  const auto back = unpack_tensor_map(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->address, map.address);
  EXPECT_EQ(back->size, map.size);
  EXPECT_EQ(back->stride, map.stride);
  EXPECT_EQ(back->box, map.box);
  EXPECT_EQ(back->step, map.step);
  EXPECT_EQ(back->swizzle, map.swizzle);
  EXPECT_TRUE(back->fills_with_nan);
  // Every one of them counts.
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    auto other = bytes;
    other[k] ^= std::byte{1};
    EXPECT_FALSE(unpack_tensor_map(other)) << k;
  }
  bytes.fill(std::byte{0});
  EXPECT_FALSE(unpack_tensor_map(bytes));
}

TEST(TensorMap, RowsOfATile) {
  const TensorMap map = matrix();
  const auto rows = rows_of_tile(map, std::array{-4, 18});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].address, map.address + 2864);
  EXPECT_EQ(rows[0].first, 16u);
  EXPECT_EQ(rows[0].last, 32u);
  EXPECT_EQ(rows[1].offset, 32u);
  EXPECT_EQ(rows[2].first, rows[2].last);
  EXPECT_EQ(rows_of_tile(map, std::array{40, 0})[0].first, rows_of_tile(map, std::array{40, 0})[0].last);
}

TEST(TensorMap, ShortSwizzledRowsTakeTheirSpan) {
  TensorMap map = matrix();
  map.swizzle = TensorMap::Swizzle::span128;
  EXPECT_EQ(rows_of_tile(map, std::array{0, 0})[3].offset, 384u);
  EXPECT_EQ(map.tile_bytes(), 4u * 32);
  EXPECT_EQ(map.swizzled(0x380), 0x3f0u);
  EXPECT_EQ(map.swizzled(0x400), 0x400u);
}

TEST(TensorMap, ARefusalNamesTheArgument) {
  TensorMap map = matrix();
  EXPECT_THAT(refusal(map), IsEmpty());
  map.stride[1] = 164;
  EXPECT_THAT(refusal(map), HasSubstr("globalStrides[0] is 164 bytes"));
  map = matrix();
  map.box[0] = 3;
  EXPECT_THAT(refusal(map), HasSubstr("has 12 bytes, not a multiple of 16"));
}

}  // namespace
}  // namespace fusebox
