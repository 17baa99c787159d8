#pragma once

#include <cstdint>

namespace fusebox::sim {

/// Keeps host code away from device memory, which lies in its own addresses: following a pointer of
/// cudaMalloc there has to end as it would beside a GPU. By memory protection keys; a machine without them
/// lets it pass.
class HostGuard {
 public:
  /// Asks for a key. One per process.
  static void start();
  static bool works() { return key_ > 0; }

  /// From now on only the runtime may touch these pages, or (`open`) everybody again.
  static void cover(std::uint64_t address, std::uint64_t bytes, bool open);

  /// While it lives, this thread, and those that it starts, may touch device memory.
  class Lifted {
   public:
    Lifted();
    ~Lifted();
    Lifted(const Lifted&) = delete;
    Lifted& operator=(const Lifted&) = delete;

   private:
    int before_ = 0;
  };

 private:
  static int key_;
};

}  // namespace fusebox::sim
