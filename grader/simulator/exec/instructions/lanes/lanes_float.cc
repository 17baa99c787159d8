#include <cmath>
#include <limits>

#include "grader/simulator/exec/instructions/lanes/lanes.h"
#include "grader/simulator/exec/instructions/lanes/rounded.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/instructions/lanes/each_lane.h"
// clang-format on

namespace fusebox::sim::FUSEBOX_ISA {
namespace {

// The hardware's NaN: one pattern whatever went in (f32); the host's would carry a sign. In f64 both make
// 0xfff8000000000000 and hand a NaN operand on, made quiet.
inline float tidy(float v) { return v == v ? v : std::bit_cast<float>(0x7fffffffu); }
inline double tidy(double v) { return v; }

inline float flush(float v) {
  return (std::bit_cast<std::uint32_t>(v) & 0x7f800000u) == 0
             ? std::bit_cast<float>(std::bit_cast<std::uint32_t>(v) & 0x80000000u)
             : v;
}
double flush(double v) = delete;  // .ftz exists for f32 only

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return tidy(a + b);
  }
};
struct Sub {
  template <class T>
  T operator()(T a, T b) const {
    return tidy(a - b);
  }
};
struct Mul {
  template <class T>
  T operator()(T a, T b) const {
    return tidy(a * b);
  }
};
struct Div {
  template <class T>
  T operator()(T a, T b) const {
    return tidy(a / b);
  }
};
struct Fma {
  float operator()(float a, float b, float c) const { return tidy(__builtin_fmaf(a, b, c)); }
  double operator()(double a, double b, double c) const { return tidy(__builtin_fma(a, b, c)); }
};
// A NaN loses against a number; -0 is below +0.
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    T min = a < b ? a : (b < a ? b : (std::signbit(a) ? a : b));
    return a != a ? (b != b ? tidy(b) : b) : (b != b ? a : min);
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    T max = a < b ? b : (b < a ? a : (std::signbit(a) ? b : a));
    return a != a ? (b != b ? tidy(b) : b) : (b != b ? a : max);
  }
};
struct MinNaN {
  template <class T>
  T operator()(T a, T b) const {
    return a != a || b != b ? tidy(a + b) : Min{}(a, b);
  }
};
struct MaxNaN {
  template <class T>
  T operator()(T a, T b) const {
    return a != a || b != b ? tidy(a + b) : Max{}(a, b);
  }
};
/// min.xorsign.abs and max.xorsign.abs: of the magnitudes, with the product's sign.
template <class Op>
struct XorSign {
  float operator()(float a, float b) const {
    float v = Op{}(std::fabs(a), std::fabs(b));
    return v != v ? v : std::signbit(a) != std::signbit(b) ? -v : v;
  }
};
struct Abs {
  template <class T>
  T operator()(T a) const {
    return tidy(std::fabs(a));
  }
};
struct Neg {
  template <class T>
  T operator()(T a) const {
    return tidy(-a);
  }
};
struct Sqrt {
  float operator()(float a) const { return tidy(__builtin_sqrtf(a)); }
  double operator()(double a) const { return tidy(__builtin_sqrt(a)); }
};
struct Rcp {
  template <class T>
  T operator()(T a) const {
    return tidy(T{1} / a);
  }
};
struct CopySign {
  template <class T>
  T operator()(T a, T b) const {
    return std::copysign(b, a);
  }
};

template <class Op>
struct Saturated {
  template <class... A>
  float operator()(A... a) const {
    float v = Op{}(a...);
    return v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f;  // NaN becomes +0
  }
};
template <class Op>
struct Flushed {
  template <class... A>
  auto operator()(A... a) const {
    return flush(Op{}(flush(a)...));
  }
};

template <RoundedOp kOp, Rounding kMode>
struct Directed {
  template <class T>
  T operator()(T a) const {
    return tidy(rounded(kOp, kMode, a, T{0}, T{0}));
  }
  template <class T>
  T operator()(T a, T b) const {
    return tidy(rounded(kOp, kMode, a, b, T{0}));
  }
  template <class T>
  T operator()(T a, T b, T c) const {
    return tidy(rounded(kOp, kMode, a, b, c));
  }
};
template <Rounding kMode>
struct DirectedSub {
  template <class T>
  T operator()(T a, T b) const {
    return tidy(rounded(RoundedOp::add, kMode, a, -b, T{0}));
  }
};
template <Rounding kMode>
struct DirectedRcp {
  template <class T>
  T operator()(T a) const {
    return tidy(rounded(RoundedOp::div, kMode, T{1}, a, T{0}));
  }
};

/// The handler for T with N operands, wrapped as .ftz and .sat say.
template <class Op, class T, int N>
Handler plain() {
  if constexpr (N == 1) return unary<T, T, Op>;
  if constexpr (N == 2) return binary<T, T, T, Op>;
  if constexpr (N == 3) return ternary<T, T, T, T, Op>;
  return nullptr;
}
template <class Op, int N>
std::optional<LaneKernel> f32_kernel(const ptx::Instruction& i) {
  bool ftz = i.has("ftz"), sat = i.has("sat");
  Handler run = ftz ? (sat ? plain<Flushed<Saturated<Op>>, float, N>() : plain<Flushed<Op>, float, N>())
                    : (sat ? plain<Saturated<Op>, float, N>() : plain<Op, float, N>());
  constexpr Type t = Type::f32;
  return LaneKernel{run, t, t, N > 1 ? t : Type::none, N > 2 ? t : Type::none};
}
template <class Op, int N>
std::optional<LaneKernel> kernel(const ptx::Instruction& i, Type t) {
  if (t == Type::f32) return f32_kernel<Op, N>(i);
  return LaneKernel{plain<Op, double, N>(), t, t, N > 1 ? t : Type::none, N > 2 ? t : Type::none};
}

template <class Nearest, template <Rounding> class Other, int N>
std::optional<LaneKernel> rounding_kernel(const ptx::Instruction& i, Type t) {
  if (i.has("rz")) return kernel<Other<Rounding::toward_zero>, N>(i, t);
  if (i.has("rm")) return kernel<Other<Rounding::down>, N>(i, t);
  if (i.has("rp")) return kernel<Other<Rounding::up>, N>(i, t);
  return kernel<Nearest, N>(i, t);
}
template <Rounding kMode>
using DirectedAdd = Directed<RoundedOp::add, kMode>;
template <Rounding kMode>
using DirectedMul = Directed<RoundedOp::mul, kMode>;
template <Rounding kMode>
using DirectedFma = Directed<RoundedOp::fma, kMode>;
template <Rounding kMode>
using DirectedDiv = Directed<RoundedOp::div, kMode>;
template <Rounding kMode>
using DirectedSqrt = Directed<RoundedOp::sqrt, kMode>;

/// Does the assembler's own code for a / b leave these two to a routine? As FCHK says on an H200, of 361
/// pairs of numbers between 1e-45 and infinity: where one of them or the quotient is near the ends of what a
/// float can be, or is no number, or where `a` is 0.
inline bool is_left_to_routine(float a, float b) {
  const auto exponent = [](float v) {
    return static_cast<int>(std::bit_cast<std::uint32_t>(v) >> 23 & 0xff);
  };
  const int of_a = exponent(a), of_b = exponent(b);
  return (of_a < 24) | (of_a == 255) | (of_b < 2) | (of_b > 252) | (of_a - of_b > 126) | (of_a - of_b < -126);
}

/// div.rn.f32. The branch to the routine is one for the whole warp.
void divide_f32(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const float* a = w.lanes_of<float>(s.a);
  const float* b = w.lanes_of<float>(s.b);
  w.slow_divisions += (mask_of([=](int l) { return is_left_to_routine(a[l], b[l]); }) & mask) != 0;
  binary<float, float, float, Div>(w, s, mask);
}

/// The same of doubles, as the machine code asks of both numbers' upper halves: where `a` is below 2^-969, or
/// the quotient is no normal number.
inline bool is_left_to_routine_f64(double a, double b) {
  const auto exponent = [](double v) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(v) >> 52 & 0x7ff);
  };
  const int of_quotient = exponent(a / b);
  return (exponent(a) < 54) | (of_quotient == 0) | (of_quotient == 0x7ff);
}

void divide_f64(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const double* a = w.lanes_of<double>(s.a);
  const double* b = w.lanes_of<double>(s.b);
  w.slow_double_divisions += (mask_of([=](int l) { return is_left_to_routine_f64(a[l], b[l]); }) & mask) != 0;
  binary<double, double, double, Div>(w, s, mask);
}

// testp.op: a predicate about one value's class.
template <class T, int kTest>
void testp(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const T* a = w.lanes_of<T>(s.a);
  LaneMask result = 0;
  for (const int l : lanes_in(mask)) {
    int kind = std::fpclassify(a[l]);
    bool yes = kTest == 0   ? kind != FP_NAN && kind != FP_INFINITE
               : kTest == 1 ? kind == FP_INFINITE
               : kTest == 2 ? kind != FP_NAN
               : kTest == 3 ? kind == FP_NAN
               : kTest == 4 ? kind == FP_NORMAL || kind == FP_ZERO
                            : kind == FP_SUBNORMAL;
    result |= LaneMask{yes} << l;
  }
  LaneMask& d = w.predicate(s.d);
  d = (d & ~mask) | result;
}
template <int kTest>
LaneKernel testp_kernel(Type t) {
  return {t == Type::f32 ? testp<float, kTest> : testp<double, kTest>, Type::pred, t};
}

std::optional<LaneKernel> testp_of(const ptx::Instruction& i, Type t) {
  if (i.has("finite")) return testp_kernel<0>(t);
  if (i.has("infinite")) return testp_kernel<1>(t);
  if (i.has("number")) return testp_kernel<2>(t);
  if (i.has("notanumber")) return testp_kernel<3>(t);
  if (i.has("normal")) return testp_kernel<4>(t);
  if (i.has("subnormal")) return testp_kernel<5>(t);
  return std::nullopt;
}

}  // namespace

std::optional<LaneKernel> float_kernel(const ptx::Instruction& i) {
  if (i.modifiers.empty()) return std::nullopt;
  Type t = parse_type(i.modifiers.back());
  if (t != Type::f32 && t != Type::f64) return std::nullopt;
  const Opcode op = i.opcode;
  bool single = t == Type::f32;
  if (op == Opcode::add) return rounding_kernel<Add, DirectedAdd, 2>(i, t);
  if (op == Opcode::sub) return rounding_kernel<Sub, DirectedSub, 2>(i, t);
  if (op == Opcode::mul) return rounding_kernel<Mul, DirectedMul, 2>(i, t);
  if (op == Opcode::fma || op == Opcode::mad) return rounding_kernel<Fma, DirectedFma, 3>(i, t);
  if (op == Opcode::div && single && i.has("rn") && !i.has("ftz")) return LaneKernel{divide_f32, t, t, t};
  if (op == Opcode::div && t == Type::f64 && i.has("rn")) return LaneKernel{divide_f64, t, t, t};
  if (op == Opcode::div) return rounding_kernel<Div, DirectedDiv, 2>(i, t);
  if (op == Opcode::sqrt) return rounding_kernel<Sqrt, DirectedSqrt, 1>(i, t);
  if (op == Opcode::rcp) return rounding_kernel<Rcp, DirectedRcp, 1>(i, t);
  if (i.has("xorsign")) {
    if (!single || (op != Opcode::min && op != Opcode::max)) return std::nullopt;
    if (i.has("NaN"))
      return op == Opcode::min ? f32_kernel<XorSign<MinNaN>, 2>(i) : f32_kernel<XorSign<MaxNaN>, 2>(i);
    return op == Opcode::min ? f32_kernel<XorSign<Min>, 2>(i) : f32_kernel<XorSign<Max>, 2>(i);
  }
  if (op == Opcode::min) return i.has("NaN") ? kernel<MinNaN, 2>(i, t) : kernel<Min, 2>(i, t);
  if (op == Opcode::max) return i.has("NaN") ? kernel<MaxNaN, 2>(i, t) : kernel<Max, 2>(i, t);
  if (op == Opcode::abs) return kernel<Abs, 1>(i, t);
  if (op == Opcode::neg) return kernel<Neg, 1>(i, t);
  if (op == Opcode::copysign) return kernel<CopySign, 2>(i, t);
  if (op == Opcode::testp) return testp_of(i, t);
  return std::nullopt;
}

}  // namespace fusebox::sim::FUSEBOX_ISA

FUSEBOX_LANES_END
