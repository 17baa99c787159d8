#include "grader/report/report.h"

namespace fusebox {

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::unsolved:
      return "unsolved";
    case Outcome::skipped:
      return "skipped";
  }
  return "unknown";
}

}  // namespace fusebox
