#pragma once

#include <cstdint>

namespace fusebox {

/// Each of these alone keeps untrusted code from something. A class has more: bubblewrap
/// (toolchain/sandbox/sandbox.h), and the limits that a Recorder is given.
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

/// Always `normal`: the defence's limit, or 1 for a defence that has none. 0 would mean that it is off: test
/// programs define this function themselves, to see that each defence is needed. No option, variable or file
/// can change it.
std::uint64_t in_force(Defence defence, std::uint64_t normal = 1);

}  // namespace fusebox
