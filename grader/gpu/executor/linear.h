#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "grader/gpu/executor/driver.h"

namespace fusebox::gpu {

/// cuBLASLt's product with a bias epilogue, out = x weight^T + bias, in fp32 or with TF32 multiplications.
/// The library is loaded when it is first asked for.
class Linear {
 public:
  struct Shape {
    std::uint64_t rows = 0, inner = 0, columns = 0;  ///< x [rows,inner], weight [columns,inner]
    bool tf32 = false;
  };

  /// Null: the library is not there, or has no kernel for this.
  static std::unique_ptr<Linear> make(const Shape& shape, cu::DevicePointer workspace,
                                      std::uint64_t workspace_bytes);
  ~Linear();

  /// False: the library refused.
  bool enqueue(cu::DevicePointer x, cu::DevicePointer weight, cu::DevicePointer bias, cu::DevicePointer out,
               cu::Stream stream);

 private:
  struct State;
  explicit Linear(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace fusebox::gpu
