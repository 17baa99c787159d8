#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/report/report.h"

/// One slip at a time in a text that is right: what it takes to measure the judge with mistakes that nobody
/// chose.
namespace fusebox {

struct Slip {
  std::string kind;  ///< "name", "number", "bound", ...
  int line = 0;      ///< where it was made; the text has as many lines as before
  std::string was, is;
  std::string text;  ///< the whole file with it
};

/// At most `count` slips in the blanks of `text`, no two alike, each kind as likely as another; the same
/// for the same `seed`. Some do not compile, and some change nothing. None where the text has no blanks.
std::vector<Slip> slips_of(const std::string& text, std::size_t count, std::uint64_t seed);

/// What is said of a text with a slip.
enum class Told {
  where,      ///< a line no further than two from it
  what,       ///< exactly what it computes
  elsewhere,  ///< that a change of another place mends it
  symptom,    ///< something else
  passed,     ///< it changes nothing, or nothing that is asked for
  does_not_compile,
};
const char* to_string(Told told);
Told told_of(const Slip& slip, const Report& report);

}  // namespace fusebox
