#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "grader/report/result.h"

namespace fusebox {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }
  int get() const { return value_; }
  explicit operator bool() const { return value_ >= 0; }
  int release();
  void reset();

 private:
  int value_;
};

/// What of a child's output is kept, and how much ends it.
struct OutputLimits {
  std::uint64_t kept = 0, most = 0;
};

/// How a child process ended. All of its session is gone by then.
struct ChildEnd {
  bool timed_out = false;
  bool exited = false;  ///< by exit(); `code` is then its status, otherwise the signal that killed it
  int code = 0;
  std::string output;         ///< stdout and stderr merged, as far as the limit
  std::uint64_t printed = 0;  ///< bytes of all of it that were read
  bool flooded = false;       ///< it printed more than it may, and was not waited for
  bool output_cut() const { return printed > output.size(); }
};

/// Starts `program` without arguments, in a session of its own, with stdin closed, its output on a pipe,
/// `channel` as descriptor 3 and no other descriptor; waits until it ends or `wall_seconds` are over, and
/// kills what is left of its session: at once when it has printed more than `output.most`. An error when no
/// process can be started.
Result<ChildEnd> run_child(const std::filesystem::path& program, const Descriptor& channel,
                           double wall_seconds, const OutputLimits& output);

}  // namespace fusebox
