#include "grader/simulator/exec/memory/ordering.h"

#include <bit>

namespace fusebox::sim {

Order order_of(const ptx::Instruction& i) {
  const ptx::Family family = ptx::traits_of(i.opcode).family;
  const bool fence = family == ptx::Family::fence;
  // Between proxies of one thread's own accesses, or hints: nothing that another thread could rely on.
  if (fence && (i.has("proxy") || i.has("mbarrier_init"))) return Order::weak;
  if (i.has("volatile")) return Order::volatile_access;
  if (i.has("acq_rel") || i.has("sc")) return Order::acquire_release;
  if (i.has("acquire")) return Order::acquire;
  if (i.has("release")) return Order::release;
  if (fence) return Order::acquire_release;
  if (i.has("relaxed") || i.has("mmio") || family == ptx::Family::atomic) return Order::relaxed;
  return Order::weak;
}

Scope scope_of(const ptx::Instruction& i) {
  if (i.has("cta")) return Scope::block;
  if (i.has("cluster")) return Scope::cluster;
  if (i.has("sys") || i.has("volatile")) return Scope::system;
  return Scope::device;
}

void notify_fence(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  for (Observer* observer : w.block->launch->observers) observer->fence(w.id, lanes, s.order, s.scope);
}

void notify_proxy_fence(Warp& w, const DecodedInstruction&, LaneMask lanes) {
  for (Observer* observer : w.block->launch->observers) observer->proxy_fence(w.id, lanes);
}

void notify_warp_sync(const Warp& warp, const std::uint32_t* members, LaneMask lanes) {
  for (LaneMask rest = lanes; rest != 0;) {
    const std::uint32_t named = members[std::countr_zero(rest)];
    LaneMask group = 0;
    for (const int lane : lanes_in(rest))
      if (members[lane] == named) group |= LaneMask{1} << lane;
    // A lane that its own mask does not name is another fault, and is synchronised with no lane.
    if (LaneMask met = group & named)
      for (Observer* observer : warp.block->launch->observers)
        observer->warp_sync(warp.id, met, met == warp.alive);
    rest &= ~group;
  }
}

}  // namespace fusebox::sim
