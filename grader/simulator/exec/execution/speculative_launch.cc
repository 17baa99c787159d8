#include "grader/simulator/exec/execution/speculative_launch.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/execution/block_runner.h"
#include "grader/simulator/exec/memory/undo_log.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/block.h"
#include "grader/simulator/exec/state/reduction.h"

namespace fusebox::sim {
namespace {

bool names_clock(const ptx::Operand& operand) {
  return operand.name.starts_with("%clock") || operand.name.starts_with("%globaltimer") ||
         std::any_of(operand.elements.begin(), operand.elements.end(), names_clock);
}

/// May it pass something between blocks that is not a plain access, or tell when it ran?
bool is_ordered(const ptx::Instruction& i) {
  static constexpr std::array<std::string_view, 4> kOrders = {"volatile", "relaxed", "acquire", "release"};
  const ptx::Blocks blocks = ptx::traits_of(i.opcode).blocks;
  if (blocks == ptx::Blocks::always) return true;
  if (std::any_of(i.operands.begin(), i.operands.end(), names_clock)) return true;
  if (blocks == ptx::Blocks::reducing && i.has("reduce")) return true;
  const auto in_block = [](const std::string& modifier) {
    return modifier == "shared" || modifier == "shared::cta" || modifier == "local";
  };
  if (std::any_of(i.modifiers.begin(), i.modifiers.end(),
                  [](const std::string& m) { return m == "cluster" || m.ends_with("::cluster"); }))
    return true;
  if (std::any_of(i.modifiers.begin(), i.modifiers.end(), in_block)) return false;
  if (blocks == ptx::Blocks::outside) return true;
  return blocks == ptx::Blocks::by_order &&
         std::any_of(i.modifiers.begin(), i.modifiers.end(), [](const std::string& m) {
           return std::find(kOrders.begin(), kOrders.end(), m) != kOrders.end();
         });
}

BlockTies ties_of(const LoadedModule& module, const Program& program, std::set<const Program*>& seen) {
  if (!seen.insert(&program).second) return BlockTies::none;
  const auto& instructions = program.function->instructions;
  const std::vector<Reduction> reductions = blind_reductions(*program.function);
  BlockTies ties = BlockTies::none;
  for (std::size_t k = 0; k < instructions.size() && ties != BlockTies::any; ++k) {
    if (is_ordered(instructions[k]))
      ties = reductions[k] == Reduction::none ? BlockTies::any : std::max(ties, BlockTies::reductions);
    if (instructions[k].opcode != ptx::Opcode::call) continue;
    // What the runtime brings to the device (print, assert) is no call of a function that is here.
    if (program.instructions[k].kind != InstructionKind::call) return BlockTies::any;
    const CallSite& site = program.calls[program.instructions[k].extra];
    const Program* callee = site.callee == nullptr ? nullptr : module.find(site.callee);
    ties = callee == nullptr ? BlockTies::any : std::max(ties, ties_of(module, *callee, seen));
  }
  return ties;
}

}  // namespace

BlockTies ties_of_blocks(const LoadedModule& module, const Program& program) {
  std::set<const Program*> seen;
  return ties_of(module, program, seen);
}

std::uint64_t choose_chunk_blocks(std::uint64_t blocks, std::size_t workers) {
  const std::uint64_t wanted = std::max<std::uint64_t>(blocks / (16 * workers), 1);
  // Chunks that share a sector would send the launch back: 32 blocks fill one even when each writes one byte.
  for (const std::uint64_t step : {32, 8})
    if (blocks >= step * 2 * workers) return (wanted + step - 1) / step * step;
  return wanted;
}

Ending execute_speculatively(std::span<Worker> workers, const LaunchLimits& limits,
                             std::uint64_t chunk_blocks,
                             const std::function<bool(std::size_t, std::uint64_t)>& chunk_done,
                             const std::function<bool()>& met, const std::function<void()>& abandoned,
                             const std::function<void()>& meanwhile) {
  const std::uint64_t begin = workers[0].launch.first_block, blocks = workers[0].launch.end_block();
  std::atomic<std::uint64_t> next_chunk = 0, issued = 0;
  std::atomic<bool> abandon = false;
  const auto look = [&]() noexcept {
    if (!abandon && met()) abandon = true;
  };
  std::barrier first_chunks(static_cast<std::ptrdiff_t>(workers.size()), look);

  const auto work = [&](std::size_t me) {
    Launch& launch = workers[me].launch;
    launch.faults = &workers[me].faults;
    launch.abandon = &abandon;
    begin_launch(launch);
    Schedule schedule(std::nullopt);
    const auto limit = static_cast<std::int64_t>(limits.max_warp_instructions);
    std::int64_t budget = limit;
    launch.faults->count_against(&budget);
    BlockRunner runner(launch, schedule, budget);
    bool first_done = false;
    while (!abandon.load(std::memory_order_relaxed)) {
      const std::uint64_t chunk = next_chunk.fetch_add(1), first = begin + chunk * chunk_blocks;
      if (first >= blocks) break;
      for (std::uint64_t block = first; block < std::min(first + chunk_blocks, blocks); ++block) {
        runner.begin(block);
        while (runner.run(limit) == BlockRunner::State::paused) {
        }
        if (!workers[me].faults.faults().empty() || launch.abandoned()) abandon = true;
        if (abandon.load(std::memory_order_relaxed)) break;
      }
      if (!abandon.load(std::memory_order_relaxed) && !chunk_done(me, chunk)) abandon = true;
      if (!std::exchange(first_done, true)) first_chunks.arrive_and_wait();
    }
    if (!first_done) first_chunks.arrive_and_drop();
    launch.faults->count_against(nullptr);
    launch.work = static_cast<std::uint64_t>(limit - budget);
    issued += launch.work;
    if (abandon) abandoned();
  };

  std::vector<std::jthread> threads;
  for (std::size_t me = 0; me < workers.size(); ++me) threads.emplace_back(work, me);
  meanwhile();
  threads.clear();  // joins
  return abandon || issued > limits.max_warp_instructions ? Ending::stopped : Ending::complete;
}

}  // namespace fusebox::sim
