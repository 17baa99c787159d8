#include "grader/simulator/runtime/host_guard.h"

#include <sys/mman.h>

namespace fusebox::sim {

int HostGuard::key_ = 0;

void HostGuard::start() { key_ = pkey_alloc(0, PKEY_DISABLE_ACCESS); }

void HostGuard::cover(std::uint64_t address, std::uint64_t bytes, bool open) {
  constexpr std::uint64_t kPage = 4096;
  if (!works()) return;
  const std::uint64_t first = address / kPage * kPage, last = (address + bytes + kPage - 1) / kPage * kPage;
  // Failing leaves the pages open, which harms nobody.
  (void)!pkey_mprotect(reinterpret_cast<void*>(first), last - first, PROT_READ | PROT_WRITE, open ? 0 : key_);
}

HostGuard::Lifted::Lifted() {
  if (!works()) return;
  before_ = pkey_get(key_);
  pkey_set(key_, 0);
}
HostGuard::Lifted::~Lifted() {
  if (works()) pkey_set(key_, static_cast<unsigned>(before_));
}

}  // namespace fusebox::sim
