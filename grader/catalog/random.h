#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace fusebox {

/// Repeatable random values: the same seed gives the same stream on every machine (the distributions are our
/// own, because the standard library's are not specified bit for bit).
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// Whether they will draw the same.
  bool operator==(const Random&) const = default;

  double uniform(double low, double high);               ///< in [low, high)
  double normal(double mean = 0, double deviation = 1);  ///< Box-Muller
  std::int64_t below(std::int64_t bound);                ///< in [0, bound)
  /// `count` normal values, each rounded to float.
  std::vector<double> normals(std::int64_t count, double mean = 0, double deviation = 1);
  /// `count` values of magnitude in [low, high) and random sign, rounded to float: parameters that are never
  /// 0 or 1.
  std::vector<double> signed_uniforms(std::int64_t count, double low, double high);

 private:
  std::mt19937_64 engine_;
};

/// Nearest bfloat16, ties to even.
double round_to_bf16(double value);

}  // namespace fusebox
