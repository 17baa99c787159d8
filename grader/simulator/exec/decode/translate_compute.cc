#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/instructions/collectives.h"

namespace fusebox::sim {

bool Translator::compute(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  const LaneOps& ops = lane_ops();
  std::optional<LaneKernel> kernel;
  for (auto pick : {ops.integer, ops.approximate, ops.floating, ops.half, ops.convert, ops.compare})
    if (!kernel) kernel = pick(i);
  if (!kernel) return false;
  decoded.run = kernel->run;
  decoded.immediate = kernel->immediate;
  decoded.flag = kernel->flag;
  decoded.extra = kernel->extra;

  auto place = [&](std::size_t index, Type type) -> std::uint32_t {
    if (index >= i.operands.size()) throw Unsupported{"`" + i.name() + "` with too few operands"};
    const ptx::Operand& o = i.operands[index];
    if (type == Type::pred) {
      const bool constant_truth = index > 0 && o.kind == ptx::Operand::Kind::integer;  // mov.pred p, 0
      return constant_truth ? constant(o.integer != 0 ? ~std::uint32_t{0} : 0, 4) : predicate(o);
    }
    Slot slot = index == 0 ? register_of(o) : operand(o, type);
    if (!kernel->converts && slot.width != type_bytes(type) && !(slot.width == 2 && type_bytes(type) == 1))
      throw Unsupported{"`" + i.name() + "` on a register of another width"};
    return slot.offset;
  };
  if (i.operands.empty()) throw Unsupported{"`" + i.name() + "` with too few operands"};
  const bool tests = i.opcode == Opcode::lop3 && i.modifiers.size() > 1;  // d|p, a, b, c, table, q
  if (tests) {
    if (i.operands[0].kind != ptx::Operand::Kind::predicate_pair || i.operands.size() != 6)
      throw Unsupported{"`" + i.name() + "` with these operands"};
    if (i.operands[0].elements[0].name != "_") decoded.d = register_of(i.operands[0].elements[0]).offset;
    decoded.e = predicate(i.operands[0].elements[1]);
    decoded.data[0] = predicate(i.operands[5]);
    if (decoded.e == kNoOperand || decoded.data[0] == kNoOperand)
      throw Unsupported{"`" + i.name() + "` without a predicate"};
  } else if (i.operands[0].kind == ptx::Operand::Kind::predicate_pair) {
    if (i.opcode != Opcode::setp) throw Unsupported{"`" + i.name() + "` with two predicates"};
    decoded.d = predicate_or_none(i.operands[0].elements[0]);
    decoded.e = predicate_or_none(i.operands[0].elements[1]);
  } else {
    decoded.d = place(0, kernel->d);
  }
  if (kernel->a != Type::none) decoded.a = place(1, kernel->a);
  if (kernel->b != Type::none) decoded.b = place(2, kernel->b);
  if (kernel->c != Type::none) decoded.c = place(3, kernel->c);
  if (kernel->converts) {
    decoded.width = register_of(i.operands[0]).width;
    decoded.bytes = operand(i.operands[1], kernel->a).width;
    if (decoded.width < type_bytes(kernel->d) || decoded.bytes < type_bytes(kernel->a))
      throw Unsupported{"`" + i.name() + "` on a register that is too narrow"};
  }
  if (i.opcode == Opcode::lop3) {
    if (i.operands.size() < 5) throw Unsupported{"`" + i.name() + "` with too few operands"};
    decoded.immediate = i.operands[4].integer;
  }
  if (i.opcode == Opcode::bfi) decoded.data[0] = place(4, Type::u32);
  // A negated predicate source (`and.pred p, a, !b`) exists only in setp and selp's cousins; elsewhere it
  // would be ignored.
  bool combines = i.opcode == Opcode::setp || i.opcode == Opcode::set;
  for (std::size_t k = 0; k < i.operands.size(); ++k)
    if (i.operands[k].negated && !(combines && k == 3))
      throw Unsupported{"a negated operand of `" + i.name() + "`"};
  return true;
}

bool Translator::move(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  if (i.opcode != Opcode::mov || i.operands.size() != 2) return false;
  const ptx::Operand &to = i.operands[0], &from = i.operands[1];
  Type type = parse_type(i.modifiers.empty() ? "" : i.modifiers.back());
  if (from.kind == ptx::Operand::Kind::reg &&
      (from.name.starts_with("%clock") || from.name.starts_with("%globaltimer"))) {
    special(from.name);  // refuses what is unknown
    Slot slot = register_of(to);
    if (slot.width != 4 && slot.width != 8) throw Unsupported{"a clock in a register of another width"};
    decoded.run = read_clock;
    decoded.d = slot.offset;
    decoded.width = slot.width;
    decoded.flag = from.name.ends_with("_hi");
    return true;
  }
  bool packs = from.kind == ptx::Operand::Kind::vector, unpacks = to.kind == ptx::Operand::Kind::vector;
  if (!packs && !unpacks) {
    if (type != Type::b128) return false;
    decoded.run = copy_128;
    decoded.d = destination(to, 16);
    decoded.a = source(from, 16);
    return true;
  }
  if (packs && unpacks) throw Unsupported{"`" + i.name() + "` from vector to vector"};
  const auto& elements = packs ? from.elements : to.elements;
  if (elements.empty() || elements.size() > 4 || type_bytes(type) % elements.size() != 0)
    throw Unsupported{"`" + i.name() + "` of " + std::to_string(elements.size()) + " elements"};
  decoded.run = packs ? pack_lanes : unpack_lanes;
  decoded.bytes = static_cast<std::uint8_t>(type_bytes(type) / elements.size());
  decoded.elements = static_cast<std::uint8_t>(elements.size());
  decoded.width = static_cast<std::uint8_t>(type_bytes(type));
  Type element_type = decoded.bytes == 8 ? Type::b64 : decoded.bytes == 4 ? Type::b32 : Type::b16;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (elements[k].name == "_") continue;
    Slot slot = packs ? operand(elements[k], element_type) : register_of(elements[k]);
    if (slot.width != decoded.bytes && !(decoded.bytes == 1 && slot.width == 2))
      throw Unsupported{"`" + i.name() + "` on registers of another width"};
    decoded.data[k] = slot.offset;
  }
  Slot whole = packs ? register_of(to) : operand(from, type);
  if (whole.width != decoded.width) throw Unsupported{"`" + i.name() + "` on a register of another width"};
  (packs ? decoded.d : decoded.a) = whole.offset;
  return true;
}

}  // namespace fusebox::sim
