#include "grader/simulator/exec/state/reduction.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace fusebox::sim {
namespace {

struct Form {
  std::string_view operation, type;
  Reduction reduction;
};
constexpr std::array kForms = {
    Form{"add", "u32", Reduction::add_32},  Form{"add", "s32", Reduction::add_32},
    Form{"add", "u64", Reduction::add_64},  Form{"add", "s64", Reduction::add_64},
    Form{"min", "s32", Reduction::min_s32}, Form{"min", "u32", Reduction::min_u32},
    Form{"min", "s64", Reduction::min_s64}, Form{"min", "u64", Reduction::min_u64},
    Form{"max", "s32", Reduction::max_s32}, Form{"max", "u32", Reduction::max_u32},
    Form{"max", "s64", Reduction::max_s64}, Form{"max", "u64", Reduction::max_u64},
    Form{"and", "b32", Reduction::bit_and}, Form{"and", "b64", Reduction::bit_and},
    Form{"or", "b32", Reduction::bit_or},   Form{"or", "b64", Reduction::bit_or},
    Form{"xor", "b32", Reduction::bit_xor}, Form{"xor", "b64", Reduction::bit_xor},
};

using Uses = std::map<std::string_view, std::size_t>;

void count_uses(const ptx::Operand& operand, Uses& uses) {
  if (!operand.name.empty()) ++uses[operand.name];
  for (const ptx::Operand& element : operand.elements) count_uses(element, uses);
}

Uses uses_of(const ptx::Function& function) {
  Uses uses;
  for (const ptx::Instruction& i : function.instructions) {
    if (!i.guard.empty()) ++uses[i.guard];
    for (const ptx::Operand& operand : i.operands) count_uses(operand, uses);
  }
  return uses;
}

}  // namespace

Reduction reduction_of(const ptx::Instruction& instruction) {
  if (instruction.opcode != ptx::Opcode::atom && instruction.opcode != ptx::Opcode::red)
    return Reduction::none;
  const auto form = std::find_if(kForms.begin(), kForms.end(), [&](const Form& f) {
    return instruction.has(f.operation) && instruction.has(f.type);
  });
  if (form == kForms.end()) return Reduction::none;
  // Whatever else it may say (an order, a narrower scope, a vector) makes it something else.
  const bool plain =
      std::all_of(instruction.modifiers.begin(), instruction.modifiers.end(), [&](const std::string& m) {
        return m == form->operation || m == form->type || m == "global" || m == "relaxed" || m == "gpu" ||
               m == "sys";
      });
  return plain ? form->reduction : Reduction::none;
}

std::vector<Reduction> blind_reductions(const ptx::Function& function) {
  std::vector<Reduction> reductions;
  for (const ptx::Instruction& i : function.instructions) reductions.push_back(reduction_of(i));
  if (std::all_of(reductions.begin(), reductions.end(), [](Reduction r) { return r == Reduction::none; }))
    return reductions;
  const Uses uses = uses_of(function);
  for (std::size_t k = 0; k < reductions.size(); ++k) {
    const ptx::Instruction& i = function.instructions[k];
    if (i.opcode != ptx::Opcode::atom || reductions[k] == Reduction::none) continue;
    // Compilers name every value anew: a register that stands here and nowhere else is never read.
    const std::string& result = i.operands.front().name;
    if (result != "_" && uses.at(result) != 1) reductions[k] = Reduction::none;
  }
  return reductions;
}

}  // namespace fusebox::sim
