#include <array>
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

void store_predicates(Warp& w, const Step& s, LaneMask mask, LaneMask compared) {
  LaneMask result = combined(w, s, compared);
  LaneMask other =
      s.e == kNoOperand ? 0 : combined(w, s, ~compared);  // p|q: q gets the complement of the comparison
  if (s.d != kNoOperand) {
    LaneMask& d = w.predicate(s.d);
    d = (d & ~mask) | (result & mask);
  }
  if (s.e != kNoOperand) {
    LaneMask& e = w.predicate(s.e);
    e = (e & ~mask) | (other & mask);
  }
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

template <class Op>
Handler handler(Type t, bool as_predicate) {
  switch (t) {
#define FUSEBOX_CASE(type, T) \
  case Type::type:            \
    return as_predicate ? setp<T, Op> : set<T, Op>;
    FUSEBOX_CASE(u16, std::uint16_t)
    FUSEBOX_CASE(b16, std::uint16_t) FUSEBOX_CASE(s16, std::int16_t) FUSEBOX_CASE(u32, std::uint32_t)
        FUSEBOX_CASE(b32, std::uint32_t) FUSEBOX_CASE(s32, std::int32_t) FUSEBOX_CASE(u64, std::uint64_t)
            FUSEBOX_CASE(b64, std::uint64_t) FUSEBOX_CASE(s64, std::int64_t) FUSEBOX_CASE(f32, float)
                FUSEBOX_CASE(f64, double) FUSEBOX_CASE(f16, HalfLane) FUSEBOX_CASE(bf16, BfloatLane)
#undef FUSEBOX_CASE
                    default : return nullptr;
  }
}

// Unsigned words of integer comparisons: lo, ls, hi, hs.
Handler pick(std::string_view word, Type t, bool as_predicate) {
  if (word == "eq") return handler<Eq>(t, as_predicate);
  if (word == "ne") return handler<Ne>(t, as_predicate);
  if (word == "lt" || word == "lo") return handler<Lt>(t, as_predicate);
  if (word == "le" || word == "ls") return handler<Le>(t, as_predicate);
  if (word == "gt" || word == "hi") return handler<Gt>(t, as_predicate);
  if (word == "ge" || word == "hs") return handler<Ge>(t, as_predicate);
  if (!is_float(t)) return nullptr;
  if (word == "equ") return handler<OrNaN<Eq>>(t, as_predicate);
  if (word == "neu") return handler<OrNaN<Ne>>(t, as_predicate);
  if (word == "ltu") return handler<OrNaN<Lt>>(t, as_predicate);
  if (word == "leu") return handler<OrNaN<Le>>(t, as_predicate);
  if (word == "gtu") return handler<OrNaN<Gt>>(t, as_predicate);
  if (word == "geu") return handler<OrNaN<Ge>>(t, as_predicate);
  if (word == "num") return handler<Num>(t, as_predicate);
  if (word == "nan") return handler<Nan>(t, as_predicate);
  return nullptr;
}

}  // namespace

std::optional<Form> compare_form(const ptx::Instruction& i) {
  bool as_predicate = i.opcode == "setp";
  if ((!as_predicate && i.opcode != "set") || i.modifiers.size() < 2) return std::nullopt;
  Type t = parse_type(i.modifiers.back());
  if (i.has("ftz") && t != Type::f32) return std::nullopt;
  Handler run = pick(i.modifiers[0], t, as_predicate);
  if (run == nullptr) return std::nullopt;
  Form form{run, Type::pred, t, t};
  const std::string& second = i.modifiers[1];
  form.immediate = second == "and" ? kAnd : second == "or" ? kOr : second == "xor" ? kXor : kAlone;
  if (form.immediate != kAlone) {
    form.c = Type::pred;
    if (i.operands.size() > 3 && i.operands[3].negated) form.immediate |= kNotC;
  }
  if (!as_predicate) {
    form.d = parse_type(i.modifiers[i.modifiers.size() - 2]);
    form.flag = form.d == Type::f32;
    if (type_bytes(form.d) != 4) return std::nullopt;
  }
  return form;
}

}  // namespace fusebox::sim::FUSEBOX_ISA
