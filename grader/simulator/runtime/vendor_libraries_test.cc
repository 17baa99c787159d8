#include "grader/simulator/runtime/vendor_libraries.h"

#include <gtest/gtest.h>

#include <string>

namespace fusebox::sim {
namespace {

TEST(VendorLibraries, TheLongerNameIsTheLibrarys) {
  const auto name_of = [](const char* function) {
    const VendorLibrary* library = library_of_function(function);
    return std::string(library == nullptr ? "none" : library->name);
  };
  EXPECT_EQ(name_of("cublasLtMatmul"), "cuBLASLt");
  EXPECT_EQ(name_of("cublasSgemm_v2"), "cuBLAS");
  EXPECT_EQ(name_of("ncclAllReduce"), "NCCL");
  EXPECT_EQ(name_of("cudaMalloc"), "none");
  EXPECT_EQ(name_of("cuLaunchKernel"), "the CUDA driver");
  EXPECT_EQ(library_of_file("libcublasLt.so.13"), library_of_function("cublasLtMatmul"));
  EXPECT_EQ(library_of_file("libcudnn_ops.so.9"), library_of_function("cudnnCreate"));
  EXPECT_EQ(library_of_file("libcuda.so.1"), library_of_function("cuInit"));
  EXPECT_EQ(library_of_file("libcudart.so.13"), nullptr);
}

// From their headers, some of each kind, and those whose names mislead.
TEST(VendorLibraries, WhatAFunctionIsForIsInItsName) {
  struct Function {
    const char* name;
    LibraryCall kind;
  };
  constexpr Function kFunctions[] = {
      {"cublasCreate_v2", LibraryCall::make},
      {"cudnnCreateTensorDescriptor", LibraryCall::make},
      {"cufftPlanMany", LibraryCall::make},
      {"cusparseCreateDnMat", LibraryCall::make},
      {"ncclCommInitRank", LibraryCall::make},
      {"curandDestroyGenerator", LibraryCall::settle},
      {"cublasSetWorkspace_v2", LibraryCall::settle},
      {"cublasSetStream_v2_64", LibraryCall::settle},
      {"cudnnSetTensor4dDescriptor", LibraryCall::settle},
      {"cusparseSetMatIndexBase", LibraryCall::settle},
      {"ncclGroupEnd", LibraryCall::settle},
      {"cudnnSetTensor", LibraryCall::compute},
      {"cublasSetMatrix", LibraryCall::compute},
      {"cublasSetVectorAsync", LibraryCall::compute},
      {"cufftExecC2C", LibraryCall::compute},
      {"cufftMakePlan1d", LibraryCall::compute},
      {"curandGenerateUniform", LibraryCall::compute},
      {"cusparseSpMM_bufferSize", LibraryCall::compute},
      {"cudnnGetVersion", LibraryCall::version},
      {"cublasGetVersion_v2", LibraryCall::version},
      {"cublasGetStatusString", LibraryCall::text},
      {"ncclGetErrorString", LibraryCall::text},
  };
  for (const Function& function : kFunctions)
    EXPECT_EQ(kind_of_call(function.name), function.kind) << function.name;
}

}  // namespace
}  // namespace fusebox::sim
