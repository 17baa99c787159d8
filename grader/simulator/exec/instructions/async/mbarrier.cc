#include "grader/simulator/exec/instructions/async/mbarrier.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/program/raise_fault.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kBytes = 8;
constexpr std::uint32_t kMax = (1u << 20) - 1;

/// The 64 bits of an mbarrier. Their layout is the simulator's own; the state that an arrival returns
/// is a copy of them.
struct Word {
  std::uint32_t expected = 0, pending = 0;  ///< arrivals
  std::int32_t bytes = 0;  ///< that are still to come; they may come before they are announced
  bool phase = false, valid = false;

  static Word unpack(std::uint64_t bits) {
    Word word;
    word.expected = bits & kMax;
    word.pending = bits >> 20 & kMax;
    word.bytes = static_cast<std::int32_t>((bits >> 40 & 0x1fffff) << 11) >> 11;
    word.phase = (bits >> 61 & 1) != 0;
    word.valid = bits >> 62 == 2;
    return word;
  }
  std::uint64_t pack() const {
    return std::uint64_t{expected} | std::uint64_t{pending} << 20 |
           (static_cast<std::uint64_t>(bytes) & 0x1fffff) << 40 | std::uint64_t{phase} << 61 |
           std::uint64_t{valid ? 2u : 0u} << 62;
  }
};

/// An mbarrier's eight bytes.
struct Found {
  Place place;
  Bytes bytes;
};

void misuse(Warp& w, const DecodedInstruction& s, int lane, std::uint64_t offset, std::string note) {
  RawFault fault;
  fault.kind = FaultKind::bad_mbarrier;
  fault.space = Space::shared;
  fault.access = AccessKind::atomic;
  fault.bytes = kBytes;
  fault.address = offset;
  fault.instruction = s.instruction;
  fault.function = w.frame->program->function;
  fault.block = w.id.block;
  fault.thread = w.id.warp * kWarpSize + static_cast<std::uint32_t>(lane);
  fault.note = std::move(note);
  w.block->launch->faults->add(fault);
}

/// The eight bytes that a lane means. False when that is a fault, raised here.
bool find(Warp& w, const DecodedInstruction& s, int lane, bool initialises, Found& found) {
  std::uint64_t address = lane_address(w, s.a, s.address_width, s.immediate, lane);
  const Space space = s.generic ? space_of_generic(address) : s.space;
  const AccessKind kind = initialises ? AccessKind::store : AccessKind::atomic;
  if (space != Space::shared) {
    raise_fault(w, s, FaultKind::out_of_bounds, lane, {space, kind, address, kBytes});
    return false;
  }
  found.place = cluster_place(w, space, address);
  found.bytes = initialises ? use_bytes(w, s, lane, found.place, {kind, kBytes, kBytes})
                            : reach_bytes(w, s, lane, found.place, {kind, kBytes, kBytes});
  return static_cast<bool>(found.bytes);
}

Word load(const Bytes& bytes) {
  std::uint64_t bits;
  std::memcpy(&bits, bytes.data, sizeof bits);
  return all_good(bytes.shadow, kBytes) ? Word::unpack(bits) : Word{};
}

/// Stores it, after the phase that may be complete now.
void store(const Found& found, Word word) {
  if (word.valid && word.pending == 0 && word.bytes == 0) {
    word.phase = !word.phase;
    word.pending = word.expected;
    found.place.block->failed_polls = 0;
  }
  const std::uint64_t bits = word.pack();
  std::memcpy(found.bytes.data, &bits, sizeof bits);
}

constexpr const char* kNoBarrier = "no mbarrier.init has made one of these bytes, or it was not seen yet";

bool book_bytes(Word& word, std::int64_t bytes) {
  const std::int64_t sum = std::int64_t{word.bytes} + bytes;
  if (sum > std::int64_t{kMax} || sum < -std::int64_t{kMax}) return false;
  word.bytes = static_cast<std::int32_t>(sum);
  return true;
}

/// One lane's instruction on a word. A note: what is wrong with it.
const char* apply(MbarrierOp op, Word& word, std::uint32_t operand) {
  if (op == MbarrierOp::init) {
    if (operand == 0 || operand > kMax) return "the count of arrivals is not within 1 to 1048575";
    word = {operand, operand, 0, false, true};
    return nullptr;
  }
  if (!word.valid) return kNoBarrier;
  std::uint32_t arrivals = 0;
  switch (op) {
    case MbarrierOp::inval:
      word = {};
      return nullptr;
    case MbarrierOp::arrive:
    case MbarrierOp::arrive_drop:
      arrivals = operand;
      break;
    case MbarrierOp::async_arrive:
      return nullptr;
    case MbarrierOp::async_arrive_noinc:
      arrivals = 1;
      break;
    case MbarrierOp::complete_tx:
      return book_bytes(word, -std::int64_t{operand}) ? nullptr : "more bytes have come than can be counted";
    default:
      if (!book_bytes(word, operand)) return "more bytes are announced than can be counted (1048575)";
      arrivals = op == MbarrierOp::expect_tx ? 0 : 1;
  }
  if (arrivals > word.pending)
    return "more arrivals than the phase has left: the count of mbarrier.init is too small";
  word.pending -= arrivals;
  if (op == MbarrierOp::arrive_drop || op == MbarrierOp::arrive_drop_expect_tx)
    word.expected -= std::min(word.expected, arrivals);
  return nullptr;
}

/// `block[lane]`: whose shared memory.
void notify_use(Warp& w, const DecodedInstruction& s, MbarrierUse use, LaneMask lanes,
                const std::uint64_t* address, Block* const* block) {
  WarpAccess access;
  access.space = Space::shared;
  access.kind = use == MbarrierUse::make   ? AccessKind::store
                : use == MbarrierUse::wait ? AccessKind::load
                                           : AccessKind::atomic;
  access.bytes = kBytes;
  access.instruction = s.instruction;
  access.warp = w.id;
  access.address = address;
  access.order = use == MbarrierUse::make ? Order::weak : Order::relaxed;
  // Arrivals are atomic among each other from wherever they come; an instruction's own scope is what it
  // orders.
  access.scope = Scope::cluster;
  for (LaneMask rest = lanes; rest != 0; rest &= ~access.lanes) {
    const Block* owner = block[std::countr_zero(rest)];
    access.lanes = 0;
    for (const int l : lanes_in(rest)) access.lanes |= LaneMask{block[l] == owner} << l;
    access.owner = owner == w.block ? -1 : static_cast<std::int64_t>(owner->index);
    for (Observer* observer : w.block->launch->observers) observer->mbarrier(access, use);
  }
}

}  // namespace

void mbarrier(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  const auto op = static_cast<MbarrierOp>(s.extra);
  const bool makes = op == MbarrierOp::init;
  if (op == MbarrierOp::async_arrive || op == MbarrierOp::async_arrive_noinc)
    for (Observer* observer : w.block->launch->observers)
      observer->copies(w.id, lanes, CopyUse::hand_over, 0);
  std::uint64_t address[kWarpSize];
  LaneMask done = 0;
  Block* block[kWarpSize];
  for (const int l : lanes_in(lanes)) {
    Found found;
    if (!find(w, s, l, makes, found)) continue;
    Word word = makes ? Word{} : load(found.bytes);
    if (s.d != kNoOperand) w.lanes_of<std::uint64_t>(s.d)[l] = word.pack();
    const std::uint32_t operand = s.b == kNoOperand ? 1 : w.lanes_of<std::uint32_t>(s.b)[l];
    if (const char* wrong = apply(op, word, operand)) {
      misuse(w, s, l, found.place.address, wrong);
      continue;
    }
    address[l] = found.place.address;
    block[l] = found.place.block;
    done |= LaneMask{1} << l;
    // Told before the phase completes, and lane after lane: one that comes last knows of those before it,
    // when it waits.
    store(found, word);
  }
  const MbarrierUse use =
      makes || op == MbarrierOp::inval                                         ? MbarrierUse::make
      : op == MbarrierOp::async_arrive || op == MbarrierOp::async_arrive_noinc ? MbarrierUse::arrive_async
      : op == MbarrierOp::expect_tx || op == MbarrierOp::complete_tx || s.order == Order::relaxed
          ? MbarrierUse::count
          : MbarrierUse::arrive;
  notify_use(w, s, use, done, address, block);
}

void mbarrier_pending(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  for (const int l : lanes_in(lanes)) {
    w.lanes_of<std::uint32_t>(s.d)[l] = Word::unpack(w.lanes_of<std::uint64_t>(s.b)[l]).pending;
  }
}

LaneMask mbarrier_ready(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  LaneMask ready = 0;
  for (const int l : lanes_in(lanes)) {
    Found found;
    if (!find(w, s, l, false, found)) {
      w.block->stopped = true;
      return 0;
    }
    const Word word = load(found.bytes);
    if (!word.valid) {
      misuse(w, s, l, found.place.address, kNoBarrier);
      w.block->stopped = true;
      return 0;
    }
    const bool asked = s.flag ? (w.lanes_of<std::uint32_t>(s.c)[l] & 1) != 0
                              : Word::unpack(w.lanes_of<std::uint64_t>(s.c)[l]).phase;
    if (asked != word.phase) ready |= LaneMask{1} << l;
  }
  return ready;
}

void notify_waited(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  std::uint64_t address[kWarpSize];
  Block* block[kWarpSize];
  LaneMask own = 0;
  for (const int l : lanes_in(lanes)) {
    Found found;
    if (!find(w, s, l, false, found) || found.place.block != w.block) continue;
    address[l] = found.place.address;
    block[l] = w.block;
    own |= LaneMask{1} << l;
  }
  notify_use(w, s, s.order == Order::relaxed ? MbarrierUse::count : MbarrierUse::wait, own, address, block);
}

void complete_bytes(Warp& w, const DecodedInstruction& s, int lane, const Place& place, std::uint32_t bytes) {
  const Found found{place, reach_bytes(w, s, lane, place, {AccessKind::atomic, kBytes, kBytes})};
  if (!found.bytes) return;
  Word word = load(found.bytes);
  if (const char* wrong = apply(MbarrierOp::complete_tx, word, bytes))
    return misuse(w, s, lane, place.address, wrong);
  store(found, word);
  std::uint64_t address[kWarpSize] = {};
  Block* block[kWarpSize] = {};
  address[lane] = place.address;
  block[lane] = place.block;
  // What the copy wrote is visible to threads that see the phase complete.
  notify_use(w, s, MbarrierUse::arrive, LaneMask{1} << lane, address, block);
}

}  // namespace fusebox::sim
