#include <cstdint>
#include <cstring>
#include <string>

#include "grader/simulator/runtime/cuda/runtime.h"
#include "grader/simulator/runtime/vendor_libraries.h"

// What the stand-ins of NVIDIA's libraries call, for all that nothing here computes.
namespace fusebox::sim::runtime {
namespace {

/// A newer library would be believed to have functions that a program then looks for.
constexpr int kVersion = 12000;

/// Whatever a program does with a handle, it never looks into it.
void make_handle(const VendorLibrary& library, const std::string& function, void** arguments) {
  static std::intptr_t handles = 0;
  ++handles;
  if (std::string(library.symbols) == "cufft") {  // the only ones that are numbers
    const int handle = static_cast<int>(handles);
    std::memcpy(arguments[0], &handle, sizeof handle);
  } else if (function == "ncclGetUniqueId") {
    constexpr std::size_t kIdBytes = 128;
    std::memset(arguments[0], 0, kIdBytes);
  } else {
    // ncclCommInitAll has one for each of so many devices.
    const auto count = function == "ncclCommInitAll" ? reinterpret_cast<std::intptr_t>(arguments[1]) : 1;
    for (std::intptr_t i = 0; i < count; ++i) static_cast<void**>(arguments[0])[i] = new char;
  }
}

std::intptr_t call(const VendorLibrary& library, const std::string& function, void** arguments) {
  if (library.is_driver) {
    runtime()->note_problem(
        function +
        ": of the driver's own calls the simulator has those for tensor maps alone; call the runtime in its place");
    return library.refused;
  }
  switch (kind_of_call(function)) {
    case LibraryCall::text:
      return reinterpret_cast<std::intptr_t>(
          arguments[0] == nullptr ? "success" : "refused by the simulator, which has said why");
    case LibraryCall::version: {
      const std::string owner = library.symbols;
      if (owner == "cublasLt" || owner == "cudnn" || owner == "cutensor") return kVersion;
      const bool of_handle = owner == "cublas" || owner == "cusparse";
      std::memcpy(arguments[of_handle ? 1 : 0], &kVersion, sizeof kVersion);
      return 0;
    }
    case LibraryCall::make:
      if (arguments[0] == nullptr) return library.refused;
      make_handle(library, function, arguments);
      return 0;
    case LibraryCall::settle:
      return 0;
    case LibraryCall::compute:
      break;
  }
  runtime()->note_problem(
      function + ": " + library.name +
      " computes on a GPU only; run this program on one, or do that part with kernels of your own");
  return library.refused;
}

}  // namespace
}  // namespace fusebox::sim::runtime

/// `arguments`: the first six, as they lie in registers.
FUSEBOX_CUDA_API std::intptr_t fusebox_library_call(const char* function, void** arguments) {
  using namespace fusebox::sim;
  const VendorLibrary* library = library_of_function(function);
  runtime::Runtime* state = runtime::runtime();
  constexpr VendorLibrary kOther = {"its library", "", "", 1};
  if (!state) return 1;
  const std::lock_guard lock(state->mutex);
  return runtime::call(library != nullptr ? *library : kOther, function, arguments);
}
