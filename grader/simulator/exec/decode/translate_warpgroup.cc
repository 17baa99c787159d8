#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <map>
#include <set>

#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/instructions/collectives.h"
#include "grader/simulator/exec/instructions/warpgroup/warpgroup.h"

// wgmma, and which other instructions may touch its registers while it is in flight.

namespace fusebox::sim {
namespace {

MatrixElement matrix_element(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, MatrixElement>, 10> kElements{{
      {"f16", MatrixElement::f16},
      {"bf16", MatrixElement::bf16},
      {"tf32", MatrixElement::tf32},
      {"e4m3", MatrixElement::e4m3},
      {"e5m2", MatrixElement::e5m2},
      {"s8", MatrixElement::s8},
      {"u8", MatrixElement::u8},
      {"b1", MatrixElement::b1},
      {"f32", MatrixElement::f32},
      {"s32", MatrixElement::s32},
  }};
  for (const auto& [text, element] : kElements)
    if (text == name) return element;
  return MatrixElement::none;
}

bool is_integer(MatrixElement e) { return e == MatrixElement::s8 || e == MatrixElement::u8; }
bool is_short_float(MatrixElement e) { return e == MatrixElement::e4m3 || e == MatrixElement::e5m2; }

/// Which sums there are of which factors.
bool go_together(MatrixElement d, MatrixElement a, MatrixElement b) {
  const bool floats = d == MatrixElement::f32 || d == MatrixElement::f16;
  if (a == MatrixElement::f16) return b == a && floats;
  if (a == MatrixElement::bf16 || a == MatrixElement::tf32) return b == a && d == MatrixElement::f32;
  if (is_short_float(a)) return is_short_float(b) && floats;
  if (is_integer(a)) return is_integer(b) && d == MatrixElement::s32;
  return a == MatrixElement::b1 && b == a && d == MatrixElement::s32;
}

struct Shape {
  std::uint32_t n = 0, k = 0;
};

/// "m64n16k16"; zeros: none of the modifiers is a shape.
Shape shape_of(const ptx::Instruction& i) {
  for (const std::string& modifier : i.modifiers) {
    Shape shape;
    int length = 0;
    if (std::sscanf(modifier.c_str(), "m64n%3uk%3u%n", &shape.n, &shape.k, &length) == 2 &&
        static_cast<std::size_t>(length) == modifier.size())
      return shape;
  }
  return {};
}

bool is_shape_of(const Shape& shape, const WarpgroupOp& op) {
  const bool whole = shape.n % 16 == 0 || shape.n == 8 || shape.n == 24;
  return shape.n >= 8 && shape.n <= 256 && shape.n % 8 == 0 && (whole || op.d_type != MatrixElement::s32) &&
         shape.k * bits_of(op.a.type) == 256;
}

/// An immediate operand that is one of two values.
bool is_second(const ptx::Operand& operand, std::int64_t first, std::int64_t second,
               const std::string& name) {
  if (operand.kind != ptx::Operand::Kind::integer || (operand.integer != first && operand.integer != second))
    throw Unsupported{"`" + name + "` with this immediate"};
  return operand.integer == second;
}

}  // namespace

WarpgroupOp::Factor Translator::warpgroup_factor(std::string_view type, const ptx::Operand& operand) {
  WarpgroupOp::Factor factor;
  factor.type = matrix_element(type);
  if (operand.kind != ptx::Operand::Kind::vector) factor.descriptor = source(operand, 8);
  return factor;
}

bool Translator::warpgroup(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  if (i.opcode != Opcode::wgmma || !i.has("sync") || !i.has("aligned")) return false;
  const auto& o = i.operands;
  if (i.has("fence") || i.has("commit_group")) {
    decoded.run = i.has("fence") ? warpgroup_fence : warpgroup_commit;
    return o.empty();
  }
  if (i.has("wait_group")) {
    if (o.size() != 1 || o[0].kind != ptx::Operand::Kind::integer) return false;
    decoded.kind = InstructionKind::wait;
    decoded.run = do_nothing;
    decoded.extra = static_cast<std::uint32_t>(WaitFor::warpgroup);
    decoded.immediate = o[0].integer;
    return true;
  }
  if (!i.has("mma_async") || i.has("sp") || i.has("xor") || o.size() < 4) return false;
  std::vector<std::string> types;
  for (const std::string& modifier : i.modifiers)
    if (matrix_element(modifier) != MatrixElement::none) types.push_back(modifier);
  if (types.size() != 3) return false;
  WarpgroupOp op;
  op.d_type = matrix_element(types[0]);
  op.a = warpgroup_factor(types[1], o[1]);
  op.b = warpgroup_factor(types[2], o[2]);
  const Shape shape = shape_of(i);
  if (!go_together(op.d_type, op.a.type, op.b.type) || !is_shape_of(shape, op) ||
      op.b.descriptor == kNoOperand)
    return false;
  op.n = shape.n;
  op.saturate = i.has("satfinite");
  for (const ptx::Operand& element : o[0].elements) op.d_registers.push_back(destination(element, 4));
  for (const ptx::Operand& element : o[1].elements) op.a_registers.push_back(source(element, 4));
  if (op.d_registers.size() != op.n / (op.d_type == MatrixElement::f16 ? 4 : 2) ||
      (op.a.descriptor == kNoOperand && op.a_registers.size() != 4))
    throw Unsupported{"`" + i.name() + "` with so many registers"};
  if (o[3].kind == ptx::Operand::Kind::integer) {
    op.begins_with_zero = o[3].integer == 0;
  } else {
    op.keeps_d = predicate(o[3]);
    op.keeps_d_negated = o[3].negated;
  }
  // Behind: signs of both, then which way each lies, of those factors that have a choice.
  const bool two_ways = bits_of(op.a.type) == 16, integers = op.d_type == MatrixElement::s32;
  std::vector<bool*> flags;
  if (!integers) flags = {&op.a.negated, &op.b.negated};
  if (two_ways && op.a.descriptor != kNoOperand) flags.push_back(&op.a.k_apart);
  if (two_ways) flags.push_back(&op.b.k_apart);
  if (o.size() != 4 + flags.size()) throw Unsupported{"`" + i.name() + "` with these operands"};
  for (std::size_t at = 0; at < flags.size(); ++at) {
    const bool sign = at < 2;
    *flags[at] = is_second(o[4 + at], sign ? 1 : 0, sign ? -1 : 1, i.name());
  }
  decoded.run = warpgroup_multiply;
  decoded.extra = static_cast<std::uint32_t>(program_.warpgroup_ops.size());
  program_.warpgroup_ops.push_back(std::move(op));
  return true;
}

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
    const bool only_reads = ptx::traits_of(i.opcode).writes == ptx::Writes::nothing;
    const auto note = [&](const std::string& name, bool writes) {
      const auto found = registers_.find(name);
      if (found == registers_.end() || found->second.width < 4) return;
      (writes ? touched[at].writes : touched[at].reads).push_back(found->second.offset);
    };
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      const ptx::Operand& operand = i.operands[k];
      const bool writes = k == 0 && !only_reads && operand.kind != ptx::Operand::Kind::address;
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
