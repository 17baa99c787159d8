// The kernels beside testdata/kernels/races.cu say what is a race. Here the shadow memory, which forgets and
// takes short cuts, is compared with a history that keeps everything.

#include "grader/simulator/observe/races/races.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kThreads = 80;  // two whole warps and a half one
constexpr std::uint32_t kWarps = 3;
constexpr std::uint64_t kBase = 0x600000000000;
constexpr std::uint64_t kWindow = 192;  // bytes that the accesses fall into, and across the end of a chunk

/// Everything that happened, and vector clocks of all threads.
class History {
 public:
  History() { restart(); }
  void restart() {
    for (std::uint32_t t = 0; t < kThreads; ++t) {
      clocks_[t].fill(0);
      clocks_[t][t] = 1;
    }
  }
  void next_block() { ++block_, restart(); }
  void forget() { past_.clear(); }

  void meet(const std::vector<std::uint32_t>& threads) {
    std::array<std::uint32_t, kThreads> all{};
    for (std::uint32_t t : threads)
      for (std::uint32_t k = 0; k < kThreads; ++k) all[k] = std::max(all[k], clocks_[t][k]);
    for (std::uint32_t t : threads) clocks_[t] = all, ++clocks_[t][t];
  }
  /// True when the access is a race with something before it.
  bool access(std::uint32_t thread, std::uint64_t address, std::uint32_t bytes, AccessKind kind) {
    bool race = false;
    for (const Past& p : past_) {
      if (p.address >= address + bytes || address >= p.address + p.bytes) continue;
      if (p.kind == AccessKind::load && kind == AccessKind::load) continue;
      if (p.kind == AccessKind::atomic && kind == AccessKind::atomic) continue;
      if (p.block == block_ && (p.thread == thread || p.clock <= clocks_[thread][p.thread])) continue;
      race = true;
    }
    // An atomic stands for the ones before it at its address: whoever is ordered behind it may reset a
    // counter.
    if (kind == AccessKind::atomic)
      std::erase_if(past_, [&](const Past& p) { return p.kind == kind && p.address == address; });
    past_.push_back({block_, thread, clocks_[thread][thread], address, bytes, kind});
    return race;
  }

 private:
  struct Past {
    std::uint64_t block;
    std::uint32_t thread, clock;
    std::uint64_t address;
    std::uint32_t bytes;
    AccessKind kind;
  };
  std::uint64_t block_ = 0;
  std::array<std::array<std::uint32_t, kThreads>, kThreads> clocks_;
  std::vector<Past> past_;
};

LaneMask lanes_of(std::uint32_t warp) { return warp == 2 ? 0xffffu : ~0u; }

struct Trial {
  explicit Trial(std::uint32_t seed) : random(seed), races({kBase, 1 << 20}) {
    function.instructions.resize(64);
    launch.function = &function;
    launch.block = {kThreads, 1, 1};
    launch.grid = {4, 1, 1};
    space = seed % 2 ? Space::shared : Space::global;
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); }

  std::vector<std::uint32_t> threads(std::uint32_t warp, LaneMask lanes) {
    std::vector<std::uint32_t> list;
    for (std::uint32_t l = 0; l < 32; ++l)
      if (lanes >> l & 1) list.push_back(warp * 32 + l);
    return list;
  }

  void synchronise() {
    const std::uint32_t kind = below(8), warp = below(kWarps);
    trace += fmt::format("\nsync {} warp {}", kind, warp);
    if (kind < 3) {
      std::vector<BarrierParty> parties;
      std::vector<std::uint32_t> all;
      for (std::uint32_t w = 0; w < kWarps; ++w) {
        parties.push_back({w, lanes_of(w), true});
        for (std::uint32_t t : threads(w, lanes_of(w))) all.push_back(t);
      }
      races.barrier_complete(block, 0, parties, true);
      history.meet(all);
    } else if (kind == 3) {  // two warps at a named barrier
      const std::uint32_t other = (warp + 1) % kWarps;
      const std::vector<BarrierParty> parties{{warp, lanes_of(warp), true}, {other, lanes_of(other), true}};
      races.barrier_complete(block, 1, parties, false);
      auto both = threads(warp, lanes_of(warp));
      for (std::uint32_t t : threads(other, lanes_of(other))) both.push_back(t);
      history.meet(both);
    } else {
      LaneMask lanes = lanes_of(warp);
      if (kind == 6) lanes &= 0xffffu << (16 * below(2));
      if (kind == 7) lanes &= static_cast<LaneMask>(random());
      trace += fmt::format(" lanes {:x}", lanes);
      if (lanes == 0) return;
      races.warp_sync({block, warp, &function}, lanes, lanes == lanes_of(warp));
      history.meet(threads(warp, lanes));
    }
  }

  /// One warp instruction; what the history says of its lanes goes into `expected`.
  void access() {
    WarpAccess a;
    std::uint64_t address[kWarpSize] = {};
    a.space = space;
    a.warp = {block, below(kWarps), &function};
    const std::uint32_t kind = below(10);
    a.kind = kind < 6 ? AccessKind::load : kind < 9 ? AccessKind::store : AccessKind::atomic;
    a.bytes = static_cast<std::uint8_t>(1u << below(5));
    if (a.kind == AccessKind::atomic) a.bytes = 4, a.order = Order::relaxed;
    // An instruction always does the same.
    a.instruction = static_cast<std::uint32_t>(std::countr_zero(unsigned{a.bytes})) * 3 +
                    static_cast<std::uint32_t>(a.kind);
    a.lanes = lanes_of(a.warp.warp);
    const std::uint32_t shape = below(10), alike = below(32);
    if (shape == 4 || shape == 5) a.lanes &= static_cast<LaneMask>(random());
    if (a.lanes == 0) return;
    // Half of it lies before the end of a chunk of shadow, half behind.
    const std::uint64_t base =
        (space == Space::shared ? 0 : kBase + (64 << 10) - kWindow / 2) + below(kWindow / a.bytes) * a.bytes;
    for (std::uint32_t l = 0; l < 32; ++l) {
      const std::uint64_t index = shape < 3    ? l
                                  : shape == 3 ? 0
                                  : shape == 4 ? l / 4
                                  : shape == 5 ? below(16)
                                  : shape < 9  ? (l & ~alike) / 2   // rows, columns and tiles
                                               : l % 8 * 4 + l / 8;  // transposed
      address[l] = base + index * a.bytes;
    }
    a.address = address;
    for (std::uint32_t l = 0; l < 32; ++l)
      if (a.lanes >> l & 1)
        expected = history.access(a.warp.warp * 32 + l, address[l], a.bytes, a.kind) || expected;
    races.access(a);
    trace += fmt::format("\nblock {} warp {} kind {} bytes {} lanes {:x} shape {} at {:x}", block,
                         a.warp.warp, static_cast<int>(a.kind), a.bytes, a.lanes, shape, base);
  }

  std::mt19937 random;
  Races races;
  FaultLog log;
  History history;
  ptx::Function function;
  LaunchInfo launch;
  Space space;
  std::uint64_t block = 0;
  bool expected = false;
  std::string trace;
};

TEST(Races, AgreeWithAHistoryThatKeepsEverything) {
  int found = 0, steps = 0;
  for (std::uint32_t seed = 0; seed < 10000; ++seed) {
    Trial trial(seed);
    trial.races.set_log(&trial.log);
    trial.races.launch_begin(trial.launch);
    trial.races.block_begin(0);
    for (int step = 0; step < 60 && !trial.expected; ++step, ++steps) {
      // Runs end at their first race: behind it, what is kept of a word is a matter of taste.
      if (trial.below(3) != 0 || trial.block == 3) trial.synchronise();
      if (trial.below(40) == 0 && trial.block < 3) {
        trial.races.block_end(trial.block);
        trial.history.next_block();
        if (trial.space == Space::shared) trial.history.forget();
        trial.races.block_begin(++trial.block);
      }
      trial.access();
      ASSERT_EQ(!trial.log.faults().empty(), trial.expected)
          << "seed " << seed << " step " << step << ": " << trial.trace;
    }
    found += trial.expected;
  }
  // Both outcomes are common, or the comparison says little.
  EXPECT_GT(found, 500);
  EXPECT_GT(steps, 8000);
}

}  // namespace
}  // namespace fusebox::sim
