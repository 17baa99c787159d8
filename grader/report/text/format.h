#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/metric.h"

namespace fusebox {

/// How many digits a number may take.
enum class Digits {
  full,    ///< counts to the last digit: "12,582,912"
  narrow,  ///< counts from a hundred thousand as "12.6 M": tables and axes
};

/// The one place where stored values become text for people. Counts get separators (a fraction keeps two
/// decimals); bytes become B, KiB, MiB, ...; seconds ns, us, ms, s; rates MB/s, GB/s, TB/s; ratios per cent;
/// per_request two decimals. An absent value is "n/a"; infinities and NaN are "inf", "-inf" and "nan",
/// whatever the unit.
std::string format_value(Unit unit, std::optional<double> value, Digits digits = Digits::full);

/// The value of `metric` in its own unit.
std::string format_metric(const Metric& metric, Digits digits = Digits::full);

/// A whole number, exact over all 64 bits when `digits` is full.
std::string format_count(std::uint64_t value, Digits digits = Digits::full);

std::string format_bytes(double bytes);
std::string format_seconds(double seconds);

/// "`a`, `b` and `c`"
std::string quoted_list(const std::vector<std::string>& names);

/// The text as a sentence begins.
std::string capitalised(std::string text);

}  // namespace fusebox
