#include "grader/simulator/runtime/device_memory.h"

#include <algorithm>
#include <fstream>

#include "grader/simulator/runtime/host_guard.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kPage = 4096;
// A gap between allocations, so that an index that is off by a little hits nobody else's bytes.
constexpr std::uint64_t kGap = 64 << 10;
// So many freed buffers are remembered as such.
constexpr std::size_t kRemembered = 256;

std::uint64_t round_up(std::uint64_t value) { return (value + kPage - 1) / kPage * kPage; }

/// What this machine can still give, by the kernel's own estimate and the limit of its control group.
std::uint64_t available_bytes() {
  std::uint64_t available = ~std::uint64_t{0};
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key, rest; meminfo >> key; std::getline(meminfo, rest))
    if (key == "MemAvailable:") {
      std::uint64_t kib = 0;
      meminfo >> kib;
      available = kib << 10;
    }
  const auto number_in = [](const char* file) {
    std::uint64_t number = ~std::uint64_t{0};
    std::ifstream(file) >> number;  // "max" leaves 0
    return number == 0 ? ~std::uint64_t{0} : number;
  };
  const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max"),
                      used = number_in("/sys/fs/cgroup/memory.current");
  if (limit != ~std::uint64_t{0} && used != ~std::uint64_t{0})
    available = std::min(available, limit > used ? limit - used : 0);
  return available;
}

}  // namespace

DeviceMemory::DeviceMemory(Session& session) : session_(session), next_(session.buffers().begin + kGap) {
  // Half for the shadow, and a tenth for the program itself.
  constexpr double kShare = 0.45;
  capacity_ = std::min({session.gpu().global_bytes, session.buffers().bytes,
                        static_cast<std::uint64_t>(kShare * static_cast<double>(available_bytes()))});
}

std::uint64_t DeviceMemory::span(std::uint64_t bytes) const {
  return round_up(std::max<std::uint64_t>(bytes, 1)) + kGap;
}

DeviceAddress DeviceMemory::find_room(std::uint64_t bytes) {
  const AddressRange range = session_.buffers();
  const std::uint64_t need = span(bytes);
  if (next_ + need <= range.begin + range.bytes) {
    const DeviceAddress address = next_;
    next_ += need;
    return address;
  }
  while (!freed_.empty() && reusable_.lower_bound(need) == reusable_.end()) release_oldest();
  const auto fit = reusable_.lower_bound(need);
  if (fit == reusable_.end()) return 0;
  const auto [size, address] = *fit;
  reusable_.erase(fit);
  if (size - need > kGap) reusable_.emplace(size - need, address + need);
  return address;
}

void DeviceMemory::release_oldest() {
  const auto [address, bytes] = freed_.front();
  freed_.pop_front();
  session_.memory().forget(address);
  reusable_.emplace(span(bytes), address);
}

DeviceAddress DeviceMemory::allocate(std::uint64_t bytes, MemoryKind kind) {
  if (bytes > free_bytes()) return 0;
  const DeviceAddress address = find_room(bytes);
  if (address == 0) return 0;
  const std::string name = (kind == MemoryKind::host ? "host buffer " : "buffer ") + std::to_string(++count_);
  // cudaMalloc promises no contents; zero pages cost nothing, and reading them first is reported.
  if (!session_.memory().allocate(name, address, bytes)) return 0;
  HostGuard::cover(address, bytes, kind != MemoryKind::device);
  // What the host writes there cannot be seen, so it counts as written.
  if (kind != MemoryKind::device) session_.memory().define(address, bytes);
  live_[address] = {bytes, kind};
  live_bytes_ += bytes;
  return address;
}

bool DeviceMemory::free(DeviceAddress address, bool host) {
  const auto found = live_.find(address);
  if (found == live_.end() || (found->second.kind == MemoryKind::host) != host) return false;
  session_.memory().free(address);
  freed_.emplace_back(address, found->second.bytes);
  live_bytes_ -= found->second.bytes;
  live_.erase(found);
  if (freed_.size() > kRemembered) release_oldest();
  return true;
}

const DeviceMemory::Block* DeviceMemory::find(DeviceAddress address, DeviceAddress* begin) const {
  const auto above = live_.upper_bound(address);
  if (above == live_.begin()) return nullptr;
  const auto& [start, block] = *std::prev(above);
  if (address - start >= std::max<std::uint64_t>(block.bytes, 1)) return nullptr;
  if (begin != nullptr) *begin = start;
  return &block;
}

bool DeviceMemory::host_may_write() const {
  return std::any_of(live_.begin(), live_.end(),
                     [](const auto& live) { return live.second.kind != MemoryKind::device; });
}

bool DeviceMemory::is_device(DeviceAddress address) const {
  const AddressRange range = session_.memory().range();
  return address - range.begin < range.bytes;
}

}  // namespace fusebox::sim
