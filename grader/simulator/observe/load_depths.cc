#include "grader/simulator/observe/load_depths.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "grader/simulator/ptx/short_branches.h"

namespace fusebox::sim {
namespace {

constexpr std::uint8_t kDeepest = 250;

template <class F>
void for_each_name(const ptx::Operand& operand, F f) {
  if (!operand.name.empty()) f(operand.name);
  for (const ptx::Operand& element : operand.elements) for_each_name(element, f);
}

bool waits_for_memory(const ptx::Instruction& i) {
  if (i.opcode == "atom" || i.opcode == "ldmatrix") return true;
  return (i.opcode == "ld" || i.opcode == "ldu") && !i.has("param") && !i.has("const");
}

bool ends_run(const ptx::Instruction& i) {
  static constexpr std::string_view kEnds[] = {"bra", "brx", "call", "ret", "exit", "bar", "barrier"};
  return std::find(std::begin(kEnds), std::end(kEnds), i.opcode) != std::end(kEnds);
}

}  // namespace

std::vector<std::uint8_t> load_depths(const ptx::Function& function) {
  std::set<std::uint32_t> leaders;
  const ptx::ShortBranches short_ones = ptx::short_branches(function);
  for (const ptx::Label& label : function.labels)
    if (!short_ones.join[label.instruction]) leaders.insert(label.instruction);
  std::vector<std::uint8_t> depths(function.instructions.size());
  std::map<std::string, std::uint8_t, std::less<>>
      of_register;  // loads that have to come back before it is known
  for (std::uint32_t k = 0; k < function.instructions.size(); ++k) {
    const ptx::Instruction& i = function.instructions[k];
    if (leaders.contains(k)) of_register.clear();
    const bool writes = i.opcode != "st" && i.opcode != "red" && !i.operands.empty();
    std::uint8_t needs = 0;
    const auto read = [&](const std::string& name) {
      if (const auto known = of_register.find(name); known != of_register.end())
        needs = std::max(needs, known->second);
    };
    read(i.guard);
    for (std::size_t o = writes ? 1 : 0; o < i.operands.size(); ++o) for_each_name(i.operands[o], read);
    depths[k] = needs;
    if (writes) {
      const auto known = static_cast<std::uint8_t>(std::min<int>(needs + waits_for_memory(i), kDeepest));
      for_each_name(i.operands[0], [&](const std::string& name) { of_register[name] = known; });
    }
    if (ends_run(i) && !short_ones.branch[k]) of_register.clear();
  }
  return depths;
}

}  // namespace fusebox::sim
