#pragma once

#include <cstdint>
#include <vector>

namespace fusebox::ptx {
struct Function;
}

namespace fusebox::sim {

/// Instructions that compute with a register that nothing ever gives a value: every instruction that writes
/// it needs a value of it, or of another such register, first. So it is of a variable that is read before it
/// is set, whatever path the threads take. What is set on one path and read on another is not among them:
/// that may be right, as where one lane loads and all shuffle.
std::vector<std::uint32_t> reads_of_unset_registers(const ptx::Function& function);

}  // namespace fusebox::sim
