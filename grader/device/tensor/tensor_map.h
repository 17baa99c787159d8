#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fusebox {

/// What cuTensorMapEncodeTiled is given; enumerations have the numbers of cuda.h. Dimension 0 lies side by
/// side in memory.
struct TensorMap {
  static constexpr std::uint32_t kMaxRank = 5, kBytes = 128;
  /// Where a map may lie, and a tile in shared memory.
  static constexpr std::uint32_t kAlign = 64, kTileAlign = 128;

  enum class Element : std::uint8_t {
    u8,
    u16,
    u32,
    s32,
    u64,
    s64,
    f16,
    f32,
    f64,
    bf16,
    f32_ftz,
    tf32,
    tf32_ftz,
  };
  /// 16-byte pieces of each span change places, by the rows of 128 bytes that the tile's address counts.
  enum class Swizzle : std::uint8_t { none, span32, span64, span128 };

  std::uint64_t address = 0;
  Element element = Element::u8;
  std::uint32_t rank = 0;
  std::array<std::uint64_t, kMaxRank> size{1, 1, 1, 1, 1};  ///< elements
  std::array<std::uint64_t, kMaxRank> stride{};  ///< bytes from one to the next; of dimension 0 nobody asks
  std::array<std::uint32_t, kMaxRank> box{1, 1, 1, 1, 1};
  std::array<std::uint32_t, kMaxRank> step{1, 1, 1, 1, 1};  ///< through the box; of dimension 0 nobody asks
  Swizzle swizzle = Swizzle::none;
  bool fills_with_nan = false;  ///< what lies outside the tensor; else zeros

  std::uint32_t element_bytes() const;
  /// How many elements of the box a tile has along a dimension.
  std::uint32_t count(std::uint32_t dimension) const {
    return dimension == 0 ? box[0] : (box[dimension] + step[dimension] - 1) / step[dimension];
  }
  std::uint64_t tile_bytes() const;
  std::uint32_t row_bytes() const { return box[0] * element_bytes(); }
  /// From one row of the tile to the next. Swizzled rows take all of their span, however short they are.
  std::uint32_t row_pitch() const;
  /// Of a byte in shared memory, from where it would lie without swizzling.
  std::uint64_t swizzled(std::uint64_t address) const {
    constexpr std::uint64_t kMasks[] = {0, 1, 3, 7};
    return address ^ (address >> 7 & kMasks[static_cast<std::size_t>(swizzle)]) << 4;
  }
};

/// What the driver would refuse of it, in a clause; empty: nothing.
std::string refusal(const TensorMap& map);

/// The arguments of cuTensorMapEncodeTiled as a program gives them, without pointers that are null.
struct TensorMapRequest {
  int element = 0;
  std::uint32_t rank = 0;
  std::uint64_t address = 0;
  const std::uint64_t* size = nullptr;
  const std::uint64_t* stride = nullptr;  ///< from dimension 1 on
  const std::uint32_t* box = nullptr;
  const std::uint32_t* step = nullptr;
  int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
};
/// Into `map`; returned is what a GPU of compute capability 9.0 refuses, as refusal() does.
std::string read_request(const TensorMapRequest& request, TensorMap& map);

/// The 128 bytes that a program keeps and hands on. Their layout is our own.
std::array<std::byte, TensorMap::kBytes> pack(const TensorMap& map);
/// Nothing, where they are not what pack() made.
std::optional<TensorMap> unpack_tensor_map(std::span<const std::byte, TensorMap::kBytes> bytes);

/// Elements of a tile that lie side by side in the tensor.
struct TileRow {
  std::uint64_t address = 0;          ///< of the first one, were it in the tensor
  std::uint64_t offset = 0;           ///< in the tile, in bytes
  std::uint32_t first = 0, last = 0;  ///< bytes of the row that the tensor has; none: equal
};
/// The rows of the tile whose first element is `at`, in the order in which they lie in the tile.
std::vector<TileRow> rows_of_tile(const TensorMap& map, std::span<const std::int32_t> at);

}  // namespace fusebox
