#include "grader/simulator/ptx/branches/ways.h"

namespace fusebox::ptx {

Ways::Ways(const Function& function)
    : labelled(function.instructions.size() + 1), jumps(function.instructions.size() + 1) {
  for (const Label& label : function.labels) {
    places_[label.name] = label.instruction;
    labelled[label.instruction] = true;
  }
  for (const auto& [table, names] : function.branch_targets)
    for (const std::string& name : names)
      if (const auto place = places_.find(name); place != places_.end()) ++jumps[place->second];
  for (const Instruction& i : function.instructions)
    if (const std::uint32_t* target = target_of(i)) ++jumps[*target];
}

const std::uint32_t* Ways::target_of(const Instruction& i) const {
  if (i.opcode != Opcode::bra || i.operands.empty()) return nullptr;
  const auto place = places_.find(i.operands[0].name);
  return place != places_.end() ? &place->second : nullptr;
}

}  // namespace fusebox::ptx
