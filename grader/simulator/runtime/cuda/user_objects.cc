#include <utility>

#include "grader/simulator/runtime/cuda/runtime.h"

// User objects: what lives as long as the program or a graph holds a reference to it.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;

Error change(const void* handle, unsigned count, bool more) {
  return entry([&](Runtime& state) {
    const auto found = state.user_objects.find(handle);
    if (found == state.user_objects.end() || count == 0 || (!more && count > found->second.references))
      return cuda::kInvalidValue;
    found->second.references += more ? count : -count;
    if (found->second.references == 0) state.user_objects.erase(found);
    return cuda::kSuccess;
  });
}

Error with_graph(void* graph, const void* object, const std::function<Error(Runtime&, Graph&)>& body) {
  return entry([&](Runtime& state) {
    return object && state.graphs.contains(graph) ? body(state, *static_cast<Graph*>(graph))
                                                  : cuda::kInvalidValue;
  });
}

}  // namespace
}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim::runtime;

FUSEBOX_CUDA_API cuda::Error cudaUserObjectCreate(void** handle, void* pointer, void (*destroy)(void*),
                                                  unsigned references, unsigned flags) {
  return entry([&](Runtime& state) {
    constexpr unsigned kNoDestructorSync = 1;
    if (!handle || !destroy || references == 0 || flags != kNoDestructorSync) return cuda::kInvalidValue;
    // The object's own address may be that of another one by now; the handle's is taken.
    auto life = std::shared_ptr<void>(pointer, [destroy](void* object) { destroy(object); });
    auto key = std::make_unique<char>();
    *handle = key.get();
    state.user_objects.emplace(*handle, UserObject{std::move(key), std::move(life), references});
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaUserObjectRetain(void* object, unsigned count) {
  return change(object, count, true);
}
FUSEBOX_CUDA_API cuda::Error cudaUserObjectRelease(void* object, unsigned count) {
  return change(object, count, false);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphRetainUserObject(void* graph, void* object, unsigned count,
                                                       unsigned flags) {
  return with_graph(graph, object, [&](Runtime& state, Graph& mine) {
    constexpr unsigned kMove = 1;
    const auto found = state.user_objects.find(object);
    const bool moves = (flags & kMove) != 0;
    if (found == state.user_objects.end() || count == 0 || (moves && count > found->second.references))
      return cuda::kInvalidValue;
    Graph::Kept& kept = mine.objects[object];
    kept.life = found->second.life;
    kept.references += count;
    if (moves && (found->second.references -= count) == 0) state.user_objects.erase(found);
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphReleaseUserObject(void* graph, void* object, unsigned count) {
  return with_graph(graph, object, [&](Runtime&, Graph& mine) {
    const auto found = mine.objects.find(object);
    if (found == mine.objects.end() || count == 0 || count > found->second.references)
      return cuda::kInvalidValue;
    if ((found->second.references -= count) == 0) mine.objects.erase(found);
    return cuda::kSuccess;
  });
}
