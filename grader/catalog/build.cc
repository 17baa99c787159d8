#include "grader/catalog/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace fusebox {
namespace {

/// A spec contradicts itself: there is nobody to report it to but its author.
[[noreturn]] void stop(const std::string& sentence) {
  fmt::print(stderr, "fusebox catalog: {}\n", sentence);
  std::abort();
}

Tensor tensor(std::string name, DType dtype, std::vector<std::int64_t> shape, Role role,
              std::vector<double> values, std::vector<double> expected, Tolerance tolerance) {
  Tensor made{std::move(name),     dtype, std::move(shape), role, std::move(values), std::move(expected),
              std::move(tolerance)};
  const auto count = static_cast<std::size_t>(made.count());
  if (role != Role::out && made.values.size() != count)
    stop(fmt::format("tensor {} has {} values for {} elements", made.name, made.values.size(), count));
  if (role != Role::in && made.expected.size() != count)
    stop(fmt::format("tensor {} has {} answers for {} elements", made.name, made.expected.size(), count));
  return made;
}

double largest_magnitude(const double* first, const double* last) {
  double largest = 0;
  for (; first != last; ++first) largest = std::max(largest, std::fabs(*first));
  return largest;
}

double largest_magnitude(const std::vector<double>& values) {
  return largest_magnitude(values.data(), values.data() + values.size());
}

}  // namespace

Tensor input(std::string name, DType dtype, std::vector<std::int64_t> shape, std::vector<double> values) {
  return tensor(std::move(name), dtype, std::move(shape), Role::in, std::move(values), {}, {});
}

Tensor output(std::string name, DType dtype, std::vector<std::int64_t> shape, std::vector<double> expected,
              Tolerance tolerance) {
  return tensor(std::move(name), dtype, std::move(shape), Role::out, {}, std::move(expected),
                std::move(tolerance));
}

Tensor inout(std::string name, DType dtype, std::vector<std::int64_t> shape, std::vector<double> values,
             std::vector<double> expected, Tolerance tolerance) {
  return tensor(std::move(name), dtype, std::move(shape), Role::inout, std::move(values), std::move(expected),
                std::move(tolerance));
}

std::int64_t size_of(const Case& which, const std::string& name) {
  const auto found = which.sizes.find(name);
  if (found == which.sizes.end()) stop(fmt::format("case {} has no size called {}", which.name, name));
  return found->second;
}

std::int32_t int_of(const Case& which, const std::string& name) {
  return static_cast<std::int32_t>(size_of(which, name));
}

double as_float(double value) { return static_cast<double>(static_cast<float>(value)); }

double sector_bytes(std::int64_t count, std::uint64_t element_bytes) {
  constexpr std::uint64_t kSector = 32;
  return static_cast<double>((static_cast<std::uint64_t>(count) * element_bytes + kSector - 1) / kSector *
                             kSector);
}

double with_room(double exact) { return std::ceil(1.125 * exact); }

std::string edited(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos)
    stop(fmt::format("\"{}\" is not exactly once in \"{}\"", from, text));
  return text.replace(at, from.size(), to);
}

std::vector<double> draw_parameters(std::int64_t count, Random& random) {
  return random.signed_uniforms(count, 0.25, 0.75);
}

std::vector<double> draw_rows(const std::string& kind, std::int64_t rows, std::int64_t columns,
                              Random& random) {
  if (kind == "normal") return random.normals(rows * columns);
  if (kind == "offset") return random.normals(rows * columns, 1e4, 1);
  if (kind == "tiny") return random.normals(rows * columns, 0, 1e-3);
  if (kind != "rows") stop(fmt::format("there are no values of the kind \"{}\"", kind));
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    const double mean = random.uniform(-2, 2), deviation = random.uniform(0.5, 2);
    const std::vector<double> drawn = random.normals(columns, mean, deviation);
    values.insert(values.end(), drawn.begin(), drawn.end());
  }
  return values;
}

LayerNorm layer_norm(const std::vector<double>& x, const std::vector<double>& gamma,
                     const std::vector<double>& beta, std::int64_t columns, double eps) {
  const auto width = static_cast<std::size_t>(columns);
  const std::size_t rows = x.size() / width;
  LayerNorm result;
  result.normalized.resize(x.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const double* values = x.data() + row * width;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < width; ++i) sum += values[i];
    const double mean = sum / static_cast<double>(width);
    for (std::size_t i = 0; i < width; ++i) squares += (values[i] - mean) * (values[i] - mean);
    const double rstd = 1 / std::sqrt(squares / static_cast<double>(width) + eps);
    for (std::size_t i = 0; i < width; ++i)
      result.normalized[row * width + i] = (values[i] - mean) * rstd * gamma[i] + beta[i];
    result.mean.push_back(mean);
    result.rstd.push_back(rstd);
  }
  return result;
}

LayerNormTolerance layer_norm_tolerance(const std::vector<double>& x, const std::vector<double>& gamma,
                                        const std::vector<double>& beta, const LayerNorm& oracle) {
  const std::size_t rows = oracle.mean.size(), width = x.size() / rows;
  const double root = std::sqrt(static_cast<double>(width));
  const double largest_gamma = largest_magnitude(gamma), largest_beta = largest_magnitude(beta);
  LayerNormTolerance result;
  for (std::size_t row = 0; row < rows; ++row) {
    const double largest = largest_magnitude(x.data() + row * width, x.data() + (row + 1) * width);
    // A running sum of N values rounds N times at its own size: the errors add like a random walk.
    const double mean_error = 4 * kFloatRoundoff * root * largest;
    // A mean that is off by d adds d^2 to the variance; the sum of squares and 1/sqrt round as well.
    const double off = mean_error * oracle.rstd[row];
    const double rstd_error = kFloatRoundoff * (4 * root + 16) + off * off;
    const double* y = oracle.normalized.data() + row * width;
    const double y_error =
        largest_gamma * off + rstd_error * (largest_magnitude(y, y + width) + largest_beta);
    result.mean_error.push_back(mean_error);
    result.rstd_error.push_back(rstd_error);
    result.mean.absolute = std::max(result.mean.absolute, mean_error);
    result.rstd.relative = std::max(result.rstd.relative, rstd_error);
    result.normalized.absolute = std::max(result.normalized.absolute, y_error);
  }
  result.mean.reason = "4 sqrt(N) float roundings at the size of the largest |x|: a sum in any order";
  result.rstd.reason = "4 sqrt(N) + 16 float roundings of the variance, and the square of the mean's error";
  result.normalized.reason = "the mean's error times rstd and gamma, plus rstd's relative error";
  return result;
}

}  // namespace fusebox
