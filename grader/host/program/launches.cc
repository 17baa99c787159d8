#include "grader/device/cuda_launch.h"
#include "grader/host/program/answer.h"
#include "grader/host/program/runtime.h"
#include "grader/report/text/demangle.h"

// Registration of the library's device code, and launches.
namespace fusebox::recording {
namespace {

using cuda::Error;
using cuda::Extent;

std::string in_words(const Dim3& d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

Error refused(Runtime& state, const Kernel& kernel, const LaunchShape& shape, const LaunchRefusal& refusal) {
  if (!state.bad_launch.empty()) return refusal.error;
  state.bad_launch = "The launch of " + kernel_name(kernel.name) + " with grid " + in_words(shape.grid) +
                     " and block " + in_words(shape.block) + " is refused: " + refusal.reason + ".";
  constexpr std::uint64_t kMostThreads = 1024, kWarp = 32;
  const bool no_blocks = shape.grid.count() == 0;
  // So many blocks as a block has threads.
  const bool are_exchanged = shape.block.count() > kMostThreads && shape.grid.count() <= kMostThreads &&
                             shape.grid.count() % kWarp == 0;
  state.bad_launch_hint =
      no_blocks
          ? "Round up where a number of blocks is a quotient, as (n + 255) / 256 does; where there is nothing to do, launch nothing."
      : are_exchanged
          ? "In <<<grid, block>>> the grid comes first: look whether the two are exchanged."
          : "Compute grid and block from the sizes, and look at cudaGetLastError() after the launch.";
  return refusal.error;
}

Error launch(Runtime& state, const void* function, const LaunchShape& shape, void** arguments, void* stream) {
  const Kernel* kernel = state.find_kernel(function);
  if (!kernel) return cuda::kInvalidDeviceFunction;
  if (!kernel->parameters)
    refuse(
        FailureKind::load,
        "The device code has no kernel " + kernel_name(kernel->name) + ", which your host function launches.",
        "Compile the file again; if it stays, this is a bug of ours.");
  if (const Error error = check_stream(state, stream); error != cuda::kSuccess) return error;
  const KernelParameters& parameters = *kernel->parameters;
  if (const auto refusal = check_launch(state.request.gpu, parameters, shape))
    return refused(state, *kernel, shape, *refusal);

  LaunchOp op;
  op.kernel = kernel->name;
  op.grid = shape.grid;
  op.block = shape.block;
  op.dynamic_shared_bytes = static_cast<std::uint32_t>(shape.dynamic_shared_bytes);
  op.cooperative = shape.cooperative;
  op.cluster = shape.cluster;
  if (!parameters.slots.empty() && !arguments) return cuda::kInvalidValue;
  op.arguments = cuda::pack_arguments(parameters, arguments);
  state.record(std::move(op), stream);
  return cuda::kSuccess;
}

Error launch(const void* function, const cuda::CallConfiguration& call, void** arguments,
             bool cooperative = false, const Dim3& cluster = {}) {
  return entry([&](Runtime& state) {
    const Kernel* kernel = state.find_kernel(function);
    const std::uint64_t allowed = kernel ? kernel->dynamic_shared_allowed : 0;
    return launch(
        state, function,
        {cuda::dim3_of(call.grid), cuda::dim3_of(call.block), call.shared, allowed, cooperative, cluster},
        arguments, call.stream);
  });
}

}  // namespace
}  // namespace fusebox::recording

using namespace fusebox;
using namespace fusebox::recording;

FUSEBOX_CUDA_API void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
FUSEBOX_CUDA_API void __cudaRegisterFatBinaryEnd(void**) {}
FUSEBOX_CUDA_API void __cudaUnregisterFatBinary(void**) {}
FUSEBOX_CUDA_API char __cudaInitModule(void**) { return 1; }

FUSEBOX_CUDA_API void __cudaRegisterFunction(void**, const char* stub, char*, const char* name, int, void*,
                                             void*, void*, void*, int*) {
  entry([&](Runtime& state) {
    Kernel kernel{name, nullptr, 0};
    for (const KernelParameters& parameters : state.request.kernels)
      if (parameters.kernel == name) kernel.parameters = &parameters;
    state.kernels[stub] = std::move(kernel);
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API void __cudaRegisterVar(void**, char* shadow, char*, const char* name, int, std::size_t bytes,
                                        int, int) {
  entry([&](Runtime& state) {
    state.symbols[shadow] = {name, bytes};
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API void __cudaRegisterManagedVar(void**, void**, char*, const char* name, int, std::size_t, int,
                                               int) {
  refuse(
      FailureKind::unsupported, std::string("The file declares the __managed__ variable ") + name + ".",
      "Managed memory is shared with the host, and nothing has run while the host function is recorded: use __device__.");
}

FUSEBOX_CUDA_API unsigned __cudaPushCallConfiguration(cuda::Extent grid, cuda::Extent block,
                                                      std::size_t shared, void* stream) {
  cuda::push_call({grid, block, shared, stream});
  return 0;
}

FUSEBOX_CUDA_API cuda::Error __cudaPopCallConfiguration(cuda::Extent* grid, cuda::Extent* block,
                                                        std::size_t* shared, void* stream) {
  return entry([&](Runtime&) {
    const auto top = cuda::pop_call();
    if (!top) return cuda::kMissingConfiguration;
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    *static_cast<void**>(stream) = top->stream;
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaLaunchKernel(const void* function, cuda::Extent grid, cuda::Extent block,
                                              void** arguments, std::size_t shared, void* stream) {
  return launch(function, {grid, block, shared, stream}, arguments);
}

FUSEBOX_CUDA_API cuda::Error cudaLaunchCooperativeKernel(const void* function, cuda::Extent grid,
                                                         cuda::Extent block, void** arguments,
                                                         std::size_t shared, void* stream) {
  return launch(function, {grid, block, shared, stream}, arguments, true);
}

// CUDA 13 looks a kernel up once and launches by its handle.
FUSEBOX_CUDA_API cuda::Error __cudaGetKernel(void** handle, const void* function) {
  return entry([&](Runtime& state) {
    *handle = state.find_kernel(function);
    return *handle ? cuda::kSuccess : cuda::kInvalidDeviceFunction;
  });
}
FUSEBOX_CUDA_API cuda::Error __cudaLaunchKernel(void* handle, cuda::Extent grid, cuda::Extent block,
                                                void** arguments, std::size_t shared, void* stream) {
  return launch(handle, {grid, block, shared, stream}, arguments);
}
FUSEBOX_CUDA_API cuda::Error __cudaLaunchKernel_ptsz(void* handle, cuda::Extent grid, cuda::Extent block,
                                                     void** arguments, std::size_t shared, void* stream) {
  return launch(handle, {grid, block, shared, stream}, arguments);
}

FUSEBOX_CUDA_API cuda::Error cudaLaunchKernelExC(const cuda::LaunchConfig* config, const void* function,
                                                 void** arguments) {
  if (!config || (config->attribute_count > 0 && !config->attributes))
    return entry([](Runtime&) { return cuda::kInvalidValue; });
  const cuda::LaunchOptions options = cuda::read_attributes(*config);
  if (!options.refused.empty())
    refuse_call("cudaLaunchKernelEx", options.refused + " cannot be recorded",
                "Launch with <<<grid, block, shared_bytes>>>.");
  return launch(function, {config->grid, config->block, config->dynamic_shared_bytes, config->stream},
                arguments, options.cooperative, options.cluster);
}
