#include "grader/judge/cause/coarse_instruction.h"

#include <set>

namespace fusebox {
namespace {

bool is_coarse(const ptx::Instruction& instruction) {
  using ptx::Opcode;
  if (!instruction.has("approx")) return false;
  switch (instruction.opcode) {
    case Opcode::tanh:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
      return true;
    case Opcode::ex2:
      return instruction.has("f16") || instruction.has("f16x2") || instruction.has("bf16") ||
             instruction.has("bf16x2");
    default:
      return false;
  }
}

bool is_of(const ptx::Module& module, const ptx::Location& location, std::string_view file) {
  return !file.empty() && location.file < module.files.size() && module.files[location.file].ends_with(file);
}

}  // namespace

std::optional<CoarseInstruction> coarse_instruction(const ptx::Module& own, const ptx::Module& reference,
                                                    std::string_view file) {
  std::set<std::string> known;
  for (const ptx::Function& function : reference.functions)
    for (const ptx::Instruction& instruction : function.instructions)
      if (is_coarse(instruction)) known.insert(instruction.name());
  for (const ptx::Function& function : own.functions)
    for (const ptx::Instruction& instruction : function.instructions)
      if (is_coarse(instruction) && !known.contains(instruction.name()))
        return CoarseInstruction{instruction.name(), is_of(own, instruction.location, file)
                                                         ? static_cast<int>(instruction.location.line)
                                                         : 0};
  return std::nullopt;
}

}  // namespace fusebox
