#include "grader/simulator/exec/instructions/async/async_copy.h"

#include <algorithm>
#include <cstring>

#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/state/block.h"

// cp.async copies from global to shared memory asynchronously. Here the copy completes when it is issued,
// which is one of the orders that the program must allow, so that waiting for it does nothing; observers are
// notified and check the other orders.

namespace fusebox::sim {

void copy_async(Warp& w, const DecodedInstruction& s, LaneMask mask) {
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
  notify_access(w, s, {Space::global, AccessKind::load, s.bytes, read, from});
  notify_access(
      w, s,
      {Space::shared, AccessKind::store, s.bytes, written, to, AddressPattern::any, 0, AccessPath::copy});
}

void use_copies(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  for (Observer* observer : w.block->launch->observers)
    observer->copies(w.id, lanes, static_cast<CopyUse>(s.extra), static_cast<std::uint32_t>(s.immediate));
}

}  // namespace fusebox::sim
