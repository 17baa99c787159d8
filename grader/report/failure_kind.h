#pragma once

#include <cstdint>

namespace fusebox {

/// Why there is nothing to judge.
enum class FailureKind : std::uint8_t {
  none,           ///< there is
  compile,        ///< of the file: it does not compile
  compile_limit,  ///< of the file: the compiler reached a limit
  // Of a host function, which ...
  crash,        ///< died of a signal, or threw
  hang,         ///< did not return in time
  output,       ///< printed too much
  exit,         ///< ended its process or thread
  forbidden,    ///< made a system call that it may not make
  unsupported,  ///< called what the recorder does not offer
  garbled,      ///< left an answer that does not read
  memory,       ///< asked for too much
  load,         ///< could not be loaded or called
  bad_launch,   ///< launched what hardware refuses
  bad_copy,     ///< copied or filled what hardware refuses
};

/// "compile-limit", as reports have it; none: "".
const char* to_string(FailureKind kind);

}  // namespace fusebox
