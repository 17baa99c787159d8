// Instructions with .approx or .full: the special function unit, and what the assembler puts around it.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "grader/simulator/exec/instructions/lanes/approximate.h"
#include "grader/simulator/exec/instructions/lanes/half.h"
#include "grader/simulator/exec/instructions/lanes/lanes.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/instructions/lanes/each_lane.h"
// clang-format on

namespace fusebox::sim::FUSEBOX_ISA {
namespace {

constexpr float kMinNormal = 0x1p-126f;

inline float tidy(float v) { return v == v ? v : mufu::kNaN; }
inline float flush(float v) { return std::fabs(v) < kMinNormal ? v * 0 : v; }

/// The unit's answer as it is: with .ftz the assembler adds nothing.
template <float (*kUnit)(float)>
struct Unit {
  float operator()(float a) const { return kUnit(a); }
};

// Without .ftz subnormals are scaled up before the unit, and its result back.
inline bool scales_up(float a) { return std::fabs(a) < kMinNormal; }

struct Rcp {
  float operator()(float a) const {
    float scale = scales_up(a) ? 0x1p24f : std::fabs(a) > 0x1p126f ? 0.25f : 1.0f;
    return tidy(scale * mufu::rcp(a * scale));
  }
};
struct Rsqrt {
  float operator()(float a) const {
    return scales_up(a) ? tidy(mufu::rsqrt(a * 0x1p24f) * 0x1p12f) : mufu::rsqrt(a);
  }
};
struct Sqrt {
  float operator()(float a) const {
    return scales_up(a) ? tidy(mufu::sqrt(a * 0x1p24f) * 0x1p-12f) : mufu::sqrt(a);
  }
};
struct Lg2 {
  float operator()(float a) const {
    return scales_up(a) ? tidy(mufu::lg2(a * 0x1p24f) - 24.0f) : mufu::lg2(a);
  }
};
struct Ex2 {
  float operator()(float a) const {
    if (!(a < -126.0f)) return mufu::ex2(a);
    float root = mufu::ex2(a * 0.5f);
    return root * root;
  }
};

struct Div {
  float operator()(float a, float b) const {
    float scale = scales_up(b) ? 0x1p24f : 1.0f;
    return tidy(mufu::rcp(b * scale) * (a * scale));
  }
};
struct DivFtz {
  float operator()(float a, float b) const { return tidy(flush(flush(a) * mufu::rcp(b))); }
};
struct FullDiv {
  float operator()(float a, float b) const {
    float scale = std::fabs(b) > 0x1p126f ? 0.25f : scales_up(b) ? 0x1p24f : 1.0f;
    return tidy(mufu::rcp(b * scale) * (a * scale));
  }
};
struct FullDivFtz {
  float operator()(float a, float b) const {
    float scale = std::fabs(b) > 0x1p126f ? 0.25f : 1.0f;
    return DivFtz{}(flush(a) * scale, b * scale);
  }
};

/// What rcp and rsqrt make of an f64's upper word, f(m) for the 20 bits of its mantissa and then the
/// exponent: the lower word is nought.
inline double upper_word(std::uint64_t word) { return std::bit_cast<double>(word << 32); }
inline double upper_scaled(float m, int exponent) {
  std::uint64_t bits = std::bit_cast<std::uint64_t>(static_cast<double>(m));
  int biased = static_cast<int>(bits >> 52) + exponent;
  return biased > 0 ? upper_word((bits >> 32 & 0xfffff) | std::uint64_t(biased) << 20) : 0;
}
inline double upper_rcp(double x) {
  std::uint32_t word = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x) >> 32),
                sign = word & 0x80000000u;
  int exponent = static_cast<int>(word >> 20 & 0x7ff);
  if (x != x) return upper_word(0x7fffffff);
  if (exponent == 0) return upper_word(sign | 0x7ff00000u);
  if (exponent == 0x7ff) return upper_word(sign);
  double v =
      upper_scaled(mufu::rcp(std::bit_cast<float>(0x3f800000u | (word & 0xfffff) << 3)), 1023 - exponent);
  return sign ? -v : v;
}
inline double upper_rsqrt(double x) {
  std::uint32_t word = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x) >> 32),
                sign = word & 0x80000000u;
  int exponent = static_cast<int>(word >> 20 & 0x7ff) - 1023;
  if (x != x) return upper_word(0x7fffffff);
  if (exponent == -1023) return upper_word(sign | 0x7ff00000u);
  if (sign) return upper_word(0x7fffffff);
  if (exponent == 1024) return 0;
  std::uint32_t octave = static_cast<std::uint32_t>(127 + (exponent & 1)) << 23;
  return upper_scaled(mufu::rsqrt(std::bit_cast<float>(octave | (word & 0xfffff) << 3)), -(exponent >> 1));
}

struct UpperRcp {
  double operator()(double a) const { return upper_rcp(a); }
};
struct UpperRsqrt {
  double operator()(double a) const { return upper_rsqrt(a); }
};
/// Without .ftz, a sequence of f64 arithmetic: as good as exact.
struct WideRsqrt {
  double operator()(double a) const { return 1.0 / __builtin_sqrt(a); }
};

/// A float as f16, cut off as the unit does.
inline std::uint16_t cut_to_half(float v) {
  if (v != v) return 0x7fff;
  auto sign = static_cast<std::uint16_t>(mufu::bits_of(v) >> 16 & 0x8000);
  float magnitude = v < 0 ? -v : v;
  if (magnitude >= 65536.0f) return sign | 0x7c00;
  if (magnitude < 0x1p-14f) return sign | static_cast<std::uint16_t>(magnitude * 0x1p24f);
  return sign | static_cast<std::uint16_t>((mufu::bits_of(magnitude) >> 13) - (112u << 10));
}

struct F16 {
  static float wide(std::uint16_t v) { return half_to_float(v); }
  static std::uint16_t cut_off(float v) { return cut_to_half(v); }
};
struct BF16 {
  static float wide(std::uint16_t v) { return bf16_to_float(v); }
  static std::uint16_t cut_off(float v) {
    return v == v ? static_cast<std::uint16_t>(mufu::bits_of(v) >> 16) : 0x7fff;
  }
};
template <class Format, float (*kUnit)(float)>
struct Half {
  std::uint16_t operator()(std::uint16_t a) const { return Format::cut_off(kUnit(Format::wide(a))); }
  std::uint32_t operator()(std::uint32_t a) const {
    auto part = [](std::uint32_t v) { return Half{}(static_cast<std::uint16_t>(v)); };
    return part(a) | std::uint32_t{part(a >> 16)} << 16;
  }
};

/// Lane by lane: tables are not looked up eight lanes at a time. A row's statistics are one number in all
/// lanes, and that is looked up once.
template <class T, class Op>
void unit(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  T* d = w.lanes_of<T>(s.d);
  const T* a = w.lanes_of<T>(s.a);
  if (mask == ~LaneMask{0} && std::memcmp(a, a + 1, (kWarpSize - 1) * sizeof(T)) == 0) {
    std::fill_n(d, kWarpSize, Op{}(a[0]));
    return;
  }
  for (const int l : lanes_in(mask)) {
    d[l] = Op{}(a[l]);
  }
}
template <class Op>
void quotient(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  float* d = w.lanes_of<float>(s.d);
  const float *a = w.lanes_of<float>(s.a), *b = w.lanes_of<float>(s.b);
  for (const int l : lanes_in(mask)) {
    d[l] = Op{}(a[l], b[l]);
  }
}

template <class T, class Op>
LaneKernel one(Type t) {
  return {unit<T, Op>, t, t};
}
template <class Op>
LaneKernel two(Type t) {
  return {quotient<Op>, t, t, t};
}

template <class Normal, float (*kUnit)(float)>
LaneKernel single(const ptx::Instruction& i) {
  return i.has("ftz") ? one<float, Unit<kUnit>>(Type::f32) : one<float, Normal>(Type::f32);
}

std::optional<LaneKernel> single_kernel(const ptx::Instruction& i) {
  const Opcode op = i.opcode;
  bool ftz = i.has("ftz");
  if (op == Opcode::rcp) return single<Rcp, mufu::rcp>(i);
  if (op == Opcode::rsqrt) return single<Rsqrt, mufu::rsqrt>(i);
  if (op == Opcode::sqrt) return single<Sqrt, mufu::sqrt>(i);
  if (op == Opcode::lg2) return single<Lg2, mufu::lg2>(i);
  if (op == Opcode::ex2) return single<Ex2, mufu::ex2>(i);
  if (op == Opcode::sin) return single<Unit<mufu::sin>, mufu::sin>(i);
  if (op == Opcode::cos) return single<Unit<mufu::cos>, mufu::cos>(i);
  if (op == Opcode::tanh) return single<Unit<mufu::tanh>, mufu::tanh>(i);
  if (op != Opcode::div) return std::nullopt;
  if (i.has("full")) return ftz ? two<FullDivFtz>(Type::f32) : two<FullDiv>(Type::f32);
  return ftz ? two<DivFtz>(Type::f32) : two<Div>(Type::f32);
}

std::optional<LaneKernel> double_kernel(const ptx::Instruction& i) {
  if (i.opcode == Opcode::rcp) return one<double, UpperRcp>(Type::f64);
  if (i.opcode != Opcode::rsqrt) return std::nullopt;
  return i.has("ftz") ? one<double, UpperRsqrt>(Type::f64) : one<double, WideRsqrt>(Type::f64);
}

template <float (*kUnit)(float)>
std::optional<LaneKernel> half_kernel_of(Type t) {
  if (t == Type::f16) return one<std::uint16_t, Half<F16, kUnit>>(t);
  if (t == Type::f16x2) return one<std::uint32_t, Half<F16, kUnit>>(t);
  if (t == Type::bf16) return one<std::uint16_t, Half<BF16, kUnit>>(t);
  if (t == Type::bf16x2) return one<std::uint32_t, Half<BF16, kUnit>>(t);
  return std::nullopt;
}

}  // namespace

std::optional<LaneKernel> approximate_kernel(const ptx::Instruction& i) {
  if (!i.has("approx") && !i.has("full")) return std::nullopt;
  Type t = parse_type(i.modifiers.back());
  if (t == Type::f32) return single_kernel(i);
  if (t == Type::f64) return double_kernel(i);
  if (i.opcode == Opcode::tanh) return half_kernel_of<mufu::tanh>(t);
  if (i.opcode == Opcode::ex2) return half_kernel_of<mufu::ex2>(t);
  return std::nullopt;
}

}  // namespace fusebox::sim::FUSEBOX_ISA

FUSEBOX_LANES_END
