#include <algorithm>
#include <string>
#include <vector>

#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/instructions/texture.h"

namespace fusebox::sim {

bool Translator::texture(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  const bool fetch = i.opcode == Opcode::tex, load = i.opcode == Opcode::suld,
             store = i.opcode == Opcode::sust;
  TextureOp op;
  std::size_t named = 0;
  for (const char* geometry : {"1d", "2d", "3d", "a1d", "a2d"}) {
    if (!i.has(geometry)) continue;
    op.layered = geometry[0] == 'a';
    op.dimensions = static_cast<std::uint8_t>(geometry[op.layered ? 1 : 0] - '0');
    ++named;
  }
  const std::size_t places = store ? 0 : 1, values = store ? 1 : 0;
  if (named != 1 || i.modifiers.empty() || i.operands.size() < 2 || (i.has("p") && !fetch)) return false;
  ptx::Operand place = i.operands[places];
  if (place.kind != ptx::Operand::Kind::address || place.elements.size() != 2) return false;
  op.handle = source(place.elements[0], 8);
  std::vector<ptx::Operand> position = place.elements[1].kind == ptx::Operand::Kind::vector
                                           ? place.elements[1].elements
                                           : std::vector<ptx::Operand>{place.elements[1]};
  if (op.layered && !position.empty()) {
    op.layer = source(position.front(), 4);
    position.erase(position.begin());
  }
  if (position.size() < op.dimensions) return false;
  for (std::size_t k = 0; k < op.dimensions; ++k) op.position.push_back(source(position[k], 4));
  ptx::Operand value = i.operands[values];
  if (value.kind == ptx::Operand::Kind::predicate_pair) return false;
  const std::vector<ptx::Operand> data =
      value.kind == ptx::Operand::Kind::vector ? value.elements : std::vector<ptx::Operand>{value};
  if (fetch) {
    // Without mipmaps every level and every gradient is the same.
    const Type positions = parse_type(i.modifiers.back());
    op.type = i.modifiers.size() > 1 ? parse_type(i.modifiers[i.modifiers.size() - 2]) : Type::none;
    if ((positions != Type::f32 && positions != Type::s32) || data.size() != 4 ||
        (op.type != Type::f32 && op.type != Type::s32 && op.type != Type::u32))
      return false;
    op.whole_positions = positions == Type::s32;
    for (const ptx::Operand& d : data) op.data.push_back(d.name == "_" ? kNoOperand : destination(d, 4));
    decoded.run = texture_fetch;
  } else {
    for (const std::string& modifier : i.modifiers) {
      if (const Type type = parse_type(modifier); type != Type::none)
        op.bytes = static_cast<std::uint8_t>(type_bytes(type));
      if (modifier == "clamp") op.outside = TextureOp::Outside::clamp;
      if (modifier == "zero") op.outside = TextureOp::Outside::zero;
    }
    decoded.width = std::max<std::uint8_t>(op.bytes, 2);
    for (const ptx::Operand& d : data)
      op.data.push_back(load ? destination(d, decoded.width) : source(d, decoded.width));
    if (op.data.size() * op.bytes > 16) return false;
    decoded.run = load ? surface_load : surface_store;
  }
  decoded.extra = static_cast<std::uint32_t>(program_.texture_ops.size());
  program_.texture_ops.push_back(std::move(op));
  return true;
}

}  // namespace fusebox::sim
