#include "grader/report/failure_kind.h"

namespace fusebox {

const char* to_string(FailureKind kind) {
  switch (kind) {
    case FailureKind::none:
      return "";
    case FailureKind::compile:
      return "compile";
    case FailureKind::compile_limit:
      return "compile-limit";
    case FailureKind::crash:
      return "crash";
    case FailureKind::hang:
      return "hang";
    case FailureKind::output:
      return "output";
    case FailureKind::exit:
      return "exit";
    case FailureKind::forbidden:
      return "forbidden";
    case FailureKind::unsupported:
      return "unsupported";
    case FailureKind::garbled:
      return "garbled";
    case FailureKind::memory:
      return "memory";
    case FailureKind::load:
      return "load";
    case FailureKind::bad_launch:
      return "bad-launch";
    case FailureKind::bad_copy:
      return "bad-copy";
  }
  return "unknown";
}

}  // namespace fusebox
