#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

/// Per instruction of a function: for a load or an atomic, how many loads of the same straight run must have
/// come back before it can be made: those that its address comes out of, and those whose values are stored
/// before it, for a plain load stays behind a store that may be to its place, or that an exact division or
/// root before it is made of. Loads of equal depth are in flight together, because the compiler moves them to
/// the front of what uses them.
///
/// Of cp.async it comes with kAsynchronous: no warp waits for that one itself before it says so.
inline constexpr std::uint8_t kAsynchronous = 0x80;
/// Added to what has to stay behind earlier stores to global memory.
inline constexpr std::uint8_t kBehindStores = 0x40;
std::vector<std::uint8_t> load_depths(const ptx::Function& function);

}  // namespace fusebox::sim
