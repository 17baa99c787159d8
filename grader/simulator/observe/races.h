#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/device/plan.h"
#include "grader/simulator/exec/block.h"
#include "grader/simulator/observe/races_order.h"

namespace fusebox::sim {

/// Finds data races: two accesses of the same byte of shared or global memory, at least one a write, not both
/// atomic, that nothing orders. What orders is in races_order.h.
///
/// Per 4-byte word it keeps the last write and the reads since, as 32-bit entries that point to records of
/// warp instructions: 2 bytes of shadow for each byte of memory that a launch touches, and 32 bytes per warp,
/// instruction and stretch between two synchronisations.
class Races : public Observer {
 public:
  explicit Races(AddressRange memory);
  ~Races() override;

  /// Where to put what is found; set before each launch.
  void set_log(FaultLog* log) { log_ = log; }

  void launch_begin(const LaunchInfo&) override;
  void launch_end() override;
  void block_begin(std::uint64_t block) override;
  void block_end(std::uint64_t block) override;
  void access(const WarpAccess&) override;
  void barrier_arrive(const WarpId&, std::uint32_t id, LaneMask) override;
  void barrier_complete(std::uint64_t block, std::uint32_t id, std::span<const BarrierParty>,
                        bool whole) override;
  void warp_sync(const WarpId&, LaneMask, bool whole) override;
  void fence(const WarpId&, LaneMask, Order, Scope) override;
  void mbarrier(const WarpAccess&, MbarrierUse) override;
  void arrive_in_cluster(const WarpId&, LaneMask, const std::uint64_t* block,
                         const std::uint64_t* address) override;
  void cluster_barrier(std::span<const std::uint64_t> blocks) override;
  void bulk_access(const WarpAccess& part, int lane) override;
  void copies(const WarpId&, LaneMask, CopyUse, std::uint32_t left) override;

 private:
  /// id << 7 | many << 6 | several << 5 | lane. `several`: all lanes of the record; `many`: a set of several
  /// records of more than one block. Positive, and 0 or less than the launch's first: none.
  using Entry = std::int32_t;
  struct Record;
  struct Table;
  struct BlockState;
  struct Chunk;
  struct Flying;
  struct Words {
    Entry *write = nullptr, *read = nullptr;
  };
  struct Member {
    const Record* record = nullptr;
    LaneMask lanes = 0;
    std::uint8_t bytes = 0;
    Entry entry = 0;
  };

  /// How lanes of one instruction share words.
  struct Sharing {
    std::uint8_t part = 4;  ///< below 4: neighbouring lanes share a word, each this many bytes
    std::uint8_t alike =
        0;  ///< bits of a lane's number that do not matter: 16, lanes l and l + 16 read one word
    bool operator==(const Sharing&) const = default;
  };

  BlockState& state_of(std::uint64_t block);
  BlockOrder& order_of(std::uint64_t block);
  Table& table_of(Space space);
  Words words_at(Space space, std::uint64_t address);
  Entry record(const WarpAccess&, LaneMask lanes, std::uint8_t bytes, Sharing);
  void members(const Table&, Entry, std::vector<Member>& out) const;
  bool all_know(const Table&, Entry);
  bool knows(const Record&, LaneMask of, int lane);
  Entry add_read(Table&, Entry old, Entry fresh);
  Entry make_set(Table&, const std::vector<Member>&);
  void look(const WarpAccess&);
  Entry joined(Table&, Entry old, Entry fresh);
  bool run(const WarpAccess&, LaneMask lanes, std::uint8_t alike);
  bool run_load(Table&, Words, int count, const std::int32_t* lanes, Entry entry);
  bool run_store(Table&, Words, int count, const std::int32_t* lanes, Entry entry);
  void lane_access(const WarpAccess&, int lane, LaneMask group, std::uint8_t alike);
  void word_access(const WarpAccess&, Words, std::uint64_t address, int lane, Entry entry,
                   std::uint8_t bytes);
  void check(const WarpAccess&, const Table&, Entry old, std::uint64_t address, int lane, std::uint8_t bytes,
             std::uint8_t strong, bool write_write);
  void report(const WarpAccess&, const Record& other, int other_lane, std::uint64_t address, int lane,
              bool same_value);
  void synchronise(const WarpAccess&);
  /// A race of this lane's access at `address`; with what, is still to be said.
  RawFault race_of(const WarpAccess&, int lane, std::uint64_t address) const;
  LaneMask meet_copies(const WarpAccess&);
  void take_off(const WarpAccess&);
  void take_off_in_bulk(const WarpAccess&, int lane);
  void forget();

  AddressRange memory_;
  FaultLog* log_ = nullptr;
  LaunchInfo launch_;
  Publications publications_;
  std::unique_ptr<Table> global_;
  std::vector<std::vector<std::unique_ptr<Chunk>>> chunks_;
  std::vector<std::unique_ptr<BlockState>> blocks_, idle_;
  BlockState* now_ = nullptr;
  std::uint32_t warp_ = 0;  ///< that makes the access
  LaneMask told_ = 0;       ///< lanes whose access has been reported
  std::vector<const ptx::Function*> functions_;
  std::vector<Member> scratch_, kept_;
};

/// Where a race's line also reads what nobody had written yet, that is the race's doing: the race comes
/// first.
void put_races_first(std::vector<RawFault>& faults);

}  // namespace fusebox::sim
