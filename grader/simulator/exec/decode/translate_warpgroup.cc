#include <algorithm>
#include <array>

#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/instructions/collectives.h"
#include "grader/simulator/exec/instructions/warpgroup/warpgroup.h"
#include "grader/simulator/ptx/matrix_shape.h"

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

bool is_shape_of(const ptx::MatrixShape& shape, const WarpgroupOp& op) {
  const bool whole = shape.n % 16 == 0 || shape.n == 8 || shape.n == 24;
  return shape.m == 64 && shape.n >= 8 && shape.n <= 256 && shape.n % 8 == 0 &&
         (whole || op.d_type != MatrixElement::s32) && shape.k * bits_of(op.a.type) == 256;
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
  const auto shape = ptx::matrix_shape(i).value_or(ptx::MatrixShape{});
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

}  // namespace fusebox::sim
