#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"

/// What the numbers of a wrong answer prove. Nothing in here runs a kernel or reads a file.
namespace fusebox::patterns {

/// A tensor that an answer may have been mixed up with: what the kernel was given, or another output's right
/// answer. Row-major.
struct NamedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};

/// A size or a scalar of the problem: {"N", 257}, {"eps", 1e-5}.
struct NamedNumber {
  std::string name;
  double value = 0;
};

/// What of a launch can show in a result.
struct LaunchedKernel {
  std::string kernel;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::optional<bool> has_loop;  ///< unknown when absent
};

/// One output that is wrong, with all that an explanation may be made of.
struct WrongOutput {
  Tensor tensor;                              ///< its name, shape, right answer and tolerance
  std::vector<std::string> axes;              ///< one word for each: {"row", "column"}; may be empty
  std::vector<double> got;                    ///< as many as expected
  std::vector<bool> written;                  ///< was the element stored to; empty: all were
  std::optional<std::vector<double>> before;  ///< what stood there before the call, where anything did
  std::vector<NamedTensor> others;            ///< the problem's other tensors
  std::vector<NamedNumber> numbers;           ///< the case's sizes and the call's scalars
  std::vector<LaunchedKernel> launches;
};

}  // namespace fusebox::patterns
