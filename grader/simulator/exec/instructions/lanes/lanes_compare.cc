#include <array>
#include <bit>
#include <span>
#include <string_view>
#include <utility>

#include "grader/simulator/exec/instructions/lanes/half.h"
#include "grader/simulator/exec/instructions/lanes/lanes.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/instructions/lanes/each_lane.h"
// clang-format on

namespace fusebox::sim::FUSEBOX_ISA {
namespace {

// DecodedInstruction::immediate: the low bits say how the comparison is combined with predicate c, then
// whether it is turned round; from kRelationShift on stands its relation, for the handlers that look it up.
enum Combine : std::int64_t {
  kAlone = 0,
  kAnd = 1,
  kOr = 2,
  kXor = 3,
  kCombineMask = 3,
  kNotC = 4,
  kTurned = 8
};
constexpr int kRelationShift = 4;

/// With operands exchanged by name and answers turned round, these make all of PTX's comparisons: "less or
/// unordered" is "greater or equal" turned round.
enum class Relation { eq, ne, lt, le, gt, ge, num };

LaneMask combined(Warp& w, const DecodedInstruction& s, LaneMask compared) {
  std::int64_t how = s.immediate & kCombineMask;
  if (how == kAlone) return compared;
  LaneMask c = w.predicate(s.c);
  if (s.immediate & kNotC) c = ~c;
  return how == kAnd ? compared & c : how == kOr ? compared | c : compared ^ c;
}

/// p|q: q gets the complement of the comparison. Either may be missing.
[[gnu::noinline]] void store_both(Warp& w, const DecodedInstruction& s, LaneMask mask, LaneMask compared) {
  const LaneMask result = combined(w, s, compared), other = combined(w, s, ~compared);
  const auto store = [&](std::uint32_t to, LaneMask bits) {
    if (to == kNoOperand) return;
    LaneMask& predicate = w.predicate(to);
    predicate = (predicate & ~mask) | (bits & mask);
  };
  store(s.d, result);
  store(s.e, other);
}

[[gnu::always_inline]] inline void store_predicates(Warp& w, const DecodedInstruction& s, LaneMask mask,
                                                    LaneMask compared) {
  if (s.e != kNoOperand || (s.immediate & kCombineMask) != kAlone || s.d == kNoOperand)
    return store_both(w, s, mask, compared);
  LaneMask& d = w.predicate(s.d);
  d = (d & ~mask) | (compared & mask);
}

/// Ordered: false where an operand is a NaN.
template <Relation kRelation, class T>
[[gnu::always_inline]] inline bool holds(T a, T b) {
  switch (kRelation) {
    case Relation::eq:
      return a == b;
    case Relation::ne:
      return a < b || a > b;
    case Relation::lt:
      return a < b;
    case Relation::le:
      return a <= b;
    case Relation::gt:
      return a > b;
    case Relation::ge:
      return a >= b;
    case Relation::num:
      return a == a && b == b;
  }
}

[[gnu::always_inline]] inline LaneMask turned(const DecodedInstruction& s, LaneMask compared) {
  return s.immediate & kTurned ? ~compared : compared;
}

// f16 and bf16 are compared as floats: every one of them is exact there.
template <class T>
struct Loaded {
  static T of(T v) { return v; }
};
template <>
struct Loaded<std::uint16_t> {
  static std::uint32_t of(std::uint16_t v) { return v; }
};
template <>
struct Loaded<std::int16_t> {
  static std::int32_t of(std::int16_t v) { return v; }
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

// The comparisons that loops and bounds checks are made of have a handler for each relation.
template <class T, Relation kRelation>
void setp(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const T *a = w.lanes_of<T>(s.a), *b = w.lanes_of<T>(s.b);
  store_predicates(w, s, mask, turned(s, mask_of([=](int l) { return holds<kRelation>(a[l], b[l]); })));
}

// All others look the relation up, over lanes that are loaded as one of six types: a loop for each type,
// relation and kind of result would be hundreds, and half a minute to compile.
template <class T, Relation kRelation>
[[gnu::noinline]] LaneMask compared(const T* a, const T* b) {
  return mask_of([=](int l) { return holds<kRelation>(a[l], b[l]); });
}
template <class T>
LaneMask compared(const DecodedInstruction& s, const T* a, const T* b) {
  switch (static_cast<Relation>(s.immediate >> kRelationShift)) {
    case Relation::eq:
      return compared<T, Relation::eq>(a, b);
    case Relation::ne:
      return compared<T, Relation::ne>(a, b);
    case Relation::lt:
      return compared<T, Relation::lt>(a, b);
    case Relation::le:
      return compared<T, Relation::le>(a, b);
    case Relation::gt:
      return compared<T, Relation::gt>(a, b);
    case Relation::ge:
      return compared<T, Relation::ge>(a, b);
    case Relation::num:
      return compared<T, Relation::num>(a, b);
  }
  return 0;
}

/// `a` and `b` give a lane's operands as they lie in the registers.
template <class A, class B>
LaneMask compared_lanes(Warp& w, const DecodedInstruction& s, A a, B b) {
  using Stored = decltype(a(0));
  using T = decltype(Loaded<Stored>::of(a(0)));
  alignas(32) T loaded_a[kWarpSize], loaded_b[kWarpSize];
  for (int l = 0; l < kWarpSize; ++l) {
    loaded_a[l] = Loaded<Stored>::of(a(l));
    loaded_b[l] = Loaded<Stored>::of(b(l));
  }
  return combined(w, s, turned(s, compared<T>(s, loaded_a, loaded_b)));
}
template <class T>
LaneMask compared_lanes(Warp& w, const DecodedInstruction& s) {
  const T *a = w.lanes_of<T>(s.a), *b = w.lanes_of<T>(s.b);
  return compared_lanes(
      w, s, [=](int l) { return a[l]; }, [=](int l) { return b[l]; });
}

template <class T>
void setp_looked_up(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const T *a = w.lanes_of<T>(s.a), *b = w.lanes_of<T>(s.b);
  DecodedInstruction alone = s;
  alone.immediate &= ~std::int64_t{kCombineMask};
  store_predicates(w, s, mask,
                   compared_lanes(
                       w, alone, [=](int l) { return a[l]; }, [=](int l) { return b[l]; }));
}

// set: the comparison as a number, 1.0f (flag) or all ones.
template <class T>
void set(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const LaneMask result = compared_lanes<T>(w, s);
  std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
  const std::uint32_t yes = s.flag ? 0x3f800000u : ~0u;
  each_lane(mask, [=](int l) { d[l] = result >> l & 1 ? yes : 0; });
}

// The same for a destination of 16 bits.
template <class T>
void set_short(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const LaneMask result = compared_lanes<T>(w, s);
  std::uint16_t* d = w.lanes_of<std::uint16_t>(s.d);
  const auto yes = static_cast<std::uint16_t>(s.extra);
  each_lane(mask, [=](int l) { d[l] = result >> l & 1 ? yes : 0; });
}

// Pairs of halves: setp answers p|q for the lower and the upper, set fills both halves of a register.
template <class T>
struct Pair {
  T low, high;
};
template <class T, bool kPredicate>
void compare_pair(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const Pair<T>*a = w.lanes_of<Pair<T>>(s.a), *b = w.lanes_of<Pair<T>>(s.b);
  const LaneMask low = compared_lanes(
      w, s, [=](int l) { return a[l].low; }, [=](int l) { return b[l].low; });
  const LaneMask high = compared_lanes(
      w, s, [=](int l) { return a[l].high; }, [=](int l) { return b[l].high; });
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

/// How handler_of() chooses among the handlers of one comparison.
struct CompareTraits {
  Type type = Type::none;
  bool as_predicate = true, flush = false, short_result = false;
};

template <class T>
Handler half_handler(const CompareTraits& traits) {
  return traits.as_predicate ? setp_looked_up<T> : traits.short_result ? set_short<T> : set<T>;
}
template <class T>
Handler pair_handler(const CompareTraits& traits) {
  return traits.as_predicate ? compare_pair<T, true> : compare_pair<T, false>;
}
template <class T>
Handler short_handler(const CompareTraits& traits) {
  return traits.as_predicate ? setp_looked_up<T> : set<T>;
}

template <class T>
Handler plain_handler(const CompareTraits& traits, Relation relation) {
  if (!traits.as_predicate) return set<T>;
  switch (relation) {
    case Relation::eq:
      return setp<T, Relation::eq>;
    case Relation::lt:
      return setp<T, Relation::lt>;
    case Relation::le:
      return setp<T, Relation::le>;
    case Relation::gt:
      return setp<T, Relation::gt>;
    case Relation::ge:
      return setp<T, Relation::ge>;
    default:
      return setp_looked_up<T>;
  }
}

Handler handler_of(const CompareTraits& traits, Relation relation) {
  switch (traits.type) {
    case Type::f16:
      return traits.flush ? half_handler<FlushedHalfLane>(traits) : half_handler<HalfLane>(traits);
    case Type::bf16:
      return half_handler<BfloatLane>(traits);
    case Type::f16x2:
      return traits.flush ? pair_handler<FlushedHalfLane>(traits) : pair_handler<HalfLane>(traits);
    case Type::bf16x2:
      return pair_handler<BfloatLane>(traits);
    case Type::u16:
    case Type::b16:
      return short_handler<std::uint16_t>(traits);
    case Type::s16:
      return short_handler<std::int16_t>(traits);
    case Type::u32:
    case Type::b32:
      return plain_handler<std::uint32_t>(traits, relation);
    case Type::s32:
      return plain_handler<std::int32_t>(traits, relation);
    case Type::u64:
    case Type::b64:
      return plain_handler<std::uint64_t>(traits, relation);
    case Type::s64:
      return plain_handler<std::int64_t>(traits, relation);
    case Type::f32:
      return traits.flush ? short_handler<FlushedLane>(traits) : plain_handler<float>(traits, relation);
    case Type::f64:
      return plain_handler<double>(traits, relation);
    default:
      return nullptr;
  }
}

/// A comparison as PTX names it.
struct Named {
  std::string_view word;
  Relation relation;
  bool turned = false;
};
// Integers are ordered, so "not equal" is "equal" turned round; lo, ls, hi, hs are the words for unsigned
// ones.
constexpr Named kIntegerWords[] = {
    {"eq", Relation::eq}, {"ne", Relation::eq, true}, {"lt", Relation::lt}, {"lo", Relation::lt},
    {"le", Relation::le}, {"ls", Relation::le},       {"gt", Relation::gt}, {"hi", Relation::gt},
    {"ge", Relation::ge}, {"hs", Relation::ge},
};
constexpr Named kFloatWords[] = {
    {"eq", Relation::eq},        {"ne", Relation::ne},        {"lt", Relation::lt},
    {"lo", Relation::lt},        {"le", Relation::le},        {"ls", Relation::le},
    {"gt", Relation::gt},        {"hi", Relation::gt},        {"ge", Relation::ge},
    {"hs", Relation::ge},        {"equ", Relation::ne, true}, {"neu", Relation::eq, true},
    {"ltu", Relation::ge, true}, {"leu", Relation::gt, true}, {"gtu", Relation::le, true},
    {"geu", Relation::lt, true}, {"num", Relation::num},      {"nan", Relation::num, true},
};

const Named* named(std::string_view word, Type type) {
  const std::span<const Named> words =
      is_float(type) ? std::span<const Named>(kFloatWords) : std::span<const Named>(kIntegerWords);
  for (const Named& each : words)
    if (each.word == word) return &each;
  return nullptr;
}

}  // namespace

std::optional<LaneKernel> compare_kernel(const ptx::Instruction& i) {
  bool as_predicate = i.opcode == Opcode::setp;
  if ((!as_predicate && i.opcode != Opcode::set) || i.modifiers.size() < 2) return std::nullopt;
  Type t = parse_type(i.modifiers.back());
  CompareTraits traits{t, as_predicate, i.has("ftz"), false};
  LaneKernel kernel{nullptr, Type::pred, t, t};
  bool halves = t == Type::f16 || t == Type::bf16, pair = t == Type::f16x2 || t == Type::bf16x2;
  if (!as_predicate) {
    kernel.d = parse_type(i.modifiers[i.modifiers.size() - 2]);
    kernel.flag = kernel.d == Type::f32;
    traits.short_result = type_bytes(kernel.d) == 2;
    if (type_bytes(kernel.d) != 4 && !(traits.short_result && halves)) return std::nullopt;
    kernel.extra = kernel.d == Type::f16 || kernel.d == Type::f16x2     ? 0x3c00
                   : kernel.d == Type::bf16 || kernel.d == Type::bf16x2 ? 0x3f80
                                                                        : 0xffff;
  }
  if (i.has("ftz") && t != Type::f32 && t != Type::f16 && t != Type::f16x2) return std::nullopt;
  if (pair && as_predicate &&
      (i.operands.empty() || i.operands[0].kind != ptx::Operand::Kind::predicate_pair))
    return std::nullopt;
  const Named* name = named(i.modifiers[0], t);
  if (name == nullptr) return std::nullopt;
  kernel.run = handler_of(traits, name->relation);
  if (kernel.run == nullptr) return std::nullopt;
  const std::string& second = i.modifiers[1];
  kernel.immediate = second == "and" ? kAnd : second == "or" ? kOr : second == "xor" ? kXor : kAlone;
  if (kernel.immediate != kAlone) {
    kernel.c = Type::pred;
    if (i.operands.size() > 3 && i.operands[3].negated) kernel.immediate |= kNotC;
  }
  kernel.immediate |= static_cast<std::int64_t>(name->relation) << kRelationShift;
  if (name->turned) kernel.immediate |= kTurned;
  return kernel;
}

}  // namespace fusebox::sim::FUSEBOX_ISA

FUSEBOX_LANES_END
