#include "grader/simulator/runtime/vendor_libraries.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace fusebox::sim {
namespace {

// Of two that begin alike, the longer first.
constexpr std::array<VendorLibrary, 11> kLibraries = {{
    {"cuBLASLt", "cublasLt", "libcublasLt.so.", 15},
    {"cuBLAS", "cublas", "libcublas.so.", 15},
    {"cuDNN", "cudnn", "libcudnn", 3000},
    {"cuFFT", "cufft", "libcufft", 16},
    {"cuRAND", "curand", "libcurand.so.", 204},
    {"cuSPARSE", "cusparse", "libcusparse.so.", 10},
    {"cuSOLVER", "cusolver", "libcusolver", 9},
    {"cuTENSOR", "cutensor", "libcutensor", 15},
    {"NCCL", "nccl", "libnccl.so.", 5},
    {"NPP", "npp", "libnpp", -9999},
    {"the CUDA driver", "cu", "libcuda.so.", 801, true},
}};

bool has(std::string_view name, std::string_view word) { return name.find(word) != name.npos; }

}  // namespace

const VendorLibrary* library_of_function(std::string_view function) {
  const auto found = std::find_if(kLibraries.begin(), kLibraries.end(), [&](const VendorLibrary& library) {
    if (!function.starts_with(library.symbols)) return false;
    const std::size_t length = std::strlen(library.symbols);
    // Of the driver's functions, and of no other's, the next letter is a capital: cuInit, cudaMalloc.
    return !library.is_driver ||
           (function.size() > length && function[length] >= 'A' && function[length] <= 'Z');
  });
  return found == kLibraries.end() ? nullptr : &*found;
}

const VendorLibrary* library_of_file(std::string_view shared_object) {
  const auto found = std::find_if(kLibraries.begin(), kLibraries.end(), [&](const VendorLibrary& library) {
    return shared_object.starts_with(library.file);
  });
  return found == kLibraries.end() ? nullptr : &*found;
}

LibraryCall kind_of_call(std::string_view function) {
  // Variants of a function: for indices of 64 bits, and of a newer interface.
  for (const std::string_view variant : {"_64", "_v2", "_v3"})
    if (function.ends_with(variant)) function.remove_suffix(variant.size());
  for (const std::string_view text : {"ErrorString", "StatusString", "StatusName", "ErrorName"})
    if (function.ends_with("Get" + std::string(text))) return LibraryCall::text;
  if (function.ends_with("GetVersion")) return LibraryCall::version;
  if (has(function, "Destroy") || function.ends_with("CommFinalize") || function.ends_with("CommAbort") ||
      function.ends_with("GroupStart") || function.ends_with("GroupEnd"))
    return LibraryCall::settle;
  // cublasLt.h's own functions for objects in memory of the program, as cublasLtMatmulPreferenceInit.
  if (function.ends_with("Init_internal")) return LibraryCall::settle;
  if (has(function, "Create") || has(function, "CommInit") || has(function, "ncclGetUniqueId") ||
      function.starts_with("cufftPlan"))
    return LibraryCall::make;
  // Others that set something set a tensor's or a vector's elements.
  for (const std::string_view what : {"Stream", "Mode", "Workspace", "WorkArea", "Descriptor", "DescriptorEx",
                                      "MathType", "GroupCount", "Attribute", "Seed", "Offset", "Ordering",
                                      "MatType", "MatIndexBase", "MatFillMode", "MatDiagType", "Allocation"})
    if (has(function, "Set") && function.ends_with(what)) return LibraryCall::settle;
  return LibraryCall::compute;
}

}  // namespace fusebox::sim
