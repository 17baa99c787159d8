#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "grader/device/gpu_profile.h"
#include "grader/simulator/exec/state/events.h"
#include "grader/simulator/observe/modelled/cache_log.h"
#include "grader/simulator/observe/modelled/l2/dram_visits.h"
#include "grader/simulator/observe/modelled/l2/l2_halves.h"
#include "grader/simulator/observe/modelled/l2/l2_slices.h"
#include "grader/simulator/observe/modelled/sector_cache.h"
#include "grader/simulator/observe/requests/named_range.h"

namespace fusebox::sim {

/// What a launch moved behind the SMs, by the cache model. Bytes; all modelled.
struct CacheTraffic {
  std::uint64_t l2_read_bytes = 0;   ///< global loads that missed L1, bulk loads and atomics
  std::uint64_t l2_write_bytes = 0;  ///< stores write through L1
  std::uint64_t dram_read_bytes = 0;
  std::uint64_t dram_write_bytes =
      0;  ///< dirty sectors cast out while the launch ran; what stays in L2 costs nothing yet
  /// How much longer DRAM is busy than bytes in order would take: in such bytes (DramVisits).
  std::uint64_t dram_extra_bytes = 0;
  /// Of all SMs' ways to L2: a request takes one, and one more for each sector that goes with it; a line of
  /// which whole sectors are written takes those alone.
  std::uint64_t port_cycles = 0;
  std::uint64_t l2_requests = 0;         ///< lines that L2 is asked for, or to change, each time
  std::uint64_t l2_partial_sectors = 0;  ///< stores of less than a sector: each is merged on its own
  std::uint64_t l2_partial_lines = 0;    ///< lines that one request writes such sectors in, summed
  std::uint64_t l2_atomic_bytes =
      0;  ///< of l2_write_bytes: what is changed in L2 and need not go there again
  /// Turns of L2's slices at atomics: of all together, and of the busiest.
  double atomic_turns = 0, busiest_atomic_turns = 0;
  std::uint64_t l1_hit_sectors = 0, l1_sectors = 0;
  /// Straight runs of a warp that had to wait for the slowest of their loads: in shared memory, L1, L2, DRAM.
  /// Loads of one run are in flight together (the compiler hoists them), so a run waits once.
  std::uint64_t shared_waits = 0, l1_waits = 0, l2_waits = 0, dram_waits = 0;
  /// Of those in shared memory and L1: the ones behind a warp's last in L2 or DRAM. What it does then nobody
  /// outside the SM has a share in.
  std::uint64_t waits_within = 0;
  /// Of atomics on shared memory that are loops: their rounds, and how long warps wait for them, in cycles.
  std::uint64_t loop_rounds = 0, loop_cycles = 0;
  std::uint64_t warps = 0;  ///< of the launch
  /// What takes a warp's own time: instructions that it issues, waits for what lies in shared memory, in L1
  /// and behind it, and cycles that it waits for loops (loop_cycles).
  struct WarpWork {
    std::uint64_t instructions = 0, shared_waits = 0, l1_waits = 0, outside_waits = 0, loop_cycles = 0;
    WarpWork& operator+=(const WarpWork& more);
  };
  /// Of one block: lines that it asks for; what all its warps do; what the slowest of them does between two
  /// barriers, summed over these stretches: the others wait for it; and behind the last barrier, where the
  /// others leave and make room, what all do and what the slowest does.
  struct BlockWork {
    std::uint64_t lines = 0;
    WarpWork warps = {}, slowest = {}, last = {}, last_slowest = {};
  };
  /// Of each block. Those that are not run do as those that are, in turn.
  std::vector<BlockWork> of_blocks;
};

/// What a part of a launch's blocks has a part of, beside bytes read from DRAM: those may be read once for
/// all.
inline constexpr std::array kOfBlocks = {
    &CacheTraffic::l2_read_bytes,      &CacheTraffic::l2_write_bytes,   &CacheTraffic::dram_write_bytes,
    &CacheTraffic::dram_extra_bytes,   &CacheTraffic::port_cycles,      &CacheTraffic::l2_requests,
    &CacheTraffic::l2_partial_sectors, &CacheTraffic::l2_partial_lines, &CacheTraffic::l2_atomic_bytes,
    &CacheTraffic::l1_hit_sectors,     &CacheTraffic::l1_sectors,       &CacheTraffic::shared_waits,
    &CacheTraffic::l1_waits,           &CacheTraffic::l2_waits,         &CacheTraffic::dram_waits,
    &CacheTraffic::waits_within,       &CacheTraffic::loop_rounds,      &CacheTraffic::loop_cycles};
static_assert(sizeof(CacheTraffic) == (kOfBlocks.size() + 2) * sizeof(std::uint64_t) + 2 * sizeof(double) +
                                          sizeof(std::vector<CacheTraffic::BlockWork>),
              "dram_read_bytes and warps are no part of it, nor are turns; each other count has to be");

/// The model of simulator.md: per SM a sectored, write-through L1 that is cold at each launch and keeps what
/// is stored; one sectored, write-back L2 that lives from launch to launch; a sector that was written in
/// parts is filled when it goes. Blocks are dealt to SMs in turn. They are modelled one after the other, and
/// what one of them used is gone when it has fetched its own share of the cache. Local memory lies where the
/// hardware has it: a line for each word of a warp, in a place that a block's successors use again. It stays
/// in L1 where that has room for what all resident blocks have of it, and takes this room; else it passes
/// both caches like all that is stored.
class Caches {
 public:
  /// `share`: of one part in so many of the GPU, its L2 and its SMs.
  explicit Caches(const GpuProfile& gpu, unsigned share = 1);
  unsigned share() const { return share_; }

  void begin_launch(const LaunchInfo& launch);
  /// What the blocks did, in their order.
  void apply(std::span<const CacheEvent> events);

  /// A copy passes through L2 and past every L1, and is traffic of its own: launches do not see it. The
  /// host's end is address 0, and so is the source of a memset.
  CacheTraffic copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
  /// Bytes that were written and are in L2 alone.
  std::uint64_t dirty_bytes() const { return 32 * l2_.dirty_sectors(); }

  /// From now on keeps apart what a launch reads from DRAM of each range (sorted by address), in bytes.
  void watch(std::span<const NamedRange> ranges);
  const std::vector<std::uint64_t>& watched() const { return watched_reads_; }

  /// Of the launch since begin_launch.
  CacheTraffic traffic() const;
  /// What a launch leaves behind for the next one; to take a launch back.
  struct Left {
    L2Halves l2;
    std::deque<std::uint64_t> parts;
  };
  Left left() const { return {l2_, parts_}; }
  void set_left(const Left& left) { l2_ = left.l2, parts_ = left.parts; }
  /// Empties L2 too: what a benchmark that flushes before each launch sees.
  void flush();

 private:
  enum class Level : std::uint8_t { none, shared, l1, l2, dram };
  /// What is known of one block of the launch.
  struct Block {
    SectorCache::User in_l1, in_l2;
    CacheTraffic::BlockWork work;
  };
  /// The block at work, as a user of L1 or L2; nullptr: none is.
  SectorCache::User* user(SectorCache::User Block::*of) {
    return block_ != nullptr ? &(block_->*of) : nullptr;
  }
  void begin_block(std::uint64_t block);
  /// One of a block's warps: the slowest of its loads since its last run ended, its waits since the last for
  /// something outside the SM, and what it has done since the block's last barrier.
  struct Waiting {
    Level slowest = Level::none;
    std::uint64_t within = 0;
    CacheTraffic::WarpWork work;
  };
  void access(const CacheEvent& event, Waiting& warp);
  double cycles_of(const CacheTraffic::WarpWork& work) const;
  enum class Stretch : std::uint8_t { to_a_barrier, to_the_end };
  void end_stretch(Stretch stretch);
  std::uint64_t local_line(const CacheEvent& event) const;
  void wait(Waiting& warp);
  std::uint64_t waits_within() const;
  void load(std::uint64_t line, SectorCache::Sectors sectors, bool through_l1, Level& slowest);
  void ask_l1(SectorCache::Sectors sectors, SectorCache::Sectors missed);
  void store(std::uint64_t line, SectorCache::Sectors touched, std::uint32_t words, bool through_l1);
  void change_l2(std::uint64_t line, SectorCache::Sectors touched, std::uint32_t words);
  void fetch(std::uint64_t line, SectorCache::Sectors missed);
  void cast_out(const SectorCache::Effect& effect);
  void fill_from_dram(std::uint64_t line, unsigned sector);
  /// Of L2, which the SM at work lies in.
  unsigned half() const { return sm_ % 2; }

  const GpuProfile gpu_;
  unsigned share_;
  std::uint64_t sms_;  ///< that blocks are dealt to
  std::vector<std::uint64_t> watched_begins_, watched_reads_;
  L2Halves l2_;
  std::deque<std::uint64_t> parts_;  ///< sectors written in parts, as line * 4 + sector, oldest first
  std::uint64_t max_parts_;
  L2Slices slices_;
  DramVisits dram_;
  std::vector<std::unique_ptr<SectorCache>> l1_;  ///< per SM, made when it is first used
  std::vector<std::uint64_t> l1_launch_;  ///< the launch that filled it: an older one's content is gone
  std::uint64_t l1_bytes_ = 0, l1_made_for_ = 0;
  bool local_stays_ = false;  ///< in L1, where all resident blocks have room for theirs
  std::uint64_t launch_ = 0;
  std::size_t sm_ = 0;
  std::uint64_t resident_ = 1;  ///< blocks of the launch that an SM has at a time
  std::uint64_t launch_blocks_ = 0;
  std::uint32_t users_ = 0;     ///< highest id of a user so far
  std::uint32_t l1_above_ = 0;  ///< lower than the ids of this launch
  SectorCache::Reach l1_reach_;
  std::vector<Block> blocks_;  ///< those that have begun, by index
  Block* block_ = nullptr;     ///< in blocks_
  std::array<Waiting, kMaxWarps> warps_{};
  CacheTraffic traffic_;
};

/// Passes on what blocks do as they do it, for a launch whose blocks run in order.
class CacheTap : public CacheLog {
 public:
  explicit CacheTap(Caches& caches) : caches_(caches) {}
  void run_ended(const WarpId& warp) override;
  void launch_end() override { pass_on(); }

 private:
  void pass_on();
  Caches& caches_;
};

}  // namespace fusebox::sim
