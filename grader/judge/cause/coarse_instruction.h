#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/simulator/ptx/module.h"

namespace fusebox {

/// An instruction whose result has fewer digits than a float holds.
struct CoarseInstruction {
  std::string name;  ///< "tanh.approx.f32"
  int line = 0;      ///< of the learner's file; 0: not known
};

/// The first one in `own` of a kind that `reference` does not have; `file` is the learner's file name. Those
/// that compilers put into accurate functions, such as ex2.approx in expf, are none.
std::optional<CoarseInstruction> coarse_instruction(const ptx::Module& own, const ptx::Module& reference,
                                                    std::string_view file);

}  // namespace fusebox
