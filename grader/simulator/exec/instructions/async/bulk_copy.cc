#include "grader/simulator/exec/instructions/async/bulk_copy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <type_traits>

#include "grader/simulator/exec/instructions/async/mbarrier.h"
#include "grader/simulator/exec/instructions/lanes/half.h"
#include "grader/simulator/exec/instructions/lanes/reductions.h"
#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/program/raise_fault.h"

// cp.async.bulk: done when it is issued, as cp.async is. Each lane copies for itself.

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kGrain = 16;  // bytes: sizes and addresses are multiples

/// `again`: the same bytes for another block, for which they are not read a second time.
void copy(Warp& w, const DecodedInstruction& s, const BulkCopy& op, int lane, std::uint32_t bytes, int rank,
          bool again) {
  const bool reduces = op.reduce != nullptr;
  const Place from = bulk_place(w, op.from, lane, -1), to = bulk_place(w, op.to, lane, rank);
  const Bytes source = use_bytes(w, s, lane, from, {AccessKind::load, bytes, kGrain, kGrain});
  if (!source) return;
  const AccessKind kind = reduces ? AccessKind::atomic : AccessKind::store;
  const Bytes target = use_bytes(w, s, lane, to, {kind, bytes, kGrain, kGrain});
  if (!target) return;
  if (reduces)
    op.reduce(target.data, source.data, bytes);
  else
    std::memmove(target.data, source.data, bytes);
  Place barrier;
  if (op.completes) barrier = bulk_place(w, op.barrier, lane, rank);
  BulkPart read{from, AccessKind::load, bytes}, written{to, kind, bytes};
  read.grouped = written.grouped = !op.completes;
  // Whoever waits for it waits in its own block.
  if (op.completes && barrier.block == to.block && !reduces) {
    written.completes = static_cast<std::int64_t>(barrier.address);
    if (barrier.block == w.block) read.completes = written.completes;
  }
  if (!again) notify_bulk_part(w, s, lane, read);
  notify_bulk_part(w, s, lane, written);
  if (op.completes) complete_bytes(w, s, lane, barrier, bytes);
}

}  // namespace

Place bulk_place(Warp& w, const BulkCopy::Address& a, int lane, int rank) {
  std::uint64_t address = lane_address(w, a.base, a.width, a.offset, lane);
  if (a.space == Space::shared) {
    if (in_shared_window(address)) address -= kSharedWindow;
    if (rank >= 0) address = (address & kRankOffset) | (static_cast<std::uint64_t>(rank) + 1) << kRankShift;
  }
  return cluster_place(w, a.space, address);
}

void notify_bulk_part(Warp& w, const DecodedInstruction& s, int lane, const BulkPart& part) {
  const Place& end = part.place;
  // Rows of tensors begin and end at any element.
  const auto grain = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(kGrain, std::uint64_t{1} << std::countr_zero(end.address | part.bytes)));
  std::uint64_t address[kWarpSize];
  WarpAccess access;
  access.space = end.space;
  access.kind = part.kind;
  access.bytes = static_cast<std::uint8_t>(grain);
  access.instruction = s.instruction;
  access.warp = w.id;
  access.address = address;
  access.completes = part.completes;
  access.grouped = part.grouped;
  if (end.space == Space::shared && end.block != w.block)
    access.owner = static_cast<std::int64_t>(end.block->index);
  if (part.kind == AccessKind::atomic) access.order = Order::relaxed;
  for (std::uint32_t done = 0; done < part.bytes; done += grain * kWarpSize) {
    const std::uint32_t grains = std::min<std::uint32_t>(kWarpSize, (part.bytes - done) / grain);
    for (std::uint32_t k = 0; k < kWarpSize; ++k) address[k] = end.address + done + std::uint64_t{k} * grain;
    access.lanes = grains == kWarpSize ? ~LaneMask{0} : (LaneMask{1} << grains) - 1;
    for (Observer* observer : w.block->launch->observers) observer->bulk_access(access, lane);
  }
}

namespace {

template <class T, class Op>
void reduce(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes) {
  for (std::uint32_t at = 0; at < bytes; at += sizeof(T)) {
    T a, b;
    std::memcpy(&a, to + at, sizeof a);
    std::memcpy(&b, from + at, sizeof b);
    a = Op{}(a, b);
    std::memcpy(to + at, &a, sizeof a);
  }
}

// Up to b and then 0 again; down to 0 and then b again.
struct Up {
  template <class T>
  T operator()(T a, T b) const {
    return a >= b ? T{0} : static_cast<T>(a + 1);
  }
};
struct Down {
  template <class T>
  T operator()(T a, T b) const {
    return a == 0 || a > b ? b : static_cast<T>(a - 1);
  }
};
/// An operation on 16-bit floats by way of wider ones, rounded once.
template <class Op, float (*kWiden)(std::uint16_t), std::uint16_t (*kNarrow)(double)>
struct Narrow {
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b) const {
    return kNarrow(static_cast<double>(Op{}(static_cast<double>(kWiden(a)), static_cast<double>(kWiden(b)))));
  }
};

template <class T>
BulkReduction whole_numbers(const std::string& op) {
  if (op == "add") return reduce<T, Add>;
  if (op == "min") return reduce<T, Min>;
  if (op == "max") return reduce<T, Max>;
  if (op == "inc" && std::is_unsigned_v<T>) return reduce<T, Up>;
  if (op == "dec" && std::is_unsigned_v<T>) return reduce<T, Down>;
  return nullptr;
}
template <class T>
BulkReduction bits(const std::string& op) {
  if (op == "and") return reduce<T, std::bit_and<T>>;
  if (op == "or") return reduce<T, std::bit_or<T>>;
  if (op == "xor") return reduce<T, std::bit_xor<T>>;
  return nullptr;
}
template <float (*kWiden)(std::uint16_t), std::uint16_t (*kNarrow)(double)>
BulkReduction narrow_floats(const std::string& op) {
  if (op == "add") return reduce<std::uint16_t, Narrow<Add, kWiden, kNarrow>>;
  if (op == "min") return reduce<std::uint16_t, Narrow<Min, kWiden, kNarrow>>;
  if (op == "max") return reduce<std::uint16_t, Narrow<Max, kWiden, kNarrow>>;
  return nullptr;
}

}  // namespace

BulkReduction bulk_reduction(const std::string& op, Type type) {
  switch (type) {
    case Type::u32:
      return whole_numbers<std::uint32_t>(op);
    case Type::s32:
      return whole_numbers<std::int32_t>(op);
    case Type::u64:
      return whole_numbers<std::uint64_t>(op);
    case Type::s64:
      return whole_numbers<std::int64_t>(op);
    case Type::b32:
      return bits<std::uint32_t>(op);
    case Type::b64:
      return bits<std::uint64_t>(op);
    case Type::f32:
      return op == "add" ? BulkReduction{reduce<float, Add>} : nullptr;
    case Type::f64:
      return op == "add" ? BulkReduction{reduce<double, Add>} : nullptr;
    case Type::f16:
      return narrow_floats<half_to_float, double_to_half>(op);
    case Type::bf16:
      return narrow_floats<bf16_to_float, double_to_bf16>(op);
    default:
      return nullptr;
  }
}

void use_bulk_copies(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  for (Observer* observer : w.block->launch->observers)
    observer->bulk_copies(w.id, lanes, static_cast<CopyUse>(s.extra),
                          static_cast<std::uint32_t>(s.immediate));
}

void bulk_copy(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  const BulkCopy& op = w.frame->program->bulk_copies[s.extra];
  for (const int l : lanes_in(lanes)) {
    const std::uint32_t bytes = w.lanes_of<std::uint32_t>(op.bytes)[l];
    if (bytes == 0) continue;
    if (bytes % kGrain != 0) {
      raise_fault(w, s, FaultKind::misaligned, l, {op.to.space, AccessKind::store, bytes, kGrain});
      continue;
    }
    if (op.mask == kNoOperand) {
      copy(w, s, op, l, bytes, -1, false);
      continue;
    }
    const std::uint32_t ranks = w.lanes_of<std::uint16_t>(op.mask)[l];
    for (int rank = 0; rank < 16; ++rank)
      if ((ranks >> rank & 1) != 0) copy(w, s, op, l, bytes, rank, (ranks & ((1u << rank) - 1)) != 0);
  }
}

}  // namespace fusebox::sim
