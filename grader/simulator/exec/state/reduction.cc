#include "grader/simulator/exec/state/reduction.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_set>

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

/// Registers whose value some instruction reads: what is named first is written, but for stores and
/// reductions.
std::unordered_set<std::string> read_registers(const ptx::Function& function) {
  std::unordered_set<std::string> read;
  for (const ptx::Instruction& i : function.instructions) {
    read.insert(i.guard);
    const bool writes = !i.operands.empty() && i.opcode != ptx::Opcode::st && i.opcode != ptx::Opcode::red &&
                        (i.operands[0].kind == ptx::Operand::Kind::reg ||
                         (i.operands[0].kind == ptx::Operand::Kind::vector && i.opcode == ptx::Opcode::atom));
    for (std::size_t k = writes ? 1 : 0; k < i.operands.size(); ++k)
      for_each_name(i.operands[k], [&](const std::string& name) { read.insert(name); });
  }
  return read;
}

bool is_atomic(const ptx::Instruction& i) {
  return (i.opcode == ptx::Opcode::atom || i.opcode == ptx::Opcode::red) && !i.operands.empty();
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

std::vector<bool> blind_atomics(const ptx::Function& function) {
  const auto& instructions = function.instructions;
  std::vector<bool> blind(instructions.size());
  if (std::none_of(instructions.begin(), instructions.end(), is_atomic)) return blind;
  const std::unordered_set<std::string> read = read_registers(function);
  for (std::size_t k = 0; k < blind.size(); ++k) {
    if (!is_atomic(instructions[k])) continue;
    bool used = false;
    if (instructions[k].opcode == ptx::Opcode::atom)
      for_each_name(instructions[k].operands[0],
                    [&](const std::string& name) { used |= read.contains(name); });
    blind[k] = !used;
  }
  return blind;
}

std::vector<Reduction> blind_reductions(const ptx::Function& function) {
  const std::vector<bool> blind = blind_atomics(function);
  std::vector<Reduction> reductions(blind.size(), Reduction::none);
  for (std::size_t k = 0; k < blind.size(); ++k)
    if (blind[k]) reductions[k] = reduction_of(function.instructions[k]);
  return reductions;
}

bool is_shared_loop(const ptx::Instruction& instruction) {
  using ptx::Opcode;
  if ((instruction.opcode != Opcode::atom && instruction.opcode != Opcode::red) || !instruction.has("add"))
    return false;
  const std::initializer_list<std::string_view> looped = {"f32",  "f64",    "f16", "f16x2",
                                                          "bf16", "bf16x2", "u64"};
  return std::any_of(looped.begin(), looped.end(),
                     [&](std::string_view type) { return instruction.has(type); });
}

}  // namespace fusebox::sim
