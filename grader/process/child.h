#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/confine/landlock.h"
#include "grader/process/descriptor.h"

namespace fusebox {

/// For each process of a child; 0: none.
struct ProcessLimits {
  std::uint64_t cpu_s = 0;         ///< of processor time
  std::uint64_t memory_bytes = 0;  ///< of address space
  std::uint64_t file_bytes = 0;    ///< of each file that it writes
};

/// A program and what it is started with.
struct Command {
  static constexpr int kOurs = -1, kNothing = -2;  ///< in the place of a descriptor: ours; /dev/null
  static constexpr int kChannel = 3;               ///< what `channel` is called there

  std::string program;  ///< without a slash it is looked up on PATH; empty: argv[0]
  std::vector<std::string> argv;
  std::filesystem::path directory;                           ///< working directory; empty: ours
  std::optional<std::vector<std::string>> environment = {};  ///< all of it, "NAME=value"; nullopt: ours
  int input = kNothing, output = kOurs, errors = kOurs;
  int channel = kNothing;          ///< kNothing: it has none
  bool other_descriptors = false;  ///< those of ours that are not closed by exec are there too
  enum class Group { ours, own, session } group = Group::own;
  bool default_signals = false;  ///< nothing ignored and nothing blocked, whatever we ignore and block
  int at_our_end = 0;            ///< the signal that it gets when the thread that started it ends; 0: none
  ProcessLimits limits;
  /// What it and all that it starts may do with files; nullopt, or a kernel without Landlock: as we.
  std::optional<FileRights> rights = {};
};

/// How a process ended.
struct ProcessEnd {
  bool exited = false;  ///< by exit(); `code` is then its status, otherwise the signal that killed it
  int code = 0;
};

/// One process that we started, and its group or session. All of that is killed when this goes away.
class Child {
 public:
  using Clock = std::chrono::steady_clock;

  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { kill(); }

  /// 0, or the errno for which it did not start. One that was there before is killed.
  int start(const Command& command);

  /// Started, and neither reaped nor killed.
  explicit operator bool() const { return process_ > 0; }
  /// To poll: readable when the process has ended; -1 before Linux 5.3.
  int handle() const { return handle_.get(); }
  /// It has ended by itself. As long as it is not reaped no other process can have its id, or its group's.
  bool has_ended() const;
  /// has_ended(), then or at the deadline.
  bool wait_until(Clock::time_point deadline) const;
  /// To all of the group, where it has one of its own.
  void signal(int number) const;
  /// Waits for as long as it takes, leaving alone what is left of its group.
  ProcessEnd reap();
  /// The end of all of the group, and how the process itself ended.
  ProcessEnd kill();

 private:
  pid_t process_ = 0;
  bool has_group_ = false;
  Descriptor handle_;
};

}  // namespace fusebox
