#include <algorithm>

#include "grader/simulator/runtime/cuda/runtime.h"

// Streams that are being captured: what they are given becomes a graph.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;

Capture* capture_of(Runtime& state, const void* stream) {
  const auto found = state.captures.find(stream);
  return found == state.captures.end() ? nullptr : &found->second;
}

bool is_legacy(const void* stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 1; }

/// Does `last` come after all that the graph holds?
bool ends_in(const Graph& graph, const std::vector<GraphNode*>& last) {
  std::vector<const GraphNode*> open(last.begin(), last.end()), seen;
  while (!open.empty()) {
    const GraphNode* node = open.back();
    open.pop_back();
    if (std::find(seen.begin(), seen.end(), node) != seen.end()) continue;
    seen.push_back(node);
    open.insert(open.end(), node->before.begin(), node->before.end());
  }
  return seen.size() == graph.nodes.size();
}

Error begin(void* stream, Graph* into, std::vector<GraphNode*> after, int mode) {
  return entry([&](Runtime& state) {
    if (mode < 0 || mode > 2) return cuda::kInvalidValue;
    if (is_legacy(stream)) return cuda::kStreamCaptureUnsupported;
    if (!state.is_stream(stream)) return cuda::kInvalidResourceHandle;
    if (capture_of(state, stream)) return cuda::kIllegalState;
    static unsigned long long next_id = 1;
    Capture capture;
    // A graph that the caller owns stays the caller's.
    capture.graph = into ? std::shared_ptr<Graph>(into, [](Graph*) {}) : std::make_shared<Graph>();
    capture.origin = stream;
    capture.last = std::move(after);
    capture.invalid = std::make_shared<bool>(false);
    capture.id = next_id++;
    state.captures[stream] = std::move(capture);
    return cuda::kSuccess;
  });
}

Error end(void* stream, void** graph) {
  return entry([&](Runtime& state) {
    if (!graph) return cuda::kInvalidValue;
    Capture* capture = capture_of(state, stream);
    if (!capture) return cuda::kIllegalState;
    if (capture->origin != stream) return cuda::kStreamCaptureUnmatched;
    *graph = nullptr;
    const Capture mine = *capture;
    std::erase_if(state.captures, [&](const auto& other) { return other.second.graph == mine.graph; });
    if (*mine.invalid) return cuda::kStreamCaptureInvalidated;
    if (!ends_in(*mine.graph, mine.last)) return cuda::kStreamCaptureUnjoined;
    for (const auto& [handle, known] : state.graphs)
      if (known == mine.graph || handle == mine.graph.get()) {
        *graph = mine.graph.get();
        return cuda::kSuccess;
      }
    *graph = mine.graph.get();
    state.graphs[*graph] = mine.graph;
    return cuda::kSuccess;
  });
}

/// cudaStreamGetCaptureInfo: all but the first two of the places may be null.
Error info(void* stream, int* status, unsigned long long* id, void** graph, GraphNode*** last,
           std::size_t* count) {
  return entry([&](Runtime& state) {
    if (!status) return cuda::kInvalidValue;
    if (!state.is_stream(stream)) return cuda::kInvalidResourceHandle;
    Capture* capture = capture_of(state, stream);
    *status = capture == nullptr ? 0 : *capture->invalid ? 2 : 1;
    if (id) *id = capture ? capture->id : 0;
    if (graph) *graph = capture ? capture->graph.get() : nullptr;
    if (last) *last = capture ? capture->last.data() : nullptr;
    if (count) *count = capture ? capture->last.size() : 0;
    return cuda::kSuccess;
  });
}

}  // namespace

Captured captured(Runtime& state, const void* stream, GraphNode::Kind kind) {
  if (!state.is_stream(stream)) return {nullptr, cuda::kInvalidResourceHandle};
  if (state.captures.empty()) return {};
  Capture* capture = capture_of(state, stream);
  if (!capture) {
    // The legacy stream waits for all others that do not say that they will not wait for it.
    constexpr unsigned kNonBlocking = 1;
    if (!is_legacy(stream)) return {};
    for (auto& [handle, other] : state.captures) {
      const auto known = state.streams.find(handle);
      if (known == state.streams.end() || (known->second->flags & kNonBlocking)) continue;
      *other.invalid = true;
      return {nullptr, cuda::kStreamCaptureImplicit};
    }
    return {};
  }
  if (*capture->invalid) return {nullptr, cuda::kStreamCaptureInvalidated};
  GraphNode& node = capture->graph->add(kind, capture->last);
  capture->last = {&node};
  return {&node};
}

Error in_stream(void* stream, GraphNode::Kind kind, std::function<Error(Runtime&)> work) {
  return entry([&](Runtime& state) {
    const Captured where = captured(state, stream, kind);
    if (!where.node) return where.error != cuda::kSuccess ? where.error : work(state);
    where.node->work = std::move(work);
    return cuda::kSuccess;
  });
}

/// What waits for the device cannot be written down.
Error refuse_to_wait(Runtime& state, const void* stream) {
  Capture* capture = capture_of(state, stream);
  if (!capture) return cuda::kSuccess;
  *capture->invalid = true;
  return cuda::kStreamCaptureUnsupported;
}

bool capture_record(Runtime& state, const void* stream, Event& event) {
  Capture* capture = capture_of(state, stream);
  event.capture = capture ? std::optional(*capture) : std::nullopt;
  return capture != nullptr;
}

Error capture_wait(Runtime& state, const void* stream, const Event& event) {
  if (!event.capture || *event.capture->invalid) return cuda::kSuccess;
  const Capture& theirs = *event.capture;
  const bool ended = std::none_of(state.captures.begin(), state.captures.end(),
                                  [&](const auto& other) { return other.second.graph == theirs.graph; });
  if (ended) return cuda::kSuccess;
  if (is_legacy(stream)) return cuda::kStreamCaptureImplicit;
  Capture* mine = capture_of(state, stream);
  if (!mine) {
    state.captures[stream] = theirs;
    return cuda::kSuccess;
  }
  if (mine->graph != theirs.graph) return cuda::kStreamCaptureMerge;
  for (GraphNode* node : theirs.last)
    if (std::find(mine->last.begin(), mine->last.end(), node) == mine->last.end()) mine->last.push_back(node);
  return cuda::kSuccess;
}

}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim::runtime;

FUSEBOX_CUDA_API cuda::Error cudaStreamBeginCapture(void* stream, int mode) {
  return begin(stream, nullptr, {}, mode);
}
FUSEBOX_CUDA_API cuda::Error cudaStreamBeginCaptureToGraph(void* stream, void* graph, GraphNode* const* after,
                                                           const void*, std::size_t count, int mode) {
  return begin(stream, static_cast<Graph*>(graph), {after, after + count}, mode);
}
FUSEBOX_CUDA_API cuda::Error cudaStreamEndCapture(void* stream, void** graph) { return end(stream, graph); }
FUSEBOX_CUDA_API cuda::Error cudaStreamIsCapturing(void* stream, int* status) {
  return info(stream, status, nullptr, nullptr, nullptr, nullptr);
}
// CUDA 13 has one form, with a place for what edges say, which is nothing here.
FUSEBOX_CUDA_API cuda::Error cudaStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id,
                                                      void** graph, GraphNode*** last, const void** edges,
                                                      std::size_t* count) {
  if (kCudaMajor < 13) return info(stream, status, id, nullptr, nullptr, nullptr);
  if (edges) *edges = nullptr;
  return info(stream, status, id, graph, last, count);
}
FUSEBOX_CUDA_API cuda::Error cudaStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id,
                                                         void** graph, GraphNode*** last,
                                                         std::size_t* count) {
  return info(stream, status, id, graph, last, count);
}
FUSEBOX_CUDA_API cuda::Error cudaStreamGetCaptureInfo_v3(void* stream, int* status, unsigned long long* id,
                                                         void** graph, GraphNode*** last, const void** edges,
                                                         std::size_t* count) {
  if (edges) *edges = nullptr;
  return info(stream, status, id, graph, last, count);
}
FUSEBOX_CUDA_API cuda::Error cudaThreadExchangeStreamCaptureMode(int* mode) {
  thread_local int current = 0;
  return entry([&](Runtime&) {
    if (!mode || *mode < 0 || *mode > 2) return cuda::kInvalidValue;
    std::swap(*mode, current);
    return cuda::kSuccess;
  });
}
