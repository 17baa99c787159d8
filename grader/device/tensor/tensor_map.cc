#include "grader/device/tensor/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace fusebox {
namespace {

constexpr std::uint32_t kGrain = 16;
constexpr std::uint64_t kMagic = 0x50414d524f534e54;  // "TNSORMAP"

/// What pack() writes. `sum` is over all before it, so that bytes which were changed or torn are found.
struct Packed {
  std::uint64_t magic, address;
  std::array<std::uint64_t, TensorMap::kMaxRank - 1> stride;
  std::array<std::uint32_t, TensorMap::kMaxRank> last;  // elements less one: 2^32 of them fit
  std::array<std::uint8_t, TensorMap::kMaxRank> box_last, step;
  std::uint8_t element, rank, swizzle, fills_with_nan;
  std::array<std::uint8_t, 38> unused;
  std::uint64_t sum;
};
static_assert(sizeof(Packed) == TensorMap::kBytes);

std::uint64_t sum_of(const Packed& packed) {
  std::array<std::uint64_t, sizeof packed / 8 - 1> words;
  std::memcpy(words.data(), &packed, sizeof words);
  std::uint64_t sum = 14695981039346656037u;
  for (const std::uint64_t word : words) sum = (sum ^ word) * 1099511628211u;
  return sum;
}

bool is_float(TensorMap::Element element) { return element >= TensorMap::Element::f16; }

std::string refusal_of_dimension(const TensorMap& map, std::uint32_t d) {
  constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 32, kMaxStride = std::uint64_t{1} << 40;
  constexpr std::uint32_t kMaxBox = 256, kMaxStep = 8, kStrideAlign = 16;
  if (map.size[d] == 0 || map.size[d] > kMaxSize)
    return fmt::format("globalDim[{}] is {}, not within 1 to 2^32", d, map.size[d]);
  if (map.box[d] == 0 || map.box[d] > kMaxBox)
    return fmt::format("boxDim[{}] is {}, not within 1 to {}", d, map.box[d], kMaxBox);
  if (map.step[d] == 0 || map.step[d] > kMaxStep)
    return fmt::format("elementStrides[{}] is {}, not within 1 to {}", d, map.step[d], kMaxStep);
  if (d > 0 && (map.stride[d] % kStrideAlign != 0 || map.stride[d] >= kMaxStride))
    return fmt::format("globalStrides[{}] is {} bytes, not a multiple of {} below 2^40", d - 1, map.stride[d],
                       kStrideAlign);
  return "";
}

}  // namespace

std::uint32_t TensorMap::element_bytes() const {
  constexpr std::uint32_t kElementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return kElementBytes[static_cast<std::size_t>(element)];
}

std::uint64_t TensorMap::tile_bytes() const {
  std::uint64_t bytes = element_bytes();
  for (std::uint32_t d = 0; d < rank; ++d) bytes *= count(d);
  return bytes;
}

std::uint32_t TensorMap::row_pitch() const {
  return swizzle == Swizzle::none ? row_bytes() : kGrain << static_cast<unsigned>(swizzle);
}

std::string refusal(const TensorMap& map) {
  if (map.rank == 0 || map.rank > TensorMap::kMaxRank)
    return fmt::format("the rank is {}, not within 1 to {}", map.rank, TensorMap::kMaxRank);
  if (map.address % kGrain != 0)
    return fmt::format("the tensor's address {:#x} is not a multiple of {}", map.address, kGrain);
  for (std::uint32_t d = 0; d < map.rank; ++d)
    if (std::string wrong = refusal_of_dimension(map, d); !wrong.empty()) return wrong;
  const std::uint32_t row = map.row_bytes();
  if (row % kGrain != 0)
    return fmt::format("a row of the box, boxDim[0] elements, has {} bytes, not a multiple of {}", row,
                       kGrain);
  if (row > map.row_pitch())
    return fmt::format("a row of the box has {} bytes, more than the {} that are swizzled", row,
                       map.row_pitch());
  constexpr std::uint64_t kMaxTileBytes = 228 << 10;  // all of an SM's shared memory
  if (map.tile_bytes() > kMaxTileBytes)
    return fmt::format("a tile has {} bytes, more than {}", map.tile_bytes(), kMaxTileBytes);
  if (map.fills_with_nan && !is_float(map.element))
    return "elements that are no floats cannot be filled with NaN";
  return "";
}

std::string read_request(const TensorMapRequest& request, TensorMap& map) {
  constexpr int kElements = 13, kInterleaves = 3, kSwizzles = 4, kPromotions = 4, kFills = 2;
  const auto is_of = [](int value, int count) { return value >= 0 && value < count; };
  if (!is_of(request.element, kElements))
    return fmt::format("there is no type of elements {}", request.element);
  if (!is_of(request.interleave, kInterleaves))
    return fmt::format("there is no layout {}", request.interleave);
  if (!is_of(request.swizzle, kSwizzles)) return fmt::format("there is no swizzle {}", request.swizzle);
  if (!is_of(request.promotion, kPromotions))
    return fmt::format("there is no promotion {}", request.promotion);
  if (!is_of(request.fill, kFills)) return fmt::format("there is no fill {}", request.fill);
  map = {};
  map.address = request.address;
  map.element = static_cast<TensorMap::Element>(request.element);
  map.rank = request.rank;
  map.swizzle = static_cast<TensorMap::Swizzle>(request.swizzle);
  map.fills_with_nan = request.fill != 0;
  // What leaves these arrays is refused below.
  const std::size_t rank = std::min(request.rank, TensorMap::kMaxRank);
  std::copy_n(request.size, rank, map.size.begin());
  std::copy_n(request.box, rank, map.box.begin());
  std::copy_n(request.step, rank, map.step.begin());
  if (rank > 1) std::copy_n(request.stride, rank - 1, map.stride.begin() + 1);
  return refusal(map);
}

std::array<std::byte, TensorMap::kBytes> pack(const TensorMap& map) {
  Packed packed;
  std::memset(&packed, 0, sizeof packed);
  packed.magic = kMagic;
  packed.address = map.address;
  for (std::size_t d = 0; d < TensorMap::kMaxRank; ++d) {
    if (d > 0) packed.stride[d - 1] = map.stride[d];
    packed.last[d] = static_cast<std::uint32_t>(map.size[d] - 1);
    packed.box_last[d] = static_cast<std::uint8_t>(map.box[d] - 1);
    packed.step[d] = static_cast<std::uint8_t>(map.step[d]);
  }
  packed.element = static_cast<std::uint8_t>(map.element);
  packed.rank = static_cast<std::uint8_t>(map.rank);
  packed.swizzle = static_cast<std::uint8_t>(map.swizzle);
  packed.fills_with_nan = map.fills_with_nan ? 1 : 0;
  packed.sum = sum_of(packed);
  std::array<std::byte, TensorMap::kBytes> bytes;
  std::memcpy(bytes.data(), &packed, sizeof packed);
  return bytes;
}

std::optional<TensorMap> unpack_tensor_map(std::span<const std::byte, TensorMap::kBytes> bytes) {
  Packed packed;
  std::memcpy(&packed, bytes.data(), sizeof packed);
  if (packed.magic != kMagic || packed.sum != sum_of(packed)) return std::nullopt;
  if (packed.element > static_cast<std::uint8_t>(TensorMap::Element::tf32_ftz) ||
      packed.swizzle > static_cast<std::uint8_t>(TensorMap::Swizzle::span128))
    return std::nullopt;
  TensorMap map;
  map.address = packed.address;
  map.element = static_cast<TensorMap::Element>(packed.element);
  map.rank = packed.rank;
  map.swizzle = static_cast<TensorMap::Swizzle>(packed.swizzle);
  map.fills_with_nan = packed.fills_with_nan != 0;
  for (std::size_t d = 0; d < TensorMap::kMaxRank; ++d) {
    if (d > 0) map.stride[d] = packed.stride[d - 1];
    map.size[d] = std::uint64_t{packed.last[d]} + 1;
    map.box[d] = packed.box_last[d] + 1u;
    map.step[d] = packed.step[d];
  }
  if (!refusal(map).empty()) return std::nullopt;
  return map;
}

std::vector<TileRow> rows_of_tile(const TensorMap& map, std::span<const std::int32_t> at) {
  const std::uint32_t element = map.element_bytes(), length = map.box[0];
  const auto size = static_cast<std::int64_t>(map.size[0]);
  // The part of every row that lies within the tensor, in elements from the row's first.
  const std::int64_t begin = std::clamp<std::int64_t>(-std::int64_t{at[0]}, 0, length),
                     end = std::clamp<std::int64_t>(size - at[0], begin, length);
  std::uint64_t count = 1;
  for (std::uint32_t d = 1; d < map.rank; ++d) count *= map.count(d);
  std::vector<TileRow> rows;
  rows.reserve(count);
  std::array<std::uint32_t, TensorMap::kMaxRank> index{};
  for (std::uint64_t k = 0; k < count; ++k) {
    bool inside = true;
    std::uint64_t distance = static_cast<std::uint64_t>(std::int64_t{at[0]}) * element;
    for (std::uint32_t d = 1; d < map.rank; ++d) {
      const std::int64_t place = std::int64_t{at[d]} + std::int64_t{index[d]} * map.step[d];
      inside = inside && place >= 0 && place < static_cast<std::int64_t>(map.size[d]);
      distance += static_cast<std::uint64_t>(place) * map.stride[d];  // may wrap, where nothing is inside
    }
    rows.push_back({map.address + distance, k * map.row_pitch(),
                    inside ? static_cast<std::uint32_t>(begin) * element : 0,
                    inside ? static_cast<std::uint32_t>(end) * element : 0});
    for (std::uint32_t d = 1; d < map.rank && ++index[d] == map.count(d); ++d) index[d] = 0;
  }
  return rows;
}

}  // namespace fusebox
