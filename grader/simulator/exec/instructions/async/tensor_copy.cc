#include "grader/simulator/exec/instructions/async/tensor_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "grader/device/tensor/tensor_map.h"
#include "grader/simulator/exec/instructions/async/bulk_copy.h"
#include "grader/simulator/exec/instructions/async/mbarrier.h"
#include "grader/simulator/exec/memory/access.h"

// Copies of tiles. As with other bulk copies each lane copies for itself, and the copy is done when it is
// issued.

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kPiece = 16;  // bytes that lie side by side however the tile is swizzled

/// One lane's copy.
struct Asked {
  Warp& warp;
  const DecodedInstruction& instruction;
  const BulkCopy& op;
  int lane = 0;
};

void refuse(const Asked& asked, const Place& place, std::string note,
            FaultKind kind = FaultKind::bad_tensor_map) {
  RawFault fault;
  fault.kind = kind;
  fault.space = place.space;
  fault.access = asked.op.completes ? AccessKind::store : AccessKind::load;
  fault.bytes = TensorMap::kTileAlign;
  fault.address = place.address;
  fault.instruction = asked.instruction.instruction;
  fault.function = asked.warp.frame->program->function;
  fault.block = asked.warp.id.block;
  fault.thread = asked.warp.id.warp * kWarpSize + static_cast<std::uint32_t>(asked.lane);
  fault.note = std::move(note);
  asked.warp.block->launch->faults->add(fault);
}

/// The 128 bytes of the map, or null with a fault raised. Parameters are where nvcc leaves a map that is
/// given as `const __grid_constant__`.
const std::uint8_t* bytes_of_map(const Asked& asked, Place place) {
  Warp& w = asked.warp;
  place.space = space_of_generic(place.address);
  if (place.space == Space::local || place.space == Space::shared) {
    refuse(
        asked, place,
        place.space == Space::local
            ? "the map is a copy in local memory; a parameter stays where it is as const __grid_constant__ CUtensorMap"
            : "the map lies in shared memory, where the copy engine does not look for it");
    return nullptr;
  }
  if (place.address % TensorMap::kAlign != 0) {
    refuse(asked, place, fmt::format("its address is not a multiple of {}", TensorMap::kAlign));
    return nullptr;
  }
  if (place.space == Space::global)
    return use_bytes(w, asked.instruction, asked.lane, place,
                     {AccessKind::load, TensorMap::kBytes, 1, kPiece})
        .data;
  const std::vector<std::byte>& arguments = w.block->launch->arguments;
  if (place.address + TensorMap::kBytes <= arguments.size())
    return reinterpret_cast<const std::uint8_t*>(arguments.data() + place.address);
  refuse(asked, place, "it ends behind the kernel's parameters");
  return nullptr;
}

std::optional<TensorMap> map_of(const Asked& asked) {
  const BulkCopy::Address& a = asked.op.completes ? asked.op.from : asked.op.to;
  const Place place{Space::global, nullptr, lane_address(asked.warp, a.base, a.width, a.offset, asked.lane)};
  const std::uint8_t* bytes = bytes_of_map(asked, place);
  if (bytes == nullptr) return std::nullopt;
  std::array<std::byte, TensorMap::kBytes> copy;
  std::memcpy(copy.data(), bytes, copy.size());
  std::optional<TensorMap> map = unpack_tensor_map(copy);
  if (!map) {
    refuse(asked, place, "its 128 bytes are not those that cuTensorMapEncodeTiled wrote");
  } else if (map->rank != asked.op.at.size()) {
    refuse(asked, place,
           fmt::format("it describes a tensor of {} dimension{}, and the instruction names {} coordinate{}",
                       map->rank, map->rank == 1 ? "" : "s", asked.op.at.size(),
                       asked.op.at.size() == 1 ? "" : "s"));
    map.reset();
  }
  return map;
}

/// A tile in shared memory: what of it lies side by side there, wherever in the tensor it comes from.
struct Tile {
  Place place;
  std::vector<BulkPart> runs;
};

/// The tile's place; nothing, with its fault raised, where it does not fit.
std::optional<Tile> tile_of(const Asked& asked, const TensorMap& map, int rank) {
  Warp& w = asked.warp;
  const bool loads = asked.op.completes;
  const AccessKind kind = loads ? AccessKind::store : AccessKind::load;
  Tile tile{bulk_place(w, loads ? asked.op.to : asked.op.from, asked.lane, rank), {}};
  const std::uint64_t address = tile.place.address, bytes = map.tile_bytes();
  if (address % TensorMap::kTileAlign != 0) {
    refuse(asked, tile.place, "a tile of a tensor map", FaultKind::misaligned);
    return std::nullopt;
  }
  const auto run = [&](std::uint64_t from, std::uint64_t size) {
    Place place = tile.place;
    place.address = from;
    return BulkPart{place, kind, static_cast<std::uint32_t>(size)};
  };
  if (map.row_pitch() == map.row_bytes() && bytes % TensorMap::kTileAlign == 0) {
    tile.runs.push_back(run(address, bytes));
  } else {
    // Swizzled pieces stay in their 128 bytes, and leave gaps there.
    std::vector<std::uint64_t> pieces;
    pieces.reserve(bytes / kPiece);
    for (std::uint64_t row = 0; row < bytes / map.row_bytes(); ++row)
      for (std::uint32_t at = 0; at < map.row_bytes(); at += kPiece)
        pieces.push_back(map.swizzled(address + row * map.row_pitch() + at));
    std::sort(pieces.begin(), pieces.end());
    for (const std::uint64_t piece : pieces) {
      BulkPart* last = tile.runs.empty() ? nullptr : &tile.runs.back();
      if (last != nullptr && last->place.address + last->bytes == piece)
        last->bytes += kPiece;
      else
        tile.runs.push_back(run(piece, kPiece));
    }
  }
  for (const BulkPart& part : tile.runs) {
    const Claim claim{kind, part.bytes, 1, kPiece};
    const Bytes there = loads ? use_bytes(w, asked.instruction, asked.lane, part.place, claim)
                              : reach_bytes(w, asked.instruction, asked.lane, part.place, claim);
    if (!there) return std::nullopt;
  }
  return tile;
}

/// Where a piece of the tile lies, `offset` bytes from its start if nothing were swizzled.
Bytes piece_at(const Asked& asked, const TensorMap& map, const Tile& tile, std::uint64_t offset) {
  Place place = tile.place;
  place.address = map.swizzled(place.address + offset);
  return bytes_at(asked.warp, asked.lane, place, kPiece);
}

/// What stands in a row's elements that the tensor does not have.
void fill_row(const TensorMap& map, std::vector<std::uint8_t>& row) {
  std::fill(row.begin(), row.end(), 0);
  if (!map.fills_with_nan) return;
  // One pattern for all types: a NaN in each.
  for (std::size_t at = 0; at < row.size(); ++at) row[at] = at % 2 == 0 ? 0xf7 : 0x7f;
}

/// TF32 as a load makes it: rounded, halves away from 0, and every NaN the same.
void round_to_tf32(std::uint8_t* first, std::uint32_t bytes) {
  constexpr std::uint32_t kSign = 0x80000000, kInfinity = 0x7f800000, kNan = 0x7fffe000, kHalf = 0x1000,
                          kKept = 0xffffe000;
  for (std::uint32_t at = 0; at < bytes; at += sizeof(std::uint32_t)) {
    std::uint32_t bits;
    std::memcpy(&bits, first + at, sizeof bits);
    bits = (bits & ~kSign) > kInfinity ? kNan : (bits + kHalf) & kKept;
    std::memcpy(first + at, &bits, sizeof bits);
  }
}

/// Into the shared memory of one block, or of each that the mask names: global memory is read once.
void load_tile(const Asked& asked, const TensorMap& map, const std::vector<TileRow>& rows,
               std::uint32_t ranks) {
  Warp& w = asked.warp;
  const bool rounds = map.element == TensorMap::Element::tf32 || map.element == TensorMap::Element::tf32_ftz;
  bool read = false;
  for (int rank = ranks == 0 ? -1 : std::countr_zero(ranks); rank < 16;) {
    const std::optional<Tile> tile = tile_of(asked, map, rank);
    if (!tile) return;
    // Whoever waits for it waits in its own block.
    const Place barrier = bulk_place(w, asked.op.barrier, asked.lane, rank);
    const auto completes = static_cast<std::int64_t>(barrier.address);
    std::vector<std::uint8_t> row(map.row_bytes());
    for (const TileRow& from : rows) {
      fill_row(map, row);
      if (from.first != from.last) {
        BulkPart part{
            {Space::global, nullptr, from.address + from.first}, AccessKind::load, from.last - from.first};
        if (barrier.block == w.block) part.completes = completes;
        const Bytes there = use_bytes(w, asked.instruction, asked.lane, part.place,
                                      {AccessKind::load, part.bytes, 1, map.element_bytes()});
        if (!there) return;
        std::memcpy(row.data() + from.first, there.data, part.bytes);
        if (rounds) round_to_tf32(row.data() + from.first, part.bytes);
        if (!read) notify_bulk_part(w, asked.instruction, asked.lane, part);
      }
      for (std::uint32_t at = 0; at < row.size(); at += kPiece)
        std::memcpy(piece_at(asked, map, *tile, from.offset + at).data, row.data() + at, kPiece);
    }
    read = true;
    for (BulkPart part : tile->runs) {
      if (barrier.block == tile->place.block) part.completes = completes;
      notify_bulk_part(w, asked.instruction, asked.lane, part);
    }
    complete_bytes(w, asked.instruction, asked.lane, barrier, static_cast<std::uint32_t>(map.tile_bytes()));
    ranks &= ranks - 1;
    if (ranks == 0) return;
    rank = std::countr_zero(ranks);
  }
}

Type type_of(TensorMap::Element element) {
  constexpr Type kTypes[] = {Type::u8,  Type::u16, Type::u32,  Type::s32, Type::u64, Type::s64, Type::f16,
                             Type::f32, Type::f64, Type::bf16, Type::f32, Type::f32, Type::f32};
  return kTypes[static_cast<std::size_t>(element)];
}

/// Null where the tensor's elements have no such operation, which an H200 was asked for all of them.
BulkReduction reduction_of(const char* operation, TensorMap::Element element) {
  const Type type = type_of(element);
  const std::string_view name = operation;
  if (type == Type::s64 && name == "add") return nullptr;
  if (type == Type::u64 && (name == "inc" || name == "dec")) return nullptr;
  if (const BulkReduction found = bulk_reduction(operation, type)) return found;
  if (type == Type::u32 || type == Type::s32) return bulk_reduction(operation, Type::b32);
  return type == Type::u64 ? bulk_reduction(operation, Type::b64) : nullptr;
}

void store_tile(const Asked& asked, const TensorMap& map, const std::vector<TileRow>& rows) {
  Warp& w = asked.warp;
  const std::optional<Tile> tile = tile_of(asked, map, -1);
  if (!tile) return;
  const BulkReduction reduce =
      asked.op.operation == nullptr ? nullptr : reduction_of(asked.op.operation, map.element);
  const AccessKind kind = reduce != nullptr ? AccessKind::atomic : AccessKind::store;
  std::vector<std::uint8_t> row(map.row_bytes());
  bool undefined = false;
  for (TileRow to : rows) {
    if (to.first == to.last) continue;
    // A row that ends inside a piece is stored to the piece's end, over what lies behind it in memory.
    const std::uint32_t inside = to.last;
    to.last = (to.last + kPiece - 1) / kPiece * kPiece;
    for (std::uint32_t at = to.first / kPiece * kPiece; at < to.last; at += kPiece) {
      const Bytes piece = piece_at(asked, map, *tile, to.offset + at);
      const std::uint32_t first = std::max(to.first, at) - at, last = std::min(inside - at, kPiece);
      if (!undefined && !all_good(piece.shadow + first, last - first)) {
        undefined = true;  // what lies outside the tensor may stay unwritten
        Place place = tile->place;
        place.address = map.swizzled(place.address + to.offset + at) + first;
        raise_fault(w, asked.instruction, FaultKind::uninitialised_read, asked.lane,
                    {Space::shared, AccessKind::load, place.address, map.element_bytes()});
      }
      std::memcpy(row.data() + at, piece.data, kPiece);
    }
    BulkPart part{{Space::global, nullptr, to.address + to.first}, kind, to.last - to.first};
    part.grouped = true;
    const Bytes there =
        use_bytes(w, asked.instruction, asked.lane, part.place, {kind, part.bytes, 1, map.element_bytes()});
    if (!there) return;
    if (reduce != nullptr)
      reduce(there.data, row.data() + to.first, part.bytes);
    else
      std::memcpy(there.data, row.data() + to.first, part.bytes);
    notify_bulk_part(w, asked.instruction, asked.lane, part);
  }
  for (BulkPart part : tile->runs) {
    part.grouped = true;
    notify_bulk_part(w, asked.instruction, asked.lane, part);
  }
}

/// Whether the copy engine takes these coordinates; else its fault is raised.
bool may_begin_at(const Asked& asked, const TensorMap& map,
                  const std::array<std::int32_t, TensorMap::kMaxRank>& at) {
  const std::int64_t bytes = at[0] * std::int64_t{map.element_bytes()};
  if (bytes % kPiece != 0) {
    refuse(
        asked, {},
        fmt::format(
            "the tile begins at element {} of a row, {} bytes from the tensor's edge, and the copy engine takes multiples of {}",
            at[0], bytes, kPiece));
    return false;
  }
  const auto negative = std::find_if(at.begin(), at.end(), [](std::int32_t place) { return place < 0; });
  if (asked.op.completes || negative == at.end()) return true;
  refuse(asked, {},
         fmt::format(
             "coordinate {} is {}: a tile may be loaded from before the tensor's edge, and not stored there",
             negative - at.begin(), *negative));
  return false;
}

}  // namespace

void tensor_copy(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  const BulkCopy& op = w.frame->program->bulk_copies[s.extra];
  for (const int lane : lanes_in(lanes)) {
    const Asked asked{w, s, op, lane};
    const std::optional<TensorMap> map = map_of(asked);
    if (!map) continue;
    if (op.operation != nullptr && reduction_of(op.operation, map->element) == nullptr) {
      refuse(asked, {}, fmt::format("its elements have no operation .{}", op.operation));
      continue;
    }
    // A tile that no block has room for is a fault, found before its rows are listed.
    if (map->tile_bytes() > w.block->shared.size()) {
      tile_of(asked, *map, -1);
      continue;
    }
    std::array<std::int32_t, TensorMap::kMaxRank> at{};
    for (std::size_t d = 0; d < op.at.size(); ++d) at.at(d) = w.lanes_of<std::int32_t>(op.at[d])[lane];
    if (!may_begin_at(asked, *map, at)) continue;
    const std::vector<TileRow> rows = rows_of_tile(*map, at);
    if (!op.completes)
      store_tile(asked, *map, rows);
    else if (op.mask == kNoOperand)
      load_tile(asked, *map, rows, 0);
    else if (const std::uint32_t ranks = w.lanes_of<std::uint16_t>(op.mask)[lane]; ranks != 0)
      load_tile(asked, *map, rows, ranks);
  }
}

void tensor_prefetch(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  for (const int lane : lanes_in(lanes)) map_of({w, s, w.frame->program->bulk_copies[s.extra], lane});
}

}  // namespace fusebox::sim
