#include "grader/judge/compare/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/judge/compare/tensor_bytes.h"

namespace fusebox {
namespace {

/// How much of its tolerance an element uses; infinite for a NaN, so that it is the worst of all.
double use_of(double error, double tolerance) {
  if (std::isnan(error)) return std::numeric_limits<double>::infinity();
  if (tolerance == 0) return error == 0 ? 0 : std::numeric_limits<double>::infinity();
  return error / tolerance;
}

std::string line(const char* label, const std::string& tensor, const Mismatch& m) {
  return fmt::format("{} {}[{}]: expected {:.8g}, got {:.8g} (error {:.2g}, allowed {:.2g})\n", label, tensor,
                     fmt::join(m.index, ", "), m.expected, m.got, m.error, m.tolerance);
}

}  // namespace

bool is_poison(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == kPoison; });
}

Comparison compare(const Tensor& tensor, std::span<const std::byte> got, bool all_written) {
  Comparison result;
  result.elements = tensor.count();
  const std::uint64_t width = size_of(tensor.dtype);
  std::int64_t first = -1, worst = 0;
  double worst_use = -1;
  const auto mismatch = [&](std::int64_t i) {
    Mismatch m{
        tensor.name, index_of(i, tensor.shape), tensor.expected[i], decode(got, i, tensor.dtype), 0, 0};
    m.error = std::abs(m.got - m.expected);
    m.tolerance = tensor.tolerance.absolute + tensor.tolerance.relative * std::abs(m.expected);
    return m;
  };
  for (std::int64_t i = 0; i < result.elements; ++i) {
    if (tensor.is_overlooked(i)) continue;
    const double expected = tensor.expected[i];
    const double error = std::abs(decode(got, i, tensor.dtype) - expected);
    const double tolerance = tensor.tolerance.absolute + tensor.tolerance.relative * std::abs(expected);
    const double use = use_of(error, tolerance);
    if (use > worst_use) {
      worst_use = use;
      worst = i;
      result.max_error = error;
      result.tolerance = tolerance;
    }
    if (error <= tolerance) continue;
    ++result.wrong;
    if (first < 0) first = i;
    if (!all_written && is_poison(got.subspan(i * width, width))) ++result.unwritten;
  }
  if (first >= 0) {
    result.mismatches.push_back(mismatch(first));
    if (worst != first) result.mismatches.push_back(mismatch(worst));
  }
  return result;
}

void hide_overlooked(const Tensor& tensor, std::span<std::byte> got) {
  if (tensor.overlooked.empty() || got.size() != tensor.bytes()) return;
  const std::uint64_t width = size_of(tensor.dtype);
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    if (!tensor.is_overlooked(i)) continue;
    const auto value =
        encode(std::span(tensor.expected).subspan(static_cast<std::size_t>(i), 1), tensor.dtype);
    std::copy(value.begin(), value.end(), got.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
}

std::int64_t first_change(std::span<const std::byte> given, std::span<const std::byte> after, DType dtype) {
  const std::size_t common = std::min(given.size(), after.size());
  const auto [a, b] = std::mismatch(given.begin(), given.begin() + common, after.begin());
  (void)b;
  if (a == given.begin() + common) return -1;
  return static_cast<std::int64_t>((a - given.begin()) / size_of(dtype));
}

bool same_values(const Tensor& tensor, std::span<const std::byte> a, std::span<const std::byte> b) {
  if (a.size() != b.size() || a.size() != tensor.bytes()) return false;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const double x = decode(a, i, tensor.dtype), y = decode(b, i, tensor.dtype);
    if (std::isnan(x) && std::isnan(y)) continue;
    const double allowed = tensor.tolerance.absolute + tensor.tolerance.relative * std::abs(y);
    if (!(x == y || std::abs(x - y) <= allowed)) return false;
  }
  return true;
}

std::string describe(const Comparison& comparison, const std::string& tensor) {
  if (comparison.ok()) return {};
  std::string text;
  if (comparison.unwritten == comparison.elements)
    return fmt::format("`{}` was never written: none of its {} elements was stored to.\n", tensor,
                       comparison.elements);
  text = fmt::format("{} of {} elements of `{}` are wrong", comparison.wrong, comparison.elements, tensor);
  if (comparison.unwritten == comparison.wrong)
    text += ": they were never written";
  else if (comparison.unwritten > 0)
    text += fmt::format("; {} of them were never written", comparison.unwritten);
  text += ".\n";
  const auto& shown = comparison.mismatches;
  if (!shown.empty()) text += line(shown.size() > 1 ? "first" : "first and worst", tensor, shown[0]);
  if (shown.size() > 1) text += line("worst", tensor, shown[1]);
  return text;
}

}  // namespace fusebox
