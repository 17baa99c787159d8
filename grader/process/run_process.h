#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/process/child.h"
#include "grader/report/result.h"

namespace fusebox {

/// How a program ended.
struct ProcessResult {
  int exit_code = 0;       ///< 128 + signal when a signal ended it
  bool timed_out = false;  ///< its process group was killed at the time limit
  std::string output;      ///< stdout and stderr as they came, at most 4 MiB
};

/// For an environment: glibc asks for pages of 2 MiB, where the kernel has them. What fills a hundred MiB and
/// ends, as each of nvcc's programs does, takes 5 to 9 % less processor time.
inline constexpr const char* kLargePages = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1";

struct ProcessOptions {
  double time_limit_s = 120;  ///< by the clock, whatever else the machine does meanwhile
  ProcessLimits limits = {};
  std::filesystem::path directory;  ///< working directory; empty: the caller's
  std::vector<std::string>
      environment;  ///< "NAME=value", replacing the caller's of the same name; "NAME": removed
  /// What the program and all that it starts may do with files; nullopt, or a kernel without Landlock: as the
  /// caller.
  std::optional<FileRights> rights = std::nullopt;
};

/// Runs a program without a shell: own process group, empty stdin, no inherited descriptors. argv[0] without
/// a slash is looked up on PATH. An error only when it cannot be started; a failing program is a result.
Result<ProcessResult> run_process(const std::vector<std::string>& argv, const ProcessOptions& options = {});

}  // namespace fusebox
