#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fusebox {

/// An instruction whose result has fewer digits than a float holds.
struct CoarseInstruction {
  std::string name;  ///< "tanh.approx.f32"
  int line = 0;      ///< of the learner's file; 0: not known
};

/// The first one in `ptx` of a kind that `reference` does not have; `file` is the learner's file name. Those
/// that compilers put into accurate functions, such as ex2.approx in expf, are none.
std::optional<CoarseInstruction> coarse_instruction(std::string_view ptx, std::string_view reference,
                                                    std::string_view file);

}  // namespace fusebox
