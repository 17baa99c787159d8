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
  /// By instruction: a quotient or remainder of 32-bit integers, by what was divided by before: the assembler
  /// has its reciprocal already, and what is left of the routine needs no special function.
  std::vector<bool> divides_again;
  /// By instruction: where the assembler has predicates in place of a branch around it, that branch: every
  /// warp that comes to it issues the instruction. Else the instruction itself.
  std::vector<std::uint32_t> issued_with;
};
Assembled assembled(const ptx::Function& function);

}  // namespace fusebox::sim
