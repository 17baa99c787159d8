#include <algorithm>
#include <bit>
#include <cstring>

#include "grader/simulator/observe/races/shadow_memory.h"
#include "grader/simulator/observe/requests/lanes.h"

// A whole warp at neighbouring addresses, all its words at once: most accesses of most kernels.

namespace fusebox::sim {
namespace {

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

/// What the words of a run have in common; bits of entries, 0 where all agree.
struct Overview {
  std::int32_t seen_write = 0, seen_read = 0;    ///< 1: some word has an entry of this launch
  std::int32_t write_ids = 0, read_ids = 0;      ///< differences from the first word's
  std::int32_t write_lanes = 0, read_lanes = 0;  ///< differences from the lanes of this access
  std::int32_t all = -1;                         ///< bits that every word's readers have
};

Overview look_over(const std::int32_t* write, const std::int32_t* read, int count, const std::int32_t* lanes,
                   std::int32_t first) {
  Overview o;
  for (int k = 0; k < count; ++k) {
    o.seen_write |= write[k] >= first ? 1 : 0;
    o.seen_read |= read[k] >= first ? 1 : 0;
    o.write_ids |= (write[k] ^ write[0]) & ~kLaneBits;
    o.read_ids |= (read[k] ^ read[0]) & ~kLaneBits;
    o.write_lanes |= (write[k] ^ lanes[k]) & kLaneBits;
    o.read_lanes |= (read[k] ^ lanes[k]) & kLaneBits;
    o.all &= read[k];
  }
  return o;
}

}  // namespace

/// Readers of one more, in whatever lane the word's entry says.
ShadowMemory::Entry ShadowMemory::joined(Table& table, Entry old, Entry fresh) {
  Record set;
  set.first = static_cast<std::uint32_t>(table.pool.size());
  set.own_lanes = true;
  set.block = table.at(fresh).block;
  const Record& before = table.at(old);
  if (before.members == 0) table.pool.push_back(old);
  for (std::size_t i = 0; i < before.members; ++i) table.pool.push_back(table.pool[before.first + i]);
  table.pool.push_back(fresh);
  set.members = static_cast<std::uint16_t>(table.pool.size() - set.first);
  Entry many = 0;
  for (std::size_t i = set.first; i < table.pool.size(); ++i)
    if (table.at(table.pool[i]).block != set.block) many = kMany;
  return table.add(set) | many;
}

/// A run of words, each of which one lane reads. False when it needs to be looked at word by word.
bool ShadowMemory::run_load(Table& table, Words at, int count, const std::int32_t* lanes, Entry entry) {
  const Entry first = table.first_entry(), write = at.write[0], read = at.read[0];
  const auto [seen_write, seen_read, write_ids, read_ids, write_lanes, read_lanes, all] =
      look_over(at.write, at.read, count, lanes, first);
  const auto own = [&](Entry e, Entry other_lanes) {
    const Record& record = table.at(e);
    return other_lanes == 0 && !(e & kSeveral) && record.members == 0 &&
           record.sharing == table.at(entry).sharing && record.warp == warp_ &&
           record.block == table.at(entry).block;
  };
  if (seen_write && (write_ids != 0 || !(own(write, write_lanes) || all_happened_before(table, write))))
    return false;
  if (seen_read) {
    if ((all & kMany) && read >= first && !order_->knows_other_blocks()) {
      // Entries of earlier launches are smaller, and one of them is looked at word by word.
      bool fresh = true;
      for (int k = 0; k < count; ++k) fresh = fresh && at.read[k] >= first;
      if (fresh) return true;
    }
    if (read_ids != 0) return false;
    if (!(own(read, read_lanes) && table.at(read).strong >= table.at(entry).strong) &&
        !all_happened_before(table, read)) {
      const Record& old = table.at(read);
      if (read_lanes != 0 || (read & kSeveral) || (old.members != 0 && !old.own_lanes)) return false;
      // Every word gets one more reader, in the same lane as the others.
      // Entries are positive: the highest bit tells this question from those of add_read().
      const std::uint64_t key = std::uint64_t{1} << 63 |
                                std::uint64_t{static_cast<std::uint32_t>(read & ~kLaneBits)} << 32 |
                                static_cast<std::uint32_t>(entry);
      bool known = false;
      Table::Union& both = table.union_of(key, known);
      if (!known) {
        if (old.members + 1u >= kMaxMembers) return false;
        const Entry set = joined(table, read & ~kLaneBits, entry);
        both = {key, table.generation, set};
      }
      entry = both.value;
    }
  }
  for (int k = 0; k < count; ++k) at.read[k] = entry | lanes[k];
  return true;
}

bool ShadowMemory::run_store(Table& table, Words at, int count, const std::int32_t* lanes, Entry entry) {
  const Entry write = at.write[0], read = at.read[0];
  const auto [seen_write, seen_read, write_ids, read_ids, write_lanes, read_lanes, all] =
      look_over(at.write, at.read, count, lanes, table.first_entry());
  const Record& mine = table.at(entry);
  const auto fine = [&](Entry e, Entry ids, Entry other_lanes) {
    if (ids != 0) return false;
    const Record& record = table.at(e);
    return all_happened_before(table, e) ||
           (other_lanes == 0 && !(e & kSeveral) && record.members == 0 && record.sharing == mine.sharing &&
            record.warp == warp_ && record.block == mine.block);
  };
  if (seen_write && !fine(write, write_ids, write_lanes)) return false;
  if (seen_read && !fine(read, read_ids, read_lanes)) return false;
  for (int k = 0; k < count; ++k) at.write[k] = entry | lanes[k];
  std::memset(at.read, 0, static_cast<std::size_t>(count) * sizeof(Entry));
  return true;
}

/// Lanes at neighbouring addresses, the first at a multiple of 4; each stands for those that are alike. False
/// when it has to be looked at lane by lane.
bool ShadowMemory::run(const WarpAccess& access, LaneMask here, std::uint8_t alike) {
  Table& table = table_of(access.space);
  const Sharing sharing{static_cast<std::uint8_t>(std::min<int>(access.bytes, 4)), alike};
  const Entry entry = record(access, access.lanes, kWholeWord, sharing);
  const std::int32_t* lanes =
      kPatterns.lane[static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(access.bytes)))].data();
  int count = 8 * access.bytes;
  std::array<std::int32_t, 128> some;
  if (here != kAllLanes) {
    count = 0;
    for_each_lane(here, [&](int lane) {
      for (int word = 0; word < access.bytes / 4; ++word) some[static_cast<std::size_t>(count++)] = lane;
    });
    lanes = some.data();
  }
  const std::uint64_t address = access.address[std::countr_zero(here)];
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

}  // namespace fusebox::sim
