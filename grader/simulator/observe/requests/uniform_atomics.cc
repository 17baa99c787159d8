#include "grader/simulator/observe/requests/uniform_atomics.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "grader/simulator/exec/state/reduction.h"

namespace fusebox::sim {
namespace {

bool is_atomic(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::atom || i.opcode == ptx::Opcode::red;
}

bool differs_by_lane(std::string_view special) {
  return special.starts_with("%tid.") || special.starts_with("%lane") || special.starts_with("%clock");
}

/// Whether the result is the same for all lanes wherever the inputs are.
bool keeps_uniform(const ptx::Instruction& i, bool entry) {
  switch (ptx::traits_of(i.opcode).family) {
    case ptx::Family::compute:
    case ptx::Family::move:
    case ptx::Family::address:
      return true;
    case ptx::Family::access:
      return !i.has("local") && (entry || !i.has("param"));
    default:
      return false;
  }
}

/// Registers that may differ from lane to lane, whichever way control went.
class Varying {
 public:
  explicit Varying(const ptx::Function& function) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const ptx::Instruction& i : function.instructions) {
        if (!ptx::writes_first_operand(i) || (keeps_uniform(i, function.entry) && !reads_any(i)) ||
            broadcasts(i))
          continue;
        for_each_name(i.operands[0], [&](const std::string& name) { changed |= names_.insert(name).second; });
      }
    }
  }
  bool contains(const ptx::Operand& operand) const {
    bool found = false;
    for_each_name(operand, [&](const std::string& name) { found |= differs(name); });
    return found;
  }

 private:
  bool differs(const std::string& name) const { return names_.contains(name) || differs_by_lane(name); }
  /// One lane's value for all.
  bool broadcasts(const ptx::Instruction& i) const {
    return i.opcode == ptx::Opcode::shfl && i.has("idx") && i.operands.size() > 2 && !contains(i.operands[2]);
  }
  bool reads_any(const ptx::Instruction& i) const {
    return differs(i.guard) || std::any_of(i.operands.begin() + 1, i.operands.end(),
                                           [&](const ptx::Operand& operand) { return contains(operand); });
  }
  std::unordered_set<std::string> names_;
};

}  // namespace

std::vector<bool> uniform_atomics(const ptx::Function& function) {
  std::vector<bool> uniform(function.instructions.size());
  if (std::none_of(function.instructions.begin(), function.instructions.end(), is_atomic)) return uniform;
  const Varying varying(function);
  const std::vector<bool> blind = blind_atomics(function);
  for (std::size_t k = 0; k < uniform.size(); ++k) {
    const ptx::Instruction& i = function.instructions[k];
    const std::size_t place = i.opcode == ptx::Opcode::atom;
    if (!is_atomic(i) || i.operands.size() != place + 2 || i.has("shared") ||
        varying.contains(i.operands[place]))
      continue;
    const auto has_any = [&](std::initializer_list<std::string_view> names) {
      return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return i.has(name); });
    };
    const bool of_words = has_any({"u32", "s32", "b32"});
    if (i.has("add"))
      uniform[k] = of_words || (i.has("u64") && !varying.contains(i.operands[place + 1]));
    else
      uniform[k] = of_words && blind[k] && has_any({"min", "max", "and", "or", "xor"});
  }
  return uniform;
}

}  // namespace fusebox::sim
