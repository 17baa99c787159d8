#pragma once

#include <cstdint>

namespace fusebox {

/// What each by itself keeps a stranger's code from something. A class has more in bubblewrap
/// (toolchain/sandbox.h), and the limits that a Recorder is given.
enum class Defence {
  compiler_files,           ///< Landlock around the compiler
  compiler_processor_time,  ///< seconds
  compiler_memory,          ///< bytes
  compiler_file_size,       ///< bytes
  recorder_files,           ///< Landlock around host functions
  recorder_calls,           ///< the filter of their system calls
  recorder_processor_time,
  recorder_memory,
  recorder_file_size,
  no_links,     ///< what is handed in is read through none
  whole_files,  ///< a row takes its place by one rename
};
inline constexpr int kDefences = 11;

/// `normal`, always: what a defence allows, or 1 where it is there or not. 0 would be: without it. Programs
/// of tests define this themselves, to see that each defence is needed; no option, variable or file reaches
/// it.
std::uint64_t in_force(Defence defence, std::uint64_t normal = 1);

}  // namespace fusebox
