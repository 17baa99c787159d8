#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/instructions/video.h"

namespace fusebox::sim {
namespace {

using What = VideoOp::What;
using Then = VideoOp::Then;

constexpr std::array<std::string_view, 6> kComparisons = {"eq", "ne", "lt", "le", "gt", "ge"};

struct Video {
  Opcode opcode;
  What what;
  std::uint8_t lanes = 1;
};

constexpr Video kVideos[] = {
    {Opcode::vadd, What::add},
    {Opcode::vadd2, What::add, 2},
    {Opcode::vadd4, What::add, 4},
    {Opcode::vsub, What::sub},
    {Opcode::vsub2, What::sub, 2},
    {Opcode::vsub4, What::sub, 4},
    {Opcode::vavrg2, What::average, 2},
    {Opcode::vavrg4, What::average, 4},
    {Opcode::vabsdiff, What::difference},
    {Opcode::vabsdiff2, What::difference, 2},
    {Opcode::vabsdiff4, What::difference, 4},
    {Opcode::vmin, What::min},
    {Opcode::vmin2, What::min, 2},
    {Opcode::vmin4, What::min, 4},
    {Opcode::vmax, What::max},
    {Opcode::vmax2, What::max, 2},
    {Opcode::vmax4, What::max, 4},
    {Opcode::vset, What::compare},
    {Opcode::vset2, What::compare, 2},
    {Opcode::vset4, What::compare, 4},
    {Opcode::vshl, What::left},
    {Opcode::vshr, What::right},
    {Opcode::vmad, What::multiply_add},
};

/// "b2" or "h1"; takes it off the end of an operand's name: "%r4.b2".
bool take_part(std::string& name, VideoOp::Part& part) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return true;
  const std::string which = name.substr(dot + 1);
  if (which.size() != 2 || (which[0] != 'b' && which[0] != 'h')) return false;
  part.bytes = which[0] == 'b' ? 1 : 2;
  part.at = static_cast<std::uint8_t>((which[1] - '0') * part.bytes);
  name.resize(dot);
  return part.at < 4;
}

/// Reads what stands behind the opcode; false for a form that is not known.
bool read_modifiers(const ptx::Instruction& i, VideoOp& op) {
  std::vector<Type> types;
  for (const std::string& modifier : i.modifiers) {
    const auto comparison = std::find(kComparisons.begin(), kComparisons.end(), modifier);
    if (const Type type = parse_type(modifier); type == Type::u32 || type == Type::s32)
      types.push_back(type);
    else if (modifier == "sat")
      op.saturate = true;
    else if (modifier == "add")
      op.then = Then::add;
    else if (modifier == "min")
      op.then = Then::min;
    else if (modifier == "max")
      op.then = Then::max;
    else if (modifier == "wrap" || modifier == "clamp")
      op.wrap = modifier == "wrap";
    else if (modifier == "shr7" || modifier == "shr15")
      op.shift = modifier == "shr7" ? 7 : 15;
    else if (modifier == "po")
      op.plus_one = true;
    else if (comparison != kComparisons.end())
      op.compare = static_cast<std::uint8_t>(comparison - kComparisons.begin());
    else
      return false;
  }
  // vset names no type of its result: it is 0 or 1.
  if (op.what == What::compare && types.size() == 2) types.insert(types.begin(), Type::u32);
  if (types.size() != 3) return false;
  op.signed_d = types[0] == Type::s32;
  op.signed_a = types[1] == Type::s32;
  op.signed_b = types[2] == Type::s32;
  return true;
}

}  // namespace

bool Translator::video(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  const auto* known = std::find_if(std::begin(kVideos), std::end(kVideos),
                                   [&](const Video& video) { return video.opcode == i.opcode; });
  if (known == std::end(kVideos)) return false;
  VideoOp op;
  op.what = known->what;
  op.lanes = known->lanes;
  if (!read_modifiers(i, op) || i.operands.size() < 3) return false;
  std::vector<ptx::Operand> operands = i.operands;
  if (operands.size() > 4 ||
      std::any_of(operands.begin(), operands.end(), [](const auto& o) { return o.negated; }))
    return false;
  if (!take_part(operands[0].name, op.d) || !take_part(operands[1].name, op.a) ||
      !take_part(operands[2].name, op.b))
    return false;
  const bool picks = op.a.bytes + op.b.bytes + op.d.bytes != 12;
  if (op.lanes > 1 && (picks || op.plus_one)) return false;  // a choice of lanes
  if (op.d.bytes != 4) {
    if (op.then != Then::nothing) return false;
    op.then = Then::insert;
  }
  const bool third = op.then != Then::nothing || op.what == What::multiply_add;
  if (third && operands.size() < 4) return false;
  decoded.d = destination(operands[0], 4);
  decoded.a = source(operands[1], 4);
  decoded.b = source(operands[2], 4);
  if (third) decoded.c = source(operands[3], 4);
  decoded.run = op.lanes == 1 ? video_scalar : video_packed;
  decoded.extra = static_cast<std::uint32_t>(program_.video_ops.size());
  program_.video_ops.push_back(op);
  return true;
}

}  // namespace fusebox::sim
