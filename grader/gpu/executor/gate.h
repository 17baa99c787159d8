#pragma once

#include "grader/gpu/executor/session.h"

namespace fusebox::gpu {

/// Holds the stream back until everything behind it has been enqueued: without it a short kernel would be
/// timed together with the host's way from one call to the next.
class Gate {
 public:
  explicit Gate(ExecutorSession& session);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// Enqueues a kernel that waits for open(), though never longer than a second.
  void close();
  void open();

 private:
  ExecutorSession& session_;
  DriverModule module_;
  volatile std::uint32_t* flag_ = nullptr;
  cu::DevicePointer address_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace fusebox::gpu
