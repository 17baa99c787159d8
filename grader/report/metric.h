#pragma once

#include <optional>
#include <string>

namespace fusebox {

/// Where a number comes from. Values of different sources never share an axis without saying so.
enum class Source {
  counted,   ///< exact, from the simulator
  modelled,  ///< from the cache and time model of a named GPU
  measured,  ///< a GPU, now
  recorded,  ///< a GPU, earlier; its name and date travel with the report
};

/// How a value is stored, and so how it is formatted (report/text/format.h): ratios 0..1, times in seconds,
/// sizes in bytes.
enum class Unit { count, bytes, seconds, bytes_per_second, ratio, per_request };

/// One number as it is shown: the console, test messages and the viewer all format it from here.
struct Metric {
  std::string tag;          ///< stable key, e.g. "bytes.requested"
  std::string name;         ///< for people, e.g. "bytes requested"
  std::string description;  ///< one sentence: what is counted
  Unit unit = Unit::count;
  std::optional<double> value;  ///< absent means "not measured"; shown as n/a, never as 0
  Source source = Source::counted;
};

const char* to_string(Source source);
const char* to_string(Unit unit);

}  // namespace fusebox
