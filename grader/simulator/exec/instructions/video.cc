#include "grader/simulator/exec/instructions/video.h"

#include <algorithm>

#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/warp.h"

// The video instructions (vadd, vabsdiff4, ...): bytes and halves of registers, picked out, saturated, and
// added up. Hardware of today emulates most of them too.
namespace fusebox::sim {
namespace {

using What = VideoOp::What;
using Then = VideoOp::Then;

std::int64_t part_of(std::uint32_t word, VideoOp::Part part, bool is_signed) {
  if (part.bytes == 4) return is_signed ? std::int64_t{static_cast<std::int32_t>(word)} : std::int64_t{word};
  const std::uint32_t bits = 8u * part.bytes, value = (word >> (8 * part.at)) & ((1u << bits) - 1);
  return is_signed && (value >> (bits - 1)) != 0 ? std::int64_t{value} - (std::int64_t{1} << bits) : value;
}

std::int64_t saturated(std::int64_t value, std::uint32_t bits, bool is_signed) {
  const std::int64_t max = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp(value, is_signed ? -max - 1 : 0, max);
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
    case What::min:
      return std::min(a, b);
    case What::max:
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

std::uint32_t low_bytes(unsigned bytes) { return bytes >= 4 ? ~0u : (1u << (8 * bytes)) - 1; }

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
    case Then::min:
    case Then::max: {
      const std::int64_t mine =
          op.signed_d ? static_cast<std::int32_t>(value) : static_cast<std::uint32_t>(value);
      value = op.then == Then::min ? std::min(mine, addend) : std::max(mine, addend);
      break;
    }
    case Then::insert: {
      const std::uint32_t mask = low_bytes(op.d.bytes) << (8 * op.d.at);
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
    const std::uint32_t bits = static_cast<std::uint32_t>(value) & low_bytes(bytes);
    packed |= bits << (8 * part.at);
    sum += part_of(bits, {bytes, 0}, op.signed_d);
  }
  return op.then == Then::add ? static_cast<std::uint32_t>(sum) + c : packed;
}

template <class Run>
void each(Warp& w, const DecodedInstruction& s, LaneMask mask, Run run) {
  const VideoOp& op = w.frame->program->video_ops[s.extra];
  const std::uint32_t *a = w.lanes_of<std::uint32_t>(s.a), *b = w.lanes_of<std::uint32_t>(s.b),
                      *c = s.c == kNoOperand ? nullptr : w.lanes_of<std::uint32_t>(s.c);
  std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
  for (const int l : lanes_in(mask)) {
    d[l] = run(op, a[l], b[l], c == nullptr ? 0 : c[l]);
  }
}

}  // namespace

void video_scalar(Warp& w, const DecodedInstruction& s, LaneMask mask) { each(w, s, mask, run_scalar); }
void video_packed(Warp& w, const DecodedInstruction& s, LaneMask mask) { each(w, s, mask, run_packed); }
}  // namespace fusebox::sim
