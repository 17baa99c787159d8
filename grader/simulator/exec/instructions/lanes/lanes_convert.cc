#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/simulator/exec/instructions/lanes/half.h"
#include "grader/simulator/exec/instructions/lanes/lanes.h"
#include "grader/simulator/exec/instructions/lanes/rounded.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/instructions/lanes/each_lane.h"
// clang-format on

namespace fusebox::sim::FUSEBOX_ISA {
namespace {

enum class Mode : std::uint8_t {
  nearest_even,
  toward_zero,
  down,
  up
};  // the same four for .rn and .rni and so on

/// How one cvt is done; packed into DecodedInstruction::immediate.
struct Recipe {
  Type to = Type::none, from = Type::none;
  Mode mode = Mode::nearest_even;
  bool integral = false;  ///< .rni, .rzi, .rmi, .rpi
  bool saturate = false, flush = false, relu = false;

  std::int64_t pack() const {
    return static_cast<std::int64_t>(to) | static_cast<std::int64_t>(from) << 8 |
           static_cast<std::int64_t>(mode) << 16 | std::int64_t{integral} << 24 |
           std::int64_t{saturate} << 25 | std::int64_t{flush} << 26 | std::int64_t{relu} << 27;
  }
  static Recipe unpack(std::int64_t bits) {
    return {static_cast<Type>(bits & 0xff),
            static_cast<Type>(bits >> 8 & 0xff),
            static_cast<Mode>(bits >> 16 & 0xff),
            (bits >> 24 & 1) != 0,
            (bits >> 25 & 1) != 0,
            (bits >> 26 & 1) != 0,
            (bits >> 27 & 1) != 0};
  }
};

std::uint64_t read(const unsigned char* lanes, int lane, std::uint32_t width) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, lanes + static_cast<std::uint32_t>(lane) * width, width);
  return bits;
}
void write(unsigned char* lanes, int lane, std::uint32_t width, std::uint64_t bits) {
  __builtin_memcpy(lanes + static_cast<std::uint32_t>(lane) * width, &bits, width);
}

std::int64_t sign_extend(std::uint64_t bits, std::uint32_t bytes) {
  int shift = static_cast<int>(64 - 8 * bytes);
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

double to_double(std::uint64_t bits, Type type) {
  switch (type) {
    case Type::f16:
      return half_to_float(static_cast<std::uint16_t>(bits));
    case Type::bf16:
      return bf16_to_float(static_cast<std::uint16_t>(bits));
    case Type::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    default:
      return std::bit_cast<double>(bits);
  }
}

double round_integral(double v, Mode mode) {
  switch (mode) {
    case Mode::nearest_even:
      return std::nearbyint(v);
    case Mode::toward_zero:
      return std::trunc(v);
    case Mode::down:
      return std::floor(v);
    default:
      return std::ceil(v);
  }
}

std::uint64_t float_bits(float v) { return v == v ? std::bit_cast<std::uint32_t>(v) : 0x7fffffffu; }

std::uint64_t to_half(double v, Mode mode) {
  switch (mode) {
    case Mode::nearest_even:
      return double_to_half(v);
    case Mode::toward_zero:
      return double_to_half<Rounding::toward_zero>(v);
    case Mode::down:
      return double_to_half<Rounding::down>(v);
    default:
      return double_to_half<Rounding::up>(v);
  }
}
std::uint64_t to_bfloat(double v, Mode mode) {
  switch (mode) {
    case Mode::nearest_even:
      return double_to_bf16(v);
    case Mode::toward_zero:
      return double_to_bf16<Rounding::toward_zero>(v);
    case Mode::down:
      return double_to_bf16<Rounding::down>(v);
    default:
      return double_to_bf16<Rounding::up>(v);
  }
}

std::uint64_t nan_bits(double v, Type to) {
  std::uint64_t bits = std::bit_cast<std::uint64_t>(v) | 1ull << 51, sign = bits >> 63,
                payload = bits & ((1ull << 52) - 1);
  switch (to) {
    case Type::f16:
      return sign << 15 | 0x7c00 | payload >> 42;
    case Type::bf16:
      return sign << 15 | 0x7f80 | payload >> 45;
    case Type::f32:
      return sign << 31 | 0x7f800000 | payload >> 29;
    default:
      return bits;
  }
}

std::uint64_t from_double(double v, const Recipe& r) {
  if (r.saturate) v = v > 0 ? std::min(v, 1.0) : 0.0;
  if (r.relu && !(v > 0) && v == v) v = 0;
  // To and from f64 a NaN keeps its sign and the upper bits of its payload; elsewhere there is only one NaN.
  if (v != v && (r.from == Type::f64 || r.to == Type::f64)) return nan_bits(v, r.to);
  switch (r.to) {
    case Type::f16:
      return to_half(v, r.mode);
    case Type::bf16:
      return to_bfloat(v, r.mode);
    case Type::f32: {
      float f = r.mode == Mode::nearest_even ? static_cast<float>(v)
                                             : rounded_to_float(static_cast<Rounding>(r.mode), v);
      std::uint64_t bits = float_bits(f);
      return r.flush && (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
    }
    default:
      return std::bit_cast<std::uint64_t>(v);
  }
}

std::uint64_t double_to_integer(double v, const Recipe& r) {
  int bits = static_cast<int>(8 * type_bytes(r.to));
  if (v != v) return r.from == Type::f64 || bits == 64 ? std::uint64_t{1} << (bits - 1) : 0;
  v = round_integral(v, r.mode);
  if (is_signed(r.to)) {
    double limit = std::ldexp(1.0, bits - 1);
    if (v >= limit) return (std::uint64_t{1} << (bits - 1)) - 1;
    if (v < -limit)
      return static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::min() >> (64 - bits));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
  }
  if (v <= 0) return 0;
  if (v >= std::ldexp(1.0, bits)) return bits == 64 ? ~0ull : (std::uint64_t{1} << bits) - 1;
  return static_cast<std::uint64_t>(v);
}

std::uint64_t integer_to_float(std::uint64_t bits, const Recipe& r) {
  Rounding mode = static_cast<Rounding>(r.mode);
  bool is_negative_type = is_signed(r.from);
  std::int64_t s = sign_extend(bits, type_bytes(r.from));
  if (r.to == Type::f32)
    return float_bits(is_negative_type ? rounded_to_float(mode, s) : rounded_to_float(mode, bits));
  if (r.to == Type::f64)
    return std::bit_cast<std::uint64_t>(is_negative_type ? rounded_to_double(mode, s)
                                                         : rounded_to_double(mode, bits));
  // Halves: 64-bit integers that double cannot hold overflow f16 anyway, and are rounded to odd first for
  // bf16.
  double v =
      is_negative_type
          ? add_to_odd(static_cast<double>(s >> 32) * 0x1p32, static_cast<double>(s & 0xffffffff))
          : add_to_odd(static_cast<double>(bits >> 32) * 0x1p32, static_cast<double>(bits & 0xffffffff));
  return from_double(v, r);
}

std::uint64_t clamp_integer(std::uint64_t bits, const Recipe& r) {
  __int128 v = is_signed(r.from) ? static_cast<__int128>(sign_extend(bits, type_bytes(r.from)))
                                 : static_cast<__int128>(bits);
  int width = static_cast<int>(8 * type_bytes(r.to));
  __int128 low = is_signed(r.to) ? -(static_cast<__int128>(1) << (width - 1)) : 0;
  __int128 high = is_signed(r.to) ? (static_cast<__int128>(1) << (width - 1)) - 1
                                  : (static_cast<__int128>(1) << width) - 1;
  return static_cast<std::uint64_t>(std::clamp(v, low, high));
}

std::uint64_t convert_one(std::uint64_t bits, const Recipe& r) {
  std::uint32_t from_bytes = type_bytes(r.from);
  if (from_bytes < 8) bits &= (std::uint64_t{1} << (8 * from_bytes)) - 1;
  bool from_float = is_float(r.from), to_float = is_float(r.to);
  if (!from_float && !to_float) {
    if (r.saturate) return clamp_integer(bits, r);
    return is_signed(r.from) ? static_cast<std::uint64_t>(sign_extend(bits, from_bytes)) : bits;
  }
  if (!from_float) return integer_to_float(bits, r);
  double v = to_double(bits, r.from);
  if (r.flush && r.from == Type::f32 && std::fabs(v) < 0x1p-126) v = std::copysign(0.0, v);
  if (!to_float) return double_to_integer(v, r);
  if (r.integral) v = round_integral(v, r.mode);
  return from_double(v, r);
}

// s.width and s.bytes: widths of the registers, which may exceed the types'.
void convert(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const Recipe recipe = Recipe::unpack(s.immediate);
  unsigned char* d = w.lanes_of<unsigned char>(s.d);
  const unsigned char* a = w.lanes_of<unsigned char>(s.a);
  const std::uint32_t to_bytes = type_bytes(recipe.to);
  for (const int l : lanes_in(mask)) {
    std::uint64_t bits = convert_one(read(a, l, s.bytes), recipe);
    if (to_bytes < s.width) {  // a wider register takes the extended value
      bits &= (std::uint64_t{1} << (8 * to_bytes)) - 1;
      if (is_signed(recipe.to)) bits = static_cast<std::uint64_t>(sign_extend(bits, to_bytes));
    }
    write(d, l, s.width, bits);
  }
}

/// Pairs that loops are made of, on registers of exactly their types' widths.
template <class D, class A>
struct Cast {
  D operator()(A a) const { return static_cast<D>(a); }
};
template <auto kConvert>
struct Converted {
  auto operator()(auto a) const { return kConvert(a); }
};
template <class D, class A, class Op = Cast<D, A>>
void quick(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  if (s.width == sizeof(D) && s.bytes == sizeof(A))
    unary<D, A, Op>(w, s, mask);
  else
    convert(w, s, mask);
}

bool is_plain(const Recipe& r) {
  return !r.saturate && !r.flush && !r.relu && !r.integral && r.mode == Mode::nearest_even;
}

Handler quick_handler(const Recipe& r) {
  if (!is_plain(r)) return nullptr;
  auto is = [&](Type to, Type from) { return r.to == to && r.from == from; };
  if (is(Type::s64, Type::s32)) return quick<std::int64_t, std::int32_t>;
  if (is(Type::u64, Type::u32) || is(Type::s64, Type::u32)) return quick<std::uint64_t, std::uint32_t>;
  if (is(Type::u64, Type::s32)) return quick<std::int64_t, std::int32_t>;
  if (type_bytes(r.to) == 4 && type_bytes(r.from) == 8 && !is_float(r.to) && !is_float(r.from))
    return quick<std::uint32_t, std::uint64_t>;
  if (is(Type::u32, Type::u16) || is(Type::s32, Type::u16)) return quick<std::uint32_t, std::uint16_t>;
  if (is(Type::s32, Type::s16) || is(Type::u32, Type::s16)) return quick<std::int32_t, std::int16_t>;
  if (is(Type::f32, Type::s32)) return quick<float, std::int32_t>;
  if (is(Type::f32, Type::u32)) return quick<float, std::uint32_t>;
  // Of a NaN both keep the sign and the upper bits of its payload, as this machine's conversions do.
  if (is(Type::f64, Type::f32)) return quick<double, float>;
  if (is(Type::f32, Type::f64)) return quick<float, double>;
  if (is(Type::f64, Type::s32)) return quick<double, std::int32_t>;
  if (is(Type::f64, Type::u32)) return quick<double, std::uint32_t>;
  if (is(Type::f16, Type::f32)) return quick<std::uint16_t, float, Converted<float_to_half>>;
  if (is(Type::bf16, Type::f32)) return quick<std::uint16_t, float, Converted<float_to_bf16>>;
  if (is(Type::f32, Type::f16)) return quick<float, std::uint16_t, Converted<half_converted>>;
  if (is(Type::f32, Type::bf16)) return quick<float, std::uint16_t, Converted<bf16_converted>>;
  return nullptr;
}

// cvt.rn.{f16x2,bf16x2}.f32 d, a, b: a becomes the upper half.
template <std::uint16_t (*kConvert)(float)>
struct Paired {
  std::uint32_t operator()(float a, float b) const { return std::uint32_t{kConvert(a)} << 16 | kConvert(b); }
};
void convert_pair(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const Recipe recipe = Recipe::unpack(s.immediate);
  std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
  const float *a = w.lanes_of<float>(s.a), *b = w.lanes_of<float>(s.b);
  for (const int l : lanes_in(mask)) {
    std::uint64_t high = from_double(a[l], recipe), low = from_double(b[l], recipe);
    d[l] = static_cast<std::uint32_t>(high << 16 | low);
  }
}

/// cvt.rn.satfinite.{e4m3x2,e5m2x2}.f32 d, a, b: a becomes the upper byte. immediate: 1 for e5m2.
void convert_pair_to_bytes(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint16_t* d = w.lanes_of<std::uint16_t>(s.d);
  const float *a = w.lanes_of<float>(s.a), *b = w.lanes_of<float>(s.b);
  for (const int l : lanes_in(mask)) {
    auto narrow = [&](float v) {
      if (s.flag && !(v > 0) && v == v) v = 0;  // .relu
      return s.immediate ? double_to_e5m2(v) : double_to_e4m3(v);
    };
    d[l] = static_cast<std::uint16_t>(narrow(a[l]) << 8 | narrow(b[l]));
  }
}
/// The same from a pair of halves.
void convert_halves_to_bytes(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint16_t* d = w.lanes_of<std::uint16_t>(s.d);
  const std::uint32_t* a = w.lanes_of<std::uint32_t>(s.a);
  for (const int l : lanes_in(mask)) {
    auto narrow = [&](std::uint32_t half) {
      float v = half_to_float(static_cast<std::uint16_t>(half));
      if (s.flag && !(v > 0) && v == v) v = 0;
      return s.immediate ? double_to_e5m2(v) : double_to_e4m3(v);
    };
    d[l] = static_cast<std::uint16_t>(narrow(a[l] >> 16) << 8 | narrow(a[l]));
  }
}
/// cvt.rn.f16x2.{e4m3x2,e5m2x2} d, a.
void convert_bytes_to_halves(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
  const std::uint16_t* a = w.lanes_of<std::uint16_t>(s.a);
  for (const int l : lanes_in(mask)) {
    auto widen = [&](std::uint32_t byte) -> std::uint32_t {
      double v = s.immediate ? half_to_float(static_cast<std::uint16_t>((byte & 0xff) << 8))
                             : e4m3_to_double(static_cast<std::uint8_t>(byte));
      if (s.flag && !(v > 0) && v == v) v = 0;
      return double_to_half(v);
    };
    d[l] = widen(a[l] >> 8u) << 16 | widen(a[l]);
  }
}

std::optional<LaneKernel> byte_kernel(const ptx::Instruction& i) {
  const std::string &to = i.modifiers[i.modifiers.size() - 2], &from = i.modifiers.back();
  bool to_bytes = to == "e4m3x2" || to == "e5m2x2", from_bytes = from == "e4m3x2" || from == "e5m2x2";
  bool wide_exponent = to == "e5m2x2" || from == "e5m2x2", relu = i.has("relu");
  if (to_bytes && from == "f32")
    return LaneKernel{convert_pair_to_bytes, Type::b16, Type::f32, Type::f32, Type::none,
                      wide_exponent,         relu};
  if (to_bytes && from == "f16x2")
    return LaneKernel{convert_halves_to_bytes, Type::b16, Type::f16x2, Type::none, Type::none,
                      wide_exponent,           relu};
  if (from_bytes && to == "f16x2")
    return LaneKernel{convert_bytes_to_halves, Type::f16x2, Type::b16, Type::none, Type::none,
                      wide_exponent,           relu};
  return std::nullopt;
}

/// cvt.pack.sat.T.s32{.b32} d, a, b{, c}: a above b; elements narrower than 16 bits push c up.
void pack_saturated(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const Recipe recipe = Recipe::unpack(s.immediate);
  std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
  const std::uint32_t *a = w.lanes_of<std::uint32_t>(s.a), *b = w.lanes_of<std::uint32_t>(s.b);
  const std::uint32_t bits = 8 * type_bytes(recipe.to), field = (1u << bits) - 1;
  for (const int l : lanes_in(mask)) {
    std::uint32_t pair = (static_cast<std::uint32_t>(clamp_integer(a[l], recipe)) & field) << bits |
                         (static_cast<std::uint32_t>(clamp_integer(b[l], recipe)) & field);
    d[l] = s.c == kNoOperand ? pair : w.lanes_of<std::uint32_t>(s.c)[l] << (2 * bits) | pair;
  }
}
std::optional<LaneKernel> pack_kernel(const ptx::Instruction& i) {
  bool pushes = i.modifiers.back() == "b32";
  if (i.modifiers.size() != (pushes ? 5u : 4u) || i.modifiers[3] != "s32") return std::nullopt;
  Recipe recipe;
  recipe.to = parse_type(i.modifiers[2]);
  recipe.from = Type::s32;
  if (type_bytes(recipe.to) != (pushes ? 1u : 2u) || is_float(recipe.to)) return std::nullopt;
  return LaneKernel{pack_saturated, Type::b32, Type::s32, Type::s32, pushes ? Type::b32 : Type::none,
                    recipe.pack()};
}

// cvt.rna.tf32.f32: 10 mantissa bits, ties away from zero.
void convert_tf32(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint32_t *d = w.lanes_of<std::uint32_t>(s.d), *a = w.lanes_of<std::uint32_t>(s.a);
  const bool away = s.flag;
  each_lane(mask, [=](int l) {
    std::uint32_t v = a[l];
    bool finite = (v & 0x7f800000u) != 0x7f800000u;
    std::uint32_t bump = away ? 0x1000u : 0xfffu + (v >> 13 & 1);
    d[l] = finite ? (v + bump) & 0xffffe000u : v;
  });
}

}  // namespace

std::optional<LaneKernel> convert_kernel(const ptx::Instruction& i) {
  if (i.opcode != Opcode::cvt || i.modifiers.size() < 2) return std::nullopt;
  if (i.has("pack")) return pack_kernel(i);
  if (auto bytes = byte_kernel(i)) return bytes;
  Recipe recipe;
  recipe.from = parse_type(i.modifiers.back());
  recipe.to = parse_type(i.modifiers[i.modifiers.size() - 2]);
  if (recipe.from == Type::none || recipe.to == Type::none || recipe.from == Type::pred ||
      recipe.to == Type::pred)
    return std::nullopt;
  recipe.saturate = i.has("sat");
  recipe.flush = i.has("ftz");
  recipe.relu = i.has("relu");
  recipe.integral = i.has("rni") || i.has("rzi") || i.has("rmi") || i.has("rpi");
  if (i.has("rz") || i.has("rzi")) recipe.mode = Mode::toward_zero;
  if (i.has("rm") || i.has("rmi")) recipe.mode = Mode::down;
  if (i.has("rp") || i.has("rpi")) recipe.mode = Mode::up;
  if (recipe.to == Type::tf32) {
    if (i.has("rz") || recipe.from != Type::f32) return std::nullopt;
    return LaneKernel{convert_tf32, Type::b32, Type::f32, Type::none, Type::none, 0, i.has("rna")};
  }
  bool short_to = recipe.to == Type::f16 || recipe.to == Type::bf16 || recipe.to == Type::f16x2 ||
                  recipe.to == Type::bf16x2;
  if (short_to && i.has("satfinite")) return std::nullopt;
  if (recipe.to == Type::f16x2 || recipe.to == Type::bf16x2) {
    if (recipe.from != Type::f32 || i.operands.size() != 3) return std::nullopt;
    Type packed = recipe.to;
    recipe.to = packed == Type::f16x2 ? Type::f16 : Type::bf16;
    Handler run = convert_pair;
    if (is_plain(recipe))
      run = packed == Type::f16x2 ? binary<std::uint32_t, float, float, Paired<float_to_half>>
                                  : binary<std::uint32_t, float, float, Paired<float_to_bf16>>;
    return LaneKernel{run, packed, Type::f32, Type::f32, Type::none, recipe.pack()};
  }
  if (recipe.from == Type::f16x2 || recipe.from == Type::bf16x2 || recipe.from == Type::tf32)
    return std::nullopt;
  Handler run = quick_handler(recipe);
  return LaneKernel{run ? run : convert, recipe.to,     recipe.from, Type::none,
                    Type::none,          recipe.pack(), false,       true};
}

}  // namespace fusebox::sim::FUSEBOX_ISA

FUSEBOX_LANES_END
