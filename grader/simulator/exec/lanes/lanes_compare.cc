#include <array>
#include <bit>
#include <string_view>
#include <utility>

#include "grader/simulator/exec/lanes/half.h"
#include "grader/simulator/exec/lanes/lanes.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/lanes/each_lane.h"
// clang-format on

namespace fusebox::sim::FUSEBOX_ISA {
namespace {

// The low bits of Step::immediate say how the comparison is combined with predicate c.
enum Combine : std::int64_t { kAlone = 0, kAnd = 1, kOr = 2, kXor = 3, kCombineMask = 3, kNotC = 4 };

LaneMask combined(Warp& w, const Step& s, LaneMask compared) {
  std::int64_t how = s.immediate & kCombineMask;
  if (how == kAlone) return compared;
  LaneMask c = w.predicate(s.c);
  if (s.immediate & kNotC) c = ~c;
  return how == kAnd ? compared & c : how == kOr ? compared | c : compared ^ c;
}

/// p|q: q gets the complement of the comparison. Either may be missing.
[[gnu::noinline]] void store_both(Warp& w, const Step& s, LaneMask mask, LaneMask compared) {
  const LaneMask result = combined(w, s, compared), other = combined(w, s, ~compared);
  const auto store = [&](std::uint32_t to, LaneMask bits) {
    if (to == kNoOperand) return;
    LaneMask& predicate = w.predicate(to);
    predicate = (predicate & ~mask) | (bits & mask);
  };
  store(s.d, result);
  store(s.e, other);
}

[[gnu::always_inline]] inline void store_predicates(Warp& w, const Step& s, LaneMask mask,
                                                    LaneMask compared) {
  if (s.e != kNoOperand || s.immediate != kAlone || s.d == kNoOperand)
    return store_both(w, s, mask, compared);
  LaneMask& d = w.predicate(s.d);
  d = (d & ~mask) | (compared & mask);
}

struct Eq {
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct Ne {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b || a > b;
  }
};  // false for NaN
struct Lt {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct Le {
  template <class T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct Gt {
  template <class T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};
struct Ge {
  template <class T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};
struct Num {
  template <class T>
  bool operator()(T a, T b) const {
    return a == a && b == b;
  }
};
template <class Op>
struct OrNaN {
  template <class T>
  bool operator()(T a, T b) const {
    return a != a || b != b || Op{}(a, b);
  }
};
struct Nan {
  template <class T>
  bool operator()(T a, T b) const {
    return a != a || b != b;
  }
};

// f16 and bf16 are compared as floats: every one of them is exact there.
template <class T>
struct Loaded {
  static T of(T v) { return v; }
};
struct HalfLane {
  std::uint16_t bits;
};
struct BfloatLane {
  std::uint16_t bits;
};
template <>
struct Loaded<HalfLane> {
  static float of(HalfLane v) { return half_to_float(v.bits); }
};
template <>
struct Loaded<BfloatLane> {
  static float of(BfloatLane v) { return bf16_to_float(v.bits); }
};

/// .ftz: subnormal operands are zeros.
struct FlushedLane {
  std::uint32_t bits;
};
struct FlushedHalfLane {
  std::uint16_t bits;
};
template <>
struct Loaded<FlushedLane> {
  static float of(FlushedLane v) {
    return std::bit_cast<float>((v.bits & 0x7f800000u) == 0 ? v.bits & 0x80000000u : v.bits);
  }
};
template <>
struct Loaded<FlushedHalfLane> {
  static float of(FlushedHalfLane v) {
    return half_to_float((v.bits & 0x7c00u) == 0 ? static_cast<std::uint16_t>(v.bits & 0x8000u) : v.bits);
  }
};

template <class T, class Op>
void setp(Warp& w, const Step& s, LaneMask mask) {
  const T *a = w.lanes_of<T>(s.a), *b = w.lanes_of<T>(s.b);
  store_predicates(w, s, mask,
                   mask_of([=](int l) { return Op{}(Loaded<T>::of(a[l]), Loaded<T>::of(b[l])); }));
}

// set: the comparison as a number, 1.0f (flag) or all ones.
template <class T, class Op>
void set(Warp& w, const Step& s, LaneMask mask) {
  const T *a = w.lanes_of<T>(s.a), *b = w.lanes_of<T>(s.b);
  LaneMask result =
      combined(w, s, mask_of([=](int l) { return Op{}(Loaded<T>::of(a[l]), Loaded<T>::of(b[l])); }));
  std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
  const std::uint32_t yes = s.flag ? 0x3f800000u : ~0u;
  each_lane(mask, [=](int l) { d[l] = result >> l & 1 ? yes : 0; });
}

// The same for a destination of 16 bits.
template <class T, class Op>
void set_short(Warp& w, const Step& s, LaneMask mask) {
  const T *a = w.lanes_of<T>(s.a), *b = w.lanes_of<T>(s.b);
  LaneMask result =
      combined(w, s, mask_of([=](int l) { return Op{}(Loaded<T>::of(a[l]), Loaded<T>::of(b[l])); }));
  std::uint16_t* d = w.lanes_of<std::uint16_t>(s.d);
  const auto yes = static_cast<std::uint16_t>(s.extra);
  each_lane(mask, [=](int l) { d[l] = result >> l & 1 ? yes : 0; });
}

// Pairs of halves: setp answers p|q for the lower and the upper, set fills both halves of a register.
template <class T>
struct Pair {
  T low, high;
};
template <class T, class Op, bool kPredicate>
void compare_pair(Warp& w, const Step& s, LaneMask mask) {
  const Pair<T>*a = w.lanes_of<Pair<T>>(s.a), *b = w.lanes_of<Pair<T>>(s.b);
  LaneMask low =
      combined(w, s, mask_of([=](int l) { return Op{}(Loaded<T>::of(a[l].low), Loaded<T>::of(b[l].low)); }));
  LaneMask high = combined(
      w, s, mask_of([=](int l) { return Op{}(Loaded<T>::of(a[l].high), Loaded<T>::of(b[l].high)); }));
  if (kPredicate) {
    auto store = [&](std::uint32_t offset, LaneMask value) {
      if (offset == kNoOperand) return;
      LaneMask& p = w.predicate(offset);
      p = (p & ~mask) | (value & mask);
    };
    store(s.d, low);
    store(s.e, high);
  } else {
    std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
    const std::uint32_t yes = s.extra;
    each_lane(mask, [=](int l) { d[l] = (low >> l & 1 ? yes : 0) | (high >> l & 1 ? yes << 16 : 0); });
  }
}

template <class T, class Op>
Handler short_handler(bool as_predicate, bool short_result) {
  return as_predicate ? setp<T, Op> : short_result ? set_short<T, Op> : set<T, Op>;
}
template <class T, class Op>
Handler pair_handler(bool as_predicate) {
  return as_predicate ? compare_pair<T, Op, true> : compare_pair<T, Op, false>;
}

/// How pick() chooses among the shapes of one comparison.
struct Shape {
  Type type = Type::none;
  bool as_predicate = true, flush = false, short_result = false;
};

template <class T, class Op>
Handler plain_handler(bool as_predicate) {
  return as_predicate ? setp<T, Op> : set<T, Op>;
}

template <class Op>
Handler handler(const Shape& shape) {
  const bool as_predicate = shape.as_predicate;
  if (shape.type == Type::f32 && shape.flush)
    return as_predicate ? setp<FlushedLane, Op> : set<FlushedLane, Op>;
  if (shape.type == Type::f16)
    return shape.flush ? short_handler<FlushedHalfLane, Op>(as_predicate, shape.short_result)
                       : short_handler<HalfLane, Op>(as_predicate, shape.short_result);
  if (shape.type == Type::bf16) return short_handler<BfloatLane, Op>(as_predicate, shape.short_result);
  if (shape.type == Type::f16x2)
    return shape.flush ? pair_handler<FlushedHalfLane, Op>(as_predicate)
                       : pair_handler<HalfLane, Op>(as_predicate);
  if (shape.type == Type::bf16x2) return pair_handler<BfloatLane, Op>(as_predicate);
  switch (shape.type) {
    case Type::u16:
    case Type::b16:
      return plain_handler<std::uint16_t, Op>(as_predicate);
    case Type::s16:
      return plain_handler<std::int16_t, Op>(as_predicate);
    case Type::u32:
    case Type::b32:
      return plain_handler<std::uint32_t, Op>(as_predicate);
    case Type::s32:
      return plain_handler<std::int32_t, Op>(as_predicate);
    case Type::u64:
    case Type::b64:
      return plain_handler<std::uint64_t, Op>(as_predicate);
    case Type::s64:
      return plain_handler<std::int64_t, Op>(as_predicate);
    case Type::f32:
      return plain_handler<float, Op>(as_predicate);
    case Type::f64:
      return plain_handler<double, Op>(as_predicate);
    default:
      return nullptr;
  }
}

// Unsigned words of integer comparisons: lo, ls, hi, hs.
Handler pick(std::string_view word, const Shape& t) {
  if (word == "eq") return handler<Eq>(t);
  if (word == "ne") return handler<Ne>(t);
  if (word == "lt" || word == "lo") return handler<Lt>(t);
  if (word == "le" || word == "ls") return handler<Le>(t);
  if (word == "gt" || word == "hi") return handler<Gt>(t);
  if (word == "ge" || word == "hs") return handler<Ge>(t);
  if (!is_float(t.type)) return nullptr;
  if (word == "equ") return handler<OrNaN<Eq>>(t);
  if (word == "neu") return handler<OrNaN<Ne>>(t);
  if (word == "ltu") return handler<OrNaN<Lt>>(t);
  if (word == "leu") return handler<OrNaN<Le>>(t);
  if (word == "gtu") return handler<OrNaN<Gt>>(t);
  if (word == "geu") return handler<OrNaN<Ge>>(t);
  if (word == "num") return handler<Num>(t);
  if (word == "nan") return handler<Nan>(t);
  return nullptr;
}

}  // namespace

std::optional<Form> compare_form(const ptx::Instruction& i) {
  bool as_predicate = i.opcode == "setp";
  if ((!as_predicate && i.opcode != "set") || i.modifiers.size() < 2) return std::nullopt;
  Type t = parse_type(i.modifiers.back());
  Shape shape{t, as_predicate, i.has("ftz"), false};
  Form form{nullptr, Type::pred, t, t};
  bool halves = t == Type::f16 || t == Type::bf16, pair = t == Type::f16x2 || t == Type::bf16x2;
  if (!as_predicate) {
    form.d = parse_type(i.modifiers[i.modifiers.size() - 2]);
    form.flag = form.d == Type::f32;
    shape.short_result = type_bytes(form.d) == 2;
    if (type_bytes(form.d) != 4 && !(shape.short_result && halves)) return std::nullopt;
    form.extra = form.d == Type::f16 || form.d == Type::f16x2     ? 0x3c00
                 : form.d == Type::bf16 || form.d == Type::bf16x2 ? 0x3f80
                                                                  : 0xffff;
  }
  if (i.has("ftz") && t != Type::f32 && t != Type::f16 && t != Type::f16x2) return std::nullopt;
  if (pair && as_predicate &&
      (i.operands.empty() || i.operands[0].kind != ptx::Operand::Kind::predicate_pair))
    return std::nullopt;
  form.run = pick(i.modifiers[0], shape);
  if (form.run == nullptr) return std::nullopt;
  const std::string& second = i.modifiers[1];
  form.immediate = second == "and" ? kAnd : second == "or" ? kOr : second == "xor" ? kXor : kAlone;
  if (form.immediate != kAlone) {
    form.c = Type::pred;
    if (i.operands.size() > 3 && i.operands[3].negated) form.immediate |= kNotC;
  }
  return form;
}

}  // namespace fusebox::sim::FUSEBOX_ISA

FUSEBOX_LANES_END
