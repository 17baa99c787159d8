#include "grader/catalog/operators/copy.h"

#include <cmath>

namespace fusebox {
namespace {

constexpr std::int64_t kFullCopy = std::int64_t{1} << 25;

Problem copy_arguments(const Case& which) {
  const std::int64_t n = size_of(which, "N");
  return {{shaped("x", DType::f32, {n}, Role::in), shaped("out", DType::f32, {n}, Role::out), n}};
}

}  // namespace

Signature copy_signature() { return signature<void(const float*, float*, long)>("copy"); }

std::vector<Case> copy_cases(std::int64_t counted) {
  const auto sized = [](std::int64_t n) { return Sizes{{"N", n}}; };
  return {
      {"single", "one element, one thread with work", sized(1)},
      {"pair", "two elements", sized(2)},
      {"three", "three elements: less than 16 bytes", sized(3)},
      {"below_warp", "the last lane of a warp has nothing to do", sized(31)},
      {"warp", "one whole warp", sized(32)},
      {"above_warp", "one element above a warp", sized(33)},
      {"hundred", "no multiple of a warp", sized(100)},
      {"below_block", "one element less than a block has threads", sized(255)},
      {"above_block", "one element more than a block has threads", sized(257)},
      {"above_tile", "one element above what a block does in four rounds", sized(1025)},
      {"long_tail", "many blocks, and a last one that is nearly empty", sized(20481)},
      {"extremes", "zeros of both signs, subnormal and very large numbers", sized(600), "extremes"},
      {"drawn", "a size that each seed draws anew", sized(3000), "normal", false, {{"N", {1, 6000}}}},
      {"counted", "large enough to count", sized(counted), "normal", true},
  };
}

std::vector<double> draw_to_copy(const std::string& kind, std::int64_t count, Random& random) {
  std::vector<double> values = random.normals(count);
  if (kind != "extremes") return values;
  constexpr int kMin = -149, kMax = 126;  // exponents of the smallest and of nearly the largest float
  for (double& value : values) {
    value = as_float(std::ldexp(value, static_cast<int>(kMin + random.below(kMax - kMin))));
    if (random.below(16) == 0) value = std::copysign(0.0, value);
  }
  return values;
}

Tolerance exactly_the_same() { return {0, 0, "a copy rounds nothing"}; }

Problem make_copy(const Case& which, Random& random) {
  const std::int64_t n = size_of(which, "N");
  const std::vector<double> x = draw_to_copy(which.values, n, random);
  return {{input("x", DType::f32, {n}, x), output("out", DType::f32, {n}, x, exactly_the_same()), n}};
}

Formula copy_formula() {
  Formula f;
  f.axes = {{"element", {"N"}}};
  output(tensor(f, "x", {"element"}), "out");
  return f;
}

std::vector<Budget> copy_budgets(const Case& counted) {
  const double tensor = sector_bytes(size_of(counted, "N"));
  return {
      {"launches", 1},
      {"bytes.compulsory", with_room(2 * tensor)},
      {"bytes.requested", with_room(2 * tensor)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

std::vector<TimedCase> copy_timed() {
  return {{{"large", "x and out far larger than any cache", {{"N", kFullCopy}}}, 8 * kFullCopy}};
}

FullSizeCase copy_full_size() {
  const TimedCase timed = copy_timed().front();
  return {timed.which, timed.min_bytes, copy_arguments};
}

std::vector<Budget> copy_full_size_budgets() {
  const double tensor = sector_bytes(kFullCopy);
  return full_size_budgets(2 * tensor, 2 * tensor);
}

}  // namespace fusebox
