#pragma once

#include <string>

#include "viewer/model/book/book.h"

namespace fusebox::view {

/// An operation on N rows of D elements, as a chain of kernels or as one.
struct CalculatorInput {
  double rows = 1024, columns = 8192;
  double element_bytes = 2;
  double kernels = 5;  ///< of the unfused path, each a launch
  double passes = 3;   ///< of those kernels, how many read and write a tensor of full size
  double sums = 1;  ///< and how many read one and write a number per row; the rest touch such numbers alone
  double fused_reads = 1, fused_writes = 1;  ///< tensors of full size that the fused kernel must move
  double bandwidth = 3.35e12;                ///< bytes a second
  double launch_cost = 2.5e-6;               ///< seconds
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

/// Limited by bandwidth: time = bytes / bandwidth + launches x cost of one. On both sides a kernel's bytes
/// are those that no cache can save it: each tensor of N·D elements once, however often the kernel reads it,
/// and nothing for vectors and for numbers per row.
CalculatorResult calculate(const CalculatorInput& input);

/// The shape, the passes and the GPU of what is open, from its own runs and otherwise the reference's; what
/// they do not say stays as it is in the example. The bytes come out as what was counted, but for vectors.
CalculatorInput calculator_input(const Book& book);

}  // namespace fusebox::view
