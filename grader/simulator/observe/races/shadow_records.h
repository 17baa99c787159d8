#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grader/simulator/exec/state/events.h"
#include "grader/simulator/observe/races/happens_before.h"

// What ShadowMemory remembers of accesses.

namespace fusebox::sim {

/// id << 7 | many << 6 | several << 5 | lane. `several`: all lanes of the record; `many`: a set of several
/// records of more than one block. Positive, and 0 or less than the launch's first: none.
using ShadowEntry = std::int32_t;
inline constexpr std::int32_t kLaneBits = 31, kSeveral = 1 << 5, kMany = 1 << 6, kIdShift = 7;
/// More records than this are not kept: what happened before is forgotten, and races with it are missed.
inline constexpr std::size_t kMaxRecords = 2 << 20;
/// The same of members of sets, and of the records of one block's shared memory: many blocks may be under
/// way.
inline constexpr std::size_t kMaxPool = 8 << 20, kMaxBlockRecords = 128 << 10;
inline constexpr std::int32_t kMaxIds = (1 << 24) - (1 << 16);
/// Concurrent readers of one word that are remembered.
inline constexpr std::size_t kMaxMembers = 64;
inline constexpr std::uint8_t kWholeWord = 15;
/// How strong an access is: other threads may make volatile and atomic ones at the same time.
inline constexpr std::uint8_t kWeak = 0, kVolatile = 1, kAtomic = 2;

/// Per set of bits of a lane's number: the lanes that have no others.
inline constexpr std::array<LaneMask, 32> kAlike = [] {
  std::array<LaneMask, 32> masks{};
  for (std::uint32_t bits = 0; bits < 32; ++bits)
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if ((lane & ~bits) == 0) masks[bits] |= LaneMask{1} << lane;
  return masks;
}();

inline std::uint8_t strength(const WarpAccess& access) {
  return access.order == Order::weak ? kWeak : access.order == Order::volatile_access ? kVolatile : kAtomic;
}

/// How lanes of one instruction share words.
struct Sharing {
  std::uint8_t part = 4;  ///< below 4: neighbouring lanes share a word, each this many bytes
  std::uint8_t alike =
      0;  ///< bits of a lane's number that do not matter: 16, lanes l and l + 16 read one word
  bool operator==(const Sharing&) const = default;
};

/// One warp instruction between two synchronisations of its warp; or a set of such.
struct ShadowRecord {
  std::uint32_t block = 0;  ///< low bits; enough to tell blocks of a launch apart
  Epoch epoch = 0;
  std::uint32_t instruction = 0;
  LaneMask lanes = 0;
  std::uint16_t function = 0;
  std::uint8_t warp = 0;
  AccessKind kind = AccessKind::load;
  std::uint8_t strong = kWeak;
  bool in_block = false;   ///< atomic for its own block only
  std::uint8_t bytes = 0;  ///< of the word
  Sharing sharing;
  std::uint32_t first = 0;    ///< sets: members in the table's pool
  std::uint16_t members = 0;  ///< 0: no set
  bool own_lanes = false;     ///< sets: the word's entry says the members' lane
  LaneMask unchanged = 0;     ///< stores: lanes that never wrote anything but what stood there
  Space space = Space::global;

  /// Who reads or writes the word whose entry names `lane`.
  LaneMask lanes_at(int lane) const { return kAlike[sharing.alike] << lane; }
};

/// The records of one memory.
struct ShadowTable {
  std::vector<ShadowRecord> records;
  std::vector<ShadowEntry> pool;
  std::int32_t first_id = 1;
  /// (reads, fresh read) -> reads. Forgetting one makes it again.
  struct Union {
    std::uint64_t key = 0;
    std::uint32_t generation = 0;
    ShadowEntry value = 0;
  };
  std::array<Union, 1024> unions{};
  struct Verdict {
    std::uint64_t question = 0;
    bool answer = false;
  };
  std::array<Verdict, 64> verdicts{};
  std::uint32_t generation = 1;  ///< of ids: records remembered elsewhere go stale with it

  ShadowEntry first_entry() const { return first_id << kIdShift; }
  const ShadowRecord& at(ShadowEntry entry) const {
    return records[static_cast<std::size_t>((entry >> kIdShift) - first_id)];
  }
  ShadowRecord& at(ShadowEntry entry) {
    return records[static_cast<std::size_t>((entry >> kIdShift) - first_id)];
  }
  ShadowEntry last() const { return (first_id + static_cast<std::int32_t>(records.size()) - 1) << kIdShift; }
  ShadowEntry add(const ShadowRecord& record) {
    records.push_back(record);
    return last();
  }
  /// The place of a question's answer; `known` when it is there.
  Union& union_of(std::uint64_t key, bool& known) {
    Union& slot = unions[(key * 0x9e3779b97f4a7c15ull) >> 54];
    known = slot.key == key && slot.generation == generation;
    return slot;
  }
  void begin(std::int32_t id) {
    if (id <= first_id) verdicts = {};  // what they say of these ids was of others
    first_id = id;
    records.clear();
    pool.clear();
    ++generation;
  }
  /// Forgets all records: entries that point to them are none from now on. False when ids are used up.
  bool begin_anew() {
    const std::int32_t next = first_id + static_cast<std::int32_t>(records.size());
    if (next > kMaxIds - static_cast<std::int32_t>(kMaxRecords)) return false;
    begin(next);
    return true;
  }
};

}  // namespace fusebox::sim
