#pragma once

#include <string>

namespace fusebox::view {

/// Normalising N rows of D elements, as a chain of kernels or as one.
struct CalculatorInput {
  double rows = 1024, columns = 8192;
  double element_bytes = 2;
  double kernels = 5;  ///< of the unfused path, each a launch
  double passes = 3;   ///< of those kernels, how many read and write a tensor of full size
  double sums = 1;  ///< and how many read one and write a number per row; the rest touch such numbers alone
  double bandwidth = 3.35e12;   ///< bytes a second
  double launch_cost = 2.5e-6;  ///< seconds
};

struct Path {
  double read_bytes = 0, write_bytes = 0;
  double launches = 0;
  double memory_seconds = 0, launch_seconds = 0;
  double bytes() const { return read_bytes + write_bytes; }
  double seconds() const { return memory_seconds + launch_seconds; }
};

struct CalculatorResult {
  Path unfused, fused;
  double speed_up = 0, byte_ratio = 0;
};

/// Limited by bandwidth: time = bytes / bandwidth + launches x cost of one. Unfused: each full pass reads and
/// writes N·D elements, each sum reads them; numbers per row are left out. Fused: x is read twice, the
/// weights once, the result is written once.
CalculatorResult calculate(const CalculatorInput& input);

}  // namespace fusebox::view
