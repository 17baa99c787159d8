#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/device/plan.h"
#include "grader/simulator/exec/state/events.h"
#include "grader/simulator/exec/state/fault_log.h"
#include "grader/simulator/observe/races/happens_before.h"
#include "grader/simulator/observe/races/shadow_records.h"

namespace fusebox::sim {

/// Who accessed each word of global memory, and of the shared memory of blocks. Per 4-byte word it keeps the
/// last write and the reads since, as 32-bit entries that point to records of warp instructions: 2 bytes of
/// shadow for each byte of memory that a launch touches, and 32 bytes per warp, instruction and stretch
/// between two synchronisations.
class ShadowMemory {
 public:
  /// The part of one block: its shared memory.
  class Block {
   public:
    /// For another block, of so many warps.
    void begin(std::size_t warps);
    /// All threads know of every access to shared memory so far.
    void all_met() {
      if (!table_.records.empty()) forget();
    }

   private:
    friend class ShadowMemory;
    /// The last record of an instruction, so that a loop does not make new ones.
    struct Known {
      const ptx::Function* function = nullptr;
      Epoch epoch = 0;
      std::uint32_t instruction = 0;
      LaneMask lanes = 0;
      std::uint32_t generation = 0;
      Space space = Space::global;
      std::uint8_t bytes = 0;
      Sharing sharing;
      ShadowEntry entry = 0;
    };
    /// Nothing has been accessed yet, or nothing that matters any more.
    void forget();

    std::vector<ShadowEntry> write_, read_;
    ShadowTable table_;
    std::vector<std::array<Known, 32>> known_;  ///< per warp
  };

  explicit ShadowMemory(AddressRange memory);
  ~ShadowMemory();

  /// Where to put what is found; set before each launch.
  void set_log(FaultLog* log) { log_ = log; }
  void launch_begin();

  /// Whether this access of shared or global memory meets another one in no order; it is remembered. Lanes in
  /// `told` have been reported, and are not again.
  void look(const WarpAccess& access, Block& block, HappensBefore& order, LaneMask& told);

 private:
  using Entry = ShadowEntry;
  using Record = ShadowRecord;
  using Table = ShadowTable;
  static constexpr std::uint64_t kChunkBytes = 64 << 10, kChunkWords = kChunkBytes / 4;
  struct Chunk;
  struct Words {
    Entry *write = nullptr, *read = nullptr;
  };
  struct Member {
    const Record* record = nullptr;
    LaneMask lanes = 0;
    std::uint8_t bytes = 0;
    Entry entry = 0;
  };

  Table& table_of(Space space);
  Words words_at(Space space, std::uint64_t address);
  Entry record(const WarpAccess&, LaneMask lanes, std::uint8_t bytes, Sharing);
  void members(const Table&, Entry, std::vector<Member>& out) const;
  bool all_happened_before(const Table&, Entry);
  bool happened_before(const Record&, LaneMask of, int lane);
  Entry add_read(Table&, Entry old, Entry fresh);
  Entry make_set(Table&, const std::vector<Member>&);
  void look_closely(const WarpAccess&);
  void ask_for_words(const WarpAccess&);
  bool first_touch(const WarpAccess&, int lane, Entry& fresh);
  Entry joined(Table&, Entry old, Entry fresh);
  bool run(const WarpAccess&, LaneMask lanes, std::uint8_t alike);
  bool run_load(Table&, Words, int count, const std::int32_t* lanes, Entry entry);
  bool run_store(Table&, Words, int count, const std::int32_t* lanes, Entry entry);
  void lane_access(const WarpAccess&, int lane, LaneMask group, std::uint8_t alike);
  void word_access(const WarpAccess&, Words, std::uint64_t address, int lane, Entry entry,
                   std::uint8_t bytes);
  void check(const WarpAccess&, const Table&, Entry old, std::uint64_t address, int lane, std::uint8_t bytes,
             bool write_write);
  void report(const WarpAccess&, const Record& other, int other_lane, std::uint64_t address, int lane,
              bool same_value);
  void forget();

  AddressRange memory_;
  FaultLog* log_ = nullptr;
  Table global_;
  std::vector<std::vector<std::unique_ptr<Chunk>>> chunks_;
  std::vector<const ptx::Function*> functions_;
  std::vector<Member> scratch_, kept_;
  // Of the access that is looked at.
  Block* block_ = nullptr;
  HappensBefore* order_ = nullptr;
  std::uint32_t warp_ = 0;
  LaneMask told_ = 0;
};

/// A race of this lane's access at `address`; with what, is still to be said.
RawFault race_of(const WarpAccess& access, int lane, std::uint64_t address);

}  // namespace fusebox::sim
