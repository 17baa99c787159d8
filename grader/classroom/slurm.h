#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/classroom/manifest.h"

/// A class as an array of tasks of Slurm.
namespace fusebox::classroom {

/// What each task asks for, by the manifest's limits: enough where every answer needs all that it may take.
struct TaskNeeds {
  unsigned cores = 1;
  std::uint64_t memory_mib = 0;
  std::uint64_t minutes = 0;
  bool gpu = false;
};
TaskNeeds needs_of_task(const Manifest& manifest);

/// The script of the array: task N runs `program class-task OUT`. Killed, requeued or started again it does
/// what is left of its chunk. What it says goes to log/N.txt beside it.
std::string array_script(const Manifest& manifest, const std::filesystem::path& program,
                         const std::filesystem::path& out);

/// `more`: options that go before ours in weight.
std::vector<std::string> sbatch_command(const std::filesystem::path& folder,
                                        const std::vector<std::string>& more);

/// A command as one types it into a shell.
std::string typed(const std::vector<std::string>& words);

bool has_sbatch();

/// Hands it in; the number of the job. Errors say what Slurm does not like, and what to do.
Result<std::string> submit(const std::vector<std::string>& command);

/// Whether a job waits or runs. Where Slurm does not answer, it does not.
bool is_queued(const std::string& job);

}  // namespace fusebox::classroom
