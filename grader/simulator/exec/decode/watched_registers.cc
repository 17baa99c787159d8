#include <algorithm>
#include <iterator>
#include <set>

#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/instructions/warpgroup/warpgroup.h"

// Which instructions may touch the registers of a wgmma while it is in flight.

namespace fusebox::sim {
namespace {

/// Registers at one point of a function.
struct RegisterState {
  std::set<std::uint32_t> in_flight;    ///< of wgmmas that may not have been waited for
  std::set<std::uint32_t> uncommitted;  ///< of these, those that no wait is for yet
  std::set<std::uint32_t> written;      ///< by others since the last wgmma.fence, as far as is known
  bool join(const RegisterState& other) {
    const std::size_t before = in_flight.size() + uncommitted.size() + written.size();
    in_flight.insert(other.in_flight.begin(), other.in_flight.end());
    uncommitted.insert(other.uncommitted.begin(), other.uncommitted.end());
    written.insert(other.written.begin(), other.written.end());
    return in_flight.size() + uncommitted.size() + written.size() != before;
  }
};

struct Touched {
  std::vector<std::uint32_t> reads, writes;
  bool moves = false;
};

void step(const Program& program, const ptx::Instruction& i, const DecodedInstruction& decoded,
          const Touched& touched, RegisterState& state) {
  if (i.opcode == Opcode::wgmma) {
    if (i.has("fence")) state.written.clear();
    // Of later ones the warps know when they wait: here it is enough what may be in flight.
    if (i.has("wait_group") && decoded.immediate == 0) state.in_flight = state.uncommitted;
    if (i.has("commit_group")) state.uncommitted.clear();
    if (!i.has("mma_async")) return;
    const WarpgroupOp& op = program.warpgroup_ops[decoded.extra];
    for (std::set<std::uint32_t>* set : {&state.in_flight, &state.uncommitted}) {
      set->insert(op.d_registers.begin(), op.d_registers.end());
      set->insert(op.a_registers.begin(), op.a_registers.end());
    }
    for (const std::uint32_t reg : op.d_registers) state.written.erase(reg);
    return;
  }
  const auto any_of = [&](const std::set<std::uint32_t>& set) {
    return std::any_of(touched.reads.begin(), touched.reads.end(),
                       [&](auto reg) { return set.contains(reg); });
  };
  // A mov between registers is the compiler's: what it copies is in flight, or written, as before.
  const bool copies = touched.moves && !touched.reads.empty();
  for (const std::uint32_t reg : touched.writes) {
    if (copies && any_of(state.in_flight)) state.in_flight.insert(reg);
    if (copies && any_of(state.uncommitted)) state.uncommitted.insert(reg);
    if (!copies || any_of(state.written))
      state.written.insert(reg);
    else
      state.written.erase(reg);
  }
}

}  // namespace

/// Finds by data flow what may touch registers in flight, and which wgmma may have registers that were
/// written since the last fence (its flag). Both are looked at again when they are executed.
void Translator::watch_registers() {
  if (program_.warpgroup_ops.empty()) return;
  std::vector<Touched> touched(function_.instructions.size());
  for (std::size_t at = 0; at < touched.size(); ++at) {
    const ptx::Instruction& i = function_.instructions[at];
    if (i.opcode == Opcode::wgmma) continue;
    touched[at].moves = i.opcode == Opcode::mov;
    const bool writes_first = ptx::writes_first_operand(i);
    const auto note = [&](const std::string& name, bool writes) {
      const auto found = registers_.find(name);
      if (found == registers_.end() || found->second.width < 4) return;
      (writes ? touched[at].writes : touched[at].reads).push_back(found->second.offset);
    };
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      const ptx::Operand& operand = i.operands[k];
      const bool writes = k == 0 && writes_first;
      if (!operand.name.empty()) note(operand.name, writes);
      for (const ptx::Operand& element : operand.elements) note(element.name, writes);
    }
  }
  const auto walk = [&](std::size_t index, RegisterState state, auto visit) {
    const BasicBlock& block = program_.basic_blocks[index];
    for (std::uint32_t at = block.first; at <= block.last && at < touched.size(); ++at) {
      visit(at, state);
      step(program_, function_.instructions[at], program_.instructions[at], touched[at], state);
    }
    return state;
  };
  std::vector<RegisterState> begins(program_.basic_blocks.size());
  std::vector<std::size_t> open{0};
  std::vector<bool> seen(begins.size(), false);
  seen[0] = true;
  while (!open.empty()) {
    const std::size_t index = open.back();
    open.pop_back();
    const RegisterState end = walk(index, begins[index], [](std::uint32_t, const RegisterState&) {});
    for (const std::uint32_t next : program_.basic_blocks[index].successors) {
      if (next == kExit) continue;
      if (!begins[next].join(end) && seen[next]) continue;
      seen[next] = true;
      open.push_back(next);
    }
  }
  program_.watched_at.assign(program_.instructions.size(), 0);
  for (std::size_t index = 0; index < begins.size(); ++index)
    walk(index, begins[index], [&](std::uint32_t at, const RegisterState& state) {
      DecodedInstruction& decoded = program_.instructions[at];
      const ptx::Instruction& i = function_.instructions[at];
      if (i.opcode == Opcode::wgmma) {
        if (!i.has("mma_async")) return;
        const WarpgroupOp& op = program_.warpgroup_ops[decoded.extra];
        const auto is_written = [&](std::uint32_t reg) { return state.written.contains(reg); };
        decoded.flag = std::any_of(op.d_registers.begin(), op.d_registers.end(), is_written) ||
                       std::any_of(op.a_registers.begin(), op.a_registers.end(), is_written);
        return;
      }
      WatchedInstruction watched;
      const auto keep = [&](const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to) {
        std::copy_if(from.begin(), from.end(), std::back_inserter(to),
                     [&](std::uint32_t reg) { return state.in_flight.contains(reg); });
      };
      keep(touched[at].reads, watched.reads);
      keep(touched[at].writes, watched.writes);
      watched.moves = touched[at].moves;
      if (watched.moves && !watched.reads.empty()) watched.writes = touched[at].writes;
      if (decoded.run == nullptr || (watched.reads.empty() && watched.writes.empty())) return;
      watched.plain = decoded.run;
      decoded.run = watched_instruction;
      program_.watched_at[at] = static_cast<std::uint32_t>(program_.watched.size());
      program_.watched.push_back(std::move(watched));
    });
}

}  // namespace fusebox::sim
