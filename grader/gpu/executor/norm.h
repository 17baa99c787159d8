#pragma once

#include <cstdint>
#include <memory>

#include "grader/gpu/executor/driver.h"

namespace fusebox::gpu {

/// cuDNN's LayerNorm or RMSNorm forward in fp32, of rows that lie one behind the other. The library is loaded
/// when it is first asked for.
class Norm {
 public:
  struct Shape {
    std::uint64_t rows = 0, columns = 0;
    bool rms = false;         ///< RMSNorm: no mean, no bias
    bool statistics = false;  ///< LayerNorm: also write mean and 1 / deviation of each row
    float eps = 0;
  };
  /// Addresses of one run; those that the shape does not have are not looked at.
  struct Buffers {
    cu::DevicePointer x = 0, scale = 0, bias = 0, out = 0, mean = 0, rstd = 0;
  };

  /// Null: the library is not there, or has no kernel for this.
  static std::unique_ptr<Norm> make(const Shape& shape, cu::DevicePointer workspace,
                                    std::uint64_t workspace_bytes, cu::Stream stream);
  ~Norm();

  /// False: the library refused.
  bool enqueue(const Buffers& buffers);

 private:
  struct State;
  explicit Norm(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace fusebox::gpu
