#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/report.h"

namespace fusebox::view {

/// One attempt, as the trail shows it: the last entry's run (of "unfused" and "fused", the fused one).
struct HistoryPoint {
  std::int64_t milliseconds = 0;  ///< since 1970
  Outcome verdict = Outcome::failed;
  std::string sentence, entry;
  std::optional<double> bytes, seconds;  ///< requested; of the counted case
  std::size_t checks = 0, passed = 0;
};

HistoryPoint history_point(const Report& report, std::int64_t milliseconds);

/// "21 Nov, 14:05", in the local time zone.
std::string when_text(std::int64_t milliseconds);

}  // namespace fusebox::view
