#include "grader/simulator/observe/traffic/joined_loads.h"

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/simulator/ptx/body_parser.h"

namespace fusebox::sim {
namespace {

constexpr int kMaxBits = 4;  // no load is wider than 16 bytes

int low_zeros(std::uint64_t value) {
  return value == 0 ? kMaxBits : std::min(std::countr_zero(value), kMaxBits);
}

template <class F>
void for_each_result(const ptx::Instruction& i, F f) {
  if (!ptx::writes_first_operand(i)) return;
  if (!i.operands[0].name.empty()) f(i.operands[0].name);
  for (const ptx::Operand& element : i.operands[0].elements) f(element.name);
}

/// How many low bits of registers and addresses are proven to be zero, whichever way a register was written.
class Alignments {
 public:
  Alignments(const ptx::Function& function, std::span<const ptx::Variable> shared) {
    for (const auto& variables : {shared, std::span<const ptx::Variable>(function.shared)})
      for (const ptx::Variable& v : variables)
        bits_[v.name] = !v.external && v.bytes >= 16 ? kMaxBits : low_zeros(v.align);
    // From "all of them" downwards, until no instruction takes one away.
    for (const ptx::Instruction& i : function.instructions)
      for_each_result(i, [&](const std::string& name) { bits_[name] = kMaxBits; });
    for (bool changed = true; changed;) {
      changed = false;
      for (const ptx::Instruction& i : function.instructions) {
        for_each_result(i, [&](const std::string& name) {
          const int proven = result(i);
          if (proven >= bits_[name]) return;
          bits_[name] = proven;
          changed = true;
        });
      }
    }
  }
  int of(const std::string& name) const {
    const auto known = bits_.find(name);
    return known == bits_.end() ? 0 : known->second;
  }

 private:
  int of(const ptx::Operand& operand) const {
    if (operand.kind == ptx::Operand::Kind::integer)
      return low_zeros(static_cast<std::uint64_t>(operand.integer));
    return of(operand.name);
  }
  int result(const ptx::Instruction& i) const {
    using ptx::Opcode;
    const auto operand = [&](std::size_t at) { return at < i.operands.size() ? of(i.operands[at]) : 0; };
    const auto factor = [&](std::size_t at) { return std::min(operand(at) + operand(at + 1), kMaxBits); };
    switch (i.opcode) {
      case Opcode::mov:
      case Opcode::cvta:
      case Opcode::cvt:
        return operand(1);
      case Opcode::add:
      case Opcode::sub:
      case Opcode::or_:
      case Opcode::xor_:
      case Opcode::selp:
        return std::min(operand(1), operand(2));
      case Opcode::and_:
        return std::max(operand(1), operand(2));
      case Opcode::shl: {
        const bool constant = i.operands.size() > 2 && i.operands[2].kind == ptx::Operand::Kind::integer;
        const std::int64_t places =
            constant ? std::clamp<std::int64_t>(i.operands[2].integer, 0, kMaxBits) : 0;
        return std::min(operand(1) + static_cast<int>(places), kMaxBits);
      }
      case Opcode::mul:
        return i.has("hi") ? 0 : factor(1);
      case Opcode::mad:
        return i.has("hi") ? 0 : std::min(factor(1), operand(3));
      default:
        return 0;
    }
  }

  std::map<std::string, int, std::less<>> bits_;
};

/// Bytes of a plain load of one value from shared memory that may be joined; 0: none.
std::uint32_t joinable_bytes(const ptx::Instruction& i) {
  if (i.opcode != ptx::Opcode::ld || !i.guard.empty() || i.modifiers.size() != 2 || i.operands.size() < 2 ||
      i.operands[1].kind != ptx::Operand::Kind::address ||
      (i.modifiers[0] != "shared" && i.modifiers[0] != "shared::cta"))
    return 0;
  const auto bytes = static_cast<std::uint32_t>(ptx::type_bytes(i.modifiers[1]));
  return bytes > 1 ? bytes : 0;
}

/// No load of shared memory is moved across it.
bool separates(const ptx::Instruction& i) {
  if (ptx::traits_of(i.opcode).run == ptx::StraightRun::ends ||
      ptx::traits_of(i.opcode).family == ptx::Family::fence)
    return true;
  if (i.opcode == ptx::Opcode::ld) return false;
  const bool names_shared = std::any_of(i.modifiers.begin(), i.modifiers.end(),
                                        [](const std::string& word) { return word.starts_with("shared"); });
  const bool generic = !i.has("global") && !i.has("local") && !i.has("param");
  return names_shared || (i.opcode == ptx::Opcode::st && generic);
}

/// The loads of a run so far that go by one register.
class Run {
 public:
  Run(const Alignments& alignments, std::map<std::uint32_t, JoinedLoad>& joined)
      : alignments_(alignments), joined_(joined) {}

  void add(std::uint32_t instruction, const ptx::Operand& place, std::uint32_t bytes) {
    loads_[{place.name, bytes}].insert({place.integer, instruction});
  }
  void register_changed(const std::string& name) {
    for (auto of = loads_.lower_bound({name, 0}); of != loads_.end() && of->first.first == name;) {
      join(of->first, std::move(of->second));
      of = loads_.erase(of);
    }
  }
  void end() {
    for (auto& [by, loads] : loads_) join(by, std::move(loads));
    loads_.clear();
  }

 private:
  using By = std::pair<std::string, std::uint32_t>;                // register, bytes of each
  using Loads = std::set<std::pair<std::int64_t, std::uint32_t>>;  // offset, instruction

  void join(const By& by, Loads loads) {
    const int proven = alignments_.of(by.first);
    for (int bits = kMaxBits; bits > 1; --bits) {
      const std::int64_t width = std::int64_t{1} << bits;
      if (bits > proven || by.second >= width) continue;
      for (auto first = loads.begin(); first != loads.end();) {
        const std::int64_t begin = first->first & -width;
        const auto last = loads.lower_bound({begin + width, 0});
        std::set<std::int64_t> offsets;
        for (auto load = first; load != last; ++load) offsets.insert(load->first);
        const bool aligned = std::all_of(offsets.begin(), offsets.end(),
                                         [&](std::int64_t offset) { return offset % by.second == 0; });
        if (!aligned || 2 * by.second * static_cast<std::int64_t>(offsets.size()) <= width) {
          first = last;
          continue;
        }
        joined_[first->second] = {static_cast<std::uint8_t>(width),
                                  static_cast<std::uint8_t>(first->first - begin)};
        for (auto load = std::next(first); load != last; ++load) joined_[load->second] = {};
        first = loads.erase(first, last);
      }
    }
  }

  const Alignments& alignments_;
  std::map<std::uint32_t, JoinedLoad>& joined_;
  std::map<By, Loads> loads_;
};

}  // namespace

std::map<std::uint32_t, JoinedLoad> joined_loads(const ptx::Function& function,
                                                 std::span<const ptx::Variable> shared) {
  std::map<std::uint32_t, JoinedLoad> joined;
  const bool any = std::any_of(function.instructions.begin(), function.instructions.end(),
                               [](const ptx::Instruction& i) { return joinable_bytes(i) > 0; });
  if (!any) return joined;
  const Alignments alignments(function, shared);
  std::set<std::uint32_t> leaders;
  for (const ptx::Label& label : function.labels) leaders.insert(label.instruction);
  Run run(alignments, joined);
  for (std::uint32_t k = 0; k < function.instructions.size(); ++k) {
    const ptx::Instruction& i = function.instructions[k];
    if (leaders.contains(k) || separates(i)) run.end();
    if (const std::uint32_t bytes = joinable_bytes(i)) run.add(k, i.operands[1], bytes);
    for_each_result(i, [&](const std::string& name) { run.register_changed(name); });
  }
  run.end();
  return joined;
}

}  // namespace fusebox::sim
