#include "grader/simulator/observe/races.h"

#include <algorithm>
#include <bit>

#include "grader/simulator/observe/lanes.h"
#include "grader/simulator/observe/races_memory.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

void put_races_first(std::vector<RawFault>& faults) {
  const auto line = [](const auto& f) { return f.function->instructions[f.instruction].location.line; };
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (faults[i].kind != FaultKind::uninitialised_read) continue;
    const auto from = faults.begin() + static_cast<std::ptrdiff_t>(i);
    const auto race = std::find_if(from, faults.end(), [&](const RawFault& f) {
      return f.kind == FaultKind::race && f.space == from->space &&
             (line(f) == line(*from) || line(f.other) == line(*from));
    });
    if (race != faults.end()) std::rotate(from, race, race + 1);
  }
}

Races::Races(AddressRange memory) : memory_(memory), global_(std::make_unique<Table>()) {
  chunks_.resize(memory.bytes / kChunkBytes / kChunksPerGroup + 1);
}

Races::~Races() = default;

void Races::launch_begin(const LaunchInfo& launch) {
  launch_ = launch;
  if (!global_->begin_anew()) forget();
  publications_.clear();
  functions_.clear();
  while (!blocks_.empty()) {  // a launch before this one was stopped
    idle_.push_back(std::move(blocks_.back()));
    blocks_.pop_back();
  }
  now_ = nullptr;
}

void Races::launch_end() { publications_.clear(); }

void Races::forget() {
  for (auto& group : chunks_)
    for (auto& chunk : group)
      if (chunk) *chunk = {};
  global_->begin(1);
}

void Races::block_begin(std::uint64_t block) {
  if (idle_.empty()) idle_.push_back(std::make_unique<BlockState>());
  blocks_.push_back(std::move(idle_.back()));
  idle_.pop_back();
  now_ = blocks_.back().get();
  now_->order.begin(block, static_cast<std::uint32_t>(launch_.block.count()), publications_);
  now_->forget();
  now_->known.resize(warps_of(launch_.block.count()));
  now_->flying.begin(now_->known.size());
}

void Races::block_end(std::uint64_t block) {
  const auto at = std::find_if(blocks_.begin(), blocks_.end(),
                               [&](const auto& state) { return state->order.block() == block; });
  if (at == blocks_.end()) return;
  idle_.push_back(std::move(*at));
  blocks_.erase(at);
  now_ = nullptr;
}

void Races::BlockState::forget() {
  if (table.begin_anew()) return;
  std::fill(write.begin(), write.end(), 0);
  std::fill(read.begin(), read.end(), 0);
  table.begin(1);
}

Races::BlockState& Races::state_of(std::uint64_t block) {
  if (now_ == nullptr || now_->order.block() != block)
    for (const auto& state : blocks_)
      if (state->order.block() == block) now_ = state.get();
  return *now_;
}

BlockOrder& Races::order_of(std::uint64_t block) { return state_of(block).order; }

void Races::barrier_arrive(const WarpId& id, std::uint32_t barrier, LaneMask lanes) {
  state_of(id.block).order.barrier_arrive(id.warp, barrier, lanes);
}

void Races::barrier_complete(std::uint64_t block, std::uint32_t id, std::span<const BarrierParty> parties,
                             bool whole) {
  BlockState& state = state_of(block);
  state.order.barrier_complete(id, parties, whole);
  // Everybody knows of every access to shared memory so far.
  if (whole && !state.table.records.empty()) state.forget();
}

void Races::warp_sync(const WarpId& id, LaneMask lanes, bool whole) {
  state_of(id.block).order.warp_sync(id.warp, lanes, whole);
}

void Races::fence(const WarpId& id, LaneMask lanes, Order order, Scope scope) {
  state_of(id.block).order.fence(id.warp, lanes, order, scope);
}

Races::Table& Races::table_of(Space space) { return space == Space::shared ? now_->table : *global_; }

/// The shadow of the word at a multiple of 4. Behind it lie the words up to the next multiple of kChunkBytes.
Races::Words Races::words_at(Space space, std::uint64_t address) {
  if (space == Space::shared) {
    const std::size_t word = address / 4;
    if (word + 128 > now_->write.size()) {
      now_->write.resize(2 * word + 128);
      now_->read.resize(2 * word + 128);
    }
    return {now_->write.data() + word, now_->read.data() + word};
  }
  const std::uint64_t offset = address - memory_.begin, index = offset / kChunkBytes;
  auto& group = chunks_[index / kChunksPerGroup];
  if (group.empty()) group.resize(kChunksPerGroup);
  auto& chunk = group[index % kChunksPerGroup];
  if (!chunk) chunk = std::make_unique<Chunk>();
  const std::size_t word = offset % kChunkBytes / 4;
  return {chunk->write.data() + word, chunk->read.data() + word};
}

/// The entry of this access, without a lane.
Races::Entry Races::record(const WarpAccess& access, LaneMask lanes, std::uint8_t bytes, Sharing sharing) {
  const Stamp stamp = now_->order.warp(warp_).stamp;
  const auto block = static_cast<std::uint32_t>(access.warp.block);
  auto& known = now_->known[warp_][(access.instruction + bytes) % 32];
  Table& table = table_of(access.space);
  if (known.function == access.warp.function && known.stamp == stamp &&
      known.instruction == access.instruction && known.lanes == lanes && known.bytes == bytes &&
      known.sharing == sharing && known.generation == table.generation && known.space == access.space &&
      table.at(known.entry).kind == access.kind && table.at(known.entry).block == block) {
    table.at(known.entry).unchanged &= access.unchanged;
    return known.entry;
  }
  const std::size_t most = access.space == Space::global ? kMostRecords : kMostOfBlock;
  if (table.records.size() >= most || table.pool.size() >= kMostPool)
    access.space == Space::global ? forget() : now_->forget();
  Record& fresh = table.records.emplace_back();
  fresh.block = block;
  fresh.stamp = stamp;
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
  known = {access.warp.function, stamp,   access.instruction, lanes, table.generation, access.space,
           fresh.bytes,          sharing, table.last()};
  return known.entry;
}

/// One lane's access, for all lanes of `group`, which have the same address: those that are alike, or some.
void Races::lane_access(const WarpAccess& access, int lane, LaneMask group, std::uint8_t alike) {
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

/// Atomic and volatile accesses are what threads signal each other with.
void Races::synchronise(const WarpAccess& access) {
  const bool reads = access.kind != AccessKind::store, writes = access.kind != AccessKind::load;
  if (access.order == Order::release || access.order == Order::acquire_release)
    now_->order.fence(warp_, access.lanes, access.order, access.scope);
  for_each_lane(access.lanes, [&](int lane) {
    now_->order.synchronise(warp_, lane, reads, writes, access.kind == AccessKind::store, access.space,
                            access.address[lane]);
  });
}

void Races::access(const WarpAccess& access) {
  if (access.space != Space::shared && access.space != Space::global) return;
  if (publications_.exhausted()) return;  // races from here on are missed, but none is made up
  state_of(access.warp.block);
  warp_ = access.warp.warp;
  told_ = 0;
  if (access.order != Order::weak) synchronise(access);
  // What it costs to look at those that are volatile or atomic, against an instruction.
  constexpr std::int64_t kWork = 24;
  if (log_ != nullptr && strength(access) != kWeak) log_->charge(kWork);
  if (access.space == Space::shared && (now_->flying.any() || access.means == Means::copy)) {
    // What met a copy on its way has been told, and is not remembered.
    WarpAccess rest = access;
    rest.lanes &= ~meet_copies(access);
    rest.shape = rest.lanes == kAllLanes ? access.shape : Shape::any;
    if (rest.lanes == 0) return;
    look(rest);
    if (access.means == Means::copy) take_off(rest);
    return;
  }
  look(access);
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

/// Whether it meets another access in no order.
void Races::look(const WarpAccess& access) {
  now_->order.warp(warp_).meetings = 0;
  const std::uint64_t* address = access.address;
  std::uint8_t alike = 0;
  if (access.shape == Shape::unit) {
    if (access.kind != AccessKind::atomic && access.address[0] % 4 == 0 && run(access, kAllLanes, 0)) return;
  } else if (access.kind == AccessKind::load) {
    if (access.lanes == kAllLanes) {
      alike = access.shape == Shape::broadcast ? 31 : alike_bits(address);
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
  while (rest != 0) {
    const int first = std::countr_zero(rest);
    LaneMask here = 0;
    std::uint64_t next = address[first];
    for (LaneMask more = rest; more != 0 && address[std::countr_zero(more)] == next; more &= more - 1) {
      here |= more & (~more + 1);
      next += access.bytes;
    }
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
        group |= same & rest;
        rest &= ~group;
      }
      lane_access(access, lane, group, alike);
    });
  }
}

}  // namespace fusebox::sim
