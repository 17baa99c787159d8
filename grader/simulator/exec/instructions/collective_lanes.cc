#include "grader/simulator/exec/instructions/collective_lanes.h"

#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {
namespace {

/// Calls f(a lane's place in the register, its place in the array) where there is such a register.
template <class T, class Array, class F>
void each(Warp& w, std::uint32_t offset, LaneMask lanes, Array& array, F f) {
  if (offset == kNoOperand) return;
  T* const place = w.lanes_of<T>(offset);
  for (const int l : lanes_in(lanes)) f(place[l], array[static_cast<std::size_t>(l)]);
}

constexpr auto kRead = [](const auto& place, auto& element) { element = place; };
constexpr auto kWrite = [](auto& place, const auto& element) {
  place = static_cast<std::remove_reference_t<decltype(place)>>(element);
};

void read_predicate(Warp& w, std::uint32_t offset, LaneMask lanes, LaneMask& into) {
  if (offset != kNoOperand) into = (into & ~lanes) | (w.predicate(offset) & lanes);
}
void write_predicate(Warp& w, std::uint32_t offset, LaneMask lanes, LaneMask from) {
  if (offset == kNoOperand) return;
  LaneMask& predicate = w.predicate(offset);
  predicate = (predicate & ~lanes) | (from & lanes);
}

}  // namespace

void read_lanes(Warp& w, const DecodedInstruction& s, LaneMask lanes, CollectiveLanes& into) {
  if (s.bytes == 0) {
    LaneMask held = 0;
    read_predicate(w, s.a, lanes, held);
    into.yes = (into.yes & ~lanes) | ((s.flag ? ~held : held) & lanes);
  } else if (s.bytes == 8) {
    each<std::uint64_t>(w, s.a, lanes, into.value, kRead);
  } else {
    each<std::uint32_t>(w, s.a, lanes, into.value, kRead);
  }
  each<std::uint32_t>(w, s.b, lanes, into.offset, kRead);
  each<std::uint32_t>(w, s.data[0], lanes, into.range, kRead);
  each<std::uint32_t>(w, s.c, lanes, into.members, kRead);
  if (s.width == 0)
    read_predicate(w, s.d, lanes, into.result_yes);
  else
    each<std::uint32_t>(w, s.d, lanes, into.result, kRead);
  read_predicate(w, s.e, lanes, into.in_range);
}

void write_operands(Warp& w, const DecodedInstruction& s, LaneMask lanes, const CollectiveLanes& from) {
  if (s.bytes == 0)
    write_predicate(w, s.a, lanes, s.flag ? ~from.yes : from.yes);
  else if (s.bytes == 8)
    each<std::uint64_t>(w, s.a, lanes, from.value, kWrite);
  else
    each<std::uint32_t>(w, s.a, lanes, from.value, kWrite);
  each<std::uint32_t>(w, s.b, lanes, from.offset, kWrite);
  each<std::uint32_t>(w, s.data[0], lanes, from.range, kWrite);
  each<std::uint32_t>(w, s.c, lanes, from.members, kWrite);
}

void write_results(Warp& w, const DecodedInstruction& s, LaneMask lanes, const CollectiveLanes& from) {
  if (s.width == 0)
    write_predicate(w, s.d, lanes, from.result_yes);
  else
    each<std::uint32_t>(w, s.d, lanes, from.result, kWrite);
  write_predicate(w, s.e, lanes, from.in_range);
}

}  // namespace fusebox::sim
