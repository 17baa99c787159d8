#pragma once

#include <string>

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

/// vprintf: data[0] and data[1] are the places in the frame of its two parameters, the format and the packed
/// arguments, d the place of its result. What the lanes print is appended to the block's output, lane after
/// lane.
void device_print(Warp&, const DecodedInstruction&, LaneMask);

/// The note of a failed assert: data[0..3] are the places of message, file, line and function.
std::string assert_note(Warp&, const DecodedInstruction&, int lane);

/// What a launch prints at most, like the device's buffer for it.
inline constexpr std::size_t kMaxOutput = 1 << 20;

}  // namespace fusebox::sim
