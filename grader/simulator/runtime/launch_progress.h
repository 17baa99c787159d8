#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace fusebox::sim {

/// The launch that a program is at, in a page that it shares with the one who started it. Of several
/// processes, the one that launched last.
class LaunchProgress {
 public:
  /// Of another process, by the path that its `path()` said; an empty one: of our own, to be shown to others.
  /// Where that cannot be had nothing is kept, and nothing is under way.
  explicit LaunchProgress(const std::string& path);
  ~LaunchProgress();
  LaunchProgress(const LaunchProgress&) = delete;
  LaunchProgress& operator=(const LaunchProgress&) = delete;

  /// How processes that this one starts find it; empty: not at all.
  std::string path() const;

  void begin(std::uint64_t number, const std::string& kernel, std::uint64_t blocks);
  void end();
  /// Counted up as blocks end; null where nothing is kept.
  std::atomic<std::uint64_t>* blocks_done();

  /// "launch 12, kernel step: 34 % of 1,024 blocks after 12 s"; empty: none takes long.
  std::string line() const;

 private:
  struct Page;
  int file_ = -1;
  Page* page_ = nullptr;
};

}  // namespace fusebox::sim
