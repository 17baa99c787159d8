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
  const std::int32_t next = global_->first_id + static_cast<std::int32_t>(global_->records.size());
  if (next > kMostIds - static_cast<std::int32_t>(kMostRecords))
    forget();
  else
    global_->begin(next);
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
  std::fill(now_->write.begin(), now_->write.end(), 0);
  std::fill(now_->read.begin(), now_->read.end(), 0);
  now_->table.begin(1);
  now_->known.resize((launch_.block.count() + kWarpSize - 1) / kWarpSize);
  for (auto& known : now_->known) known = {};
}

void Races::block_end(std::uint64_t block) {
  const auto at = std::find_if(blocks_.begin(), blocks_.end(),
                               [&](const auto& state) { return state->order.block() == block; });
  if (at == blocks_.end()) return;
  idle_.push_back(std::move(*at));
  blocks_.erase(at);
  now_ = nullptr;
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
  state_of(block).order.barrier_complete(id, parties, whole);
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
Races::Entry Races::record(const WarpAccess& access, LaneMask lanes, std::uint8_t bytes, std::uint8_t part) {
  const Stamp stamp = now_->order.warp(warp_).stamp;
  auto& known = now_->known[warp_][(access.instruction + bytes) % 32];
  Table& table = table_of(access.space);
  if (known.function == access.warp.function && known.stamp == stamp &&
      known.instruction == access.instruction && known.lanes == lanes && known.bytes == bytes &&
      known.part == part && known.generation == table.generation && known.space == access.space &&
      table.at(known.entry).kind == access.kind)
    return known.entry;
  if (table.records.size() >= kMostRecords && access.space == Space::global) forget();
  Record fresh;
  fresh.block = static_cast<std::uint32_t>(access.warp.block);
  fresh.stamp = stamp;
  fresh.instruction = access.instruction;
  fresh.lanes = lanes;
  fresh.warp = static_cast<std::uint8_t>(warp_);
  fresh.kind = access.kind;
  fresh.strong = strength(access);
  fresh.in_block = access.scope == Scope::block;
  fresh.bytes = bytes;
  fresh.part = part;
  fresh.space = access.space;
  const auto function = std::find(functions_.begin(), functions_.end(), access.warp.function);
  fresh.function = static_cast<std::uint16_t>(function - functions_.begin());
  if (function == functions_.end()) functions_.push_back(access.warp.function);
  known = {access.warp.function, stamp,       access.instruction, lanes,           table.generation,
           access.space,         fresh.bytes, fresh.part,         table.add(fresh)};
  return known.entry;
}

/// One lane's access, for all lanes of `group`, which have the same address.
void Races::lane_access(const WarpAccess& access, int lane, LaneMask group) {
  const std::uint64_t address = access.address[lane];
  const bool several = (group & (group - 1)) != 0;
  const LaneMask lanes = several ? group : access.lanes;
  if (access.bytes < 4) {
    const auto bytes = static_cast<std::uint8_t>(((1 << access.bytes) - 1) << (address & 3));
    Entry entry = record(access, lanes, bytes, 4);
    entry |= several ? kSeveral : lane;
    word_access(access, words_at(access.space, address & ~std::uint64_t{3}), address, lane, entry, bytes);
    return;
  }
  for (std::uint64_t word = address; word < address + access.bytes; word += 4) {
    Entry entry = record(access, lanes, kWholeWord, 4);
    entry |= several ? kSeveral : lane;
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
  state_of(access.warp.block);
  warp_ = access.warp.warp;
  told_ = 0;
  if (access.order != Order::weak) synchronise(access);
  look(access);
}

/// Whether it meets another access in no order.
void Races::look(const WarpAccess& access) {
  now_->order.warp(warp_).meetings = 0;
  if (run(access)) return;
  const std::uint64_t lowest = access.address[std::countr_zero(access.lanes)];
  bool broadcast = access.kind == AccessKind::load;
  if (access.shape != Shape::broadcast)
    for_each_lane(access.lanes, [&](int lane) { broadcast = broadcast && access.address[lane] == lowest; });
  if (broadcast) return lane_access(access, std::countr_zero(access.lanes), access.lanes);
  for (LaneMask rest = access.lanes; rest != 0;) {
    const int lane = std::countr_zero(rest);
    LaneMask group = LaneMask{1} << lane;
    // Lanes that read the same word are one reader.
    if (access.kind == AccessKind::load) {
      LaneMask same = 0;
      for (int other = 0; other < kWarpSize; ++other)
        same |= LaneMask{access.address[other] == access.address[lane]} << other;
      group = same & rest;
    }
    lane_access(access, lane, group);
    rest &= ~group;
  }
}

}  // namespace fusebox::sim
