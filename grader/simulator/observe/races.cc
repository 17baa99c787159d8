#include "grader/simulator/observe/races.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "grader/simulator/observe/lanes.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kChunkBytes = 64 << 10;
constexpr std::uint64_t kChunkWords = kChunkBytes / 4;
constexpr std::uint64_t kChunksPerGroup = 1024;
constexpr std::int32_t kLaneBits = 31, kSeveral = 1 << 5, kMany = 1 << 6, kIdShift = 7;
/// More records than this are not kept: what happened before is forgotten, and races with it are missed.
constexpr std::size_t kMostRecords = 4 << 20;
constexpr std::int32_t kMostIds = (1 << 24) - 64;
/// Concurrent readers of one word that are remembered.
constexpr std::size_t kMostMembers = 64;
constexpr std::uint8_t kWholeWord = 15;
/// How strong an access is: other threads may make volatile and atomic ones at the same time.
constexpr std::uint8_t kWeak = 0, kVolatile = 1, kAtomic = 2;

/// Lane of each word of a warp's unit-stride access; per log2 of the width. Below 4 bytes: of its first byte.
struct Patterns {
  std::array<std::array<std::int32_t, 128>, 5> lane{};
  constexpr Patterns() {
    for (int width = 0; width < 5; ++width)
      for (int word = 0; word < 8 << width; ++word)
        lane[static_cast<std::size_t>(width)][static_cast<std::size_t>(word)] = word * 4 >> width;
  }
};
constexpr Patterns kPatterns;

std::uint8_t strength(const WarpAccess& access) {
  return access.order == Order::weak ? kWeak : access.order == Order::volatile_access ? kVolatile : kAtomic;
}

}  // namespace

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

/// One warp instruction between two synchronisations of its warp; or a set of such.
struct Races::Record {
  std::uint32_t block = 0;  ///< low bits; enough to tell blocks of a launch apart
  Stamp stamp = 0;
  std::uint32_t instruction = 0;
  LaneMask lanes = 0;
  std::uint16_t function = 0;
  std::uint8_t warp = 0;
  AccessKind kind = AccessKind::load;
  std::uint8_t strong = kWeak;
  bool in_block = false;      ///< atomic for its own block only
  std::uint8_t bytes = 0;     ///< of the word
  std::uint8_t part = 4;      ///< below 4: neighbouring lanes share the word, each this many bytes
  std::uint32_t first = 0;    ///< sets: members in the table's pool
  std::uint16_t members = 0;  ///< 0: no set
  bool own_lanes = false;     ///< sets: the word's entry says the members' lane
  Space space = Space::global;
};

struct Races::Table {
  std::vector<Record> records;
  std::vector<Entry> pool;
  std::int32_t first_id = 1;
  std::unordered_map<std::uint64_t, Entry> unions;  ///< (reads, fresh read) -> reads
  struct Verdict {
    std::uint64_t question = 0;
    bool answer = false;
  };
  std::array<Verdict, 64> verdicts{};
  std::uint32_t generation = 0;  ///< of ids: records remembered elsewhere go stale with it

  Entry first_entry() const { return first_id << kIdShift; }
  const Record& at(Entry entry) const {
    return records[static_cast<std::size_t>((entry >> kIdShift) - first_id)];
  }
  Entry add(const Record& record) {
    records.push_back(record);
    return (first_id + static_cast<std::int32_t>(records.size()) - 1) << kIdShift;
  }
  void begin(std::int32_t id) {
    first_id = id;
    records.clear();
    pool.clear();
    unions.clear();
    verdicts = {};
    ++generation;
  }
};

struct Races::BlockState {
  BlockOrder order;
  std::vector<Entry> write, read;  ///< shadow of shared memory
  Table table;
  /// The last record of an instruction, so that a loop does not make new ones.
  struct Known {
    const ptx::Function* function = nullptr;
    Stamp stamp = 0;
    std::uint32_t instruction = 0;
    LaneMask lanes = 0;
    std::uint32_t generation = 0;
    Space space = Space::global;
    std::uint8_t bytes = 0, part = 0;
    Entry entry = 0;
  };
  std::vector<std::array<Known, 32>> known;  ///< per warp
};

struct Races::Chunk {
  std::array<Entry, kChunkWords> write{}, read{};
};

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

/// Takes an entry apart: who accessed which bytes of the word.
void Races::members(const Table& table, Entry entry, std::vector<Member>& out) const {
  if (entry < table.first_entry()) return;
  const Record& record = table.at(entry);
  const int lane = entry & kLaneBits;
  if (record.members != 0) {
    for (std::size_t i = 0; i < record.members; ++i) {
      const Entry member = table.pool[record.first + i];
      members(table, record.own_lanes ? (member & ~kLaneBits) | lane : member, out);
    }
  } else if (entry & kSeveral) {
    out.push_back({&record, record.lanes, record.bytes, entry});
  } else if (record.part == 4) {
    out.push_back({&record, LaneMask{1} << lane, record.bytes, entry});
  } else {
    for (int byte = 0; byte < 4; byte += record.part)
      out.push_back({&record, LaneMask{1} << (lane + byte / record.part),
                     static_cast<std::uint8_t>(((1 << record.part) - 1) << byte), entry});
  }
}

/// True when every lane of the accessing warp knows that all of the entry's accesses happened.
bool Races::all_know(const Table& table, Entry entry) {
  const Record& record = table.at(entry);
  BlockOrder& order = now_->order;
  if (record.members == 0)
    return order.all_know(warp_, record.block, record.warp, record.lanes, record.stamp);
  const std::uint64_t question = std::uint64_t{static_cast<std::uint32_t>(entry >> kIdShift)} << 37 |
                                 std::uint64_t{warp_} << 32 | order.warp(warp_).stamp;
  Table::Verdict& known = const_cast<Table&>(table).verdicts[(question ^ question >> 37) % 64];
  if (known.question == question && record.block == static_cast<std::uint32_t>(order.block()))
    return known.answer;
  bool answer = true;
  for (std::size_t i = 0; i < record.members && answer; ++i)
    answer = all_know(table, table.pool[record.first + i]);
  if (record.block == static_cast<std::uint32_t>(order.block())) known = {question, answer};
  return answer;
}

/// True when `lane` knows of, or is, every one of `of`.
bool Races::knows(const Record& record, LaneMask of, int lane) {
  const BlockOrder& order = now_->order;
  if (record.block == static_cast<std::uint32_t>(order.block()) && record.warp == warp_)
    of &= ~(LaneMask{1} << lane);
  for (; of != 0; of &= of - 1) {
    const std::uint32_t thread = record.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(of));
    if (!now_->order.knows(warp_, lane, record.block, thread, record.stamp)) return false;
  }
  return true;
}

Races::Entry Races::make_set(Table& table, const std::vector<Member>& list) {
  if (list.size() == 1) return list[0].entry;
  Record set;
  set.first = static_cast<std::uint32_t>(table.pool.size());
  set.block = list.back().record->block;
  Entry many = 0;
  for (std::size_t i = list.size() > kMostMembers ? list.size() - kMostMembers : 0; i < list.size(); ++i) {
    if (i > 0 && list[i].entry == list[i - 1].entry) continue;  // lanes of one packed entry
    table.pool.push_back(list[i].entry);
    ++set.members;
    if (list[i].record->block != list[0].record->block) many = kMany;
  }
  if (set.members == 1) {
    table.pool.pop_back();
    return list[0].entry;
  }
  return table.add(set) | many;
}

/// The reads of a word after one more, `fresh`.
Races::Entry Races::add_read(Table& table, Entry old, Entry fresh) {
  if (old < table.first_entry() || old == fresh) return fresh;
  const std::uint64_t key =
      std::uint64_t{static_cast<std::uint32_t>(old)} << 32 | static_cast<std::uint32_t>(fresh);
  if (const auto known = table.unions.find(key); known != table.unions.end()) return known->second;
  std::vector<Member> fresh_members;
  members(table, fresh, fresh_members);
  LaneMask fresh_lanes = 0;
  std::uint8_t fresh_bytes = 0;
  for (const Member& m : fresh_members) fresh_lanes |= m.lanes, fresh_bytes |= m.bytes;
  const Record& mine = *fresh_members[0].record;
  kept_.clear();
  members(table, old, kept_);
  bool here = false, dropped = false;
  const auto superseded = [&](const Member& m) {
    here = here || m.record->block == mine.block;
    // Strong and weak reads conflict with different writes.
    bool gone = (m.bytes & ~fresh_bytes) == 0 && m.record->strong >= mine.strong;
    if (gone && m.record->block == mine.block && m.record->warp == mine.warp && (m.lanes & ~fresh_lanes) == 0)
      return dropped = true;
    for (LaneMask rest = fresh_lanes; gone && rest != 0; rest &= rest - 1)
      gone = knows(*m.record, m.lanes, std::countr_zero(rest));
    dropped = dropped || gone;
    return gone;
  };
  kept_.erase(std::remove_if(kept_.begin(), kept_.end(), superseded), kept_.end());
  Entry result = old;
  // Two blocks that read are enough: whoever writes meets one of them.
  if (!(old & kMany) || here || dropped) {
    kept_.insert(kept_.end(), fresh_members.begin(), fresh_members.end());
    result = make_set(table, kept_);
  }
  if (table.unions.size() > (1u << 20)) table.unions.clear();
  table.unions[key] = result;
  return result;
}

void Races::report(const WarpAccess& access, const Record& other, int other_lane, std::uint64_t address,
                   int lane, bool same_value) {
  if (log_ == nullptr || (told_ >> lane & 1) != 0) return;
  told_ |= LaneMask{1} << lane;
  RawFault fault;
  fault.kind = same_value ? FaultKind::race_same_value : FaultKind::race;
  fault.space = access.space;
  fault.access = access.kind;
  fault.bytes = access.bytes;
  fault.address = address;
  fault.instruction = access.instruction;
  fault.function = access.warp.function;
  fault.block = access.warp.block;
  fault.thread = warp_ * kWarpSize + static_cast<std::uint32_t>(lane);
  fault.other = {other.kind, other.instruction, functions_[other.function], other.block,
                 other.warp * kWarpSize + static_cast<std::uint32_t>(other_lane)};
  log_->add(fault);
}

/// Reports what of `old` conflicts with this lane's access of `bytes` of the word.
void Races::check(const WarpAccess& access, const Table& table, Entry old, std::uint64_t address, int lane,
                  std::uint8_t bytes, std::uint8_t strong, bool write_write) {
  if (old < table.first_entry()) return;
  scratch_.clear();
  members(table, old, scratch_);
  const auto block = static_cast<std::uint32_t>(access.warp.block);
  for (const Member& m : scratch_) {
    if ((m.bytes & bytes) == 0) continue;
    const bool same_block = m.record->block == block;
    // Lanes of a warp that talk through volatile shared memory count on running in step, which they need not.
    const bool in_step = strong == kVolatile && m.record->strong == kVolatile && same_block &&
                         m.record->warp == warp_ && access.space == Space::shared;
    const bool reaches = same_block || !(m.record->in_block || access.scope == Scope::block);
    if (strong != kWeak && m.record->strong != kWeak && reaches && !in_step) continue;
    LaneMask of = m.lanes;
    if (same_block && m.record->warp == warp_) of &= ~(LaneMask{1} << lane);
    for (; of != 0; of &= of - 1) {
      const int other = std::countr_zero(of);
      if (knows(*m.record, LaneMask{1} << other, lane)) continue;
      const bool stores = access.kind == AccessKind::store && m.record->kind == AccessKind::store;
      report(access, *m.record, other, address, lane,
             write_write && stores && (access.unchanged >> lane & 1) != 0);
      return;
    }
  }
}

void Races::word_access(const WarpAccess& access, Words at, std::uint64_t address, int lane, Entry entry,
                        std::uint8_t bytes) {
  Table& table = table_of(access.space);
  const std::uint8_t strong = strength(access);
  // What the whole warp knows of needs no closer look.
  const auto settled = [&](Entry old) {
    return old < table.first_entry() || (table.at(old).members == 0 && all_know(table, old));
  };
  const bool settled_write = settled(*at.write), settled_read = settled(*at.read);
  if (!settled_write) {
    const LaneMask lanes = entry & kSeveral ? table.at(entry).lanes : LaneMask{1} << lane;
    for_each_lane(lanes,
                  [&](int each) { check(access, table, *at.write, address, each, bytes, strong, true); });
  }
  if (access.kind == AccessKind::load) {
    if (settled_read && bytes == kWholeWord) {
      *at.read = entry;
      return;
    }
    *at.read = add_read(table, *at.read, entry);
    return;
  }
  if (!settled_read) check(access, table, *at.read, address, lane, bytes, strong, false);
  if (settled_write && settled_read && bytes == kWholeWord && strong == kWeak) {
    *at.write = entry;
    *at.read = 0;
    return;
  }
  // An atomic that follows a plain access of its own thread does not hide that from the atomics of others, as
  // long as they do not know of it.
  const auto hidden = [&](Entry old) {
    kept_.clear();
    if (strong == kWeak || old < table.first_entry()) return false;
    members(table, old, kept_);
    kept_.erase(std::remove_if(kept_.begin(), kept_.end(),
                               [&](const Member& m) {
                                 return m.record->strong != kWeak || (access.space == Space::shared &&
                                                                      m.record->stamp < now_->order.base());
                               }),
                kept_.end());
    return !kept_.empty();
  };
  if (bytes == kWholeWord) {
    if (hidden(*at.write)) {
      kept_.push_back({&table.at(entry), 0, bytes, entry});
      *at.write = make_set(table, kept_);
    } else {
      *at.write = entry;
    }
    *at.read = hidden(*at.read) ? make_set(table, kept_) : 0;
    return;
  }
  // Bytes that it does not write keep what they had.
  const auto keep = [&](Entry old, bool add) {
    kept_.clear();
    members(table, old, kept_);
    kept_.erase(
        std::remove_if(kept_.begin(), kept_.end(), [&](const Member& m) { return (m.bytes & ~bytes) == 0; }),
        kept_.end());
    if (add) kept_.push_back({&table.at(entry), 0, bytes, entry});
    return kept_.empty() ? Entry{0} : make_set(table, kept_);
  };
  if (*at.write >= table.first_entry() && *at.write != entry)
    *at.write = keep(*at.write, true);
  else
    *at.write = entry;
  if (*at.read >= table.first_entry()) *at.read = keep(*at.read, false);
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

/// A run of words, each of which one lane reads. False when it needs to be looked at word by word.
bool Races::run_load(Table& table, Words at, int count, const std::int32_t* lanes, Entry entry) {
  const Entry first = table.first_entry();
  const Entry write = at.write[0], read = at.read[0];
  Entry seen_write = 0, seen_read = 0, write_ids = 0, read_ids = 0, write_lanes = 0, read_lanes = 0, all = -1;
  for (int k = 0; k < count; ++k) {
    const Entry w = at.write[k], r = at.read[k];
    seen_write |= w >= first ? 1 : 0;
    seen_read |= r >= first ? 1 : 0;
    write_ids |= (w ^ write) & ~kLaneBits;
    read_ids |= (r ^ read) & ~kLaneBits;
    write_lanes |= (w ^ lanes[k]) & kLaneBits;
    read_lanes |= (r ^ lanes[k]) & kLaneBits;
    all &= r;
  }
  const auto own = [&](Entry e, Entry other_lanes) {
    const Record& record = table.at(e);
    return other_lanes == 0 && !(e & kSeveral) && record.members == 0 &&
           record.part == table.at(entry).part && record.warp == warp_ &&
           record.block == table.at(entry).block;
  };
  if (seen_write && (write_ids != 0 || !(own(write, write_lanes) || all_know(table, write)))) return false;
  if (seen_read) {
    if ((all & kMany) && read >= first && !now_->order.knows_other_blocks()) {
      // Entries of earlier launches are smaller, and one of them is looked at word by word.
      bool fresh = true;
      for (int k = 0; k < count; ++k) fresh = fresh && at.read[k] >= first;
      if (fresh) return true;
    }
    if (read_ids != 0) return false;
    if (!own(read, read_lanes) && !all_know(table, read)) {
      const Record& old = table.at(read);
      if (read_lanes != 0 || (read & kSeveral) || (old.members != 0 && !old.own_lanes)) return false;
      // Every word gets one more reader, in the same lane as the others.
      // Entries are positive: the highest bit tells this question from those of add_read().
      const std::uint64_t key = std::uint64_t{1} << 63 |
                                std::uint64_t{static_cast<std::uint32_t>(read & ~kLaneBits)} << 32 |
                                static_cast<std::uint32_t>(entry);
      auto [known, added] = table.unions.try_emplace(key, 0);
      if (added) {
        Record set;
        set.first = static_cast<std::uint32_t>(table.pool.size());
        set.own_lanes = true;
        set.block = table.at(entry).block;
        const auto join = [&](Entry member) {
          table.pool.push_back(member);
          ++set.members;
        };
        if (old.members == 0)
          join(read & ~kLaneBits);
        else
          for (std::size_t i = 0; i < old.members; ++i) join(table.pool[old.first + i]);
        if (set.members >= kMostMembers) return table.unions.erase(known), false;
        join(entry);
        const auto block_of = [&](std::size_t i) { return table.at(table.pool[set.first + i]).block; };
        Entry many = 0;
        for (std::size_t i = 1; i < set.members; ++i)
          if (block_of(i) != block_of(0)) many = kMany;
        known->second = table.add(set) | many;
      }
      entry = known->second;
    }
  }
  for (int k = 0; k < count; ++k) at.read[k] = entry | lanes[k];
  return true;
}

bool Races::run_store(Table& table, Words at, int count, const std::int32_t* lanes, Entry entry) {
  const Entry first = table.first_entry();
  const Entry write = at.write[0], read = at.read[0];
  Entry seen_write = 0, seen_read = 0, write_ids = 0, read_ids = 0, write_lanes = 0, read_lanes = 0;
  for (int k = 0; k < count; ++k) {
    const Entry w = at.write[k], r = at.read[k];
    seen_write |= w >= first ? 1 : 0;
    seen_read |= r >= first ? 1 : 0;
    write_ids |= (w ^ write) & ~kLaneBits;
    read_ids |= (r ^ read) & ~kLaneBits;
    write_lanes |= (w ^ lanes[k]) & kLaneBits;
    read_lanes |= (r ^ lanes[k]) & kLaneBits;
  }
  const Record& mine = table.at(entry);
  const auto fine = [&](Entry e, Entry ids, Entry other_lanes) {
    if (ids != 0) return false;
    const Record& record = table.at(e);
    return all_know(table, e) ||
           (other_lanes == 0 && !(e & kSeveral) && record.members == 0 && record.part == mine.part &&
            record.warp == warp_ && record.block == mine.block);
  };
  if (seen_write && !fine(write, write_ids, write_lanes)) return false;
  if (seen_read && !fine(read, read_ids, read_lanes)) return false;
  for (int k = 0; k < count; ++k) at.write[k] = entry | lanes[k];
  std::memset(at.read, 0, static_cast<std::size_t>(count) * sizeof(Entry));
  return true;
}

/// A whole warp at neighbouring addresses: most accesses of most kernels. False when it is none, or when it
/// has to be looked at lane by lane.
bool Races::run(const WarpAccess& access) {
  if (access.shape != Shape::unit || access.kind == AccessKind::atomic || access.address[0] % 4 != 0)
    return false;
  Table& table = table_of(access.space);
  const auto part = static_cast<std::uint8_t>(std::min<int>(access.bytes, 4));
  const Entry entry = record(access, access.lanes, kWholeWord, part);
  const std::int32_t* lanes =
      kPatterns.lane[static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(access.bytes)))].data();
  const int count = 8 * access.bytes;
  const std::uint64_t address = access.address[0];
  int done = 0;
  while (done < count) {
    const std::uint64_t word = address + static_cast<std::uint64_t>(done) * 4;
    int here = count - done;
    if (access.space == Space::global)
      here = static_cast<int>(std::min<std::uint64_t>(
          static_cast<std::uint64_t>(here), (kChunkBytes - (word - memory_.begin) % kChunkBytes) / 4));
    const Words at = words_at(access.space, word);
    const bool simple = access.kind == AccessKind::load ? run_load(table, at, here, lanes + done, entry)
                                                        : run_store(table, at, here, lanes + done, entry);
    // Words that are done already may be looked at again: the same access twice changes nothing.
    if (!simple) return false;
    done += here;
  }
  return true;
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
