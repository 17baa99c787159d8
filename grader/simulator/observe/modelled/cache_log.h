#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "grader/simulator/exec/state/observer.h"
#include "grader/simulator/observe/modelled/atomics/shared_loops.h"
#include "grader/simulator/observe/modelled/sector_cache.h"

namespace fusebox::sim {

/// What the cache model has to know of one step of a launch, in 16 bytes.
struct CacheEvent {
  enum class Kind : std::uint8_t {
    block,      ///< a block begins or goes on; `where` is its index
    load,       ///< of one line; `where` is its number
    bulk_load,  ///< of one line, past L1
    store,      ///< of one line
    atomic,     ///< of one line
    float_atomic,
    local_load,
    local_store,  ///< of one line of the warp's local memory; `where` is its number there
    shared,       ///< shared memory was read
    wait,         ///< a straight run of a warp ended: it waits for its slowest load
    loop,         ///< an atomic on shared memory; `where` is how many rounds, `words` how many cycles
    issued,       ///< a warp has issued `where` instructions
    barrier,      ///< of the whole block
    end,          ///< of the block
  };
  std::uint64_t where = 0;
  Kind kind = Kind::wait;
  SectorCache::Sectors touched = 0;  ///< sectors of the line
  std::uint8_t warp = 0;             ///< of the block; not of `block`
  std::uint8_t turns = 0;            ///< atomics: each sector as often as its busiest address has lanes
  std::uint32_t words = 0;           ///< of the line, bit per 4 bytes: those that are touched whole
};

/// Writes down what the cache model needs of some blocks, so that they may run in any order and the model
/// sees them in theirs.
class CacheLog : public Observer {
 public:
  void block_begin(std::uint64_t block) override;
  void block_end(std::uint64_t block) override;
  void access(const WarpAccess& access) override;
  void bulk_access(const WarpAccess& part, int lane) override;
  bool follows_runs() const override { return true; }
  void run_ended(const WarpId& warp) override;
  void warp_issued(const WarpId& warp, std::uint64_t instructions) override;
  void barrier(const WarpId& warp, std::uint32_t instruction, std::uint32_t id, LaneMask) override;
  void barrier_complete(std::uint64_t block, std::uint32_t, std::span<const BarrierParty>,
                        bool whole) override;
  void copies(const WarpId& warp, LaneMask lanes, CopyUse use, std::uint32_t left) override;

  std::vector<CacheEvent>& events() { return events_; }
  /// Forgets all, and will keep `most` events at a time: a block that never ends has no end of them.
  void begin(std::size_t most) {
    events_.clear();
    block_ = kNone;
    max_events_ = most;
    overflowed_ = false;
  }
  /// There were more; what is there is not all that happened.
  bool overflowed() const { return overflowed_; }

 private:
  void add(const CacheEvent& event) {
    if (events_.size() < max_events_)
      events_.push_back(event);
    else
      overflowed_ = true;
  }
  /// Stores of a straight run of one warp, without a load or an atomic in between, to parts of the same
  /// sectors: they leave the SM as one.
  struct Joined {
    static constexpr std::size_t kMaxLines = 4;
    std::array<CacheEvent, kMaxLines> stores;
    std::size_t count = 0;
    bool take(std::span<const CacheEvent> more);
  };
  /// What one warp has asked for and not yet waited for.
  struct Asked {
    bool loaded = false, shared = false;  ///< since it last waited
    bool copied = false;                  ///< by cp.async, since it last waited for copies
    std::uint8_t depth = 0;               ///< of the loads since its last run of instructions ended
    Joined joined{};
  };
  /// What is known of a function's instructions.
  struct Code {
    enum class Atomic : std::uint8_t { of_integers, of_floats, by_one_lane };
    std::vector<std::uint8_t> depths;
    std::vector<Atomic> atomics;
    std::vector<bool> shared_loops;
  };
  void follow(std::uint64_t block);
  void global(const WarpAccess& access, CacheEvent::Kind kind, bool awaited);
  void add_loop(const WarpAccess& access);
  void local(const WarpAccess& access, bool awaited);
  void store(std::span<const CacheEvent> lines, Joined& joined);
  void send(Joined& joined);
  const Code* code_of(const WarpAccess& access);
  /// Waits for what the access needs first. False: nobody will wait for this one until he says so.
  bool wait_for_earlier(const WarpAccess& access, Asked& asked);
  void wait(const WarpId& warp, Asked& asked);

  std::vector<CacheEvent> events_;
  std::size_t max_events_ = ~std::size_t{0};
  bool overflowed_ = false;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::uint64_t block_ = kNone;  ///< whose events are written down
  std::array<Asked, kMaxWarps> asked_;
  std::map<const ptx::Function*, Code> known_;
  const ptx::Function* code_function_ = nullptr;
  const Code* code_ = nullptr;
  SharedLoops loops_;
};

}  // namespace fusebox::sim
