#include <algorithm>
#include <array>

#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/instructions/matrix.h"
#include "grader/simulator/ptx/matrix_shape.h"

namespace fusebox::sim {
namespace {

bool read_shape(const ptx::Instruction& i, MatrixOp& op) {
  const auto shape = ptx::matrix_shape(i);
  if (shape) op.m = shape->m, op.n = shape->n, op.k = shape->k, op.k_at_once = ptx::k_at_once(i, *shape);
  return shape.has_value();
}

/// Elements in the fragments of all lanes must cover the matrix, once or (wmma) a whole number of times.
bool covers(const std::vector<std::uint32_t>& registers, Type type, std::uint32_t rows, std::uint32_t columns,
            bool once) {
  if (type_bytes(type) == 0) return false;
  std::uint32_t per = type_bytes(type) >= 4 ? 1 : 4 / type_bytes(type);
  std::uint32_t held = static_cast<std::uint32_t>(registers.size()) * per * kWarpSize,
                needed = rows * columns;
  return needed != 0 && needed <= 1024 && (once ? held == needed : held >= needed && held % needed == 0);
}

/// What the name ends in: the types, behind which only rounding and saturation are named.
std::vector<std::string> up_to_types(const ptx::Instruction& i) {
  std::vector<std::string> list = i.modifiers;
  while (!list.empty() && (list.back() == "satfinite" || list.back() == "rn" || list.back() == "rz" ||
                           list.back() == "rm" || list.back() == "rp"))
    list.pop_back();
  return list;
}

/// The types at the end of the name: D, A, B, C.
bool read_types(const std::vector<std::string>& names, MatrixOp& op) {
  if (names.size() < 4) return false;
  auto type = [&](std::size_t from_end) { return parse_type(names[names.size() - from_end]); };
  op.d_type = type(4);
  op.a_type = type(3);
  op.b_type = type(2);
  op.c_type = type(1);
  auto is_byte = [](Type t) { return t == Type::s8 || t == Type::u8; };
  bool floats = op.a_type == op.b_type &&
                (op.a_type == Type::f16 || op.a_type == Type::bf16 || op.a_type == Type::tf32);
  auto accumulates = [&](Type t) { return t == Type::f32 || (t == Type::f16 && op.a_type == Type::f16); };
  if (floats) return accumulates(op.c_type) && accumulates(op.d_type);
  if (is_byte(op.a_type) && is_byte(op.b_type)) return op.c_type == Type::s32 && op.d_type == Type::s32;
  return op.a_type == Type::f64 && op.b_type == Type::f64 && op.c_type == Type::f64 && op.d_type == Type::f64;
}

}  // namespace

std::vector<std::uint32_t> Translator::registers_of(const ptx::Operand& operand, std::uint8_t width) {
  std::vector<ptx::Operand> elements =
      operand.kind == ptx::Operand::Kind::vector ? operand.elements : std::vector<ptx::Operand>{operand};
  if (elements.size() > 16) throw Unsupported{"`" + current_->name() + "` with so many registers"};
  std::vector<std::uint32_t> list;
  list.reserve(elements.size());
  for (const ptx::Operand& element : elements) {
    list.push_back(source(element, width));
  }
  return list;
}

bool Translator::matrix(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  bool fragments = i.opcode == Opcode::wmma;
  if ((i.opcode != Opcode::mma && !(fragments && i.has("mma"))) || !i.has("sync")) return false;
  MatrixOp op;
  if (i.operands.size() != 4 || i.has("sp") || i.has("and") || i.has("xor") || !read_shape(i, op))
    return false;
  // Hardware rounds fp64 to the nearest; the other ways are refused.
  if (i.has("rz") || i.has("rm") || i.has("rp")) return false;
  const std::vector<std::string> names = up_to_types(i);
  bool known = read_types(names, op);
  if (fragments && !known) {
    // wmma names only D's and C's types for halves: .f32.f32
    if (names.size() < 2) return false;
    op.d_type = parse_type(names[names.size() - 2]);
    op.c_type = parse_type(names.back());
    op.a_type = op.b_type = Type::f16;
    auto accumulates = [](Type t) { return t == Type::f32 || t == Type::f16; };
    known = accumulates(op.d_type) && accumulates(op.c_type);
  }
  if (!known) return false;
  op.saturate = i.has("satfinite");
  auto width = [](Type t) { return static_cast<std::uint8_t>(t == Type::f64 ? 8 : 4); };
  op.d = registers_of(i.operands[0], width(op.d_type));
  op.a = registers_of(i.operands[1], width(op.a_type));
  op.b = registers_of(i.operands[2], width(op.b_type));
  op.c = registers_of(i.operands[3], width(op.c_type));
  if (!fragments) {
    // The layouts below are those of the shapes with n = 8 and A by rows, B by columns. (m8n8k4 of f16 has
    // its own.)
    bool usual = i.has("row") && i.has("col") && op.n == 8 && (op.m == 16 || op.m == 8);
    if (!usual || (op.m == 8 && op.a_type == Type::f16)) return false;
  }
  if (!covers(op.a, op.a_type, op.m, op.k, !fragments) || !covers(op.b, op.b_type, op.k, op.n, !fragments) ||
      !covers(op.c, op.c_type, op.m, op.n, true) || !covers(op.d, op.d_type, op.m, op.n, true))
    return false;
  const auto a = fragment_of(Factor::a, op.a_type, op.m, op.k),
             b = fragment_of(Factor::b, op.b_type, op.k, op.n),
             sum = fragment_of(Factor::sum, op.c_type, op.m, op.n);
  if (!a || !b || !sum) return false;
  op.a_fragment = *a;
  op.b_fragment = *b;
  op.sum = *sum;
  decoded.run = matrix_multiply;
  decoded.extra = static_cast<std::uint32_t>(program_.matrix_ops.size());
  program_.matrix_ops.push_back(std::move(op));
  return true;
}

bool Translator::matrix_memory(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  auto space = [&] {
    decoded.generic = !i.has("shared") && !i.has("shared::cta") && !i.has("global");
    decoded.space = i.has("global") ? Space::global : Space::shared;
  };
  if (i.opcode == Opcode::movmatrix && i.has("m8n8") && i.has("trans") && i.has("b16") &&
      i.operands.size() == 2) {
    decoded.run = matrix_transpose;
    decoded.d = registers_of(i.operands[0], 4).at(0);
    decoded.a = registers_of(i.operands[1], 4).at(0);
    return true;
  }
  if (i.opcode == Opcode::ldmatrix || i.opcode == Opcode::stmatrix) {
    if (!i.has("m8n8") || !i.has("b16") || i.operands.size() != 2) return false;
    bool load = i.opcode == Opcode::ldmatrix;
    std::vector<std::uint32_t> registers = registers_of(i.operands[load ? 0 : 1], 4);
    if (registers.size() != (i.has("x4") ? 4u : i.has("x2") ? 2u : 1u)) return false;
    std::copy(registers.begin(), registers.end(), decoded.data);
    decoded.elements = static_cast<std::uint8_t>(registers.size());
    space();
    if (decoded.space == Space::global) return false;
    address(decoded, i.operands[load ? 1 : 0]);
    decoded.flag = i.has("trans");
    decoded.run = load ? matrix_load : matrix_store;
    return true;
  }
  if (i.opcode != Opcode::wmma || !(i.has("load") || i.has("store"))) return false;
  bool load = i.has("load");
  MatrixOp shape;
  FragmentMove move;
  if (i.operands.size() < 2 || !read_shape(i, shape)) return false;
  move.type = parse_type(i.modifiers.back());
  const Factor factor = i.has("a") ? Factor::a : i.has("b") ? Factor::b : Factor::sum;
  const std::uint32_t rows = factor == Factor::b ? shape.k : shape.m,
                      columns = factor == Factor::a ? shape.k : shape.n;
  move.registers = registers_of(i.operands[load ? 0 : 1], move.type == Type::f64 ? 8 : 4);
  const auto fragment = fragment_of(factor, move.type, rows, columns);
  if (!fragment || !covers(move.registers, move.type, rows, columns, false)) return false;
  move.fragment = *fragment;
  space();
  address(decoded, i.operands[load ? 1 : 0]);
  if (i.operands.size() > 2) decoded.b = source(i.operands[2], 4);
  move.by_columns = i.has("col");
  const bool by_matrices = load && !decoded.generic && decoded.space == Space::shared &&
                           loads_by_matrices(factor, move.fragment, move.type, move.by_columns);
  if (by_matrices) move.path = AccessPath::matrices;
  move.accesses = fragment_accesses(move.fragment, move.type, move.by_columns, by_matrices);
  decoded.run = load ? fragment_load : fragment_store;
  decoded.extra = static_cast<std::uint32_t>(program_.fragment_moves.size());
  program_.fragment_moves.push_back(std::move(move));
  return true;
}

}  // namespace fusebox::sim
