#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/simulator/runtime/cuda/runtime.h"
#include "grader/simulator/runtime/matrix_product.h"

// cuBLAS's and cuBLASLt's matrix products. The stand-in of the library jumps to these functions, whose names
// are the library's behind "fusebox_".
namespace fusebox::sim::runtime::cublas {

/// cublasStatus_t.
inline constexpr int kSuccess = 0, kNotInitialized = 1, kInvalidValue = 7, kExecutionFailed = 13,
                     kNotSupported = 15;

/// Whether sums of a cublasComputeType_t are of fp32, which is what is computed here.
bool sums_in_f32(int compute_type);

/// The numbers at a pointer of the host or, where the mode says so, of the device; nullopt: there are none.
std::optional<float> scalar(Runtime& state, const void* at, bool on_device);

/// Several products alike.
struct Batch {
  MatrixProduct first;
  std::int64_t count = 1;
  std::int64_t a_stride = 0, b_stride = 0, c_stride = 0, d_stride = 0;  ///< elements
  std::int64_t bias_stride = 0, before_stride = 0;
};

std::vector<MatrixProduct> products_of(const Batch& batch);

/// Carries a call out: every byte of its matrices is of live device memory. What prevents it is told and is
/// its status.
int multiply(Runtime& state, const char* function, void* stream, std::span<const MatrixProduct> products);
/// What cannot be had, in words; the status for it.
int refuse(Runtime& state, const char* function, const std::string& why, int status = kNotSupported);

/// Runs an entry point under the lock, unless a launch before it has failed.
template <class Body>
int entry(Body body) {
  Runtime* state = runtime();
  if (!state) return kNotInitialized;
  const std::lock_guard lock(state->mutex);
  const HostGuard::Lifted lifted;
  state->surface();
  return state->sticky != cuda::kSuccess ? kExecutionFailed : body(*state);
}

}  // namespace fusebox::sim::runtime::cublas
