#pragma once

#include <set>

namespace fusebox::ptx {
struct Instruction;
struct Module;
}  // namespace fusebox::ptx

namespace fusebox::sim {

/// Loads of what a compare-and-swap behind them tests in a function that is called with their address, as
/// code that is not optimised has it: `old = *p; do old = atomicCAS(p, assumed = old, ...)`. Such a load is
/// only the first guess, and as good as the atomic operations that follow.
std::set<const ptx::Instruction*> swap_guesses(const ptx::Module& module);

}  // namespace fusebox::sim
