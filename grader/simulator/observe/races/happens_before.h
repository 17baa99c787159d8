#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "grader/simulator/exec/state/events.h"

namespace fusebox::sim {

/// A moment in a block's execution: it grows with every event that orders its threads. An access carries the
/// moment of its warp's last such event.
using Epoch = std::uint32_t;
/// Per thread of a block: its accesses with smaller epochs are known to have happened.
using VectorClock = std::vector<Epoch>;
using SharedClock = std::shared_ptr<const VectorClock>;

struct Acquired;

/// What a thread had seen when it executed a fence, published by its next atomic or volatile store.
/// Without a fence, a strong store that follows a barrier of its block still publishes the block's loads
/// before that barrier: their values are there, so nothing that is stored after it was seen can change them.
struct Release {
  std::uint64_t block = 0;
  std::uint32_t thread = 0;
  bool wide = false;         ///< by a fence that reaches beyond the block
  bool loads_only = false;   ///< there was none
  Epoch time = 0;            ///< of the thread itself
  Epoch base = 0, met = 0;   ///< of its whole block, of its whole warp
  Epoch latest = ~Epoch{0};  ///< of its block when it was published: nothing from here on is covered
  std::array<SharedClock, 3> clocks;
  const Acquired* others = nullptr;  ///< what it had itself acquired

  bool covers(std::uint32_t thread_of_block, Epoch epoch) const;
};

/// Releases that were published at one place since its last plain replacement. Views point to them, so they
/// stay where they are while it grows.
using ReleaseLog = std::vector<std::unique_ptr<const Release>>;

/// The first `count` releases of a log, and all that `before` and `also` have. Lives as long as the launch.
struct Acquired {
  const ReleaseLog* log = nullptr;
  std::size_t count = 0;
  const Acquired *before = nullptr, *also = nullptr;
};

/// Releases and acquisitions of a launch, by the address at which they happened.
class Publications {
 public:
  void clear();
  const Acquired* join(const Acquired* a, const Acquired* b);
  const Acquired* acquire(const ReleaseLog& log, std::size_t count, const Acquired* before);
  ReleaseLog* new_log() { return &logs_.emplace_back(); }
  /// True when `known` says that this access of another block, `load` or not, happened before.
  bool reaches(const Acquired* known, std::uint64_t block, std::uint32_t thread, Epoch epoch, bool load);

  /// True when `known` has anything of that block.
  bool reaches(const Acquired* known, std::uint64_t block);
  /// The vector clocks have grown too large, for memory or for time: it is no longer known what is ordered.
  bool exhausted() const { return spent_ > kMaxSpent; }
  /// Roughly nanoseconds, or bytes.
  void spend(std::uint64_t effort) { spent_ += effort; }

  std::unordered_map<std::uint64_t, ReleaseLog*> global;  ///< by address

 private:
  static constexpr std::uint64_t kMaxSpent = 500'000'000;
  struct Known {
    const Release* release = nullptr;
    bool loads_only = false;
  };
  using View = std::unordered_map<std::uint64_t, std::vector<Known>>;
  const View& view_of(const Acquired* known);
  /// Per block: accesses of any of its threads before `base` are known, from `latest` on none is. Most of
  /// what a view says, at a price that does not grow with all that went before: behind a barrier of the grid
  /// nearly every question is answered so.
  struct Bounds {
    std::vector<Epoch> base, latest;
    std::vector<const Release*> last;  ///< beside `base`: of those that tell of stores; null: there is none
  };
  const Bounds* bounds_of(const Acquired* known);
  void add_bounds(const Acquired& known, Bounds& bounds);

  std::deque<ReleaseLog> logs_;
  std::deque<Acquired> acquired_;
  std::unordered_map<const Acquired*, View> views_;
  std::unordered_map<const Acquired*, Bounds> bounds_;
  std::uint64_t bounds_steps_ = 0, bounds_held_ = 0;
  std::uint64_t spent_ = 0;
};

/// The happens-before relation of one block's threads. Barriers of all threads and meetings of whole warps
/// are one number each; what smaller groups know of each other is kept in clocks that exist only where they
/// are needed, until the next such barrier or meeting.
class HappensBefore {
 public:
  struct Lane {
    SharedClock clock;
    const Acquired* others = nullptr;
    const ReleaseLog* last_log = nullptr;
    std::size_t last_count = 0;
    std::array<Release, 2> fences;  ///< within the block, beyond it; time 0: none
  };
  struct Warp {
    Epoch epoch = 1;    ///< of the accesses that it makes now
    Epoch met = 0;      ///< accesses of its own lanes before this are known to all its lanes
    SharedClock clock;  ///< what all its lanes know of other threads
    const Acquired* others = nullptr;
    std::vector<Lane> lanes;  ///< empty until a lane has fenced or knows more than its warp
    bool lanes_know = false;  ///< some lane knows more
    std::array<LaneMask, 4> met_masks{};
    int meetings = 0;  ///< since the last access: meeting again tells nothing new
  };

  void begin(std::uint64_t block, std::uint32_t threads, Publications& publications);

  void barrier_arrive(std::uint32_t warp, std::uint32_t id, LaneMask lanes);
  void barrier_complete(std::uint32_t id, std::span<const BarrierParty> parties, bool whole);
  /// What these know of is known to all of them from now on.
  void meet(std::span<const BarrierParty> parties) { join_parties(parties, {}); }
  void warp_sync(std::uint32_t warp, LaneMask lanes, bool whole);
  /// Lanes arrive at the mbarrier at `address` in shared memory: what they did and know is there for those
  /// who wait.
  void mbarrier_arrive(std::uint32_t warp, LaneMask lanes, std::uint64_t address);
  /// Lanes have seen a phase of it complete. They know of all arrivals until now, of the next phase too: an
  /// mbarrier is read and written by every one of them in turn, and each hands on what the one before it had.
  void mbarrier_wait(std::uint32_t warp, LaneMask lanes, std::uint64_t address);
  void fence(std::uint32_t warp, LaneMask lanes, Order order, Scope scope);
  /// An atomic or a volatile or otherwise strong access of one lane at a place in memory.
  void synchronise(std::uint32_t warp, int lane, bool reads, bool writes, bool replaces, Space space,
                   std::uint64_t address);

  std::uint64_t block() const { return block_; }
  Warp& warp(std::uint32_t index) { return warps_[index]; }
  Epoch base() const { return base_; }
  /// Whether a lane knows anything of what another block did.
  bool knows_block(std::uint32_t warp, int lane, std::uint64_t block);
  /// Whether any thread knows that this access of another block happened.
  bool someone_knows(std::uint64_t block, std::uint32_t thread, Epoch epoch);
  bool knows_other_blocks() const { return knows_others_; }
  /// True when all lanes of `warp` know that accesses of `lanes` of another warp instruction happened.
  bool all_happened_before(std::uint32_t warp, std::uint64_t block, std::uint32_t of_warp, LaneMask lanes,
                           Epoch epoch, bool load);
  /// The same for one lane and one thread.
  bool happened_before(std::uint32_t warp, int lane, std::uint64_t block, std::uint32_t thread, Epoch epoch,
                       bool load);

 private:
  struct Arrival {
    VectorClock clock;
    const Acquired* others = nullptr;
  };
  Lane& lane_of(std::uint32_t warp, int lane);
  void join_clock(std::uint32_t warp, LaneMask lanes, bool whole, const std::shared_ptr<VectorClock>& clock,
                  const Acquired* others);
  void collect_clock(VectorClock& clock, std::uint32_t warp, LaneMask lanes, const Acquired*& others);
  void pool_fences();
  void join_parties(std::span<const BarrierParty> parties, std::span<const Arrival> arrived);

  std::uint64_t block_ = 0;
  std::uint32_t threads_ = 0;
  Publications* publications_ = nullptr;
  Epoch now_ = 1, base_ = 0;
  const Acquired* others_ = nullptr;
  bool knows_others_ = false;
  bool fenced_since_barrier_ = false;
  SharedClock fenced_;  ///< what each thread had behind a wide fence when all met at a barrier
  std::vector<Warp> warps_;
  std::unordered_map<std::uint64_t, Arrival> mbarriers_;  ///< by address: all arrivals
  std::array<std::vector<Arrival>, 16> arrivals_;         ///< of those that do not wait, in order
  std::unordered_map<std::uint64_t, ReleaseLog*> shared_;
};

}  // namespace fusebox::sim
