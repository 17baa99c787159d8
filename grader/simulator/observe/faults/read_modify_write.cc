#include "grader/simulator/observe/faults/read_modify_write.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

std::vector<std::string> names_of(const ptx::Operand& operand) {
  std::vector<std::string> names;
  for_each_name(operand, [&](const std::string& name) { names.push_back(name); });
  return names;
}

bool names_any(const ptx::Operand& operand, const std::set<std::string>& wanted) {
  const auto names = names_of(operand);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return wanted.contains(name); });
}

}  // namespace

bool is_read_modify_write(const RawFault& race) {
  if (race.function == nullptr || race.function != race.other.function) return false;
  const auto& all = race.function->instructions;
  std::uint32_t load = race.instruction, store = race.other.instruction;
  if (race.access == AccessKind::store && race.other.access == AccessKind::load) std::swap(load, store);
  if (store <= load || store >= all.size() || all[load].opcode != ptx::Opcode::ld ||
      all[store].opcode != ptx::Opcode::st || all[load].operands.size() < 2 ||
      all[store].operands.size() < 2 || all[load].operands[1].integer != all[store].operands[0].integer ||
      names_of(all[load].operands[1]) != names_of(all[store].operands[0]))
    return false;
  // The value itself, and what is made of it. Nobody writes that a thread stores what it has loaded: the
  // compiler does, of `if (i == 0) s = y; x = s;`, where the mistake is another one.
  std::set<std::string> same, made_of_it;
  for_each_name(all[load].operands[0], [&](const std::string& name) { same.insert(name); });
  for (std::uint32_t i = load + 1; i < store; ++i) {
    const auto& operands = all[i].operands;
    if (operands.size() < 2 || all[i].opcode == ptx::Opcode::st) continue;
    const auto reads_any = [&](const std::set<std::string>& wanted) {
      return std::any_of(operands.begin() + 1, operands.end(),
                         [&](const ptx::Operand& operand) { return names_any(operand, wanted); });
    };
    const bool moves = all[i].opcode == ptx::Opcode::mov;
    if (reads_any(made_of_it) || (reads_any(same) && !moves))
      for_each_name(operands[0], [&](const std::string& name) { made_of_it.insert(name); });
    else if (reads_any(same))
      for_each_name(operands[0], [&](const std::string& name) { same.insert(name); });
  }
  return names_any(all[store].operands[1], made_of_it);
}

}  // namespace fusebox::sim
