#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/confine/cgroup.h"
#include "grader/confine/gpu_nodes.h"

namespace fusebox {

/// How untrusted code is confined on this machine: as well as it can be.
struct Confinement {
  std::string tier;                  ///< in words; empty: by limits alone
  std::string without_bubblewrap;    ///< the same of what is left without it
  std::string why_no_better;         ///< empty: there is no better one
  std::filesystem::path bubblewrap;  ///< the program; empty: without
};

/// Best first: bubblewrap with Landlock and seccomp in it, Landlock and seccomp, limits alone. bubblewrap
/// counts where a program has just run in it.
Confinement confinement_here();

/// How the memory of untrusted code is limited on this machine.
struct MemoryHold {
  std::filesystem::path groups;  ///< where each answer gets a control group of its own; empty: nowhere
  std::string words;
};

/// A control group for each answer where `place` is one in which a program has just been put into another;
/// otherwise the limits that each process has anyway.
MemoryHold memory_hold_here(const CgroupPlace& place = find_cgroup_place());

/// What is there for a program in bubblewrap besides the system's programs and libraries: nothing else of
/// this machine's files.
struct Sandbox {
  std::filesystem::path bubblewrap;
  std::vector<std::filesystem::path> read;          ///< absolute; what does not exist is left out
  std::vector<std::filesystem::path> write;         ///< the same
  std::vector<std::filesystem::path> devices = {};  ///< nodes, read and written; the same
};

/// Empty: the GPU of these nodes is reached in the sandbox by `executor`, and by nothing but them. Otherwise
/// why not.
std::string why_no_gpu_in_sandbox(const std::filesystem::path& bubblewrap,
                                  const std::filesystem::path& executor, const GpuNodes& gpu);

/// The command that runs `command` with users, processes, network, semaphores and mounts of its own, /tmp and
/// /dev/shm that are empty and small, and without privileges; it ends with whoever started it.
std::vector<std::string> in_sandbox(const Sandbox& sandbox, const std::vector<std::string>& command);

}  // namespace fusebox
