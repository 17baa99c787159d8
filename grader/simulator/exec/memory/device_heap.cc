#include "grader/simulator/exec/memory/device_heap.h"

#include <algorithm>
#include <cstring>

#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/program/raise_fault.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kAlign = 16, kHeapPage = 4096;
constexpr std::uint64_t kGap = 32;          // so that an index that is off by a little hits no other piece
constexpr std::uint64_t kGrowth = 8 << 20;  // a buffer's size, unless a piece is larger

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

std::uint8_t* argument(Warp& w, int lane, std::uint32_t place) {
  return bytes_at(w, lane, own_place(w, Space::local, w.frame->local_base + place), sizeof(std::uint64_t))
      .data;
}

}  // namespace

void DeviceHeap::restart() {
  next_ = end_ = range_.begin;
  used_ = 0;
  live_.clear();
  freed_.clear();
  reusable_.clear();
}

void DeviceHeap::begin_launch(bool expected) {
  for (const auto& [address, bytes] : freed_) reusable_.emplace(bytes, address);
  freed_.clear();
  if (expected && end_ == range_.begin) grow(1);
}

bool DeviceHeap::grow(std::uint64_t bytes) {
  const std::uint64_t wanted = round_up(std::max(bytes, std::min(limit_ + kHeapPage, kGrowth)), kHeapPage);
  const DeviceAddress begin = end_ + kHeapPage;  // a guard between buffers
  if (begin + wanted + kHeapPage > range_.begin + range_.bytes || !memory_.allocate(kName, begin, wanted))
    return false;
  std::memset(memory_.shadow(begin), 0, wanted);
  next_ = begin + kGap;
  end_ = begin + wanted;
  return true;
}

DeviceAddress DeviceHeap::allocate(std::uint64_t bytes) {
  if (bytes == 0 || bytes > limit_ - std::min(used_, limit_)) return 0;
  const std::uint64_t piece = round_up(bytes, kAlign) + kGap;
  DeviceAddress address = 0;
  if (const auto fit = reusable_.lower_bound(piece); fit != reusable_.end() && fit->first <= 2 * piece) {
    address = fit->second;
    reusable_.erase(fit);
  } else {
    if (end_ - next_ < piece && !grow(piece + kGap)) return 0;
    address = next_;
    next_ += piece;
  }
  std::memset(memory_.shadow(address), GlobalMemory::kLive, bytes);
  live_[address] = bytes;
  used_ += bytes;
  return address;
}

bool DeviceHeap::free(DeviceAddress address) {
  const auto found = live_.find(address);
  if (found == live_.end()) return false;
  std::memset(memory_.shadow(address), 0, found->second);
  used_ -= found->second;
  freed_[address] = round_up(found->second, kAlign) + kGap;
  live_.erase(found);
  return true;
}

/// What a piece costs the simulator, in warp instructions.
constexpr std::int64_t kWork = 50;

void device_malloc(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  for (const int lane : lanes_in(mask)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, argument(w, lane, s.data[0]), sizeof bytes);
    const DeviceAddress address =
        w.block->launch->heap == nullptr ? 0 : w.block->launch->heap->allocate(bytes);
    std::memcpy(argument(w, lane, s.d), &address, sizeof address);
    *w.block->budget -= kWork;
  }
}

void device_free(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  for (const int lane : lanes_in(mask)) {
    DeviceAddress address = 0;
    std::memcpy(&address, argument(w, lane, s.data[0]), sizeof address);
    DeviceHeap* heap = w.block->launch->heap;
    if (address != 0 && (heap == nullptr || !heap->free(address)))
      raise_fault(w, s, FaultKind::bad_free, lane, {Space::global, AccessKind::store, address, 1});
  }
}

}  // namespace fusebox::sim
