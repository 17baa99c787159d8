#include "grader/simulator/observe/traffic/assembled.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "grader/simulator/exec/state/reduction.h"
#include "grader/simulator/observe/requests/uniform_atomics.h"
#include "grader/simulator/ptx/branches/short_branches.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

/// An exchange is none, whether or not its result is used; nor is what has a generic address.
bool may_reduce(const ptx::Instruction& i) { return i.has("global") && !i.has("exch") && !i.has("cas"); }

bool counts_up(const ptx::Instruction& i) {
  return i.has("shared") && i.has("add") && i.operands.back().kind == ptx::Operand::Kind::integer;
}

/// "s%r7" of a quotient or remainder of 32 bits; empty: it is none.
std::string divisor_of(const ptx::Instruction& i) {
  const bool divides = i.opcode == ptx::Opcode::div || i.opcode == ptx::Opcode::rem;
  if (!divides || i.operands.size() != 3 || !(i.has("s32") || i.has("u32"))) return {};
  const ptx::Operand& by = i.operands[2];
  return (i.has("s32") ? "s" : "u") +
         (by.kind == ptx::Operand::Kind::integer ? std::to_string(by.integer) : by.name);
}

/// In the order of the text, which is nearly that of the paths through it.
std::vector<bool> divides_again(const ptx::Function& function) {
  std::vector<bool> again(function.instructions.size());
  std::set<std::string> known;
  for (std::size_t k = 0; k < again.size(); ++k) {
    const ptx::Instruction& i = function.instructions[k];
    if (const std::string divisor = divisor_of(i); !divisor.empty()) again[k] = !known.insert(divisor).second;
    if (known.empty() || !ptx::writes_first_operand(i)) continue;
    ptx::for_each_name(i.operands[0],
                       [&](const std::string& name) { known.erase("s" + name), known.erase("u" + name); });
  }
  return again;
}

}  // namespace

Assembled assembled(const ptx::Function& function) {
  const std::size_t count = function.instructions.size();
  Assembled found{std::vector<bool>(count), uniform_atomics(function), std::vector<bool>(count),
                  divides_again(function), std::vector<std::uint32_t>(count)};
  const std::vector<bool> blind = blind_atomics(function);
  for (std::size_t k = 0; k < count; ++k) {
    found.reduces[k] = blind[k] && may_reduce(function.instructions[k]);
    found.counts[k] = blind[k] && counts_up(function.instructions[k]);
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
