#include <gtest/gtest.h>

#include "grader/simulator/exec/program/program.h"

namespace fusebox::sim {
namespace {

// One letter an instruction: '.' plain, 'g' a guarded branch, 'b' a branch, 'r' ret, 'x' a guarded ret, 'i'
// an indexed branch, '|' a barrier. Branches take their targets from `targets`, in order.
struct Graph {
  std::string name, instructions;
  std::vector<std::uint32_t> targets;
  std::vector<std::vector<std::uint32_t>> tables;
  std::vector<std::uint32_t> firsts, joins;  ///< expected, block by block
};

const std::vector<Graph> kGraphs = {
    {"straight", "..r", {}, {}, {0}, {kExit}},
    {"if", ".g..r", {4}, {}, {0, 2, 4}, {kExit, kExit, kExit}},  // a block that only leaves is no place to
                                                                 // meet
    {"if with more behind", ".g...r", {4}, {}, {0, 2, 4}, {2, 2, kExit}},
    {"if and else", ".g.b...r", {4, 5}, {}, {0, 2, 4, 5}, {3, 3, 3, kExit}},
    {"loop", "..g..r", {1}, {}, {0, 1, 3}, {1, 2, kExit}},
    {"loop with a way out in the middle", ".g.g..r", {4, 0}, {}, {0, 2, 4}, {2, 2, kExit}},
    {"early return", ".x..r", {}, {}, {0, 2}, {kExit, kExit}},
    {"endless loop", ".b", {0}, {}, {0}, {kExit}},
    {"nested ifs", "g.g....r", {6, 5}, {}, {0, 1, 3, 5, 6}, {4, 3, 3, 4, kExit}},
    {"indexed branch", ".i.b.b..r", {6, 6}, {{2, 4, 6}}, {0, 2, 4, 6}, {3, 3, 3, kExit}},
    {"a barrier ends its block", "..|..r", {}, {}, {0, 3}, {1, kExit}},
};

TEST(Blocks, LeadersAndPostDominators) {
  for (const Graph& graph : kGraphs) {
    SCOPED_TRACE(graph.name);
    std::vector<DecodedInstruction> instructions;
    std::vector<bool> leaders(graph.instructions.size() + 1);
    std::size_t next = 0;
    for (char letter : graph.instructions) {
      DecodedInstruction decoded;
      if (letter == 'g' || letter == 'x') decoded.guard = 0;
      decoded.kind = letter == 'g' || letter == 'b'   ? InstructionKind::branch
                     : letter == 'r' || letter == 'x' ? InstructionKind::ret
                     : letter == 'i'                  ? InstructionKind::indexed_branch
                     : letter == '|'                  ? InstructionKind::barrier
                                                      : InstructionKind::plain;
      if (decoded.kind == InstructionKind::branch) leaders[decoded.target = graph.targets[next++]] = true;
      instructions.push_back(decoded);
    }
    for (const auto& table : graph.tables)
      for (std::uint32_t target : table) leaders[target] = true;
    std::vector<std::uint32_t> basic_block_of;
    const auto blocks = find_basic_blocks(instructions, leaders, graph.tables, basic_block_of);
    std::vector<std::uint32_t> firsts, joins;
    for (const BasicBlock& block : blocks) firsts.push_back(block.first), joins.push_back(block.join);
    EXPECT_EQ(firsts, graph.firsts);
    EXPECT_EQ(joins, graph.joins);
    for (std::uint32_t b = 0; b < blocks.size(); ++b)
      for (std::uint32_t s = blocks[b].first; s <= blocks[b].last; ++s) EXPECT_EQ(basic_block_of[s], b);
  }
}

}  // namespace
}  // namespace fusebox::sim
