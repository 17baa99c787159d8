#include <algorithm>

#include "grader/simulator/observe/races/shadow_memory.h"
#include "grader/simulator/observe/requests/lanes.h"

// One word of memory: who has accessed it, and whether the next access may follow.

namespace fusebox::sim {

/// Takes an entry apart: who accessed which bytes of the word.
void ShadowMemory::members(const Table& table, Entry entry, std::vector<Member>& out) const {
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
  } else if (record.sharing.part == 4) {
    out.push_back({&record, record.lanes_at(lane), record.bytes, entry});
  } else {
    for (int byte = 0; byte < 4; byte += record.sharing.part)
      out.push_back({&record, LaneMask{1} << (lane + byte / record.sharing.part),
                     static_cast<std::uint8_t>(((1 << record.sharing.part) - 1) << byte), entry});
  }
}

/// True when every lane of the accessing warp knows that all of the entry's accesses happened.
bool ShadowMemory::all_happened_before(const Table& table, Entry entry) {
  const Record& record = table.at(entry);
  HappensBefore& order = *order_;
  if (record.members == 0)
    return order.all_happened_before(warp_, record.block, record.warp, record.lanes, record.epoch,
                                     record.kind == AccessKind::load);
  const std::uint64_t question = std::uint64_t{static_cast<std::uint32_t>(entry >> kIdShift)} << 37 |
                                 std::uint64_t{warp_} << 32 | order.warp(warp_).epoch;
  Table::Verdict& known = const_cast<Table&>(table).verdicts[(question ^ question >> 37) % 64];
  if (known.question == question && record.block == static_cast<std::uint32_t>(order.block()))
    return known.answer;
  bool answer = true;
  for (std::size_t i = 0; i < record.members && answer; ++i)
    answer = all_happened_before(table, table.pool[record.first + i]);
  if (record.block == static_cast<std::uint32_t>(order.block())) known = {question, answer};
  return answer;
}

/// True when `lane` knows of, or is, every one of `of`.
bool ShadowMemory::happened_before(const Record& record, LaneMask of, int lane) {
  const HappensBefore& order = *order_;
  if (record.block == static_cast<std::uint32_t>(order.block()) && record.warp == warp_)
    of &= ~(LaneMask{1} << lane);
  for (const int other : lanes_in(of)) {
    const std::uint32_t thread = record.warp * kWarpSize + static_cast<std::uint32_t>(other);
    if (!order_->happened_before(warp_, lane, record.block, thread, record.epoch,
                                 record.kind == AccessKind::load))
      return false;
  }
  return true;
}

ShadowMemory::Entry ShadowMemory::make_set(Table& table, const std::vector<Member>& list) {
  if (list.size() == 1) return list[0].entry;
  Record set;
  set.first = static_cast<std::uint32_t>(table.pool.size());
  set.block = list.back().record->block;
  Entry many = 0;
  for (std::size_t i = list.size() > kMaxMembers ? list.size() - kMaxMembers : 0; i < list.size(); ++i) {
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
ShadowMemory::Entry ShadowMemory::add_read(Table& table, Entry old, Entry fresh) {
  if (old < table.first_entry() || old == fresh) return fresh;
  const std::uint64_t key =
      std::uint64_t{static_cast<std::uint32_t>(old)} << 32 | static_cast<std::uint32_t>(fresh);
  bool known = false;
  table.union_of(key, known);
  if (known) return table.union_of(key, known).value;
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
    for (const int lane : lanes_in(fresh_lanes)) {
      if (!gone) break;
      gone = happened_before(*m.record, m.lanes, lane);
    }
    dropped = dropped || gone;
    return gone;
  };
  kept_.erase(std::remove_if(kept_.begin(), kept_.end(), superseded), kept_.end());
  Entry result = old;
  // Readers of two blocks are enough: any writer is in another block than one of them.
  if (!(old & kMany) || here || dropped) {
    kept_.insert(kept_.end(), fresh_members.begin(), fresh_members.end());
    result = make_set(table, kept_);
  }
  table.union_of(key, known) = {key, table.generation, result};
  return result;
}

RawFault race_of(const WarpAccess& access, int lane, std::uint64_t address) {
  RawFault fault;
  fault.kind = FaultKind::race;
  fault.space = access.space;
  fault.access = access.kind;
  fault.bytes = access.bytes;
  fault.address = address;
  fault.instruction = access.instruction;
  fault.function = access.warp.function;
  fault.block = access.warp.block;
  fault.owner = access.owner;
  fault.thread = access.warp.warp * kWarpSize + static_cast<std::uint32_t>(lane);
  return fault;
}

void ShadowMemory::report(const WarpAccess& access, const Record& other, int other_lane,
                          std::uint64_t address, int lane, bool same_value) {
  if (log_ == nullptr || (told_ >> lane & 1) != 0) return;
  told_ |= LaneMask{1} << lane;
  RawFault fault = race_of(access, lane, address);
  if (same_value) fault.kind = FaultKind::race_same_value;
  fault.other = {other.kind, other.instruction, functions_[other.function], other.block,
                 other.warp * kWarpSize + static_cast<std::uint32_t>(other_lane)};
  log_->add(fault);
}

/// Reports what of `old` conflicts with this lane's access of `bytes` of the word.
void ShadowMemory::check(const WarpAccess& access, const Table& table, Entry old, std::uint64_t address,
                         int lane, std::uint8_t bytes, bool write_write) {
  if (old < table.first_entry()) return;
  const std::uint8_t strong = strength(access);
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
    for (const int other : lanes_in(of)) {
      if (happened_before(*m.record, LaneMask{1} << other, lane)) continue;
      const bool stores = access.kind == AccessKind::store && m.record->kind == AccessKind::store;
      // A load of another block cannot tell whether such a store has happened: in-place algorithms that hand
      // tiles from block to block count on that. Within a block it only ends well with these inputs.
      const LaneMask silent =
          (access.kind == AccessKind::load ? m.record->unchanged >> other : access.unchanged >> lane) & 1;
      const bool one_store = (access.kind == AccessKind::store && m.record->kind == AccessKind::load) ||
                             (access.kind == AccessKind::load && m.record->kind == AccessKind::store);
      const bool apart = one_store && !same_block && access.space == Space::global;
      report(access, *m.record, other, address, lane, silent != 0 && (apart || (write_write && stores)));
      return;
    }
  }
}

void ShadowMemory::word_access(const WarpAccess& access, Words at, std::uint64_t address, int lane,
                               Entry entry, std::uint8_t bytes) {
  Table& table = table_of(access.space);
  const std::uint8_t strong = strength(access);
  // What the whole warp knows of needs no closer look.
  const auto settled = [&](Entry old) {
    return old < table.first_entry() || (table.at(old).members == 0 && all_happened_before(table, old));
  };
  const bool settled_write = settled(*at.write), settled_read = settled(*at.read);
  if (!settled_write) {
    const Record& mine = table.at(entry);
    const LaneMask lanes = entry & kSeveral ? mine.lanes : mine.lanes_at(lane);
    for_each_lane(lanes, [&](int each) { check(access, table, *at.write, address, each, bytes, true); });
  }
  if (access.kind == AccessKind::load) {
    if (settled_read && bytes == kWholeWord) {
      *at.read = entry;
      return;
    }
    *at.read = add_read(table, *at.read, entry);
    return;
  }
  if (!settled_read) check(access, table, *at.read, address, lane, bytes, false);
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
                                 return m.record->strong != kWeak ||
                                        (access.space == Space::shared && m.record->epoch < order_->base());
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

}  // namespace fusebox::sim
