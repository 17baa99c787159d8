#include "grader/simulator/ptx/branches/short_branches.h"

#include "grader/simulator/ptx/branches/ways.h"

namespace fusebox::ptx {
namespace {

// Best Practices Guide of CUDA 4.2, "Branch Predication": 7 instructions where warps may diverge, 4
// elsewhere. Later guides name no number.
constexpr std::uint32_t kMaxPredicated = 7;

/// Instructions between two places that have to be predicated. Of a choice among values that are there, as 0
/// for what lies behind the end, that is the choice alone: what it compares is worked out before, and once
/// for several alike (11 instructions of PTX are 4 in 16 guarded loads of a row, which are all in flight
/// together).
std::uint32_t predicated(const Function& function, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t chosen = 0;
  for (std::uint32_t k = begin; k < end; ++k) {
    const Instruction& i = function.instructions[k];
    const bool is_integer = i.has("s32") || i.has("u32") || i.has("s64") || i.has("u64");
    const bool prepares = i.opcode == Opcode::add || i.opcode == Opcode::sub || i.opcode == Opcode::setp;
    if (i.opcode == Opcode::selp)
      ++chosen;
    else if (!prepares || !is_integer)
      return end - begin;
  }
  return chosen > 0 ? chosen : end - begin;
}

bool stands_alone(const Instruction& i) { return traits_of(i.opcode).run != StraightRun::on; }

}  // namespace

ShortBranches short_branches(const Function& function) {
  const std::size_t count = function.instructions.size();
  ShortBranches found{std::vector<bool>(count), std::vector<bool>(count + 1)};
  const Ways ways(function);
  std::vector<int> short_jumps(count + 1);
  for (std::uint32_t k = 0; k < count; ++k) {
    const Instruction& i = function.instructions[k];
    const std::uint32_t* target = ways.target_of(i);
    if (target == nullptr || i.guard.empty() || *target <= k ||
        predicated(function, k + 1, *target) > kMaxPredicated)
      continue;
    bool plain = true;
    for (std::uint32_t j = k + 1; j < *target; ++j)
      plain = plain && !ways.labelled[j] && !stands_alone(function.instructions[j]);
    found.branch[k] = plain;
    short_jumps[*target] += plain;
  }
  for (std::uint32_t t = 0; t <= count; ++t)
    found.join[t] = ways.jumps[t] > 0 && ways.jumps[t] == short_jumps[t];
  for (std::uint32_t k = 0; k < count; ++k)
    if (found.branch[k]) found.branch[k] = found.join[*ways.target_of(function.instructions[k])];
  return found;
}

}  // namespace fusebox::ptx
