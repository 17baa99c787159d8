#include "grader/simulator/exec/memory/undo_log.h"

#include <sys/mman.h>

#include <cstring>

namespace fusebox::sim {

static_assert(sizeof(std::atomic<std::uint8_t>) == 1 && std::atomic<std::uint8_t>::is_always_lock_free);

namespace {

/// Are all bytes of the page the same?
bool is_uniform(const std::uint8_t* page) {
  return std::memcmp(page, page + 1, UndoLog::kPageBytes - 1) == 0;
}

}  // namespace

UndoLog::UndoLog(const GlobalMemory& memory)
    : memory_(memory), base_(memory.range().begin), pages_(memory.range().bytes / kPageBytes + 1) {
  void* reserved =
      mmap(nullptr, pages_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  // Fresh pages are zero, and a zero byte is an atomic that holds 0.
  if (reserved != MAP_FAILED) saved_ = static_cast<std::atomic<std::uint8_t>*>(reserved);
}

UndoLog::~UndoLog() {
  if (saved_ != nullptr) munmap(static_cast<void*>(saved_), pages_);
}

void UndoLog::save_page(std::uint64_t page) {
  std::lock_guard lock(mutex_);
  if (saved_[page].load(std::memory_order_relaxed) != 0) return;
  Page& kept = kept_.emplace_back();
  kept.number = page;
  const DeviceAddress address = base_ + page * kPageBytes;
  const auto* data = reinterpret_cast<const std::uint8_t*>(GlobalMemory::data(address));
  const std::uint8_t* shadow = memory_.shadow(address);
  // Most results go where nothing has been written before.
  kept.fresh = shadow[0] == GlobalMemory::kLive && is_uniform(shadow) && is_uniform(data);
  kept.byte = data[0];
  if (!kept.fresh) {
    kept.data.assign(data, data + kPageBytes);
    kept.shadow.assign(shadow, shadow + kPageBytes);
    held_.fetch_add(2 * kPageBytes, std::memory_order_relaxed);
  }
  saved_[page].store(1, std::memory_order_release);
}

void UndoLog::restore() {
  for (const Page& page : kept_) {
    const DeviceAddress address = base_ + page.number * kPageBytes;
    if (page.fresh) {
      std::memset(GlobalMemory::data(address), page.byte, kPageBytes);
      std::memset(memory_.shadow(address), GlobalMemory::kLive, kPageBytes);
      continue;
    }
    std::memcpy(GlobalMemory::data(address), page.data.data(), kPageBytes);
    std::memcpy(memory_.shadow(address), page.shadow.data(), kPageBytes);
  }
  clear();
}

void UndoLog::clear() {
  for (const Page& page : kept_) saved_[page.number].store(0, std::memory_order_relaxed);
  kept_.clear();
  held_.store(0, std::memory_order_relaxed);
}

}  // namespace fusebox::sim
