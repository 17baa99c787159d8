#include "grader/simulator/exec/decode/swap_guesses.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

using ptx::Opcode;
using ptx::Operand;

bool swaps(const ptx::Instruction& i) {
  return i.opcode == Opcode::atom && i.has("cas") && i.operands.size() > 1 &&
         i.operands[1].elements.size() == 1 && i.operands[1].integer == 0;
}

/// A function, as far as addresses go through it.
class Addresses {
 public:
  explicit Addresses(const ptx::Function& function) : function_(function) {
    for (const ptx::Instruction& i : function.instructions) {
      if (i.operands.empty() || i.operands[0].kind != Operand::Kind::reg || i.opcode == Opcode::st) continue;
      const auto [at, fresh] = writer_.try_emplace(i.operands[0].name, &i);
      if (!fresh) at->second = nullptr;
    }
  }

  /// The register that a register's value was copied from.
  std::string origin(std::string name) const {
    for (int copies = 0; copies < 16; ++copies) {
      const ptx::Instruction* i = writer(name);
      if (i == nullptr || i->opcode != Opcode::mov || i->operands.size() != 2 ||
          i->operands[1].kind != Operand::Kind::reg)
        break;
      name = i->operands[1].name;
    }
    return name;
  }
  /// The parameter of this function that it holds.
  std::optional<std::size_t> parameter(const std::string& name) const {
    const ptx::Instruction* i = writer(origin(name));
    if (i == nullptr || i->opcode != Opcode::ld || !i->has("param") || i->operands.size() != 2 ||
        i->operands[1].integer != 0 || i->operands[1].elements.size() != 1)
      return std::nullopt;
    const auto at = std::find_if(function_.parameters.begin(), function_.parameters.end(),
                                 [&](const auto& p) { return p.name == i->operands[1].elements[0].name; });
    if (at == function_.parameters.end()) return std::nullopt;
    return static_cast<std::size_t>(at - function_.parameters.begin());
  }

 private:
  const ptx::Instruction* writer(const std::string& name) const {
    const auto at = writer_.find(name);
    return at == writer_.end() ? nullptr : at->second;
  }

  const ptx::Function& function_;
  std::unordered_map<std::string, const ptx::Instruction*> writer_;  ///< null: several
};

/// The register that was stored into an argument of the call at `call`; empty: it cannot be told.
std::string stored_argument(const ptx::Function& function, std::size_t call, const std::string& argument) {
  for (std::size_t at = call; at-- > 0;) {
    const ptx::Instruction& i = function.instructions[at];
    if (i.opcode == Opcode::call) break;
    if (i.opcode == Opcode::st && i.has("param") && i.operands.size() == 2 && i.operands[0].integer == 0 &&
        i.operands[0].elements.size() == 1 && i.operands[0].elements[0].name == argument)
      return i.operands[1].kind == Operand::Kind::reg ? i.operands[1].name : std::string{};
  }
  return {};
}

/// By the name of a function: its parameters at which it compares and swaps.
using Swapped = std::map<std::string, std::set<std::size_t>, std::less<>>;

/// Calls use(index of the call, register) for each address that a call has swapped.
template <class Use>
void for_each_swapped(const ptx::Function& function, const Swapped& swapped, Use use) {
  for (std::size_t at = 0; at < function.instructions.size(); ++at) {
    const ptx::Instruction& i = function.instructions[at];
    if (i.opcode != Opcode::call) continue;
    // (results), name, (arguments): the first and the last may be missing.
    const std::size_t name = !i.operands.empty() && i.operands[0].kind == Operand::Kind::vector ? 1 : 0;
    if (i.operands.size() < name + 2) continue;
    const auto found = swapped.find(i.operands[name].name);
    if (found == swapped.end()) continue;
    for (const std::size_t parameter : found->second)
      if (parameter < i.operands[name + 1].elements.size())
        if (std::string reg = stored_argument(function, at, i.operands[name + 1].elements[parameter].name);
            !reg.empty())
          use(at, reg);
  }
}

}  // namespace

std::set<const ptx::Instruction*> swap_guesses(const ptx::Module& module) {
  std::set<const ptx::Instruction*> guesses;
  Swapped swapped;
  for (const ptx::Function& function : module.functions) {
    if (function.entry || std::none_of(function.instructions.begin(), function.instructions.end(), swaps))
      continue;
    const Addresses addresses(function);
    for (const ptx::Instruction& i : function.instructions)
      if (swaps(i))
        if (const auto parameter = addresses.parameter(i.operands[1].elements[0].name))
          swapped[function.name].insert(*parameter);
  }
  if (swapped.empty()) return guesses;
  // Who calls one that does so with an address of its own caller does so too.
  for (bool more = true; more;) {
    more = false;
    for (const ptx::Function& function : module.functions) {
      const Addresses addresses(function);
      for_each_swapped(function, Swapped(swapped), [&](std::size_t, const std::string& reg) {
        if (const auto parameter = addresses.parameter(reg))
          more = swapped[function.name].insert(*parameter).second || more;
      });
    }
  }
  for (const ptx::Function& function : module.functions) {
    const Addresses addresses(function);
    for_each_swapped(function, swapped, [&](std::size_t call, const std::string& reg) {
      const std::string place = addresses.origin(reg);
      for (std::size_t at = 0; at < call; ++at) {
        const ptx::Instruction& i = function.instructions[at];
        if (i.opcode == Opcode::ld && i.operands.size() == 2 && i.operands[1].integer == 0 &&
            i.operands[1].elements.size() == 1 && addresses.origin(i.operands[1].elements[0].name) == place)
          guesses.insert(&i);
      }
    });
  }
  return guesses;
}

}  // namespace fusebox::sim
