#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grader/gpu/frames.h"
#include "grader/process/child.h"
#include "grader/report/result.h"

namespace fusebox::gpu {

inline constexpr int kChannel = Command::kChannel;  ///< the executor's descriptor of its socket to the grader

/// A running executor. Whatever happens, its whole session is gone when this is.
class ExecutorProcess {
 public:
  /// An error when the program cannot be started at all.
  static Result<std::unique_ptr<ExecutorProcess>> start(const std::filesystem::path& program,
                                                        const std::vector<std::string>& arguments);
  ~ExecutorProcess();
  ExecutorProcess(const ExecutorProcess&) = delete;
  ExecutorProcess& operator=(const ExecutorProcess&) = delete;

  int channel() const { return channel_.get(); }
  /// What it printed since the last call: printf of kernels, and words of the driver. At most 64 KiB.
  std::string take_output();
  /// Kills it if it still runs. How it ended: "ended with exit code 4", "was killed by signal 11".
  std::string end();

 private:
  ExecutorProcess() = default;

  Child child_;
  Descriptor channel_, output_;
  std::int64_t read_ = 0;  ///< of the output
  std::string ending_;
};

}  // namespace fusebox::gpu
