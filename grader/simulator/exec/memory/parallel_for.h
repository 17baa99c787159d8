#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace fusebox::sim {

// One core alone cannot ask for as much memory as a machine can give.

/// From how many bytes on starting a thread is worth it.
inline constexpr std::uint64_t kWorthAThread = 1 << 20;

/// Calls f(first, size) for pieces of `bytes` bytes, side by side on up to `cores` cores.
template <class F>
void parallel_for_bytes(std::uint64_t bytes, unsigned cores, F f) {
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t pieces = std::min<std::uint64_t>(cores, bytes / kWorthAThread);
  if (pieces < 2) return f(std::uint64_t{0}, bytes);
  const std::uint64_t size = (bytes / pieces + kPage - 1) / kPage * kPage;
  std::vector<std::jthread> others;
  for (std::uint64_t first = size; first < bytes; first += size)
    others.emplace_back(f, first, std::min(size, bytes - first));
  f(std::uint64_t{0}, size);
}

/// Calls f(0) ... f(count - 1), side by side on up to `cores` cores; `bytes` is what they move in all.
template <class F>
void parallel_for(std::size_t count, std::uint64_t bytes, unsigned cores, F f) {
  const std::size_t threads = bytes < 2 * kWorthAThread ? 1 : std::min<std::size_t>(cores, count);
  const auto share = [&](std::size_t first) {
    for (std::size_t i = first; i < count; i += threads) f(i);
  };
  std::vector<std::jthread> others;
  for (std::size_t first = 1; first < threads; ++first) others.emplace_back(share, first);
  share(0);
}

}  // namespace fusebox::sim
