#include "grader/simulator/ptx/branches/open_branches.h"

#include <map>
#include <set>
#include <string>

namespace fusebox::ptx {
namespace {

/// Where a function's branches lead, and how many ways there are to each place.
struct Ways {
  std::map<std::string, std::uint32_t, std::less<>> places;
  std::vector<bool> labelled;
  std::vector<int> jumps;  ///< by instruction, and one more

  explicit Ways(const Function& function)
      : labelled(function.instructions.size() + 1), jumps(function.instructions.size() + 1) {
    for (const Label& label : function.labels) {
      places[label.name] = label.instruction;
      labelled[label.instruction] = true;
    }
    for (const auto& [table, names] : function.branch_targets)
      for (const std::string& name : names)
        if (const auto place = places.find(name); place != places.end()) ++jumps[place->second];
    for (const Instruction& i : function.instructions)
      if (const std::uint32_t* target = target_of(i)) ++jumps[*target];
  }
  const std::uint32_t* target_of(const Instruction& i) const {
    if (i.opcode != Opcode::bra || i.operands.empty()) return nullptr;
    const auto place = places.find(i.operands[0].name);
    return place != places.end() ? &place->second : nullptr;
  }
};

bool leaves_always(const Instruction& i) {
  return i.guard.empty() && (i.opcode == Opcode::bra || i.opcode == Opcode::ret || i.opcode == Opcode::exit);
}

/// What a warp has asked for since its straight run began.
struct UnderWay {
  std::set<std::string, std::less<>> registers;
  bool used = false;

  void follow(const Instruction& i) {
    const auto look = [&](const std::string& name) { used = used || registers.contains(name); };
    look(i.guard);
    for (const Operand& operand : i.operands) for_each_name(operand, look);
    if (traits_of(i.opcode).waits == Waits::memory && !i.has("param") && !i.has("const") &&
        !i.operands.empty() && i.operands[0].kind != Operand::Kind::address)
      for_each_name(i.operands[0], [&](const std::string& name) { registers.insert(name); });
  }
  bool waits_for_none() const { return !registers.empty() && !used; }
};

}  // namespace

OpenBranches open_branches(const Function& function, const ShortBranches& short_ones) {
  const std::size_t count = function.instructions.size();
  OpenBranches found{std::vector<bool>(count), std::vector<bool>(count)};
  const Ways ways(function);
  std::map<std::uint32_t, UnderWay> arriving;
  UnderWay now;
  for (std::uint32_t k = 0; k < count; ++k) {
    const Instruction& i = function.instructions[k];
    if (ways.labelled[k] && !short_ones.join[k]) now = arriving[k];
    now.follow(i);
    if (traits_of(i.opcode).run != StraightRun::ends || short_ones.branch[k]) continue;
    if (const std::uint32_t* target = ways.target_of(i); target != nullptr && now.waits_for_none()) {
      found.next[k] = !i.guard.empty() && !ways.labelled[k + 1];
      found.target[k] =
          *target > k && ways.jumps[*target] == 1 && leaves_always(function.instructions[*target - 1]);
      if (found.target[k]) arriving[*target] = now;
    }
    if (!found.next[k]) now = {};
  }
  return found;
}

}  // namespace fusebox::ptx
