#include "grader/simulator/observe/races/shadow_memory.h"

#include <algorithm>
#include <bit>

#include "grader/report/hardware.h"
#include "grader/simulator/observe/requests/lanes.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kChunksPerGroup = 1024;

}  // namespace

struct ShadowMemory::Chunk {
  std::array<Entry, kChunkWords> write{}, read{};
};

ShadowMemory::ShadowMemory(AddressRange memory) : memory_(memory) {
  chunks_.resize(memory.bytes / kChunkBytes / kChunksPerGroup + 1);
}

ShadowMemory::~ShadowMemory() = default;

void ShadowMemory::launch_begin() {
  if (!global_.begin_anew()) forget();
  functions_.clear();
}

void ShadowMemory::forget() {
  for (auto& group : chunks_)
    for (auto& chunk : group)
      if (chunk) *chunk = {};
  global_.begin(1);
}

void ShadowMemory::Block::begin(std::size_t warps) {
  forget();
  known_.resize(warps);
}

void ShadowMemory::Block::forget() {
  if (table_.begin_anew()) return;
  std::fill(write_.begin(), write_.end(), 0);
  std::fill(read_.begin(), read_.end(), 0);
  table_.begin(1);
}

ShadowMemory::Table& ShadowMemory::table_of(Space space) {
  return space == Space::shared ? block_->table_ : global_;
}

/// The shadow of the word at a multiple of 4. Behind it lie the words up to the next multiple of kChunkBytes.
ShadowMemory::Words ShadowMemory::words_at(Space space, std::uint64_t address) {
  if (space == Space::shared) {
    const std::size_t word = address / 4;
    if (word + 128 > block_->write_.size()) {
      block_->write_.resize(2 * word + 128);
      block_->read_.resize(2 * word + 128);
    }
    return {block_->write_.data() + word, block_->read_.data() + word};
  }
  const std::uint64_t offset = address - memory_.begin, index = offset / kChunkBytes;
  auto& group = chunks_[index / kChunksPerGroup];
  if (group.empty()) group.resize(kChunksPerGroup);
  auto& chunk = group[index % kChunksPerGroup];
  if (!chunk) chunk = std::make_unique<Chunk>();
  const std::size_t word = offset % kChunkBytes / 4;
  return {chunk->write.data() + word, chunk->read.data() + word};
}

/// The words of lanes far apart are brought near the processor all at once: waiting for one after the other
/// would take longer than all the rest.
void ShadowMemory::ask_for_words(const WarpAccess& access) {
  constexpr std::uint64_t kLine = 64;
  std::uint64_t last = 0;
  for_each_lane(access.lanes, [&](int lane) {
    const std::uint64_t line = access.address[lane] / kLine;
    if (line == last) return;
    last = line;
    const Words words = words_at(Space::global, access.address[lane] & ~std::uint64_t{3});
    __builtin_prefetch(words.write, 1);
    __builtin_prefetch(words.read, 1);
  });
}

/// A lane's word that nobody has accessed in this launch: there is nothing to look at. False: somebody has.
/// `fresh` is the entry of all such lanes of this access, once there is one.
bool ShadowMemory::first_touch(const WarpAccess& access, int lane, Entry& fresh) {
  const std::uint64_t address = access.address[lane];
  if (address % 4 != 0) return false;
  const Entry first = table_of(access.space).first_entry();
  const Words words = words_at(access.space, address);
  if (*words.write >= first || *words.read >= first) return false;
  if (fresh == 0) {
    fresh = record(access, access.lanes, kWholeWord, {4, 0});
    if (table_of(access.space).first_entry() != first) return fresh = 0, false;  // all is forgotten
  }
  (access.kind == AccessKind::load ? *words.read : *words.write) = fresh | lane;
  if (access.kind == AccessKind::store) *words.read = 0;
  return true;
}

/// The entry of this access, without a lane.
ShadowMemory::Entry ShadowMemory::record(const WarpAccess& access, LaneMask lanes, std::uint8_t bytes,
                                         Sharing sharing) {
  const Epoch epoch = order_->warp(warp_).epoch;
  const auto block = static_cast<std::uint32_t>(access.warp.block);
  auto& known = block_->known_[warp_][(access.instruction + bytes) % 32];
  Table& table = table_of(access.space);
  if (known.function == access.warp.function && known.epoch == epoch &&
      known.instruction == access.instruction && known.lanes == lanes && known.bytes == bytes &&
      known.sharing == sharing && known.generation == table.generation && known.space == access.space &&
      table.at(known.entry).kind == access.kind && table.at(known.entry).block == block) {
    table.at(known.entry).unchanged &= access.unchanged;
    return known.entry;
  }
  const std::size_t most = access.space == Space::global ? kMaxRecords : kMaxBlockRecords;
  if (table.records.size() >= most || table.pool.size() >= kMaxPool)
    access.space == Space::global ? forget() : block_->forget();
  Record& fresh = table.records.emplace_back();
  fresh.block = block;
  fresh.epoch = epoch;
  fresh.instruction = access.instruction;
  fresh.lanes = lanes;
  fresh.warp = static_cast<std::uint8_t>(warp_);
  fresh.kind = access.kind;
  fresh.strong = strength(access);
  fresh.in_block = access.scope == Scope::block;
  fresh.bytes = bytes;
  fresh.sharing = sharing;
  fresh.space = access.space;
  fresh.unchanged = access.kind == AccessKind::store ? access.unchanged : 0;
  const auto function = std::find(functions_.begin(), functions_.end(), access.warp.function);
  fresh.function = static_cast<std::uint16_t>(function - functions_.begin());
  if (function == functions_.end()) functions_.push_back(access.warp.function);
  known = {access.warp.function, epoch,   access.instruction, lanes, table.generation, access.space,
           fresh.bytes,          sharing, table.last()};
  return known.entry;
}

/// One lane's access, for all lanes of `group`, which have the same address: those that are alike, or some.
void ShadowMemory::lane_access(const WarpAccess& access, int lane, LaneMask group, std::uint8_t alike) {
  const std::uint64_t address = access.address[lane];
  const bool some = group != kAlike[alike] << lane;
  const LaneMask lanes = some ? group : access.lanes;
  const Sharing sharing{4, some ? std::uint8_t{0} : alike};
  if (access.bytes < 4) {
    const auto bytes = static_cast<std::uint8_t>(((1 << access.bytes) - 1) << (address & 3));
    const Entry entry = record(access, lanes, bytes, sharing) | (some ? kSeveral : lane);
    word_access(access, words_at(access.space, address & ~std::uint64_t{3}), address, lane, entry, bytes);
    return;
  }
  for (std::uint64_t word = address; word < address + access.bytes; word += 4) {
    const Entry entry = record(access, lanes, kWholeWord, sharing) | (some ? kSeveral : lane);
    word_access(access, words_at(access.space, word), address, lane, entry, kWholeWord);
  }
}

void ShadowMemory::look(const WarpAccess& access, Block& block, HappensBefore& order, LaneMask& told) {
  block_ = &block;
  order_ = &order;
  warp_ = access.warp.warp;
  told_ = told;
  look_closely(access);
  told = told_;
}

namespace {

/// Bits of a lane's number that its address does not depend on.
std::uint8_t alike_bits(const std::uint64_t* address) {
  const auto alike = [&]<int kBit>(std::integral_constant<int, kBit>) {
    if (address[0] != address[kBit]) return 0;
    std::uint64_t different = 0;
    for (int block = 0; block < kWarpSize; block += 2 * kBit)
      for (int lane = block; lane < block + kBit; ++lane) different |= address[lane] ^ address[lane + kBit];
    return different == 0 ? kBit : 0;
  };
  return static_cast<std::uint8_t>(
      alike(std::integral_constant<int, 1>{}) | alike(std::integral_constant<int, 2>{}) |
      alike(std::integral_constant<int, 4>{}) | alike(std::integral_constant<int, 8>{}) |
      alike(std::integral_constant<int, 16>{}));
}

/// Does every lane's address lie above that of the one before?
bool rising(const std::uint64_t* address, LaneMask lanes) {
  std::uint64_t last = 0;
  bool rises = true;
  for_each_lane(lanes, [&](int lane) {
    rises = rises && (address[lane] > last || last == 0);
    last = address[lane];
  });
  return rises;
}

}  // namespace

void ShadowMemory::look_closely(const WarpAccess& access) {
  order_->warp(warp_).meetings = 0;
  const std::uint64_t* address = access.address;
  if (access.space == Space::global && access.pattern == AddressPattern::any) ask_for_words(access);
  std::uint8_t alike = 0;
  if (access.pattern == AddressPattern::unit) {
    if (access.kind != AccessKind::atomic && access.address[0] % 4 == 0 && run(access, kAllLanes, 0)) return;
  } else if (access.kind == AccessKind::load) {
    if (access.lanes == kAllLanes) {
      alike = access.pattern == AddressPattern::broadcast ? 31 : alike_bits(address);
    } else {
      const int first = std::countr_zero(access.lanes);
      bool broadcast = true;
      for_each_lane(access.lanes,
                    [&](int lane) { broadcast = broadcast && address[lane] == address[first]; });
      if (broadcast) return lane_access(access, first, access.lanes, 0);
    }
  }
  if (access.kind == AccessKind::atomic) {
    for_each_lane(access.lanes, [&](int lane) { lane_access(access, lane, LaneMask{1} << lane, 0); });
    return;
  }
  // One lane of each group of lanes that are alike; neighbours in memory go together.
  LaneMask rest = access.lanes & kAlike[~alike & 31];
  const bool rises = rising(address, rest);
  Entry fresh = 0;
  while (rest != 0) {
    const int first = std::countr_zero(rest);
    LaneMask here = 0;
    std::uint64_t next = address[first];
    for (LaneMask more = rest; more != 0 && address[std::countr_zero(more)] == next; more &= more - 1) {
      here |= more & (~more + 1);
      next += access.bytes;
    }
    if ((here & (here - 1)) == 0 && alike == 0 && access.bytes == 4 && first_touch(access, first, fresh)) {
      rest &= ~here;
      continue;
    }
    fresh = 0;  // records may be forgotten by what follows
    rest &= ~here;
    const bool apart = rises || alike != 0 || access.kind != AccessKind::load || (here & (here - 1)) != 0;
    if (apart && access.bytes >= 4 && run(access, here, alike)) continue;
    for_each_lane(here, [&](int lane) {
      LaneMask group = kAlike[alike] << lane;
      // Lanes that read the same word are one reader.
      if (!apart) {
        LaneMask same = 0;
        for (int other = 0; other < kWarpSize; ++other)
          same |= LaneMask{address[other] == address[lane]} << other;
        group |= same & access.lanes;  // one of them may have touched it first
        rest &= ~group;
      }
      lane_access(access, lane, group, alike);
    });
  }
}

}  // namespace fusebox::sim
