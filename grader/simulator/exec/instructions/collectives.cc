#include "grader/simulator/exec/instructions/collectives.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <functional>

#include "grader/simulator/exec/instructions/lanes/reductions.h"
#include "grader/simulator/exec/state/block.h"
#include "grader/simulator/ptx/module.h"

// Instructions in which lanes see each other, and the few that only move lanes about. They run once per warp
// instruction, so plain loops are quick enough.

namespace fusebox::sim {
namespace {

template <class F>
void for_lanes(LaneMask mask, F f) {
  if (mask == ~LaneMask{0})
    for (int l = 0; l < kWarpSize; ++l) f(l);
  else
    for (const int lane : lanes_in(mask)) f(lane);
}

void set_predicate(Warp& w, std::uint32_t offset, LaneMask mask, LaneMask value) {
  if (offset == kNoOperand) return;
  LaneMask& p = w.predicate(offset);
  p = (p & ~mask) | (value & mask);
}

enum class Shuffle { up, down, butterfly, index };

/// Whose value a lane takes: its own where the one it asks for is out of range.
struct Source {
  int lane = 0;
  bool in_range = false;
};

template <Shuffle kMode>
[[gnu::always_inline]] inline Source source_of(int l, std::uint32_t b, std::uint32_t c) {
  // A range packs the clamp value (bits 0-4) and the segment mask (bits 8-12).
  const int offset = static_cast<int>(b & 31), clamp = static_cast<int>(c & 31),
            segment = static_cast<int>(c >> 8 & 31);
  const int highest = (l & segment) | (clamp & ~segment), lowest = l & segment;
  int from = l;
  bool ok = false;
  switch (kMode) {
    case Shuffle::up:
      from = l - offset;
      ok = from >= highest;
      break;
    case Shuffle::down:
      from = l + offset;
      ok = from <= highest;
      break;
    case Shuffle::butterfly:
      from = l ^ offset;
      ok = from <= highest;
      break;
    case Shuffle::index:
      from = lowest | (offset & ~segment);
      ok = from <= highest;
      break;
  }
  return {(ok ? from : l) & 31, ok};
}

template <Shuffle kMode>
[[gnu::always_inline]] inline void shuffle_lanes(Warp& w, const DecodedInstruction& s, LaneMask mask,
                                                 const std::uint32_t* offsets, const std::uint32_t* ranges,
                                                 std::ptrdiff_t stride) {
  const std::uint32_t* a = w.lanes_of<std::uint32_t>(s.a);
  std::uint32_t result[kWarpSize];
  LaneMask in_range = 0;
  for_lanes(mask, [&](int l) {
    const Source source = source_of<kMode>(l, offsets[l * stride], ranges[l * stride]);
    in_range |= LaneMask{source.in_range} << l;
    result[l] = a[source.lane];
  });
  if (s.d != kNoOperand) {
    std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
    for_lanes(mask, [&](int l) { d[l] = result[l]; });
  }
  set_predicate(w, s.e, mask, in_range);
}

template <Shuffle kMode>
void shuffle(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const std::uint32_t *b = w.lanes_of<std::uint32_t>(s.b), *c = w.lanes_of<std::uint32_t>(s.data[0]);
  std::uint32_t different = 0;
  for (int l = 0; l < kWarpSize; ++l) different |= (b[l] ^ b[0]) | (c[l] ^ c[0]);
  // Nearly always all lanes take part and agree: then the loop has nothing to decide lane by lane.
  if (mask == ~LaneMask{0} && different == 0)
    shuffle_lanes<kMode>(w, s, ~LaneMask{0}, b, c, 0);
  else
    shuffle_lanes<kMode>(w, s, mask, b, c, 1);
}

template <Shuffle kMode>
LaneMask taken_from(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const std::uint32_t *b = w.lanes_of<std::uint32_t>(s.b), *c = w.lanes_of<std::uint32_t>(s.data[0]);
  LaneMask lanes = 0;
  for (const int l : lanes_in(mask)) lanes |= LaneMask{1} << source_of<kMode>(l, b[l], c[l]).lane;
  return lanes;
}

/// Calls f(group, member mask) for the lanes that share a member mask: tiles of a warp vote apart from each
/// other.
template <class F>
void by_members(Warp& w, const DecodedInstruction& s, LaneMask mask, F f) {
  const std::uint32_t* members = w.lanes_of<std::uint32_t>(s.c);
  for (LaneMask rest = mask; rest != 0;) {
    std::uint32_t value = members[std::countr_zero(rest)];
    LaneMask group = 0;
    for_lanes(rest, [&](int l) { group |= LaneMask{members[l] == value} << l; });
    f(group);
    rest &= ~group;
  }
}

LaneMask source(Warp& w, const DecodedInstruction& s) {
  return s.flag ? ~w.predicate(s.a) : w.predicate(s.a);
}

enum class Vote { all, any, uniform, ballot };
template <Vote kMode>
void vote(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  by_members(w, s, mask, [&](LaneMask group) {
    LaneMask yes = source(w, s) & group;
    if (kMode == Vote::ballot) {
      std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
      for_lanes(group, [&](int l) { d[l] = yes; });
    } else {
      bool result = kMode == Vote::all   ? yes == group
                    : kMode == Vote::any ? yes != 0
                                         : yes == 0 || yes == group;
      set_predicate(w, s.d, group, result ? group : 0);
    }
  });
}

template <class T, bool kAll>
void match(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const T* a = w.lanes_of<T>(s.a);
  std::uint32_t result[kWarpSize];
  LaneMask all_equal = 0;
  by_members(w, s, mask, [&](LaneMask group) {
    for_lanes(group, [&](int l) {
      LaneMask same = 0;
      for_lanes(group, [&](int other) { same |= LaneMask{a[other] == a[l]} << other; });
      result[l] = kAll ? (same == group ? group : 0) : same;
      all_equal |= LaneMask{same == group} << l;
    });
  });
  if (s.d != kNoOperand) {
    std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
    for_lanes(mask, [&](int l) { d[l] = result[l]; });
  }
  if (kAll) set_predicate(w, s.e, mask, all_equal);
}

template <class T, class Op>
void reduce(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const T* a = w.lanes_of<T>(s.a);
  T* d = w.lanes_of<T>(s.d);
  by_members(w, s, mask, [&](LaneMask group) {
    T value = a[std::countr_zero(group)];
    for_lanes(group & (group - 1), [&](int l) { value = Op{}(value, a[l]); });
    for_lanes(group, [&](int l) { d[l] = value; });
  });
}

}  // namespace

Handler shuffle_handler(const ptx::Instruction& i) {
  if (i.has("up")) return shuffle<Shuffle::up>;
  if (i.has("down")) return shuffle<Shuffle::down>;
  if (i.has("bfly")) return shuffle<Shuffle::butterfly>;
  return i.has("idx") ? shuffle<Shuffle::index> : nullptr;
}

LaneMask lanes_taken_from(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  if (s.run == &shuffle<Shuffle::up>) return taken_from<Shuffle::up>(w, s, mask);
  if (s.run == &shuffle<Shuffle::down>) return taken_from<Shuffle::down>(w, s, mask);
  if (s.run == &shuffle<Shuffle::butterfly>) return taken_from<Shuffle::butterfly>(w, s, mask);
  return s.run == &shuffle<Shuffle::index> ? taken_from<Shuffle::index>(w, s, mask) : 0;
}

Handler vote_handler(const ptx::Instruction& i) {
  if (i.has("ballot")) return vote<Vote::ballot>;
  if (i.has("all")) return vote<Vote::all>;
  if (i.has("any")) return vote<Vote::any>;
  return i.has("uni") ? vote<Vote::uniform> : nullptr;
}

Handler match_handler(const ptx::Instruction& i) {
  bool wide = i.has("b64"), all = i.has("all");
  if (wide) return all ? match<std::uint64_t, true> : match<std::uint64_t, false>;
  return all ? match<std::uint32_t, true> : match<std::uint32_t, false>;
}

Handler reduce_handler(const ptx::Instruction& i) {
  bool is_signed = i.has("s32");
  if (i.has("f32")) return nullptr;
  if (i.has("add")) return reduce<std::uint32_t, Add>;
  if (i.has("min")) return is_signed ? reduce<std::int32_t, Min> : reduce<std::uint32_t, Min>;
  if (i.has("max")) return is_signed ? reduce<std::int32_t, Max> : reduce<std::uint32_t, Max>;
  if (i.has("and")) return reduce<std::uint32_t, std::bit_and<>>;
  if (i.has("or")) return reduce<std::uint32_t, std::bit_or<>>;
  return i.has("xor") ? reduce<std::uint32_t, std::bit_xor<>> : nullptr;
}

void elect(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  by_members(w, s, mask, [&](LaneMask group) {
    int leader = std::countr_zero(group);
    if (s.d != kNoOperand) {
      std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
      for_lanes(group, [&](int l) { d[l] = static_cast<std::uint32_t>(leader); });
    }
    set_predicate(w, s.e, group, LaneMask{1} << leader);
  });
}

void active_mask(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint32_t* d = w.lanes_of<std::uint32_t>(s.d);
  for_lanes(mask, [&](int l) { d[l] = mask; });
}

void do_nothing(Warp&, const DecodedInstruction&, LaneMask) {}

void is_space(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const std::uint64_t* a = w.lanes_of<std::uint64_t>(s.a);
  LaneMask result = 0;
  for_lanes(mask, [&](int l) {
    bool shared = a[l] - kSharedWindow < kWindowBytes, local = a[l] - kLocalWindow < kWindowBytes,
         param = a[l] - kParamWindow < kWindowBytes;
    bool yes = s.space == Space::shared  ? shared
               : s.space == Space::local ? local
               : s.space == Space::param ? param
                                         : !shared && !local && !param;
    result |= LaneMask{yes} << l;
  });
  set_predicate(w, s.d, mask, result);
}

// Time in a simulator is the count of instructions that this warp's block has been given: it grows, and it
// repeats.
void read_clock(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint64_t now = ++w.block->clock;
  if (s.flag) now >>= 32;
  for_lanes(mask, [&](int l) {
    if (s.width == 8)
      w.lanes_of<std::uint64_t>(s.d)[l] = now;
    else
      w.lanes_of<std::uint32_t>(s.d)[l] = static_cast<std::uint32_t>(now);
  });
}

void pack_lanes(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  unsigned char* d = w.lanes_of<unsigned char>(s.d);
  for_lanes(mask, [&](int l) {
    unsigned char whole[16] = {};
    std::uint32_t stride = s.bytes == 1 ? 2 : s.bytes;
    for (std::uint32_t k = 0; k < s.elements; ++k)
      if (s.data[k] != kNoOperand)
        std::memcpy(whole + k * s.bytes,
                    w.lanes_of<unsigned char>(s.data[k]) + static_cast<std::uint32_t>(l) * stride, s.bytes);
    std::memcpy(d + static_cast<std::uint32_t>(l) * s.width, whole, s.width);
  });
}

void unpack_lanes(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const unsigned char* a = w.lanes_of<unsigned char>(s.a);
  for_lanes(mask, [&](int l) {
    unsigned char whole[16];
    std::memcpy(whole, a + static_cast<std::uint32_t>(l) * s.width, s.width);
    for (std::uint32_t k = 0; k < s.elements; ++k) {
      if (s.data[k] == kNoOperand) continue;
      std::uint32_t stride = s.bytes == 1 ? 2 : s.bytes;
      unsigned char* to = w.lanes_of<unsigned char>(s.data[k]) + static_cast<std::uint32_t>(l) * stride;
      std::memset(to, 0, stride);
      std::memcpy(to, whole + k * s.bytes, s.bytes);
    }
  });
}

void copy_128(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  unsigned char *d = w.lanes_of<unsigned char>(s.d), *a = w.lanes_of<unsigned char>(s.a);
  for_lanes(mask, [&](int l) { std::memmove(d + 16 * l, a + 16 * l, 16); });
}

}  // namespace fusebox::sim
