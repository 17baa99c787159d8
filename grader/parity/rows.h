#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/device/device.h"

namespace fusebox {

/// One kernel at one block size: a row of the table that compares the simulator with a GPU.
struct ParityRow {
  std::string kernel;  ///< in assets/parity/kernels.cu
  Dim3 grid, block;
  std::int32_t n = 0, m = 1;
  std::uint64_t a_bytes = 0, b_bytes = 0, index_bytes = 0, out_bytes = 0;
  bool exact = true;  ///< its results are defined to the last bit

  /// "copy 256": kernel and threads per block; unique.
  std::string name() const;
};

/// The microkernels' rows. Sizes are such that most run for more than 10 µs on a large GPU.
std::vector<ParityRow> parity_rows();

/// The row as a plan for a device with these addresses. Inputs are the same on every device.
struct ParityPlan {
  LaunchPlan plan;
  std::vector<Buffer> buffers;  ///< a, b, index, out
};
ParityPlan make_parity_plan(const ParityRow& row, const AddressRange& range);

}  // namespace fusebox
