#include "grader/report/metric.h"

namespace fusebox {

const char* to_string(Source source) {
  switch (source) {
    case Source::counted:
      return "counted";
    case Source::modelled:
      return "modelled";
    case Source::measured:
      return "measured";
    case Source::recorded:
      return "recorded";
  }
  return "unknown";
}

const char* to_string(Unit unit) {
  switch (unit) {
    case Unit::count:
      return "count";
    case Unit::bytes:
      return "bytes";
    case Unit::seconds:
      return "seconds";
    case Unit::bytes_per_second:
      return "bytes_per_second";
    case Unit::ratio:
      return "ratio";
    case Unit::per_request:
      return "per_request";
  }
  return "unknown";
}

}  // namespace fusebox
