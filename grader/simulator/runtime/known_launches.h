#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/simulator/launch/session.h"
#include "grader/simulator/runtime/memory_image.h"

// A benchmark's loop launches the same kernel on the same inputs thousands of times. What a launch leaves
// depends on its arguments and on the memory that it finds, and on nothing else: one that finds what an
// earlier one found leaves what that one left.
namespace fusebox::sim {

/// Remembers, for one process, what launches left in memory.
class KnownLaunches {
 public:
  explicit KnownLaunches(Session& session) : session_(session) {}

  /// Memory may have been changed by others than launches.
  void disturb() { image_.reset(); }

  /// True: memory is now as launch `kind` leaves it. False: it must be carried out, and `keep` be told.
  /// `kind`: kernel, shape and arguments.
  bool repeat(const std::string& kind);
  /// The launch that `repeat` was last asked about has been carried out in `seconds`. `plain`: it did nothing
  /// but change memory.
  void keep(double seconds, bool plain);

 private:
  struct Outcome {
    std::uint64_t before = 0;  ///< MemoryImage::hash()
    MemoryChange change;
  };
  struct Kind {
    std::vector<Outcome> outcomes;  ///< oldest first
    double seconds = 0;             ///< that the last one took
    double credit = 0;              ///< seconds that may be spent on reading memory because of it
    unsigned misses = 0;            ///< looked for in vain, since it was last found
  };

  /// Reads memory if it is not known, at the cost of `kind`.
  void look(Kind& kind);

  Session& session_;
  std::map<std::string, Kind> kinds_;
  Kind* last_ = nullptr;              ///< that `keep` is to be told of
  bool looked_ = false;               ///< and `image_` is of the memory that it found
  std::optional<MemoryImage> image_;  ///< of memory as it is; none: not known
  std::uint64_t kept_bytes_ = 0;
  double look_seconds_ = 0;  ///< that reading memory took the last time
};

}  // namespace fusebox::sim
