#pragma once

#include <cstdint>
#include <string_view>

#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

/// Where a thread stands.
struct ThreadPlace {
  const Block& block;
  const Launch& launch;
  const Dim3 &threads, &blocks, &cluster;  ///< of the launch
  std::uint32_t thread;                    ///< linear, in its block
  LaneMask bit;                            ///< its lane's
};

/// A special register and what it holds for a thread.
struct Special {
  std::string_view name;  ///< "%tid.x"
  std::uint64_t (*value)(const ThreadPlace&);
  std::uint8_t width = 4;  ///< bytes
  bool of_block = false;   ///< one value for all threads of a block, another in the next block
};

/// Null: PTX has none of that name, or it is not supported.
const Special* find_special(std::string_view name);

/// Fills the special registers of a new frame.
void write_specials(Warp& warp, Frame& frame);
/// Those that the block decides, in all warps' entry frames.
void write_block_specials(Block& block);

/// Puts one value of `width` bytes into all lanes of a register.
void fill_register(Frame& frame, std::uint32_t offset, std::uint8_t width, std::uint64_t bits);

}  // namespace fusebox::sim
