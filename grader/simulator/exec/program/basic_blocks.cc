#include <algorithm>

#include "grader/simulator/exec/program/program.h"

namespace fusebox::sim {
namespace {

bool leaves(const DecodedInstruction& decoded) {
  return decoded.kind == InstructionKind::ret || decoded.kind == InstructionKind::exit ||
         decoded.kind == InstructionKind::trap;
}

void connect(BasicBlock& block, const DecodedInstruction& last, std::uint32_t next,
             const std::vector<std::vector<std::uint32_t>>& tables) {
  bool guarded = last.guard != kNoOperand;
  if (last.kind == InstructionKind::branch) block.successors.push_back(last.target);
  if (last.kind == InstructionKind::indexed_branch) block.successors = tables[last.extra];
  if (leaves(last)) block.successors.push_back(kExit);
  bool falls = guarded || !(last.kind == InstructionKind::branch ||
                            last.kind == InstructionKind::indexed_branch || leaves(last));
  if (falls) block.successors.push_back(next);
  std::sort(block.successors.begin(), block.successors.end());
  block.successors.erase(std::unique(block.successors.begin(), block.successors.end()),
                         block.successors.end());
}

/// Immediate post-dominators by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast
/// Dominance Algorithm", 2001) on the reversed graph; `exit` is the root.
void find_joins(std::vector<BasicBlock>& blocks, const std::vector<DecodedInstruction>& instructions) {
  const std::uint32_t count = static_cast<std::uint32_t>(blocks.size()), exit = count;
  auto node = [&](std::uint32_t successor) { return successor == kExit ? exit : successor; };
  std::vector<std::vector<std::uint32_t>> predecessors(count + 1);
  for (std::uint32_t b = 0; b < count; ++b)
    for (std::uint32_t s : blocks[b].successors) predecessors[node(s)].push_back(b);

  // Post-order of the reversed graph from `exit`. An endless loop never reaches the exit: such blocks keep no
  // join.
  std::vector<std::uint32_t> order, number(count + 1, 0), next_child(count + 1, 0), stack{exit};
  std::vector<bool> seen(count + 1, false);
  seen[exit] = true;
  while (!stack.empty()) {
    std::uint32_t b = stack.back();
    if (next_child[b] < predecessors[b].size()) {
      std::uint32_t p = predecessors[b][next_child[b]++];
      if (!seen[p]) {
        seen[p] = true;
        stack.push_back(p);
      }
    } else {
      number[b] = static_cast<std::uint32_t>(order.size());
      order.push_back(b);
      stack.pop_back();
    }
  }
  constexpr std::uint32_t kUnknown = kExit - 1;
  std::vector<std::uint32_t> immediate(count + 1, kUnknown);
  immediate[exit] = exit;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto b = order.rbegin(); b != order.rend(); ++b) {
      if (*b == exit) continue;
      std::uint32_t best = kUnknown;
      for (std::uint32_t s : blocks[*b].successors) {
        std::uint32_t other = node(s);
        if (immediate[other] == kUnknown) continue;
        if (best == kUnknown) {
          best = other;
          continue;
        }
        while (best != other) {
          while (number[best] < number[other]) best = immediate[best];
          while (number[other] < number[best]) other = immediate[other];
        }
      }
      if (best != immediate[*b]) {
        immediate[*b] = best;
        changed = true;
      }
    }
  }
  // Lanes do not wait for each other to leave: a thread that returns early is gone before the others reach a
  // barrier.
  auto only_leaves = [&](std::uint32_t b) {
    return blocks[b].first == blocks[b].last && leaves(instructions[blocks[b].first]);
  };
  for (std::uint32_t b = 0; b < count; ++b) {
    bool meets = immediate[b] != kUnknown && immediate[b] != exit && !only_leaves(immediate[b]);
    blocks[b].join = meets ? immediate[b] : kExit;
  }
}

}  // namespace

std::vector<BasicBlock> find_basic_blocks(const std::vector<DecodedInstruction>& instructions,
                                          const std::vector<bool>& leaders,
                                          const std::vector<std::vector<std::uint32_t>>& branch_tables,
                                          std::vector<std::uint32_t>& basic_block_of) {
  std::vector<BasicBlock> blocks;
  basic_block_of.assign(instructions.size() + 1, 0);
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    if (i == 0 || leaders[i] || instructions[i - 1].kind != InstructionKind::plain)
      blocks.push_back({i, i, {}, kExit});
    blocks.back().last = i;
    basic_block_of[i] = static_cast<std::uint32_t>(blocks.size() - 1);
  }
  basic_block_of[instructions.size()] = kExit;
  // Branch targets were given as instructions until now; from here on they are basic blocks.
  auto tables = branch_tables;
  for (auto& table : tables)
    for (std::uint32_t& target : table) target = basic_block_of[target];
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    DecodedInstruction last = instructions[blocks[b].last];
    if (last.kind == InstructionKind::branch) last.target = basic_block_of[last.target];
    connect(blocks[b], last, b + 1 < blocks.size() ? b + 1 : kExit, tables);
  }
  find_joins(blocks, instructions);
  return blocks;
}

}  // namespace fusebox::sim
