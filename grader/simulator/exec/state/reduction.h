#pragma once

#include <cstdint>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

/// What an atomic of integers does to a word, where any number of the same kind leave the same word whatever
/// their order. Of two kinds at one word the order tells.
enum class Reduction : std::uint8_t {
  none,  ///< it is no such atomic
  add_32,
  add_64,
  min_s32,
  min_u32,
  min_s64,
  min_u64,
  max_s32,
  max_u32,
  max_s64,
  max_u64,
  bit_and,
  bit_or,
  bit_xor,
};

/// Per instruction of a function: a `red`, or an `atom` whose old value no instruction reads.
std::vector<bool> blind_atomics(const ptx::Function& function);

/// Of an `atom` or `red` that all threads of the device see as one step and that orders nothing else. Whether
/// the old value is used is not asked.
Reduction reduction_of(const ptx::Instruction& instruction);

/// reduction_of() the blind ones, per instruction; `none` for all others.
std::vector<Reduction> blind_reductions(const ptx::Function& function);

/// Does the hardware carry out this atomic on shared memory as a loop, which a lane leaves in the round in
/// which nobody was faster? Sums of floats and of 64 bits are such; what is one instruction is not.
bool is_shared_loop(const ptx::Instruction& instruction);

}  // namespace fusebox::sim
