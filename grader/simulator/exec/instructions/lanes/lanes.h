#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "grader/report/result.h"
#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

using ptx::Opcode;

/// How an instruction that only computes is run: its handler, and the types in which its operands d, a, b, c
/// are held. The operands follow in the order of the PTX text.
struct LaneKernel {
  Handler run = nullptr;
  Type d = Type::none, a = Type::none, b = Type::none, c = Type::none;
  std::int64_t immediate = 0;
  bool flag = false;
  bool converts = false;  ///< registers of d and a may be wider than their types (cvt)
  std::uint32_t extra = 0;
};

/// One instruction set's build of the lane loops. Each function answers std::nullopt for an instruction that
/// is not its own or that it does not support.
struct LaneOps {
  std::optional<LaneKernel> (*integer)(const ptx::Instruction&);
  /// Asked before floating and half, which would compute .approx and .full exactly or refuse them.
  std::optional<LaneKernel> (*approximate)(const ptx::Instruction&);
  std::optional<LaneKernel> (*floating)(const ptx::Instruction&);
  std::optional<LaneKernel> (*half)(const ptx::Instruction&);
  std::optional<LaneKernel> (*convert)(const ptx::Instruction&);
  std::optional<LaneKernel> (*compare)(const ptx::Instruction&);
  /// `decoded` has space, bytes, elements, width set.
  Handler (*load)(const DecodedInstruction& decoded);
  Handler (*store)(const DecodedInstruction& decoded);
};

/// A build that this program holds and this machine can run.
struct LaneBuild {
  std::string_view name;  ///< "avx2" or "plain"
  const LaneOps* ops = nullptr;
};
/// The best first.
std::span<const LaneBuild> lane_builds();

/// Names the build to use, in the environment; unset or empty: the best.
inline constexpr char kLanesVariable[] = "FUSEBOX_LANES";
/// For tests: what is decoded from now on uses this one; null: what the environment says.
void use_lanes(const LaneBuild* build);
/// Why there are no lane_ops(): the environment names a build that is not there.
std::optional<Error> missing_lanes();
/// The build in use. What was decoded keeps the one that it was decoded for.
const LaneOps& lane_ops();

}  // namespace fusebox::sim
