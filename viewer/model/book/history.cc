#include "viewer/model/book/history.h"

#include <ctime>

#include "viewer/model/book/book.h"

namespace fusebox::view {

HistoryPoint history_point(const Report& report, std::int64_t milliseconds) {
  HistoryPoint point;
  point.milliseconds = milliseconds;
  point.verdict = report.verdict;
  point.sentence = report.verdict_text;
  for (const EntryReport& entry : report.entries) {
    for (const Check& check : entry.checks) ++point.checks, point.passed += check.outcome == Outcome::passed;
    if (!entry.student) continue;
    point.entry = entry.entry;
    point.bytes = value_of(&*entry.student, "bytes.requested");
    point.seconds = value_of(&*entry.student, "time");
  }
  return point;
}

std::string when_text(std::int64_t milliseconds) {
  const std::time_t seconds = static_cast<std::time_t>(milliseconds / 1000);
  std::tm parts{};
  if (!localtime_r(&seconds, &parts)) return "?";
  char text[64];
  std::strftime(text, sizeof text, "%e %b, %H:%M:%S", &parts);
  return text[0] == ' ' ? text + 1 : text;
}

}  // namespace fusebox::view
