#include "grader/simulator/exec/decode/unset_registers.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

/// Whose result is undefined if one of its operands is. Of everything else (selections, shuffles, logic) a
/// part may be ignored, so that its result counts as set.
bool needs_all_operands(const ptx::Instruction& i) {
  return i.guard.empty() && !i.operands.empty() && i.operands[0].kind == ptx::Operand::Kind::reg &&
         ptx::traits_of(i.opcode).writes == ptx::Writes::of_all;
}

template <class Use>
void for_each_register(const ptx::Operand& operand, Use use) {
  if (operand.kind == ptx::Operand::Kind::reg || operand.kind == ptx::Operand::Kind::address)
    use(operand.name);
  for (const ptx::Operand& element : operand.elements) for_each_register(element, use);
}

bool reads_unset(const ptx::Instruction& i, const std::set<std::string, std::less<>>& set) {
  for (std::size_t k = 1; k < i.operands.size(); ++k) {
    const ptx::Operand& operand = i.operands[k];
    if (operand.kind == ptx::Operand::Kind::reg && !set.contains(operand.name)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::uint32_t> reads_of_unset_registers(const ptx::Function& function) {
  // Registers that this function declares, "%f<12>" as a prefix: others are special.
  const auto is_declared = [&](std::string_view name) {
    return std::any_of(function.registers.begin(), function.registers.end(), [&](const auto& declared) {
      if (declared.count == 0) return name == declared.name;
      return name.starts_with(declared.name) && name.size() > declared.name.size() &&
             name.find_first_not_of("0123456789", declared.name.size()) == name.npos;
    });
  };
  std::set<std::string, std::less<>> set;
  const auto note = [&](const std::string& name) { return set.insert(name).second; };
  for (const ptx::Instruction& i : function.instructions) {
    const bool computes = needs_all_operands(i);
    for (std::size_t k = computes ? 1 : 0; k < i.operands.size(); ++k)
      for_each_register(i.operands[k], [&](const std::string& name) {
        // The first operand is what an instruction writes; of a call any may be.
        if ((!computes && (k == 0 || i.opcode == ptx::Opcode::call)) || !is_declared(name)) note(name);
      });
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (const ptx::Instruction& i : function.instructions)
      if (needs_all_operands(i) && !reads_unset(i, set)) grew |= note(i.operands[0].name);
  }
  std::vector<std::uint32_t> found;
  for (std::uint32_t at = 0; at < function.instructions.size(); ++at) {
    const ptx::Instruction& i = function.instructions[at];
    if (needs_all_operands(i) && reads_unset(i, set)) found.push_back(at);
  }
  return found;
}

}  // namespace fusebox::sim
