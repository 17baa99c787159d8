#include <algorithm>
#include <cmath>

#include "grader/simulator/exec/instructions/lanes/half.h"
#include "grader/simulator/exec/instructions/lanes/lanes.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/instructions/lanes/each_lane.h"
// clang-format on

namespace fusebox::sim::FUSEBOX_ISA {
namespace {

struct F16 {
  static double wide(std::uint16_t v) { return half_to_float(v); }
  static std::uint16_t narrow(double v) { return double_to_half(v); }
};
struct BF16 {
  static double wide(std::uint16_t v) { return bf16_to_float(v); }
  static std::uint16_t narrow(double v) { return double_to_bf16(v); }
};

// Products of two halves are exact in double, sums are rounded to odd: one correct rounding at the end.
struct Add {
  static double of(double a, double b, double) { return add_to_odd(a, b); }
};
struct Sub {
  static double of(double a, double b, double) { return add_to_odd(a, -b); }
};
struct Mul {
  static double of(double a, double b, double) { return a * b; }
};
struct Fma {
  static double of(double a, double b, double c) { return add_to_odd(a * b, c); }
};
struct FmaRelu {
  static double of(double a, double b, double c) {
    double v = add_to_odd(a * b, c);
    return v > 0 || v != v ? v : 0;
  }
};
struct Min {
  static double of(double a, double b, double) {
    if (a != a) return b;
    if (b != b) return a;
    return a < b || (a == b && std::signbit(a)) ? a : b;
  }
};
struct Max {
  static double of(double a, double b, double) {
    if (a != a) return b;
    if (b != b) return a;
    return a < b || (a == b && std::signbit(a)) ? b : a;
  }
};
struct MinNaN {
  static double of(double a, double b, double) { return a != a || b != b ? NAN : Min::of(a, b, 0); }
};
struct MaxNaN {
  static double of(double a, double b, double) { return a != a || b != b ? NAN : Max::of(a, b, 0); }
};

inline double flush(double v) { return std::fabs(v) < 0x1p-14 ? std::copysign(0.0, v) : v; }

template <class Format, class Op, int N, bool kPacked, bool kSaturate, bool kFlush = false>
void run(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  using Word = std::conditional_t<kPacked, std::uint32_t, std::uint16_t>;
  Word* d = w.lanes_of<Word>(s.d);
  const Word* a = w.lanes_of<Word>(s.a);
  const Word* b = N > 1 ? w.lanes_of<Word>(s.b) : a;
  const Word* c = N > 2 ? w.lanes_of<Word>(s.c) : a;
  for (const int l : lanes_in(mask)) {
    std::uint32_t result = 0;
    for (int part = 0; part < (kPacked ? 2 : 1); ++part) {
      auto take = [&](Word word) {
        double v = Format::wide(static_cast<std::uint16_t>(word >> (16 * part)));
        return kFlush ? flush(v) : v;
      };
      double v = Op::of(take(a[l]), take(b[l]), take(c[l]));
      if (kSaturate) v = v > 0 ? std::min(v, 1.0) : 0;
      std::uint16_t bits = Format::narrow(v);
      if (kFlush && (bits & 0x7c00) == 0) bits &= 0x8000;
      result |= std::uint32_t{bits} << (16 * part);
    }
    d[l] = static_cast<Word>(result);
  }
}

struct Abs {
  static double of(double a, double, double) { return std::fabs(a); }
};
struct Neg {
  static double of(double a, double, double) { return -a; }
};

template <class Op, int N>
std::optional<LaneKernel> kernel(const ptx::Instruction& i, Type t) {
  Handler handler = nullptr;
  bool sat = i.has("sat"), ftz = i.has("ftz");
  if (sat && ftz) {
    handler = t == Type::f16 ? run<F16, Op, N, false, true, true> : run<F16, Op, N, true, true, true>;
  } else if (ftz) {
    handler = t == Type::f16 ? run<F16, Op, N, false, false, true> : run<F16, Op, N, true, false, true>;
  }
  if (ftz) return LaneKernel{handler, t, t, N > 1 ? t : Type::none, N > 2 ? t : Type::none};
  switch (t) {
    case Type::f16:
      handler = sat ? run<F16, Op, N, false, true> : run<F16, Op, N, false, false>;
      break;
    case Type::f16x2:
      handler = sat ? run<F16, Op, N, true, true> : run<F16, Op, N, true, false>;
      break;
    case Type::bf16:
      handler = sat ? run<BF16, Op, N, false, true> : run<BF16, Op, N, false, false>;
      break;
    case Type::bf16x2:
      handler = sat ? run<BF16, Op, N, true, true> : run<BF16, Op, N, true, false>;
      break;
    default:
      return std::nullopt;
  }
  return LaneKernel{handler, t, t, N > 1 ? t : Type::none, N > 2 ? t : Type::none};
}

}  // namespace

std::optional<LaneKernel> half_kernel(const ptx::Instruction& i) {
  if (i.modifiers.empty()) return std::nullopt;
  Type t = parse_type(i.modifiers.back());
  if (t != Type::f16 && t != Type::f16x2 && t != Type::bf16 && t != Type::bf16x2) return std::nullopt;
  if (i.has("xorsign")) return std::nullopt;
  if (i.has("ftz") && (t == Type::bf16 || t == Type::bf16x2)) return std::nullopt;
  const Opcode op = i.opcode;
  if (op == Opcode::add) return kernel<Add, 2>(i, t);
  if (op == Opcode::sub) return kernel<Sub, 2>(i, t);
  if (op == Opcode::mul) return kernel<Mul, 2>(i, t);
  if (op == Opcode::fma) return i.has("relu") ? kernel<FmaRelu, 3>(i, t) : kernel<Fma, 3>(i, t);
  if (op == Opcode::min) return i.has("NaN") ? kernel<MinNaN, 2>(i, t) : kernel<Min, 2>(i, t);
  if (op == Opcode::max) return i.has("NaN") ? kernel<MaxNaN, 2>(i, t) : kernel<Max, 2>(i, t);
  if (op == Opcode::neg) return kernel<Neg, 1>(i, t);
  if (op == Opcode::abs) return kernel<Abs, 1>(i, t);
  return std::nullopt;
}

}  // namespace fusebox::sim::FUSEBOX_ISA

FUSEBOX_LANES_END
