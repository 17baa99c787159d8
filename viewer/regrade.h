#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/process/child.h"
#include "grader/report/report.h"
#include "grader/report/result.h"

namespace fusebox::view {

/// The grader at work in the background, as a process of its own. Nothing here waits.
class Regrade {
 public:
  Regrade() = default;
  Regrade(const Regrade&) = delete;
  Regrade& operator=(const Regrade&) = delete;
  ~Regrade() { cancel(); }

  struct Job {
    std::filesystem::path grader;
    std::vector<std::string> arguments;  ///< without --json
    std::filesystem::path json;          ///< where its report goes; its folder is made
    std::filesystem::path folder;        ///< to run in
    std::size_t checks = 0;              ///< about how many are to come; 0: unknown
  };
  /// Starts it, in the place of one that is running. What cannot start is an error.
  std::optional<Error> start(Job job);
  /// Stops it and all that it started.
  void cancel();
  bool running() const { return static_cast<bool>(process_); }

  /// Share of the checks that have been made, 0..1, and what was checked last.
  double progress() const;
  const std::string& doing() const { return doing_; }
  double seconds() const;

  /// The report, once it is there; an error when the grader stopped without one. Nothing while it runs.
  std::optional<Result<Report>> poll();

 private:
  void read_output();
  Job job_;
  Child process_;
  Descriptor pipe_;
  std::string output_, doing_;
  std::size_t done_ = 0, scanned_ = 0;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace fusebox::view
