#include "grader/report/text/format.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <string_view>

namespace fusebox {
namespace {

/// 1234567 -> 1,234,567
std::string with_separators(std::string digits) {
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

/// Three significant digits below a thousand, so that a column of them stays four or five characters wide.
std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size < 9.995) return fmt::format("{:.2f}", value);
  if (size < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

/// The largest unit in which the value does not print below 1; what would round up to a full `step` goes one
/// unit up.
template <std::size_t N>
std::string scaled(double value, double step, const std::array<std::string_view, N>& units) {
  std::size_t unit = 0;
  while (unit + 1 < N && std::abs(value) >= step - 0.5) {
    value /= step;
    ++unit;
  }
  return fmt::format("{} {}", three_digits(value), units[unit]);
}

constexpr std::array<std::string_view, 6> kByteUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
constexpr std::array<std::string_view, 6> kRateUnits{"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"};
constexpr std::array<std::string_view, 6> kCountUnits{"", "k", "M", "G", "T", "P"};
constexpr std::array<std::string_view, 3> kTimeUnits{"ns", "us", "ms"};

constexpr double kWide = 100'000;      // a count of six digits no longer fits a narrow column
constexpr double kExact = 1ull << 53;  // beyond it a double does not hold every whole number

std::string format_real_count(double value, Digits digits) {
  if (digits == Digits::narrow && std::abs(value) >= kWide) return scaled(value, 1000, kCountUnits);
  const std::string sign = value < 0 ? "-" : "";
  const double size = std::abs(value);
  if (size > kExact) return fmt::format("{:.6g}", value);
  if (size == std::floor(size)) return sign + with_separators(fmt::format("{:.0f}", size));
  const std::string text = fmt::format("{:.2f}", size);
  const std::size_t point = text.find('.');
  return sign + with_separators(text.substr(0, point)) + text.substr(point);
}

}  // namespace

std::string format_count(std::uint64_t value, Digits digits) {
  if (digits == Digits::narrow && static_cast<double>(value) >= kWide)
    return scaled(static_cast<double>(value), 1000, kCountUnits);
  return with_separators(fmt::format("{}", value));
}

std::string format_bytes(double bytes) {
  if (!std::isfinite(bytes)) return fmt::format("{}", bytes);
  if (std::abs(bytes) < 1024 && bytes == std::floor(bytes)) return fmt::format("{:.0f} B", bytes);
  return scaled(bytes, 1024, kByteUnits);
}

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds)) return fmt::format("{}", seconds);
  if (seconds == 0) return "0 s";
  if (std::abs(seconds) >= 0.9995) return fmt::format("{} s", three_digits(seconds));
  return scaled(seconds * 1e9, 1000, kTimeUnits);
}

std::string format_value(Unit unit, std::optional<double> value, Digits digits) {
  if (!value) return "n/a";
  if (!std::isfinite(*value)) return fmt::format("{}", *value);
  switch (unit) {
    case Unit::count:
      return format_real_count(*value, digits);
    case Unit::bytes:
      return format_bytes(*value);
    case Unit::seconds:
      return format_seconds(*value);
    case Unit::bytes_per_second:
      return scaled(*value, 1000, kRateUnits);
    case Unit::ratio:
      return fmt::format("{:.1f} %", *value * 100);
    case Unit::per_request:
      return fmt::format("{:.2f}", *value);
  }
  return "n/a";
}

std::string format_metric(const Metric& metric, Digits digits) {
  return format_value(metric.unit, metric.value, digits);
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  return text;
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace fusebox
