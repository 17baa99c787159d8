#pragma once

#include <optional>

#include "grader/simulator/exec/step.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

/// How an instruction that only computes is run: its handler, and the types in which its operands d, a, b, c
/// are held. The operands follow in the order of the PTX text.
struct Form {
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
  std::optional<Form> (*integer)(const ptx::Instruction&);
  /// Asked before floating and half, which would compute .approx and .full exactly or refuse them.
  std::optional<Form> (*approximate)(const ptx::Instruction&);
  std::optional<Form> (*floating)(const ptx::Instruction&);
  std::optional<Form> (*half)(const ptx::Instruction&);
  std::optional<Form> (*convert)(const ptx::Instruction&);
  std::optional<Form> (*compare)(const ptx::Instruction&);
  /// `step` has space, bytes, elements, width set.
  Handler (*load)(const Step& step);
  Handler (*store)(const Step& step);
};

/// The best build that this machine can run.
const LaneOps& lane_ops();

}  // namespace fusebox::sim
