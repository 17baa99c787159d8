#include <algorithm>
#include <cstring>

#include "grader/simulator/exec/access.h"
#include "grader/simulator/exec/translator.h"

// cp.async: from global to shared memory behind the thread's back. Here it is done when it is issued, which
// is one of the orders that the program must allow; what waits for it has nothing to wait for, and is told to
// the observers, who know of the other orders.

namespace fusebox::sim {
namespace {

// a: shared address, width address_width, offset immediate. b: global address, 8 wide, offset extra (signed).
// c: how many of `bytes` are read, the rest is zero. e: a predicate that makes all of them zero.
void copy_async(Warp& w, const Step& s, LaneMask mask) {
  std::uint64_t to[kWarpSize], from[kWarpSize];
  LaneMask read = 0, written = 0;
  for (const int l : lanes_in(mask)) {
    to[l] = lane_address(w, s.a, s.address_width, s.immediate, l);
    if (in_shared_window(to[l])) to[l] -= kSharedWindow;
    from[l] = w.lanes_of<std::uint64_t>(s.b)[l] +
              static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(s.extra)});
    std::uint32_t count = s.bytes;
    if (s.c != kNoOperand) count = std::min(count, w.lanes_of<std::uint32_t>(s.c)[l]);
    if (s.e != kNoOperand && (w.predicate(s.e) >> l & 1)) count = 0;
    unsigned char value[16] = {};
    if (count > 0) {
      // The source is aligned to the whole size, whatever part of it is read.
      const std::uint8_t* source =
          use_bytes(w, s, l, own_place(w, Space::global, from[l]), {AccessKind::load, count, s.bytes}).data;
      if (source == nullptr) continue;
      std::memcpy(value, source, count);
      read |= LaneMask{1} << l;
    }
    std::uint8_t* target =
        use_bytes(w, s, l, own_place(w, Space::shared, to[l]), {AccessKind::store, s.bytes, s.bytes}).data;
    if (target == nullptr) continue;
    std::memcpy(target, value, s.bytes);
    written |= LaneMask{1} << l;
  }
  notify_access(w, s, Space::global, AccessKind::load, s.bytes, read, from);
  notify_access(w, s, Space::shared, AccessKind::store, s.bytes, written, to, Shape::any, 0, Means::copy);
}

// extra: the use, immediate: how many groups may be left.
void use_copies(Warp& w, const Step& s, LaneMask lanes) {
  for (Observer* observer : w.block->launch->observers)
    observer->copies(w.id, lanes, static_cast<CopyUse>(s.extra), static_cast<std::uint32_t>(s.immediate));
}

}  // namespace

bool Translator::async_copy(Step& step) {
  const ptx::Instruction& i = *current_;
  if (!i.has("async")) return false;
  const bool waits = i.has("wait_group");
  if (waits || i.has("commit_group") || i.has("wait_all")) {
    if (waits && (i.operands.size() != 1 || i.operands[0].kind != ptx::Operand::Kind::integer)) return false;
    step.run = use_copies;
    step.extra = static_cast<std::uint32_t>(waits                   ? CopyUse::wait
                                            : i.has("commit_group") ? CopyUse::commit
                                                                    : CopyUse::wait_all);
    if (waits) step.immediate = i.operands[0].integer;
    return true;
  }
  bool known = (i.has("ca") || i.has("cg")) && (i.has("shared") || i.has("shared::cta")) && i.has("global");
  if (!known || i.operands.size() < 3 || i.operands[2].kind != ptx::Operand::Kind::integer) return false;
  std::int64_t bytes = i.operands[2].integer;
  if (bytes != 4 && bytes != 8 && bytes != 16) throw Unsupported{"`" + i.name() + "` of this size"};
  step.run = copy_async;
  step.bytes = static_cast<std::uint8_t>(bytes);
  Step global;
  global.space = Space::global;
  address(global, i.operands[1]);
  if (global.address_width != 8 || global.space != Space::global ||
      global.immediate != static_cast<std::int32_t>(global.immediate))
    throw Unsupported{"`" + i.name() + "` with this source"};
  step.space = Space::shared;
  address(step, i.operands[0]);
  step.b = global.a;
  step.extra = static_cast<std::uint32_t>(global.immediate);
  // Behind the size: how many bytes to read or whether to ignore them, and a cache policy that is only a
  // hint.
  std::size_t hints = i.has("L2::cache_hint") ? 1 : 0;
  if (i.operands.size() > 3 + hints) {
    const ptx::Operand& o = i.operands[3];
    bool is_predicate = o.kind == ptx::Operand::Kind::reg && register_of(o).width == 0;
    if (is_predicate)
      step.e = predicate(o);
    else
      step.c = source(o, 4);
  }
  return true;
}

}  // namespace fusebox::sim
