#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/report/launch_record.h"
#include "grader/simulator/exec/state/observer.h"
#include "grader/simulator/observe/requests/named_range.h"

namespace fusebox::sim {

/// Keeps accesses of one launch to look at: of its first, middle and last block, and of each instruction
/// there the first few that differ in shape. That is the active lanes, where the first of them stands in its
/// line of 128 bytes (or round of banks), and how far the others stand from it. Those that have a shape
/// already kept are counted with it.
class Samples : public Observer {
 public:
  static constexpr std::size_t kShapesKept = 4;  ///< of an instruction

  /// `files` is ptx::Module::files, `ranges` the live buffers, sorted by address.
  Samples(std::vector<std::string> files, std::vector<NamedRange> ranges);

  void launch_begin(const LaunchInfo& launch) override;
  void access(const WarpAccess& access) override;

  /// Adds what `other` saw of the same launch: other blocks of it.
  void merge(const Samples& other);

  /// Sorted by file and line, then in the order of the instructions.
  std::vector<AccessSample> take() const;

 private:
  struct SampledAccess {
    const ptx::Function* function = nullptr;
    std::uint32_t instruction = 0;
    Space space = Space::global;
    AccessKind kind = AccessKind::load;
    std::uint8_t bytes = 0;
    LaneMask lanes = 0;
    std::array<std::uint64_t, kWarpSize> address{};
    std::uint64_t block = 0, requests = 0;
    std::uint32_t warp = 0;
  };
  static bool is_alike(const SampledAccess& shape, const WarpAccess& access);
  static WarpAccess access_of(const SampledAccess& shape);

  std::vector<std::string> files_;
  std::vector<NamedRange> ranges_;
  const ptx::Function* kernel_ = nullptr;
  /// What one function, the kernel or one that it called, did in one of the blocks.
  struct Code {
    std::uint64_t block = 0;
    const ptx::Function* function = nullptr;
    std::vector<std::vector<SampledAccess>> shapes;  ///< [instruction]
  };
  /// The first few shapes of one instruction of a function, in those of its blocks.
  static std::vector<SampledAccess> shapes_at(std::size_t instruction, std::span<const Code* const> blocks);
  AccessSample sample_of(const SampledAccess& shape) const;
  std::array<std::uint64_t, 3> blocks_{};
  std::vector<Code> code_;
};

}  // namespace fusebox::sim
