#include "grader/simulator/exec/memory/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "grader/simulator/exec/memory/parallel_for.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kPage = 4096;
// From this size on a buffer's pages go back to the system; for smaller ones faulting them in again would
// cost more.
constexpr std::uint64_t kGiveBack = 8ull << 20;
constexpr std::size_t kManyAllocations = 100;

std::uint8_t* reserve(void* hint, std::uint64_t bytes) {
  // PROT_NONE: address space alone, which no overcommit policy charges for. Pages become usable buffer by
  // buffer.
  void* range = mmap(hint, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return range == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(range);
}

/// At the first preferred address that is free; else anywhere.
std::uint8_t* reserve_at_a_fixed_place(std::uint64_t bytes) {
  for (std::uint64_t place = 0; place < kPlaces && bytes <= kApart; ++place) {
    void* hint = reinterpret_cast<void*>(kPreferredBase + place * kApart);
    std::uint8_t* range = reserve(hint, bytes);
    if (range == nullptr || range == hint) return range;
    munmap(range, bytes);
  }
  return reserve(nullptr, bytes);
}

}  // namespace

GlobalMemory::GlobalMemory(std::uint64_t reserve_bytes, unsigned cores) : cores_(cores) {
  // A machine that limits address space (ulimit -v) gets a smaller device.
  for (std::uint64_t bytes = reserve_bytes; bytes >= (64ull << 20); bytes /= 2) {
    std::uint8_t* data = reserve_at_a_fixed_place(bytes);
    std::uint8_t* shadow = data == nullptr ? nullptr : reserve(nullptr, bytes);
    if (shadow != nullptr) {
      base_ = reinterpret_cast<std::uint64_t>(data);
      shadow_ = shadow;
      reserved_ = bytes;
      // Every shadow byte is readable (untouched pages read as 0, a guard) so that the check of a wild
      // address is one load.
      if (mprotect(shadow_, bytes, PROT_READ) != 0) reserved_ = 0;
      return;
    }
    if (data != nullptr) munmap(data, bytes);
  }
}

GlobalMemory::~GlobalMemory() {
  if (reserved_ == 0) return;
  munmap(reinterpret_cast<void*>(base_), reserved_);
  munmap(shadow_, reserved_);
}

Result<bool> GlobalMemory::allocate(const std::string& name, DeviceAddress address, std::uint64_t bytes,
                                    bool defined) {
  std::uint64_t offset = address - base_;
  if (offset >= reserved_ || bytes > reserved_ - offset - kPage)
    return Error{ErrorKind::not_passed,
                 "buffer `" + name + "` does not fit into the simulated device's memory",
                 "use a smaller problem"};
  auto next = std::lower_bound(allocations_.begin(), allocations_.end(), address,
                               [](const Allocation& a, DeviceAddress at) { return a.address < at; });
  for (auto near = next == allocations_.begin() ? next : next - 1; near != allocations_.end() && near <= next;
       ++near)
    if (!near->freed && near->address < address + bytes && address < near->address + near->bytes)
      return Error{ErrorKind::internal, "buffer `" + name + "` overlaps `" + near->name + "`", ""};
  std::uint64_t first = offset / kPage * kPage,
                last = (offset + std::max<std::uint64_t>(bytes, 1) + kPage - 1) / kPage * kPage;
  if (mprotect(reinterpret_cast<void*>(base_ + first), last - first, PROT_READ | PROT_WRITE) != 0 ||
      mprotect(shadow_ + first, last - first, PROT_READ | PROT_WRITE) != 0)
    return Error{ErrorKind::missing_part, "this machine has no memory left for buffer `" + name + "`",
                 "close other programs or use a smaller problem"};
  set_shadow(address, defined ? kGood : kLive, bytes);
  allocations_.insert(next, {name, address, bytes, false, false});
  return true;
}

void GlobalMemory::mark_own(DeviceAddress address) {
  for (Allocation& allocation : allocations_)
    if (!allocation.freed && allocation.address == address) allocation.own = true;
}

bool GlobalMemory::free(DeviceAddress address) {
  for (Allocation& allocation : allocations_)
    if (!allocation.freed && allocation.address == address) {
      allocation.freed = true;
      set_shadow(address, 0, allocation.bytes);
      return true;
    }
  return false;
}

void GlobalMemory::give_back(const Allocation& allocation) {
  std::uint64_t offset = allocation.address - base_, first = offset / kPage * kPage;
  std::uint64_t bytes = (offset + allocation.bytes + kPage - 1) / kPage * kPage - first;
  madvise(reinterpret_cast<void*>(base_ + first), bytes, MADV_DONTNEED);
  madvise(shadow_ + first, bytes, MADV_DONTNEED);
}

void GlobalMemory::forget(DeviceAddress address) {
  auto found = std::find_if(allocations_.begin(), allocations_.end(),
                            [&](const Allocation& a) { return a.freed && a.address == address; });
  if (found == allocations_.end()) return;
  if (found->bytes >= kGiveBack) give_back(*found);
  allocations_.erase(found);
}

void GlobalMemory::clear() {
  for (const Allocation& allocation : allocations_) {
    if (allocation.bytes < kGiveBack) {
      set_shadow(allocation.address, 0, allocation.bytes);
      continue;
    }
    give_back(allocation);
  }
  // Each buffer leaves up to four pieces of address space behind, of which a process may have 65,530.
  if (allocations_.size() > kManyAllocations) {
    mprotect(reinterpret_cast<void*>(base_), reserved_, PROT_NONE);
    mprotect(shadow_, reserved_, PROT_READ);
  }
  allocations_.clear();
}

bool GlobalMemory::live(DeviceAddress address, std::uint64_t bytes) const {
  auto next = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                               [](DeviceAddress at, const Allocation& a) { return at < a.address; });
  while (next != allocations_.begin()) {
    --next;
    if (!next->freed)
      return address - next->address <= next->bytes && bytes <= next->bytes - (address - next->address);
  }
  return false;
}

void GlobalMemory::define(DeviceAddress address, std::uint64_t bytes) { set_shadow(address, kGood, bytes); }

void GlobalMemory::set_shadow(DeviceAddress address, std::uint8_t state, std::uint64_t bytes) {
  parallel_for_bytes(bytes, cores_, [=, this](std::uint64_t first, std::uint64_t size) {
    std::memset(shadow(address) + first, state, size);
  });
}

void GlobalMemory::copy_in(DeviceAddress to, const void* from, std::uint64_t bytes) {
  parallel_for_bytes(bytes, cores_, [=](std::uint64_t first, std::uint64_t size) {
    std::memcpy(data(to) + first, static_cast<const std::byte*>(from) + first, size);
  });
}

void GlobalMemory::fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes) {
  parallel_for_bytes(bytes, cores_, [=](std::uint64_t first, std::uint64_t size) {
    std::memset(data(to) + first, value, size);
  });
}

void GlobalMemory::zero(DeviceAddress address, std::uint64_t bytes) {
  const DeviceAddress first = (address + kPage - 1) / kPage * kPage,
                      behind = (address + bytes) / kPage * kPage;
  if (bytes < kGiveBack || behind <= first) return fill(address, 0, bytes);
  madvise(data(first), behind - first, MADV_DONTNEED);
  std::memset(data(address), 0, first - address);
  std::memset(data(behind), 0, address + bytes - behind);
}

bool GlobalMemory::defined(DeviceAddress address, std::uint64_t bytes) const {
  static_assert(kGood == 3);
  const std::uint8_t *byte = shadow(address), *end = byte + bytes;
  constexpr int kTogether = 8;  // words
  for (; end - byte >= 8 * kTogether; byte += 8 * kTogether) {
    std::uint64_t words[kTogether], other = 0;
    std::memcpy(words, byte, sizeof words);
    for (const std::uint64_t word : words) other |= word ^ 0x0303030303030303ull;
    if (other != 0) return false;
  }
  return std::all_of(byte, end, [](std::uint8_t state) { return state == kGood; });
}

}  // namespace fusebox::sim
