#include "grader/simulator/runtime/cuda/runtime.h"

#ifndef FUSEBOX_CUDA_MAJOR
#error "the build says which CUDA this library stands for"
#endif

const int fusebox::sim::runtime::kCudaMajor = FUSEBOX_CUDA_MAJOR;
