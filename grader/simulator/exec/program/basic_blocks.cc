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

/// The basic blocks as a graph with one more node, the exit, that all paths out of the function lead to.
struct ExitGraph {
  explicit ExitGraph(const std::vector<BasicBlock>& blocks)
      : exit(static_cast<std::uint32_t>(blocks.size())), predecessors(blocks.size() + 1) {
    for (std::uint32_t b = 0; b < exit; ++b)
      for (const std::uint32_t s : blocks[b].successors) predecessors[node(s)].push_back(b);
  }
  std::uint32_t node(std::uint32_t successor) const { return successor == kExit ? exit : successor; }

  std::uint32_t exit;
  std::vector<std::vector<std::uint32_t>> predecessors;
};

/// The post-order of the reversed graph from the exit. A block of an endless loop never reaches it, and is
/// not among them.
std::vector<std::uint32_t> reversed_post_order(const ExitGraph& graph) {
  std::vector<std::uint32_t> order, next_child(graph.predecessors.size(), 0), stack{graph.exit};
  std::vector<bool> seen(graph.predecessors.size(), false);
  seen[graph.exit] = true;
  while (!stack.empty()) {
    const std::uint32_t b = stack.back();
    if (next_child[b] < graph.predecessors[b].size()) {
      const std::uint32_t p = graph.predecessors[b][next_child[b]++];
      if (seen[p]) continue;
      seen[p] = true;
      stack.push_back(p);
    } else {
      order.push_back(b);
      stack.pop_back();
    }
  }
  return order;
}

constexpr std::uint32_t kUnknown = kExit - 1;

/// Immediate post-dominators by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast
/// Dominance Algorithm", 2001) on the reversed graph, whose root is the exit. kUnknown where the exit is
/// never reached.
std::vector<std::uint32_t> post_dominators(const ExitGraph& graph, const std::vector<BasicBlock>& blocks) {
  const std::vector<std::uint32_t> order = reversed_post_order(graph);
  std::vector<std::uint32_t> number(blocks.size() + 1, 0), immediate(blocks.size() + 1, kUnknown);
  for (std::uint32_t k = 0; k < order.size(); ++k) number[order[k]] = k;
  const auto common = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = immediate[a];
      while (number[b] < number[a]) b = immediate[b];
    }
    return a;
  };
  immediate[graph.exit] = graph.exit;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto b = order.rbegin(); b != order.rend(); ++b) {
      if (*b == graph.exit) continue;
      std::uint32_t best = kUnknown;
      for (const std::uint32_t s : blocks[*b].successors) {
        const std::uint32_t other = graph.node(s);
        if (immediate[other] == kUnknown) continue;
        best = best == kUnknown ? other : common(best, other);
      }
      changed = changed || best != immediate[*b];
      immediate[*b] = best;
    }
  }
  return immediate;
}

/// Sets where lanes that part at the end of a block meet again.
void find_joins(std::vector<BasicBlock>& blocks, const std::vector<DecodedInstruction>& instructions) {
  const ExitGraph graph(blocks);
  const std::vector<std::uint32_t> immediate = post_dominators(graph, blocks);
  // Lanes do not wait for each other to leave: a thread that returns early is gone before the others reach a
  // barrier.
  auto only_leaves = [&](std::uint32_t b) {
    return blocks[b].first == blocks[b].last && leaves(instructions[blocks[b].first]);
  };
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    bool meets = immediate[b] != kUnknown && immediate[b] != graph.exit && !only_leaves(immediate[b]);
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
