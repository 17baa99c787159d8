#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "grader/simulator/exec/translator.h"
#include "grader/simulator/exec/warp.h"

// The video instructions (vadd, vabsdiff4, ...): bytes and halves of registers, picked out, saturated, and
// added up. Hardware of today emulates most of them too.
namespace fusebox::sim {
namespace {

using What = VideoOp::What;
using Then = VideoOp::Then;

constexpr std::array<std::string_view, 6> kComparisons = {"eq", "ne", "lt", "le", "gt", "ge"};

std::int64_t part_of(std::uint32_t word, VideoOp::Part part, bool is_signed) {
  if (part.bytes == 4) return is_signed ? std::int64_t{static_cast<std::int32_t>(word)} : std::int64_t{word};
  const std::uint32_t bits = 8u * part.bytes, value = (word >> (8 * part.at)) & ((1u << bits) - 1);
  return is_signed && (value >> (bits - 1)) != 0 ? std::int64_t{value} - (std::int64_t{1} << bits) : value;
}

std::int64_t saturated(std::int64_t value, std::uint32_t bits, bool is_signed) {
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp(value, is_signed ? -most - 1 : 0, most);
}

bool holds(std::uint8_t comparison, std::int64_t a, std::int64_t b) {
  switch (comparison) {
    case 0:
      return a == b;
    case 1:
      return a != b;
    case 2:
      return a < b;
    case 3:
      return a <= b;
    case 4:
      return a > b;
    default:
      return a >= b;
  }
}

std::int64_t apply(const VideoOp& op, std::int64_t a, std::int64_t b, std::int64_t c) {
  switch (op.what) {
    case What::add:
      return a + b;
    case What::sub:
      return a - b;
    case What::average:  // rounds away from zero where signed, up where not
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case What::difference:
      return a > b ? a - b : b - a;
    case What::least:
      return std::min(a, b);
    case What::most:
      return std::max(a, b);
    case What::compare:
      return holds(op.compare, a, b);
    case What::left:
    case What::right: {
      const std::int64_t by = op.wrap ? b & 31 : std::min<std::int64_t>(b & 0xffffffff, 32);
      return op.what == What::left ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << by) : a >> by;
    }
    case What::multiply_add:
      return (a * b + c + op.plus_one) >> op.shift;
  }
  return 0;
}

std::uint32_t run_scalar(const VideoOp& op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::int64_t addend = op.signed_d ? std::int64_t{static_cast<std::int32_t>(c)} : std::int64_t{c};
  std::int64_t value = apply(op, part_of(a, op.a, op.signed_a), part_of(b, op.b, op.signed_b), addend);
  if (op.saturate) value = saturated(value, 8u * op.d.bytes, op.signed_d);
  switch (op.then) {
    case Then::nothing:
      break;
    case Then::add:
      value += addend;
      break;
    case Then::least:
    case Then::most: {
      const std::int64_t mine =
          op.signed_d ? static_cast<std::int32_t>(value) : static_cast<std::uint32_t>(value);
      value = op.then == Then::least ? std::min(mine, addend) : std::max(mine, addend);
      break;
    }
    case Then::insert: {
      const std::uint32_t mask = ((1u << (8 * op.d.bytes)) - 1) << (8 * op.d.at);
      return (c & ~mask) | ((static_cast<std::uint32_t>(value) << (8 * op.d.at)) & mask);
    }
  }
  return static_cast<std::uint32_t>(value);
}

std::uint32_t run_packed(const VideoOp& op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const auto bytes = static_cast<std::uint8_t>(4 / op.lanes);
  std::uint32_t packed = 0;
  std::int64_t sum = 0;
  for (std::uint8_t k = 0; k < op.lanes; ++k) {
    const VideoOp::Part part{bytes, static_cast<std::uint8_t>(k * bytes)};
    std::int64_t value = apply(op, part_of(a, part, op.signed_a), part_of(b, part, op.signed_b), 0);
    if (op.saturate) value = saturated(value, 8u * bytes, op.signed_d);
    const std::uint32_t bits = static_cast<std::uint32_t>(value) & ((1u << (8 * bytes)) - 1);
    packed |= bits << (8 * part.at);
    sum += part_of(bits, {bytes, 0}, op.signed_d);
  }
  return op.then == Then::add ? static_cast<std::uint32_t>(sum) + c : packed;
}

template <class Run>
void each(Warp& w, const Step& s, LaneMask mask, Run run) {
  const VideoOp& op = w.frame->program->video_ops[s.extra];
  const std::uint32_t *a = w.lanes_of<std::uint32_t>(s.a), *b = w.lanes_of<std::uint32_t>(s.b),
                      *c = s.c == kNoOperand ? nullptr : w.lanes_of<std::uint32_t>(s.c);
  std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
  for (const int l : lanes_in(mask)) {
    d[l] = run(op, a[l], b[l], c == nullptr ? 0 : c[l]);
  }
}

void video_scalar(Warp& w, const Step& s, LaneMask mask) { each(w, s, mask, run_scalar); }
void video_packed(Warp& w, const Step& s, LaneMask mask) { each(w, s, mask, run_packed); }

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
    {Opcode::vmin, What::least},
    {Opcode::vmin2, What::least, 2},
    {Opcode::vmin4, What::least, 4},
    {Opcode::vmax, What::most},
    {Opcode::vmax2, What::most, 2},
    {Opcode::vmax4, What::most, 4},
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

}  // namespace

bool Translator::video(Step& step) {
  const ptx::Instruction& i = *current_;
  const auto* known = std::find_if(std::begin(kVideos), std::end(kVideos),
                                   [&](const Video& video) { return video.opcode == i.opcode; });
  if (known == std::end(kVideos)) return false;
  VideoOp op;
  op.what = known->what;
  op.lanes = known->lanes;
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
      op.then = Then::least;
    else if (modifier == "max")
      op.then = Then::most;
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
  if (types.size() != 3 || i.operands.size() < 3) return false;
  op.signed_d = types[0] == Type::s32;
  op.signed_a = types[1] == Type::s32;
  op.signed_b = types[2] == Type::s32;
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
  step.d = destination(operands[0], 4);
  step.a = source(operands[1], 4);
  step.b = source(operands[2], 4);
  if (third) step.c = source(operands[3], 4);
  step.run = op.lanes == 1 ? video_scalar : video_packed;
  step.extra = static_cast<std::uint32_t>(program_.video_ops.size());
  program_.video_ops.push_back(op);
  return true;
}

}  // namespace fusebox::sim
