#include <algorithm>
#include <limits>
#include <type_traits>

#include "grader/simulator/exec/instructions/lanes/lanes.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/instructions/lanes/integer_types.h"
// clang-format on

// Instructions to which a register is bits: logic, shifts, fields, permutations, selection.

namespace fusebox::sim::FUSEBOX_ISA {
namespace {

struct And {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};
struct Not {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct CNot {
  template <class T>
  T operator()(T a) const {
    return a == 0 ? 1 : 0;
  }
};
struct Copy {
  template <class T>
  T operator()(T a) const {
    return a;
  }
};
struct Popc {
  template <class T>
  std::uint32_t operator()(T a) const {
    return static_cast<std::uint32_t>(std::popcount(static_cast<Unsigned<T>>(a)));
  }
};
struct Clz {
  template <class T>
  std::uint32_t operator()(T a) const {
    return static_cast<std::uint32_t>(std::countl_zero(static_cast<Unsigned<T>>(a)));
  }
};
struct Brev {
  template <class T>
  T operator()(T a) const {
    T r = 0;
    for (std::size_t i = 0; i < 8 * sizeof(T); ++i) r |= ((a >> i) & 1) << (8 * sizeof(T) - 1 - i);
    return r;
  }
};
template <bool kShiftAmount>
struct Bfind {
  template <class T>
  std::uint32_t operator()(T a) const {
    Unsigned<T> v = static_cast<Unsigned<T>>(std::is_signed_v<T> && a < 0 ? ~a : a);
    if (v == 0) return ~0u;
    std::uint32_t bit =
        static_cast<std::uint32_t>(8 * sizeof(T) - 1) - static_cast<std::uint32_t>(std::countl_zero(v));
    return kShiftAmount ? static_cast<std::uint32_t>(8 * sizeof(T) - 1) - bit : bit;
  }
};
struct Shl {
  template <class T>
  T operator()(T a, std::uint32_t n) const {
    return n >= 8 * sizeof(T) ? T{0} : static_cast<T>(Wide<T>(a) << n);
  }
};
struct Shr {
  template <class T>
  T operator()(T a, std::uint32_t n) const {
    if (n >= 8 * sizeof(T)) return std::is_signed_v<T> && a < 0 ? static_cast<T>(-1) : T{0};
    return static_cast<T>(a >> n);
  }
};
template <bool kLeft, bool kWrap>
struct Funnel {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    std::uint32_t n = kWrap ? c & 31 : std::min(c, 32u);
    std::uint64_t both = std::uint64_t{b} << 32 | a;
    return static_cast<std::uint32_t>(kLeft ? (both << n) >> 32 : both >> n);
  }
};
struct Bfe {
  template <class T>
  T operator()(T a, std::uint32_t position, std::uint32_t length) const {
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    position &= 0xff;
    length &= 0xff;
    if (length == 0) return 0;
    // The sign bit of the field, or of the whole when the field leaves the register.
    bool sign = std::is_signed_v<T> &&
                ((static_cast<Unsigned<T>>(a) >> std::min(position + length - 1, kBits - 1)) & 1);
    Unsigned<T> field = position >= kBits ? 0 : static_cast<Unsigned<T>>(a) >> position;
    std::uint32_t have = position >= kBits ? 0 : std::min(length, kBits - position);
    Unsigned<T> low = have >= kBits ? ~Unsigned<T>{0} : (Unsigned<T>{1} << have) - 1;
    return static_cast<T>((field & low) | (sign ? static_cast<Unsigned<T>>(~low) : Unsigned<T>{0}));
  }
};
/// szext: the low `n` bits, sign- or zero-extended.
template <bool kWrap>
struct Szext {
  template <class T>
  T operator()(T a, std::uint32_t n) const {
    n = kWrap ? n & 31 : std::min(n, 32u);
    if (n == 0) return 0;
    return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(a) << (32 - n)) >> (32 - n));
  }
};
/// bmsk: `n` ones from bit `from` on.
template <bool kWrap>
struct Bmsk {
  std::uint32_t operator()(std::uint32_t from, std::uint32_t n) const {
    from = kWrap ? from & 31 : std::min(from, 32u);
    n = kWrap ? n & 31 : std::min(n, 32u);
    return static_cast<std::uint32_t>(((std::uint64_t{1} << n) - 1) << from);
  }
};
/// fns: where the n-th set bit at or above (n > 0) or at or below (n < 0) `base` is; all ones: nowhere.
struct Fns {
  std::uint32_t operator()(std::uint32_t mask, std::uint32_t base, std::int32_t n) const {
    if (base > 31) return ~0u;
    if (n == 0) return mask >> base & 1 ? base : ~0u;
    std::int64_t left = n > 0 ? std::int64_t{n} : -std::int64_t{n};
    for (int bit = static_cast<int>(base); bit >= 0 && bit<32; bit += n> 0 ? 1 : -1)
      if (mask >> bit & 1 && --left == 0) return static_cast<std::uint32_t>(bit);
    return ~0u;
  }
};
/// prmt in its default mode: each selector nibble names one of eight bytes; its top bit replicates that
/// byte's sign.
struct Prmt {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t selector) const {
    std::uint64_t both = std::uint64_t{b} << 32 | a;
    std::uint32_t result = 0;
    for (int i = 0; i < 4; ++i) {
      std::uint32_t nibble = selector >> (4 * i);
      std::uint32_t byte = static_cast<std::uint32_t>(both >> (8 * (nibble & 7))) & 0xff;
      if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    return result;
  }
};
template <int kMode>  // 0 f4e, 1 b4e, 2 rc8, 3 ecl, 4 ecr, 5 rc16
struct PrmtMode {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    static constexpr std::uint32_t kSelectors[6][4] = {
        {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123}, {0x0000, 0x1111, 0x2222, 0x3333},
        {0x3210, 0x3211, 0x3222, 0x3333}, {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
    return Prmt{}(a, b, kSelectors[kMode][c & 3]);
  }
};
struct Slct {
  template <class T>
  T operator()(T a, T b, std::int32_t c) const {
    return c >= 0 ? a : b;
  }
};
// A NaN selects b, -0 selects a; with .ftz so does a negative subnormal.
template <bool kFlush>
struct SlctFloat {
  template <class T>
  T operator()(T a, T b, float c) const {
    return c >= 0 || (kFlush && c > -0x1p-126f) ? a : b;
  }
};
template <class A, class B>
struct Dp4a {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    for (int i = 0; i < 4; ++i)
      c += static_cast<std::uint32_t>(std::int32_t{static_cast<A>(a >> (8 * i))} *
                                      static_cast<B>(b >> (8 * i)));
    return c;
  }
};
template <class A, class B, bool kHigh>
struct Dp2a {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    for (int i = 0; i < 2; ++i)
      c += static_cast<std::uint32_t>(std::int32_t{static_cast<A>(a >> (16 * i))} *
                                      static_cast<B>(b >> (8 * (i + (kHigh ? 2 : 0)))));
    return c;
  }
};

template <class T>
void lop3(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  T *d = w.lanes_of<T>(s.d), *a = w.lanes_of<T>(s.a), *b = w.lanes_of<T>(s.b), *c = w.lanes_of<T>(s.c);
  const std::int64_t table = s.immediate;
  each_lane(mask, [=](int l) {
    T r = 0;
    for (int i = 0; i < 8; ++i)
      if (table >> i & 1) r |= (i & 4 ? a[l] : ~a[l]) & (i & 2 ? b[l] : ~b[l]) & (i & 1 ? c[l] : ~c[l]);
    d[l] = r;
  });
}

// lop3.and/.or: the result, and whether it is anything but 0 combined with predicate data[0] (flag: or).
void lop3_test(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint32_t scratch[kWarpSize];
  const std::uint32_t *a = w.lanes_of<std::uint32_t>(s.a), *b = w.lanes_of<std::uint32_t>(s.b),
                      *c = w.lanes_of<std::uint32_t>(s.c);
  LaneMask set = 0;
  for (const int l : lanes_in(mask)) {
    std::uint32_t r = 0;
    for (int i = 0; i < 8; ++i)
      if (s.immediate >> i & 1) r |= (i & 4 ? a[l] : ~a[l]) & (i & 2 ? b[l] : ~b[l]) & (i & 1 ? c[l] : ~c[l]);
    scratch[l] = r;
    set |= LaneMask{r != 0} << l;
  }
  if (s.d != kNoOperand)
    for (const int lane : lanes_in(mask)) w.lanes_of<std::uint32_t>(s.d)[lane] = scratch[lane];
  LaneMask q = w.predicate(s.data[0]), &p = w.predicate(s.e);
  p = (p & ~mask) | ((s.flag ? set | q : set & q) & mask);
}

// d = b with `length` bits of a inserted at `position`; the fourth source travels in data[0].
template <class T>
void bfi(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  T *d = w.lanes_of<T>(s.d), *a = w.lanes_of<T>(s.a), *b = w.lanes_of<T>(s.b);
  const std::uint32_t *position = w.lanes_of<std::uint32_t>(s.c),
                      *length = w.lanes_of<std::uint32_t>(s.data[0]);
  each_lane(mask, [=](int l) {
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    std::uint32_t p = position[l] & 0xff, n = length[l] & 0xff;
    T field = n >= kBits ? ~T{0} : static_cast<T>((T{1} << n) - 1);
    T where = p >= kBits ? T{0} : static_cast<T>(field << p);
    d[l] = static_cast<T>((b[l] & ~where) | ((p >= kBits ? T{0} : static_cast<T>(a[l] << p)) & where));
  });
}

void select_predicate(Warp& w, const DecodedInstruction& s, LaneMask mask, LaneMask result) {
  LaneMask& d = w.predicate(s.d);
  d = (d & ~mask) | (result & mask);
}
void and_pred(Warp& w, const DecodedInstruction& s, LaneMask m) {
  select_predicate(w, s, m, w.predicate(s.a) & w.predicate(s.b));
}
void or_pred(Warp& w, const DecodedInstruction& s, LaneMask m) {
  select_predicate(w, s, m, w.predicate(s.a) | w.predicate(s.b));
}
void xor_pred(Warp& w, const DecodedInstruction& s, LaneMask m) {
  select_predicate(w, s, m, w.predicate(s.a) ^ w.predicate(s.b));
}
void not_pred(Warp& w, const DecodedInstruction& s, LaneMask m) {
  select_predicate(w, s, m, ~w.predicate(s.a));
}
void mov_pred(Warp& w, const DecodedInstruction& s, LaneMask m) {
  select_predicate(w, s, m, w.predicate(s.a));
}

template <class T>
void selp(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  T *d = w.lanes_of<T>(s.d), *a = w.lanes_of<T>(s.a), *b = w.lanes_of<T>(s.b);
  const LaneMask predicate = w.predicate(s.c);
  each_lane(mask, [=](int l) { d[l] = predicate >> l & 1 ? a[l] : b[l]; });
}

/// Bits are counted in unsigned values, the count is 32 bits wide.
template <class Op>
Handler count_of(Type t) {
  switch (t) {
    case Type::b32:
    case Type::u32:
      return unary<std::uint32_t, std::uint32_t, Op>;
    case Type::s32:
      return unary<std::uint32_t, std::int32_t, Op>;
    case Type::b64:
    case Type::u64:
      return unary<std::uint32_t, std::uint64_t, Op>;
    case Type::s64:
      return unary<std::uint32_t, std::int64_t, Op>;
    default:
      return nullptr;
  }
}
Handler bits_of(Type t, Handler (*pick)(Type)) { return pick(type_bytes(t) == 8 ? Type::u64 : Type::u32); }

template <class Op>
Handler bfe_of(Type t) {
  switch (t) {
    case Type::u32:
      return ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Op>;
    case Type::s32:
      return ternary<std::int32_t, std::int32_t, std::uint32_t, std::uint32_t, Op>;
    case Type::u64:
      return ternary<std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, Op>;
    case Type::s64:
      return ternary<std::int64_t, std::int64_t, std::uint32_t, std::uint32_t, Op>;
    default:
      return nullptr;
  }
}

std::optional<LaneKernel> logic(const ptx::Instruction& i, Type t) {
  const Opcode op = i.opcode;
  if (t == Type::pred) {
    if (op == Opcode::and_) return LaneKernel{and_pred, t, t, t};
    if (op == Opcode::or_) return LaneKernel{or_pred, t, t, t};
    if (op == Opcode::xor_) return LaneKernel{xor_pred, t, t, t};
    if (op == Opcode::not_) return LaneKernel{not_pred, t, t};
    return LaneKernel{mov_pred, t, t};
  }
  if (op == Opcode::and_) return kernel2(binary_of<And>(t), t);
  if (op == Opcode::or_) return kernel2(binary_of<Or>(t), t);
  if (op == Opcode::xor_) return kernel2(binary_of<Xor>(t), t);
  if (op == Opcode::not_) return kernel1(unary_of<Not>(t), t, t);
  if (op == Opcode::cnot) return kernel1(unary_of<CNot>(t), t, t);
  switch (type_bytes(t)) {  // mov copies bits, whatever they mean
    case 2:
      return LaneKernel{unary<std::uint16_t, std::uint16_t, Copy>, t, t};
    case 4:
      return LaneKernel{unary<std::uint32_t, std::uint32_t, Copy>, t, t};
    case 8:
      return LaneKernel{unary<std::uint64_t, std::uint64_t, Copy>, t, t};
    default:
      return std::nullopt;
  }
}

std::optional<LaneKernel> selection(const ptx::Instruction& i, Type t) {
  if (i.opcode == Opcode::selp) {
    switch (type_bytes(t)) {
      case 2:
        return LaneKernel{selp<std::uint16_t>, t, t, t, Type::pred};
      case 4:
        return LaneKernel{selp<std::uint32_t>, t, t, t, Type::pred};
      case 8:
        return LaneKernel{selp<std::uint64_t>, t, t, t, Type::pred};
      default:
        return std::nullopt;
    }
  }
  if (i.modifiers.size() < 2) return std::nullopt;
  Type value = parse_type(i.modifiers[i.modifiers.size() - 2]);
  if (t == Type::f32) {
    bool flush = i.has("ftz");
    if (type_bytes(value) == 4)
      return LaneKernel{flush ? ternary<std::uint32_t, std::uint32_t, std::uint32_t, float, SlctFloat<true>>
                              : ternary<std::uint32_t, std::uint32_t, std::uint32_t, float, SlctFloat<false>>,
                        value, value, value, t};
    if (type_bytes(value) == 8)
      return LaneKernel{flush ? ternary<std::uint64_t, std::uint64_t, std::uint64_t, float, SlctFloat<true>>
                              : ternary<std::uint64_t, std::uint64_t, std::uint64_t, float, SlctFloat<false>>,
                        value, value, value, t};
  }
  if (t != Type::s32) return std::nullopt;
  if (type_bytes(value) == 4)
    return LaneKernel{ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t, Slct>, value, value,
                      value, Type::s32};
  if (type_bytes(value) == 8)
    return LaneKernel{ternary<std::uint64_t, std::uint64_t, std::uint64_t, std::int32_t, Slct>, value, value,
                      value, Type::s32};
  return std::nullopt;
}

std::optional<LaneKernel> bit_field(const ptx::Instruction& i, Type t) {
  const Opcode op = i.opcode;
  if (op == Opcode::popc) return kernel1(bits_of(t, count_of<Popc>), Type::u32, t);
  if (op == Opcode::clz) return kernel1(bits_of(t, count_of<Clz>), Type::u32, t);
  if (op == Opcode::bfind)
    return kernel1(i.has("shiftamt") ? count_of<Bfind<true>>(t) : count_of<Bfind<false>>(t), Type::u32, t);
  if (op == Opcode::brev)
    return LaneKernel{type_bytes(t) == 8 ? unary<std::uint64_t, std::uint64_t, Brev>
                                         : unary<std::uint32_t, std::uint32_t, Brev>,
                      t, t};
  if (op == Opcode::bfe) {
    Handler run = bfe_of<Bfe>(t);
    return run ? std::optional<LaneKernel>({run, t, t, Type::u32, Type::u32}) : std::nullopt;
  }
  if (op == Opcode::bfi)
    return LaneKernel{type_bytes(t) == 8 ? bfi<std::uint64_t> : bfi<std::uint32_t>, t, t, t, Type::u32};
  if (op == Opcode::shl) {
    Handler run = shift_of<Shl>(t);
    return run ? std::optional<LaneKernel>({run, t, t, Type::u32}) : std::nullopt;
  }
  if (op == Opcode::shr) {
    Handler run = shift_of<Shr>(t);
    return run ? std::optional<LaneKernel>({run, t, t, Type::u32}) : std::nullopt;
  }
  constexpr auto u32 = Type::u32;
  auto three = [](Handler run) { return LaneKernel{run, u32, u32, u32, u32}; };
  if (op == Opcode::shf) {
    bool wrap = i.has("wrap");
    if (i.has("l"))
      return three(
          wrap ? ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Funnel<true, true>>
               : ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Funnel<true, false>>);
    return three(
        wrap ? ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Funnel<false, true>>
             : ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Funnel<false, false>>);
  }
  if (op == Opcode::prmt) {
#define PRMT(mode, text) \
  if (i.has(text))       \
  return three(ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, PrmtMode<mode>>)
    PRMT(0, "f4e");
    PRMT(1, "b4e");
    PRMT(2, "rc8");
    PRMT(3, "ecl");
    PRMT(4, "ecr");
    PRMT(5, "rc16");
#undef PRMT
    return three(ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Prmt>);
  }
  return std::nullopt;
}

std::optional<LaneKernel> dot_product(const ptx::Instruction& i) {
  if (i.modifiers.size() < 2) return std::nullopt;
  Type ta = parse_type(i.modifiers[i.modifiers.size() - 2]), tb = parse_type(i.modifiers.back());
  constexpr auto u32 = Type::u32;
#define DOT(...) ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, __VA_ARGS__>
  bool sa = is_signed(ta), sb = is_signed(tb), high = i.has("hi");
  Handler run;
  if (i.opcode == Opcode::dp4a)
    run = sa ? (sb ? DOT(Dp4a<std::int8_t, std::int8_t>) : DOT(Dp4a<std::int8_t, std::uint8_t>))
             : (sb ? DOT(Dp4a<std::uint8_t, std::int8_t>) : DOT(Dp4a<std::uint8_t, std::uint8_t>));
  else if (high)
    run = sa ? (sb ? DOT(Dp2a<std::int16_t, std::int8_t, true>) : DOT(Dp2a<std::int16_t, std::uint8_t, true>))
             : (sb ? DOT(Dp2a<std::uint16_t, std::int8_t, true>)
                   : DOT(Dp2a<std::uint16_t, std::uint8_t, true>));
  else
    run =
        sa ? (sb ? DOT(Dp2a<std::int16_t, std::int8_t, false>) : DOT(Dp2a<std::int16_t, std::uint8_t, false>))
           : (sb ? DOT(Dp2a<std::uint16_t, std::int8_t, false>)
                 : DOT(Dp2a<std::uint16_t, std::uint8_t, false>));
#undef DOT
  return LaneKernel{run, u32, u32, u32, u32};
}

}  // namespace

/// What is not integer arithmetic; `t`: the instruction's type.
std::optional<LaneKernel> bits_kernel(const ptx::Instruction& i, Type t) {
  const Opcode op = i.opcode;
  if (op == Opcode::mov || op == Opcode::and_ || op == Opcode::or_ || op == Opcode::xor_ ||
      op == Opcode::not_ || op == Opcode::cnot)
    return logic(i, t);
  if (op == Opcode::selp || op == Opcode::slct) return selection(i, t);
  if (op == Opcode::dp4a || op == Opcode::dp2a) return dot_product(i);
  if (is_float(t)) return std::nullopt;
  if (op == Opcode::fns)
    return LaneKernel{ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t, Fns>, Type::b32,
                      Type::b32, Type::b32, Type::s32};
  if (op == Opcode::bmsk)
    return LaneKernel{i.has("wrap") ? binary<std::uint32_t, std::uint32_t, std::uint32_t, Bmsk<true>>
                                    : binary<std::uint32_t, std::uint32_t, std::uint32_t, Bmsk<false>>,
                      t, Type::u32, Type::u32};
  if (op == Opcode::szext) {
    Handler run = i.has("wrap") ? shift_of<Szext<true>>(t) : shift_of<Szext<false>>(t);
    if (type_bytes(t) != 4) return std::nullopt;
    return LaneKernel{run, t, t, Type::u32};
  }
  if (op == Opcode::lop3 && t == Type::b32 && (i.has("and") || i.has("or")))
    return LaneKernel{lop3_test, t, t, t, t, 0, i.has("or")};
  if (op == Opcode::lop3 && t == Type::b32) return LaneKernel{lop3<std::uint32_t>, t, t, t, t};
  return bit_field(i, t);
}

}  // namespace fusebox::sim::FUSEBOX_ISA

FUSEBOX_LANES_END
