#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "grader/simulator/exec/memory/memory.h"

namespace fusebox::sim {

/// Keeps what a launch overwrites in global memory, page by page, so that it can be undone. Any number of
/// threads may save at the same time.
class UndoLog {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;

  explicit UndoLog(const GlobalMemory& memory);
  ~UndoLog();
  UndoLog(const UndoLog&) = delete;
  UndoLog& operator=(const UndoLog&) = delete;

  /// To be called before a store to [address, address + bytes), which lies in the memory's range.
  void save(DeviceAddress address, std::uint64_t bytes) {
    const std::uint64_t first = (address - base_) / kPageBytes,
                        last = (address + bytes - 1 - base_) / kPageBytes;
    for (std::uint64_t page = first; page <= last; ++page)
      if (saved_[page].load(std::memory_order_acquire) == 0) save_page(page);
  }
  /// Bytes held, shadow included; 0 when this machine gave no room for it, which is then useless.
  std::uint64_t bytes() const { return held_.load(std::memory_order_relaxed); }
  bool usable() const { return saved_ != nullptr; }

  /// Puts back all that was saved. No launch may be running.
  void restore();
  /// Forgets it.
  void clear();

 private:
  struct Page {
    bool fresh =
        false;  ///< a buffer's bytes that nothing had written, all of them `byte`; nothing else is kept
    std::uint8_t byte = 0;
    std::uint64_t number = 0;
    std::vector<std::uint8_t> data, shadow;
  };
  void save_page(std::uint64_t page);

  const GlobalMemory& memory_;
  std::uint64_t base_ = 0, pages_ = 0;
  std::atomic<std::uint8_t>* saved_ = nullptr;  ///< per page of the range; reserved, not resident
  std::mutex mutex_;
  std::vector<Page> kept_;
  std::atomic<std::uint64_t> held_ = 0;
};

}  // namespace fusebox::sim
