#include <algorithm>
#include <limits>
#include <type_traits>

#include "grader/simulator/exec/instructions/lanes/lanes.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/instructions/lanes/integer_types.h"
// clang-format on

namespace fusebox::sim::FUSEBOX_ISA {

std::optional<LaneKernel> bits_kernel(const ptx::Instruction&, Type);

namespace {

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Wide<T>(a) + Wide<T>(b));
  }
};
struct Sub {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Wide<T>(a) - Wide<T>(b));
  }
};
struct MulLow {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Wide<T>(a) * Wide<T>(b));
  }
};
struct MulHigh {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (sizeof(T) == 8) {
      using Product = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
      return static_cast<T>((static_cast<Product>(a) * b) >> 64);
    } else {
      using Product = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      return static_cast<T>((static_cast<Product>(a) * b) >> (8 * sizeof(T)));
    }
  }
};
template <class D>
struct MulWide {
  template <class T>
  D operator()(T a, T b) const {
    return static_cast<D>(Wide<D>(D(a)) * Wide<D>(D(b)));
  }
};
struct MadLow {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add{}(MulLow{}(a, b), c);
  }
};
struct MadHigh {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add{}(MulHigh{}(a, b), c);
  }
};
template <class D>
struct MadWide {
  template <class T>
  D operator()(T a, T b, D c) const {
    return Add{}(MulWide<D>{}(a, b), c);
  }
};
// Of the 48-bit product of two 24-bit values, the lower or the upper 32 bits.
template <bool kHigh>
struct Mul24 {
  template <class T>
  T operator()(T a, T b) const {
    auto narrow = [](T v) { return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(v) << 8) >> 8); };
    if constexpr (!kHigh) return MulLow{}(narrow(a), narrow(b));
    return static_cast<T>((static_cast<std::int64_t>(narrow(a)) * static_cast<std::int64_t>(narrow(b))) >>
                          16);
  }
};
template <bool kHigh>
struct Mad24 {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add{}(Mul24<kHigh>{}(a, b), c);
  }
};
/// The operation on each half of a register.
template <class T, class Op>
struct Halves {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    auto low = static_cast<std::uint16_t>(Op{}(static_cast<T>(a), static_cast<T>(b)));
    auto high = static_cast<std::uint16_t>(Op{}(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return std::uint32_t{high} << 16 | low;
  }
};
template <class T>
T clamp_to(std::int64_t v) {
  return static_cast<T>(
      std::clamp<std::int64_t>(v, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
struct AddSat {
  template <class T>
  T operator()(T a, T b) const {
    return clamp_to<T>(std::int64_t{a} + b);
  }
};
struct SubSat {
  template <class T>
  T operator()(T a, T b) const {
    return clamp_to<T>(std::int64_t{a} - b);
  }
};
struct MadHighSat {
  std::int32_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
    return clamp_to<std::int32_t>(std::int64_t{MulHigh{}(a, b)} + c);
  }
};
struct Sad {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add{}(c, a < b ? Sub{}(b, a) : Sub{}(a, b));
  }
};
// Division by zero: hardware answers all ones, as remainder too; min / -1 wraps.
struct Div {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~Unsigned<T>{0});
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return Sub{}(T{0}, a);
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~Unsigned<T>{0});
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct MinRelu {
  template <class T>
  T operator()(T a, T b) const {
    return std::max<T>(std::min(a, b), 0);
  }
};
struct MaxRelu {
  template <class T>
  T operator()(T a, T b) const {
    return std::max<T>(std::max(a, b), 0);
  }
};
struct Abs {
  template <class T>
  T operator()(T a) const {
    return a < 0 ? Sub{}(T{0}, a) : a;
  }
};
struct Neg {
  template <class T>
  T operator()(T a) const {
    return Sub{}(T{0}, a);
  }
};
// add.cc, addc, sub.cc, subc: the condition code is a mask of lanes. flag: writes it; immediate 1: reads it.
// Hardware subtracts by adding the complement: the carry after sub.cc is set where nothing was borrowed, and
// nvcc's 128-bit division reads it with addc.
template <class T, bool kSubtract>
void with_carry(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  T *d = w.lanes_of<T>(s.d), *a = w.lanes_of<T>(s.a), *b = w.lanes_of<T>(s.b);
  for (const int l : lanes_in(mask)) {
    const T in = s.immediate ? static_cast<T>(w.carry >> l & 1) : T{kSubtract};
    T first, result;
    bool out = __builtin_add_overflow(a[l], static_cast<T>(kSubtract ? ~b[l] : b[l]), &first);
    out |= __builtin_add_overflow(first, in, &result);
    d[l] = result;
    if (s.flag) w.carry = (w.carry & ~(LaneMask{1} << l)) | LaneMask{out} << l;
  }
}

// mad{c}.{lo,hi}{.cc}: flag writes the condition code, immediate 1 reads it.
template <class T, bool kHigh, class Factor = T>
void mad_with_carry(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  T *d = w.lanes_of<T>(s.d), *a = w.lanes_of<T>(s.a), *b = w.lanes_of<T>(s.b), *c = w.lanes_of<T>(s.c);
  for (const int l : lanes_in(mask)) {
    T product = kHigh ? static_cast<T>(MulHigh{}(static_cast<Factor>(a[l]), static_cast<Factor>(b[l])))
                      : MulLow{}(a[l], b[l]);
    T first, result;
    T in = s.immediate ? static_cast<T>(w.carry >> l & 1) : 0;
    bool out = __builtin_add_overflow(product, c[l], &first);
    out |= __builtin_add_overflow(first, in, &result);
    d[l] = result;
    if (s.flag) w.carry = (w.carry & ~(LaneMask{1} << l)) | LaneMask{out} << l;
  }
}

Handler wide_mul(Type t) {
  switch (t) {
    case Type::u16:
      return binary<std::uint32_t, std::uint16_t, std::uint16_t, MulWide<std::uint32_t>>;
    case Type::s16:
      return binary<std::int32_t, std::int16_t, std::int16_t, MulWide<std::int32_t>>;
    case Type::u32:
      return binary<std::uint64_t, std::uint32_t, std::uint32_t, MulWide<std::uint64_t>>;
    case Type::s32:
      return binary<std::int64_t, std::int32_t, std::int32_t, MulWide<std::int64_t>>;
    default:
      return nullptr;
  }
}
Handler wide_mad(Type t) {
  switch (t) {
    case Type::u16:
      return ternary<std::uint32_t, std::uint16_t, std::uint16_t, std::uint32_t, MadWide<std::uint32_t>>;
    case Type::s16:
      return ternary<std::int32_t, std::int16_t, std::int16_t, std::int32_t, MadWide<std::int32_t>>;
    case Type::u32:
      return ternary<std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t, MadWide<std::uint64_t>>;
    case Type::s32:
      return ternary<std::int64_t, std::int32_t, std::int32_t, std::int64_t, MadWide<std::int64_t>>;
    default:
      return nullptr;
  }
}
Type twice(Type t) {
  switch (t) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return Type::none;
  }
}

std::optional<LaneKernel> multiply(const ptx::Instruction& i, Type t, bool add) {
  if (i.has("wide")) {
    Handler run = add ? wide_mad(t) : wide_mul(t);
    if (!run) return std::nullopt;
    return add ? LaneKernel{run, twice(t), t, t, twice(t)} : LaneKernel{run, twice(t), t, t};
  }
  if (i.opcode == Opcode::mad || i.opcode == Opcode::madc) {
    if (i.has("cc") || i.opcode == Opcode::madc) {
      bool high = i.has("hi");
      Handler run = type_bytes(t) == 8
                        ? (high ? mad_with_carry<std::uint64_t, true> : mad_with_carry<std::uint64_t, false>)
                        : (high ? mad_with_carry<std::uint32_t, true> : mad_with_carry<std::uint32_t, false>);
      if (high && is_signed(t))
        run = type_bytes(t) == 8 ? mad_with_carry<std::uint64_t, true, std::int64_t>
                                 : mad_with_carry<std::uint32_t, true, std::int32_t>;
      return LaneKernel{run, t, t, t, t, i.opcode == Opcode::madc, i.has("cc")};
    }
    if (i.has("sat")) {
      if (!i.has("hi") || t != Type::s32) return std::nullopt;
      return kernel3(ternary<std::int32_t, std::int32_t, std::int32_t, std::int32_t, MadHighSat>, t);
    }
  }
  if (i.has("lo")) return add ? kernel3(ternary_of<MadLow>(t), t) : kernel2(binary_of<MulLow>(t), t);
  if (i.has("hi")) return add ? kernel3(ternary_of<MadHigh>(t), t) : kernel2(binary_of<MulHigh>(t), t);
  return std::nullopt;
}

std::optional<LaneKernel> halves_kernel(const ptx::Instruction& i) {
  const std::string& type = i.modifiers.back();
  if (type != "u16x2" && type != "s16x2") return std::nullopt;
  bool is_signed_pair = type == "s16x2", relu = i.has("relu");
  if (relu && !is_signed_pair) return std::nullopt;
  constexpr auto b32 = Type::b32;
#define PAIR(T, Op) \
  LaneKernel { binary<std::uint32_t, std::uint32_t, std::uint32_t, Halves<T, Op>>, b32, b32, b32 }
  if (i.opcode == Opcode::add && !i.has("sat")) return PAIR(std::uint16_t, Add);
  if (i.opcode == Opcode::sub && !i.has("sat")) return PAIR(std::uint16_t, Sub);
  if (i.opcode == Opcode::min) {
    if (relu) return PAIR(std::int16_t, MinRelu);
    return is_signed_pair ? PAIR(std::int16_t, Min) : PAIR(std::uint16_t, Min);
  }
  if (i.opcode == Opcode::max) {
    if (relu) return PAIR(std::int16_t, MaxRelu);
    return is_signed_pair ? PAIR(std::int16_t, Max) : PAIR(std::uint16_t, Max);
  }
#undef PAIR
  return std::nullopt;
}

}  // namespace

std::optional<LaneKernel> integer_kernel(const ptx::Instruction& i) {
  const Opcode op = i.opcode;
  if (i.modifiers.empty()) return std::nullopt;
  if (i.modifiers.back().ends_with("16x2")) return halves_kernel(i);
  Type t = parse_type(op == Opcode::prmt ? i.modifiers.front() : i.modifiers.back());
  if (t == Type::none) return std::nullopt;
  if (is_float(t)) return bits_kernel(i, t);
  if (op == Opcode::add || op == Opcode::sub || op == Opcode::addc || op == Opcode::subc) {
    bool subtract = op == Opcode::sub || op == Opcode::subc, reads = op == Opcode::addc || op == Opcode::subc;
    if (i.has("cc") || reads) {
      bool big = type_bytes(t) == 8;
      Handler run = subtract ? (big ? with_carry<std::uint64_t, true> : with_carry<std::uint32_t, true>)
                             : (big ? with_carry<std::uint64_t, false> : with_carry<std::uint32_t, false>);
      return LaneKernel{run, t, t, t, Type::none, reads, i.has("cc")};
    }
    if (i.has("sat")) {
      if (t != Type::s32) return std::nullopt;
      return kernel2(subtract ? binary<std::int32_t, std::int32_t, std::int32_t, SubSat>
                              : binary<std::int32_t, std::int32_t, std::int32_t, AddSat>,
                     t);
    }
    return kernel2(subtract ? binary_of<Sub>(t) : binary_of<Add>(t), t);
  }
  if (op == Opcode::mul) return multiply(i, t, false);
  if (op == Opcode::mad || op == Opcode::madc) return multiply(i, t, true);
  if ((op == Opcode::mul24 || op == Opcode::mad24) && type_bytes(t) == 4 && !i.has("sat")) {
    if (op == Opcode::mul24)
      return kernel2(i.has("hi") ? binary_of<Mul24<true>>(t) : binary_of<Mul24<false>>(t), t);
    return kernel3(i.has("hi") ? ternary_of<Mad24<true>>(t) : ternary_of<Mad24<false>>(t), t);
  }
  if (op == Opcode::sad) return kernel3(ternary_of<Sad>(t), t);
  if (op == Opcode::div) return kernel2(binary_of<Div>(t), t);
  if (op == Opcode::rem) return kernel2(binary_of<Rem>(t), t);
  if (op == Opcode::min)
    return kernel2(i.has("relu") ? (t == Type::s32 ? binary_of<MinRelu>(t) : nullptr) : binary_of<Min>(t), t);
  if (op == Opcode::max)
    return kernel2(i.has("relu") ? (t == Type::s32 ? binary_of<MaxRelu>(t) : nullptr) : binary_of<Max>(t), t);
  if (op == Opcode::abs) return kernel1(unary_of<Abs>(t), t, t);
  if (op == Opcode::neg) return kernel1(unary_of<Neg>(t), t, t);
  return bits_kernel(i, t);
}

}  // namespace fusebox::sim::FUSEBOX_ISA

FUSEBOX_LANES_END
