#pragma once

#include "grader/device/cuda_abi.h"

namespace fusebox::cuda {

/// What cudaGetErrorName and cudaGetErrorString answer.
const char* error_name(Error error);
const char* error_text(Error error);

}  // namespace fusebox::cuda
