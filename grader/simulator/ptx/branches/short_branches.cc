#include "grader/simulator/ptx/branches/short_branches.h"

#include <map>
#include <string>

namespace fusebox::ptx {
namespace {

// Best Practices Guide of CUDA 4.2, "Branch Predication": 7 instructions where warps may diverge, 4
// elsewhere. Later guides name no number.
constexpr std::uint32_t kMaxPredicated = 7;

bool stands_alone(const Instruction& i) { return traits_of(i.opcode).run != StraightRun::on; }

}  // namespace

ShortBranches short_branches(const Function& function) {
  const std::size_t count = function.instructions.size();
  ShortBranches found{std::vector<bool>(count), std::vector<bool>(count + 1)};
  std::map<std::string, std::uint32_t, std::less<>> places;
  std::vector<int> labels(count + 1), jumps(count + 1), short_jumps(count + 1);
  for (const Label& label : function.labels) {
    places[label.name] = label.instruction;
    ++labels[label.instruction];
  }
  for (const auto& [table, names] : function.branch_targets)
    for (const std::string& name : names)
      if (const auto place = places.find(name); place != places.end()) ++jumps[place->second];
  const auto target_of = [&](const Instruction& i) {
    if (i.opcode != Opcode::bra || i.operands.empty()) return places.end();
    return places.find(i.operands[0].name);
  };
  for (std::uint32_t k = 0; k < count; ++k) {
    const Instruction& i = function.instructions[k];
    const auto place = target_of(i);
    if (place == places.end()) continue;
    const std::uint32_t target = place->second;
    ++jumps[target];
    if (i.guard.empty() || target <= k || target - k - 1 > kMaxPredicated) continue;
    bool plain = true;
    for (std::uint32_t j = k + 1; j < target; ++j)
      plain = plain && labels[j] == 0 && !stands_alone(function.instructions[j]);
    found.branch[k] = plain;
    short_jumps[target] += plain;
  }
  for (std::uint32_t t = 0; t <= count; ++t) found.join[t] = jumps[t] > 0 && jumps[t] == short_jumps[t];
  for (std::uint32_t k = 0; k < count; ++k)
    if (found.branch[k]) found.branch[k] = found.join[target_of(function.instructions[k])->second];
  return found;
}

}  // namespace fusebox::ptx
