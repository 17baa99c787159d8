#include "grader/gpu/executor/norm.h"

#include <dlfcn.h>

#include <initializer_list>
#include <type_traits>
#include <vector>

namespace fusebox::gpu {
namespace {

// The graph interface of cuDNN 9, as far as it is used here: everything is a descriptor with attributes.
using Descriptor = void*;
enum Kind {
  kEngineConfig = 3,
  kHeuristics = 4,
  kPlan = 5,
  kGraph = 15,
  kPack = 16,
  kTensor = 17,
  kNorm = 29
};
enum Type { kHandle = 0, kDataType = 1, kBoolean = 2, kInt64 = 3, kPointer = 6, kMode = 8, kDescriptor = 15 };
enum { kNormMode = 27, kNormPhase = 28 };  // types of the attributes below
enum Attribute {
  kHeuristicsMode = 200,
  kHeuristicsGraph = 201,
  kHeuristicsResults = 202,
  kPlanHandle = 400,
  kPlanConfig = 401,
  kPlanWorkspace = 402,
  kGraphHandle = 800,
  kGraphOperations = 801,
  kAlignment = 900,
  kElement = 901,
  kDimensions = 902,
  kStrides = 903,
  kName = 906,
  kByValue = 908,
  kPackNames = 1000,
  kPackPointers = 1001,
  kPackWorkspace = 1003,
  kForwardMode = 2000,
  kForwardPhase = 2001,
  kForwardX = 2002,
  kForwardMean = 2003,
  kForwardRstd = 2004,
  kForwardScale = 2005,
  kForwardBias = 2006,
  kForwardEps = 2007,
  kForwardY = 2013,
};
constexpr int kFloat = 0, kLayerNorm = 0, kRmsNorm = 4, kInference = 0, kTraining = 1;
constexpr int kModeFallback = 2, kModeA = 3;  // of the heuristics
constexpr int kMaxConfigs = 8;

struct Library {
  int (*create)(void**) = nullptr;
  int (*set_stream)(void*, cu::Stream) = nullptr;
  int (*describe)(int, Descriptor*) = nullptr;
  int (*destroy)(Descriptor) = nullptr;
  int (*finalize)(Descriptor) = nullptr;
  int (*set)(Descriptor, int, int, std::int64_t, const void*) = nullptr;
  int (*get)(Descriptor, int, int, std::int64_t, std::int64_t*, void*) = nullptr;
  int (*execute)(void*, Descriptor, Descriptor) = nullptr;
  void* handle = nullptr;
  bool works = false;
};

Library load() {
  Library found;
  void* library = dlopen("libcudnn.so.9", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return found;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    return function != nullptr;
  };
  found.works = find(found.create, "cudnnCreate") && find(found.set_stream, "cudnnSetStream") &&
                find(found.describe, "cudnnBackendCreateDescriptor") &&
                find(found.destroy, "cudnnBackendDestroyDescriptor") &&
                find(found.finalize, "cudnnBackendFinalize") && find(found.set, "cudnnBackendSetAttribute") &&
                find(found.get, "cudnnBackendGetAttribute") && find(found.execute, "cudnnBackendExecute") &&
                found.create(&found.handle) == 0;
  return found;
}

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

/// A descriptor that is being made; whatever fails on the way is remembered until finish().
class Made {
 public:
  explicit Made(Kind kind) { good_ = library().describe(kind, &descriptor_) == 0; }

  template <class T>
  Made& set(int attribute, int type, std::initializer_list<T> values) {
    return set(attribute, type, std::vector<T>(values));
  }
  template <class T>
  Made& set(int attribute, int type, const std::vector<T>& values) {
    good_ = good_ && library().set(descriptor_, attribute, type, static_cast<std::int64_t>(values.size()),
                                   values.data()) == 0;
    return *this;
  }
  /// Null: something was refused.
  Descriptor finish() {
    good_ = good_ && library().finalize(descriptor_) == 0;
    return good_ ? descriptor_ : nullptr;
  }

 private:
  Descriptor descriptor_ = nullptr;
  bool good_ = false;
};

/// A tensor of four dimensions, the last two of them 1; `name` is what the pack of pointers calls it.
Descriptor tensor(std::int64_t name, std::int64_t rows, std::int64_t columns, bool by_value = false) {
  Made made(kTensor);
  made.set<std::int64_t>(kName, kInt64, {name})
      .set<int>(kElement, kDataType, {kFloat})
      .set<std::int64_t>(kDimensions, kInt64, {rows, columns, 1, 1})
      .set<std::int64_t>(kStrides, kInt64, {columns, 1, columns, columns})
      .set<std::int64_t>(kAlignment, kInt64, {by_value ? 4 : 16});
  if (by_value) {
    const std::vector<char> yes{1};  // cuDNN's booleans are C's bool
    made.set(kByValue, kBoolean, yes);
  }
  return made.finish();
}

enum Name : std::int64_t { kX = 1, kScale, kBias, kOut, kMean, kRstd, kEps };

}  // namespace

/// Descriptors live as long as the process, which is short: nothing gives them back.
struct Norm::State {
  Shape shape;
  Descriptor plan = nullptr;
  cu::DevicePointer workspace = 0;
};

Norm::Norm(std::unique_ptr<State> state) : state_(std::move(state)) {}
Norm::~Norm() = default;

std::unique_ptr<Norm> Norm::make(const Shape& shape, cu::DevicePointer workspace,
                                 std::uint64_t workspace_bytes, cu::Stream stream) {
  const Library& dnn = library();
  if (!dnn.works || dnn.set_stream(dnn.handle, stream) != 0) return nullptr;
  const auto rows = static_cast<std::int64_t>(shape.rows), columns = static_cast<std::int64_t>(shape.columns);

  Made norm(kNorm);
  norm.set<int>(kForwardMode, kNormMode, {shape.rms ? kRmsNorm : kLayerNorm})
      .set<int>(kForwardPhase, kNormPhase, {shape.statistics ? kTraining : kInference})
      .set<Descriptor>(kForwardX, kDescriptor, {tensor(kX, rows, columns)})
      .set<Descriptor>(kForwardScale, kDescriptor, {tensor(kScale, 1, columns)})
      .set<Descriptor>(kForwardEps, kDescriptor, {tensor(kEps, 1, 1, true)})
      .set<Descriptor>(kForwardY, kDescriptor, {tensor(kOut, rows, columns)});
  if (!shape.rms) norm.set<Descriptor>(kForwardBias, kDescriptor, {tensor(kBias, 1, columns)});
  if (shape.statistics)
    norm.set<Descriptor>(kForwardMean, kDescriptor, {tensor(kMean, rows, 1)})
        .set<Descriptor>(kForwardRstd, kDescriptor, {tensor(kRstd, rows, 1)});
  const Descriptor operation = norm.finish();
  if (operation == nullptr) return nullptr;
  const Descriptor graph = Made(kGraph)
                               .set<void*>(kGraphHandle, kHandle, {dnn.handle})
                               .set<Descriptor>(kGraphOperations, kDescriptor, {operation})
                               .finish();
  if (graph == nullptr) return nullptr;

  // What the library itself would try first, and what it falls back on.
  for (const int mode : {kModeA, kModeFallback}) {
    const Descriptor heuristics = Made(kHeuristics)
                                      .set<Descriptor>(kHeuristicsGraph, kDescriptor, {graph})
                                      .set<int>(kHeuristicsMode, kMode, {mode})
                                      .finish();
    if (heuristics == nullptr) continue;
    std::vector<Descriptor> configs(kMaxConfigs);
    for (Descriptor& config : configs)
      if (dnn.describe(kEngineConfig, &config) != 0) return nullptr;
    std::int64_t count = 0;
    if (dnn.get(heuristics, kHeuristicsResults, kDescriptor, kMaxConfigs, &count, configs.data()) != 0)
      continue;
    for (std::int64_t c = 0; c < count && c < kMaxConfigs; ++c) {
      const Descriptor plan = Made(kPlan)
                                  .set<void*>(kPlanHandle, kHandle, {dnn.handle})
                                  .set<Descriptor>(kPlanConfig, kDescriptor, {configs[c]})
                                  .finish();
      if (plan == nullptr) continue;
      std::int64_t bytes = 0, one = 0;
      if (dnn.get(plan, kPlanWorkspace, kInt64, 1, &one, &bytes) != 0 ||
          static_cast<std::uint64_t>(bytes) > workspace_bytes)
        continue;
      auto state = std::make_unique<State>(State{shape, plan, workspace});
      return std::unique_ptr<Norm>(new Norm(std::move(state)));
    }
  }
  return nullptr;
}

bool Norm::enqueue(const Buffers& buffers) {
  const Library& dnn = library();
  const auto pointer = [](cu::DevicePointer at) { return reinterpret_cast<void*>(at); };
  const Shape& shape = state_->shape;
  std::vector<std::int64_t> names{kX, kScale, kOut, kEps};
  std::vector<void*> pointers{pointer(buffers.x), pointer(buffers.scale), pointer(buffers.out),
                              const_cast<float*>(&shape.eps)};
  const auto add = [&](Name name, cu::DevicePointer at) {
    names.push_back(name);
    pointers.push_back(pointer(at));
  };
  if (!shape.rms) add(kBias, buffers.bias);
  if (shape.statistics) add(kMean, buffers.mean), add(kRstd, buffers.rstd);
  const Descriptor pack = Made(kPack)
                              .set(kPackNames, kInt64, names)
                              .set(kPackPointers, kPointer, pointers)
                              .set<void*>(kPackWorkspace, kPointer, {pointer(state_->workspace)})
                              .finish();
  if (pack == nullptr) return false;
  const bool went = dnn.execute(dnn.handle, state_->plan, pack) == 0;
  dnn.destroy(pack);
  return went;
}

}  // namespace fusebox::gpu
