#include "grader/simulator/ptx/branches/open_runs.h"

#include <map>
#include <set>
#include <string>

#include "grader/simulator/ptx/branches/ways.h"

namespace fusebox::ptx {
namespace {

/// Waits for other threads, and for no load.
bool is_barrier(const Instruction& i) { return i.opcode == Opcode::bar || i.opcode == Opcode::barrier; }

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

OpenRuns open_runs(const Function& function, const ShortBranches& short_ones) {
  const std::size_t count = function.instructions.size();
  OpenRuns found{std::vector<bool>(count), std::vector<bool>(count)};
  const Ways ways(function);
  std::map<std::uint32_t, UnderWay> arriving;
  UnderWay now;
  for (std::uint32_t k = 0; k < count; ++k) {
    const Instruction& i = function.instructions[k];
    if (ways.labelled[k] && !short_ones.join[k]) now = arriving[k];
    now.follow(i);
    if (traits_of(i.opcode).run != StraightRun::ends || short_ones.branch[k]) continue;
    if (is_barrier(i)) found.next[k] = now.waits_for_none() && !ways.labelled[k + 1];
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
