#include "grader/simulator/observe/traffic/assembled.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_set>

#include "grader/simulator/ptx/module.h"
#include "grader/simulator/ptx/short_branches.h"

namespace fusebox::sim {
namespace {

void note_names(const ptx::Operand& operand, std::unordered_set<std::string>& names) {
  names.insert(operand.name);
  for (const ptx::Operand& element : operand.elements) note_names(element, names);
}

/// Registers whose value some instruction uses; what is named first is written, but for stores and
/// reductions.
std::unordered_set<std::string> used_registers(const ptx::Function& function) {
  std::unordered_set<std::string> used;
  for (const ptx::Instruction& i : function.instructions) {
    used.insert(i.guard);
    const bool writes = !i.operands.empty() && i.opcode != ptx::Opcode::st && i.opcode != ptx::Opcode::red &&
                        (i.operands[0].kind == ptx::Operand::Kind::reg ||
                         (i.operands[0].kind == ptx::Operand::Kind::vector && i.opcode == ptx::Opcode::atom));
    for (std::size_t k = writes ? 1 : 0; k < i.operands.size(); ++k) note_names(i.operands[k], used);
  }
  return used;
}

/// An exchange is none, whether or not its result is used; nor is what has a generic address.
bool may_reduce(const ptx::Instruction& i) { return i.has("global") && !i.has("exch") && !i.has("cas"); }

}  // namespace

Assembled assembled(const ptx::Function& function) {
  const std::size_t count = function.instructions.size();
  Assembled found{std::vector<bool>(count), std::vector<std::uint32_t>(count)};
  const std::unordered_set<std::string> used = used_registers(function);
  const auto is_used = [&](const ptx::Operand& result) {
    return used.contains(result.name) ||
           std::any_of(result.elements.begin(), result.elements.end(),
                       [&](const ptx::Operand& element) { return used.contains(element.name); });
  };
  for (std::size_t k = 0; k < count; ++k) {
    const ptx::Instruction& i = function.instructions[k];
    if (i.operands.empty() || !may_reduce(i)) continue;
    found.reduces[k] =
        i.opcode == ptx::Opcode::red || (i.opcode == ptx::Opcode::atom && !is_used(i.operands[0]));
  }
  std::iota(found.issued_with.begin(), found.issued_with.end(), 0u);
  const ptx::ShortBranches branches = ptx::short_branches(function);
  for (std::uint32_t k = 0; k < count; ++k) {
    if (!branches.branch[k]) continue;
    std::uint32_t join = k + 1;
    while (join < count && !branches.join[join]) ++join;
    // Whom the last guard of a kernel turns away leaves at once.
    const bool leaves = join == count || function.instructions[join].opcode == ptx::Opcode::ret ||
                        function.instructions[join].opcode == ptx::Opcode::exit;
    if (!leaves) std::fill(found.issued_with.begin() + k + 1, found.issued_with.begin() + join, k);
  }
  return found;
}

}  // namespace fusebox::sim
