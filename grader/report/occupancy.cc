#include "grader/report/occupancy.h"

#include "grader/report/hardware.h"

namespace fusebox {
namespace {

constexpr std::uint64_t kRegisterUnit = 256;  // registers are handed to a warp in units of this many
constexpr std::uint64_t kWarpUnit = 4;  // one share of the registers for each of an SM's four schedulers
constexpr std::uint64_t kSharedUnit = 128;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }
std::uint64_t whole(int value) { return value > 0 ? static_cast<std::uint64_t>(value) : 0; }

}  // namespace

std::uint64_t warps_by_registers(const GpuNumbers& gpu, int registers) {
  const std::uint64_t per_warp = round_up(whole(registers) * kWarpSize, kRegisterUnit);
  return whole(gpu.registers_per_sm) / per_warp / kWarpUnit * kWarpUnit;
}

std::array<BlockLimit, 4> block_limits(const GpuNumbers& gpu, const BlockNeeds& block) {
  BlockLimit blocks{"blocks", whole(gpu.max_blocks_per_sm), true}, threads{"threads", 0, true},
      registers{"registers", 0, block.registers > 0}, shared{"shared memory", 0, true};
  const std::uint64_t warps = warps_of(block.threads);
  if (block.threads > 0 && block.threads <= whole(gpu.max_threads_per_block))
    threads.blocks = whole(gpu.max_threads_per_sm) / kWarpSize / warps;
  if (registers.known && warps > 0) registers.blocks = warps_by_registers(gpu, block.registers) / warps;
  if (block.shared_bytes <= whole(gpu.max_shared_bytes_per_block_optin)) {
    const std::uint64_t share =
        round_up(block.shared_bytes + whole(gpu.reserved_shared_bytes_per_block), kSharedUnit);
    shared.known = share > 0;
    if (shared.known) shared.blocks = whole(gpu.shared_bytes_per_sm) / share;
  }
  return {blocks, threads, registers, shared};
}

const BlockLimit& tightest(const std::array<BlockLimit, 4>& limits) {
  const BlockLimit* least = limits.data();
  for (const BlockLimit& limit : limits)
    if (limit.known && limit.blocks < least->blocks) least = &limit;
  return *least;
}

}  // namespace fusebox
