#include <gtest/gtest.h>

#include "grader/simulator/exec/program/program.h"

namespace fusebox::sim {
namespace {

// One letter a step: '.' plain, 'g' a guarded branch, 'b' a branch, 'r' ret, 'x' a guarded ret, 'i' an
// indexed branch, '|' a barrier. Branches take their targets from `targets`, in order.
struct Graph {
  std::string name, steps;
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
    std::vector<Step> steps;
    std::vector<bool> leaders(graph.steps.size() + 1);
    std::size_t next = 0;
    for (char letter : graph.steps) {
      Step step;
      if (letter == 'g' || letter == 'x') step.guard = 0;
      step.kind = letter == 'g' || letter == 'b'   ? StepKind::branch
                  : letter == 'r' || letter == 'x' ? StepKind::ret
                  : letter == 'i'                  ? StepKind::indexed_branch
                  : letter == '|'                  ? StepKind::barrier
                                                   : StepKind::plain;
      if (step.kind == StepKind::branch) leaders[step.target = graph.targets[next++]] = true;
      steps.push_back(step);
    }
    for (const auto& table : graph.tables)
      for (std::uint32_t target : table) leaders[target] = true;
    std::vector<std::uint32_t> block_of_step;
    const auto blocks = find_blocks(steps, leaders, graph.tables, block_of_step);
    std::vector<std::uint32_t> firsts, joins;
    for (const BasicBlock& block : blocks) firsts.push_back(block.first), joins.push_back(block.join);
    EXPECT_EQ(firsts, graph.firsts);
    EXPECT_EQ(joins, graph.joins);
    for (std::uint32_t b = 0; b < blocks.size(); ++b)
      for (std::uint32_t s = blocks[b].first; s <= blocks[b].last; ++s) EXPECT_EQ(block_of_step[s], b);
  }
}

}  // namespace
}  // namespace fusebox::sim
