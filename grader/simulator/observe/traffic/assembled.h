#pragma once

#include <cstdint>
#include <vector>

namespace fusebox::ptx {
struct Function;
}

namespace fusebox::sim {

/// What the assembler makes of a function's accesses, as far as hardware counts them by its instructions.
struct Assembled {
  std::vector<bool> reduces;  ///< by instruction: a global atomic whose old value nobody uses: RED, no ATOM
  std::vector<bool> by_one_lane;  ///< the same: one lane of a warp carries it out for all
  std::vector<bool> counts;  ///< the same, on shared memory, that adds a constant: one turn for all lanes
  /// By instruction: where the assembler has predicates in place of a branch around it, that branch: every
  /// warp that comes to it issues the instruction. Else the instruction itself.
  std::vector<std::uint32_t> issued_with;
};
Assembled assembled(const ptx::Function& function);

}  // namespace fusebox::sim
