#include "grader/catalog/build.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "grader/report/hardware.h"

namespace fusebox {
namespace {

/// A spec contradicts itself, which only its author can repair: the process ends.
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

}  // namespace

Tensor input(std::string name, DType dtype, std::vector<std::int64_t> shape, std::vector<double> values) {
  return tensor(std::move(name), dtype, std::move(shape), Role::in, std::move(values), {}, {});
}

Tensor shaped(std::string name, DType dtype, std::vector<std::int64_t> shape, Role role) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  tensor.role = role;
  return tensor;
}

Tensor host_input(std::string name, DType dtype, std::vector<std::int64_t> shape,
                  std::vector<double> values) {
  Tensor tensor = input(std::move(name), dtype, std::move(shape), std::move(values));
  tensor.on_host = true;
  return tensor;
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
  const std::uint64_t bytes = static_cast<std::uint64_t>(count) * element_bytes,
                      sectors = (bytes + kSectorBytes - 1) / kSectorBytes;
  return static_cast<double>(sectors * kSectorBytes);
}

double with_room(double exact) { return std::ceil(1.125 * exact); }

std::vector<Budget> full_size_budgets(double dram, double requested) {
  return {{"bytes.dram", with_room(dram)}, {"bytes.requested", with_room(requested)}};
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

}  // namespace fusebox
