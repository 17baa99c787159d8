#include "grader/gpu/executor/linear.h"

#include <dlfcn.h>

#include <string>
#include <type_traits>

namespace fusebox::gpu {
namespace {

// cuBLASLt's binary interface, as far as it is used here; versions 12 and 13 agree on it.
constexpr int kFloat = 0, kCompute32 = 68, kComputeTf32 = 77;
constexpr int kTransposeA = 3, kEpilogue = 7, kBiasPointer = 8;
constexpr std::uint32_t kEpilogueBias = 4;
constexpr int kMaxWorkspace = 1;

struct Heuristic {
  std::uint64_t algorithm[8];
  std::size_t workspace_bytes;
  int status;
  float waves;
  int reserved[4];
};
static_assert(sizeof(Heuristic) == 96);

struct Library {
  int (*create)(void**) = nullptr;
  int (*operation)(void**, int, int) = nullptr;
  int (*set)(void*, int, const void*, std::size_t) = nullptr;
  int (*layout)(void**, int, std::uint64_t, std::uint64_t, std::int64_t) = nullptr;
  int (*preference)(void**) = nullptr;
  int (*set_preference)(void*, int, const void*, std::size_t) = nullptr;
  int (*choose)(void*, void*, void*, void*, void*, void*, void*, int, Heuristic*, int*) = nullptr;
  int (*multiply)(void*, void*, const void*, const void*, void*, const void*, void*, const void*, const void*,
                  void*, void*, void*, const void*, void*, std::size_t, cu::Stream) = nullptr;
  void* handle = nullptr;
  bool works = false;
};

Library load() {
  Library found;
  void* library = nullptr;
  for (const char* folder : {"", "/usr/local/cuda/lib64/"})
    for (const char* version : {"13", "12"})
      if (library == nullptr)
        library = dlopen((std::string(folder) + "libcublasLt.so." + version).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return found;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    return function != nullptr;
  };
  found.works = find(found.create, "cublasLtCreate") && find(found.operation, "cublasLtMatmulDescCreate") &&
                find(found.set, "cublasLtMatmulDescSetAttribute") &&
                find(found.layout, "cublasLtMatrixLayoutCreate") &&
                find(found.preference, "cublasLtMatmulPreferenceCreate") &&
                find(found.set_preference, "cublasLtMatmulPreferenceSetAttribute") &&
                find(found.choose, "cublasLtMatmulAlgoGetHeuristic") &&
                find(found.multiply, "cublasLtMatmul") && found.create(&found.handle) == 0;
  return found;
}

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

}  // namespace

/// Descriptors live as long as the process, which is short: nothing gives them back.
struct Linear::State {
  void *operation = nullptr, *a = nullptr, *b = nullptr, *d = nullptr;
  Heuristic chosen{};
  cu::DevicePointer workspace = 0;
  std::uint64_t workspace_bytes = 0;
};

Linear::Linear(std::unique_ptr<State> state) : state_(std::move(state)) {}
Linear::~Linear() = default;

std::unique_ptr<Linear> Linear::make(const Shape& shape, cu::DevicePointer workspace,
                                     std::uint64_t workspace_bytes) {
  const Library& lt = library();
  if (!lt.works) return nullptr;
  auto state = std::make_unique<State>();
  state->workspace = workspace;
  state->workspace_bytes = workspace_bytes;
  // The library thinks in columns: out^T [columns,rows] = weight^T x^T, with the weight as it lies
  // transposed.
  const int transposed = 1;
  const std::uint32_t epilogue = kEpilogueBias;
  const auto ld = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  void* preference = nullptr;
  int count = 0;
  const bool ready =
      lt.operation(&state->operation, shape.tf32 ? kComputeTf32 : kCompute32, kFloat) == 0 &&
      lt.set(state->operation, kTransposeA, &transposed, sizeof transposed) == 0 &&
      lt.set(state->operation, kEpilogue, &epilogue, sizeof epilogue) == 0 &&
      lt.layout(&state->a, kFloat, shape.inner, shape.columns, ld(shape.inner)) == 0 &&
      lt.layout(&state->b, kFloat, shape.inner, shape.rows, ld(shape.inner)) == 0 &&
      lt.layout(&state->d, kFloat, shape.columns, shape.rows, ld(shape.columns)) == 0 &&
      lt.preference(&preference) == 0 &&
      lt.set_preference(preference, kMaxWorkspace, &workspace_bytes, sizeof workspace_bytes) == 0 &&
      lt.choose(lt.handle, state->operation, state->a, state->b, state->d, state->d, preference, 1,
                &state->chosen, &count) == 0;
  if (!ready || count == 0) return nullptr;
  return std::unique_ptr<Linear>(new Linear(std::move(state)));
}

bool Linear::enqueue(cu::DevicePointer x, cu::DevicePointer weight, cu::DevicePointer bias,
                     cu::DevicePointer out, cu::Stream stream) {
  const Library& lt = library();
  const auto pointer = [](cu::DevicePointer at) { return reinterpret_cast<void*>(at); };
  const void* bias_pointer = pointer(bias);
  const float one = 1, zero = 0;
  return lt.set(state_->operation, kBiasPointer, &bias_pointer, sizeof bias_pointer) == 0 &&
         lt.multiply(lt.handle, state_->operation, &one, pointer(weight), state_->a, pointer(x), state_->b,
                     &zero, pointer(out), state_->d, pointer(out), state_->d, state_->chosen.algorithm,
                     pointer(state_->workspace), state_->workspace_bytes, stream) == 0;
}

}  // namespace fusebox::gpu
