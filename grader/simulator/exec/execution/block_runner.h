#pragma once

#include <bit>
#include <span>
#include <unordered_map>

#include "grader/simulator/exec/execution/schedule.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

/// Blocks of a cooperative launch wait for each other by design: a warp that spins at the grid's barrier soon
/// lets others arrive.
inline constexpr std::int64_t kCooperativeSlice = 256;

/// Carries out one block of a launch after the other: which warp goes next, and what each instruction does to
/// the flow of its lanes.
class BlockRunner {
 public:
  /// `budget`: warp instructions that may still be issued; several runners may share one.
  BlockRunner(Launch& launch, Schedule& schedule, std::int64_t& budget);
  ~BlockRunner();
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  void begin(std::uint64_t index);

  enum class State { complete, paused, stopped };
  /// Runs the block that begin() prepared until it is complete, or for `turn` warp instructions and a little
  /// more. Stopped: by a fault after which nothing sensible follows, or because the launch was abandoned.
  State run(std::int64_t turn);
  /// Of a block in a cluster, which may wait for another one: whether its polls may fail when nothing moves.
  void may_fail_polls(bool wanted) { may_fail_polls_ = wanted; }
  /// The block has ended, and so have all others of its cluster.
  void end() { flush_output(); }

  Block& block() { return block_; }
  const Block& block() const { return block_; }

 private:
  /// How often a basic block was executed.
  struct Count {
    std::uint64_t warps = 0, lanes = 0, divergent = 0;
    void add(LaneMask issued) {
      ++warps;
      lanes += static_cast<std::uint64_t>(std::popcount(issued));
    }
  };

  /// Warps (a bit for each) at one basic block of the kernel, with all their lanes.
  struct ConvergedGroup {
    std::uint32_t basic_block = 0, warps = 0;
  };
  /// No two at one basic block.
  struct ConvergedGroups {
    std::vector<ConvergedGroup> list;
    void add(std::uint32_t basic_block, std::uint32_t warps);
    ConvergedGroup take_lowest();
    std::uint32_t lowest() const;
  };

  State take_turn(std::int64_t turn);
  void flush_output();
  Count* counts_of(const Program& program);
  void notify_counts();
  void notify_run_ended(const Warp& warp);
  /// At a branch that `taken` lanes take and the others do not.
  void branch_ends_run(const Warp& warp, const BasicBlock& basic_block, LaneMask taken, LaneMask others);
  bool run_warp(Warp& warp);
  bool polls(const Warp& warp) const { return (block_.polling >> warp.id.warp & 1) != 0; }
  bool run_converged();
  void join_converged(Warp& warp);
  void run_group(ConvergedGroup group, std::int64_t end);
  bool branch_together(ConvergedGroup& group, std::span<Warp* const> warps, const DecodedInstruction& branch,
                       const BasicBlock& basic_block);
  void finish_apart(const ConvergedGroup& group, std::span<Warp* const> warps, const DecodedInstruction& last,
                    const BasicBlock& basic_block);
  void run_until_converged(Warp& warp);
  void run_fragment(Warp& warp, Fragment& fragment, std::int64_t slice, bool until_converged = false);
  bool finish(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded,
              const BasicBlock& basic_block);
  void trap(Warp& warp, const DecodedInstruction& decoded, LaneMask lanes);
  bool part(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded, const BasicBlock& basic_block,
            LaneMask taken);
  bool indexed_branch(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded,
                      const BasicBlock& basic_block);
  bool leave_kernel(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded, LaneMask lanes,
                    std::uint32_t next);

  Launch& launch_;
  Schedule& schedule_;
  Block block_;
  std::int64_t& budget_;
  std::unordered_map<const Program*, std::vector<Count>> counts_;
  const Program* counted_ = nullptr;  ///< the last one asked for
  Count* counts_now_ = nullptr;
  ConvergedGroups converged_;
  bool may_fail_polls_ = true;
};

}  // namespace fusebox::sim
