#include <algorithm>
#include <cstdio>
#include <iterator>

#include "grader/simulator/runtime/cuda/runtime.h"

// Graphs as wholes: made, asked about, instantiated and launched.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;

Error with_graph(void* handle, const std::function<Error(Runtime&, Graph&)>& body) {
  return entry([&](Runtime& state) {
    return state.graphs.contains(handle) ? body(state, *static_cast<Graph*>(handle)) : cuda::kInvalidValue;
  });
}

Error with_exec(void* handle, const std::function<Error(Runtime&, GraphExec&)>& body) {
  return entry([&](Runtime& state) {
    const auto found = state.graph_execs.find(handle);
    return found == state.graph_execs.end() ? cuda::kInvalidValue : body(state, *found->second);
  });
}

Graph* graph_of(Runtime& state, const GraphNode* node) {
  for (const auto& [handle, graph] : state.graphs)
    if (graph->holds(node)) return graph.get();
  return nullptr;
}

/// The way in which all lists are handed out: without a place for it, only how long it is.
Error give(const std::vector<GraphNode*>& list, GraphNode** places, std::size_t* count) {
  if (!count) return cuda::kInvalidValue;
  if (places) {
    for (std::size_t i = 0; i < *count; ++i) places[i] = i < list.size() ? list[i] : nullptr;
    *count = std::min(*count, list.size());
  } else {
    *count = list.size();
  }
  return cuda::kSuccess;
}

Error instantiate(void** exec, void* graph, unsigned long long flags) {
  return with_graph(graph, [&](Runtime& state, const Graph& mine) {
    if (!exec) return cuda::kInvalidValue;
    if (!mine.nodes.empty() && mine.in_order().empty()) return cuda::kInvalidValue;
    auto made = std::make_unique<GraphExec>();
    made->graph = mine.copy();
    made->flags = flags;
    *exec = made.get();
    state.graph_execs[*exec] = std::move(made);
    return cuda::kSuccess;
  });
}

std::vector<GraphNode*> after(const Graph& graph, const GraphNode* node) {
  std::vector<GraphNode*> list;
  for (const auto& other : graph.nodes)
    if (std::find(other->before.begin(), other->before.end(), node) != other->before.end())
      list.push_back(other.get());
  return list;
}

Error edges(void* graph, GraphNode** from, GraphNode** to, std::size_t* count) {
  return with_graph(graph, [&](Runtime&, const Graph& mine) {
    std::vector<GraphNode*> begins, ends;
    for (const auto& node : mine.nodes)
      for (GraphNode* before : node->before) begins.push_back(before), ends.push_back(node.get());
    if (!count) return cuda::kInvalidValue;
    std::size_t same = *count;
    if (const Error error = give(begins, from, count); error != cuda::kSuccess) return error;
    return to ? give(ends, to, &same) : cuda::kSuccess;
  });
}

Error connect(void* graph, GraphNode* const* from, GraphNode* const* to, std::size_t count, bool join) {
  return with_graph(graph, [&](Runtime&, const Graph& mine) {
    if (count > 0 && (!from || !to)) return cuda::kInvalidValue;
    for (std::size_t i = 0; i < count; ++i)
      if (!mine.holds(from[i]) || !mine.holds(to[i]) || from[i] == to[i]) return cuda::kInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const auto removed = std::erase(to[i]->before, from[i]);
      if (join == (removed > 0)) {
        if (join) to[i]->before.push_back(from[i]);
        return cuda::kInvalidValue;
      }
      if (join) to[i]->before.push_back(from[i]);
    }
    return cuda::kSuccess;
  });
}

Error dependencies(const GraphNode* node, GraphNode** places, std::size_t* count) {
  return entry([&](Runtime& state) {
    return graph_of(state, node) ? give(node->before, places, count) : cuda::kInvalidValue;
  });
}
Error dependents(const GraphNode* node, GraphNode** places, std::size_t* count) {
  return entry([&](Runtime& state) {
    const Graph* graph = graph_of(state, node);
    return graph ? give(after(*graph, node), places, count) : cuda::kInvalidValue;
  });
}

/// What cudaGraphExecUpdate says of itself.
struct UpdateResult {
  int result;
  GraphNode *node, *from;
};
constexpr int kUpdateSuccess = 0, kTopologyChanged = 2, kNodeTypeChanged = 3;

int update(GraphExec& exec, const Graph& graph) {
  const auto& old = exec.graph->nodes;
  if (old.size() != graph.nodes.size()) return kTopologyChanged;
  const auto place = [](const auto& nodes, const GraphNode* node) {
    return std::find_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.get() == node; }) -
           nodes.begin();
  };
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i]->kind != graph.nodes[i]->kind) return kNodeTypeChanged;
    const auto &mine = old[i]->before, &theirs = graph.nodes[i]->before;
    if (!std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                    [&](auto* a, auto* b) { return place(old, a) == place(graph.nodes, b); }))
      return kTopologyChanged;
  }
  // The nodes of the graph that it was first made of stay the names by which its own are changed.
  auto fresh = graph.copy();
  for (std::size_t i = 0; i < old.size(); ++i) fresh->nodes[i]->origin = old[i]->origin;
  exec.graph = std::move(fresh);
  return kUpdateSuccess;
}

const char* kind_name(GraphNode::Kind kind) {
  static constexpr const char* kNames[] = {"kernel", "memcpy", "memset", "host", "graph",  "empty",
                                           "wait",   "record", "",       "",     "malloc", "free"};
  const auto index = static_cast<std::size_t>(kind);
  return index < std::size(kNames) ? kNames[index] : "node";
}

}  // namespace
}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim::runtime;

FUSEBOX_CUDA_API cuda::Error cudaGraphCreate(void** graph, unsigned flags) {
  return entry([&](Runtime& state) {
    if (!graph || flags != 0) return cuda::kInvalidValue;
    auto made = std::make_shared<Graph>();
    *graph = made.get();
    state.graphs[*graph] = std::move(made);
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphDestroy(void* graph) {
  return entry(
      [&](Runtime& state) { return state.graphs.erase(graph) ? cuda::kSuccess : cuda::kInvalidValue; });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphClone(void** copy, void* graph) {
  return with_graph(graph, [&](Runtime& state, const Graph& mine) {
    if (!copy) return cuda::kInvalidValue;
    std::shared_ptr<Graph> made = mine.copy();
    *copy = made.get();
    state.graphs[*copy] = std::move(made);
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphNodeFindInClone(GraphNode** found, const GraphNode* node, void* clone) {
  return with_graph(clone, [&](Runtime&, const Graph& mine) {
    if (!found) return cuda::kInvalidValue;
    for (const auto& other : mine.nodes)
      if (other->origin == node) {
        *found = other.get();
        return cuda::kSuccess;
      }
    return cuda::kInvalidValue;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphDestroyNode(GraphNode* node) {
  return entry([&](Runtime& state) {
    Graph* graph = graph_of(state, node);
    if (!graph) return cuda::kInvalidValue;
    for (const auto& other : graph->nodes) std::erase(other->before, node);
    std::erase_if(graph->nodes, [&](const auto& mine) { return mine.get() == node; });
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaGraphGetNodes(void* graph, GraphNode** places, std::size_t* count) {
  return with_graph(graph, [&](Runtime&, const Graph& mine) {
    std::vector<GraphNode*> list;
    for (const auto& node : mine.nodes) list.push_back(node.get());
    return give(list, places, count);
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphGetRootNodes(void* graph, GraphNode** places, std::size_t* count) {
  return with_graph(graph, [&](Runtime&, const Graph& mine) {
    std::vector<GraphNode*> list;
    for (const auto& node : mine.nodes)
      if (node->before.empty()) list.push_back(node.get());
    return give(list, places, count);
  });
}
// CUDA 13 has a place for what edges say, in front of the count; nothing is said here.
FUSEBOX_CUDA_API cuda::Error cudaGraphGetEdges(void* graph, GraphNode** from, GraphNode** to, void* third,
                                               std::size_t* count) {
  return edges(graph, from, to, kCudaMajor < 13 ? static_cast<std::size_t*>(third) : count);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphGetEdges_v2(void* graph, GraphNode** from, GraphNode** to, void*,
                                                  std::size_t* count) {
  return edges(graph, from, to, count);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphNodeGetDependencies(GraphNode* node, GraphNode** places, void* second,
                                                          std::size_t* count) {
  return dependencies(node, places, kCudaMajor < 13 ? static_cast<std::size_t*>(second) : count);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphNodeGetDependencies_v2(GraphNode* node, GraphNode** places, void*,
                                                             std::size_t* count) {
  return dependencies(node, places, count);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphNodeGetDependentNodes(GraphNode* node, GraphNode** places, void* second,
                                                            std::size_t* count) {
  return dependents(node, places, kCudaMajor < 13 ? static_cast<std::size_t*>(second) : count);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphNodeGetDependentNodes_v2(GraphNode* node, GraphNode** places, void*,
                                                               std::size_t* count) {
  return dependents(node, places, count);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddDependencies(void* graph, GraphNode* const* from,
                                                      GraphNode* const* to, void* third, std::size_t count) {
  return connect(graph, from, to, kCudaMajor < 13 ? reinterpret_cast<std::size_t>(third) : count, true);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddDependencies_v2(void* graph, GraphNode* const* from,
                                                         GraphNode* const* to, void*, std::size_t count) {
  return connect(graph, from, to, count, true);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphRemoveDependencies(void* graph, GraphNode* const* from,
                                                         GraphNode* const* to, void* third,
                                                         std::size_t count) {
  return connect(graph, from, to, kCudaMajor < 13 ? reinterpret_cast<std::size_t>(third) : count, false);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphRemoveDependencies_v2(void* graph, GraphNode* const* from,
                                                            GraphNode* const* to, void*, std::size_t count) {
  return connect(graph, from, to, count, false);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphNodeGetType(const GraphNode* node, int* type) {
  return entry([&](Runtime& state) {
    if (!type || !graph_of(state, node)) return cuda::kInvalidValue;
    *type = static_cast<int>(node->kind);
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphDebugDotPrint(void* graph, const char* path, unsigned) {
  return with_graph(graph, [&](Runtime&, const Graph& mine) {
    std::FILE* file = path ? std::fopen(path, "w") : nullptr;
    if (!file) return cuda::kInvalidValue;
    std::fputs("digraph dot {\n", file);
    for (std::size_t i = 0; i < mine.nodes.size(); ++i) {
      const GraphNode& node = *mine.nodes[i];
      std::fprintf(file, "  n%p [label=\"%zu %s\"];\n", static_cast<const void*>(&node), i,
                   kind_name(node.kind));
      for (const GraphNode* before : node.before)
        std::fprintf(file, "  n%p -> n%p;\n", static_cast<const void*>(before),
                     static_cast<const void*>(&node));
    }
    std::fputs("}\n", file);
    std::fclose(file);
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaGraphInstantiate(void** exec, void* graph, unsigned long long flags) {
  return instantiate(exec, graph, flags);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphInstantiateWithFlags(void** exec, void* graph,
                                                           unsigned long long flags) {
  return instantiate(exec, graph, flags);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphInstantiateWithParams(void** exec, void* graph, void* parameters) {
  // Flags, a stream to upload in, and room for a node and a result that say what went wrong.
  struct Parameters {
    unsigned long long flags;
    void *stream, *wrong;
    int result;
  }* told = static_cast<Parameters*>(parameters);
  if (!told) return entry([](Runtime&) { return cuda::kInvalidValue; });
  told->wrong = nullptr;
  const cuda::Error error = instantiate(exec, graph, told->flags);
  told->result = error == cuda::kSuccess ? 0 : 1;
  return error;
}
FUSEBOX_CUDA_API cuda::Error cudaGraphExecDestroy(void* exec) {
  return entry(
      [&](Runtime& state) { return state.graph_execs.erase(exec) ? cuda::kSuccess : cuda::kInvalidValue; });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphExecGetFlags(void* exec, unsigned long long* flags) {
  return with_exec(exec, [&](Runtime&, const GraphExec& mine) {
    if (!flags) return cuda::kInvalidValue;
    *flags = mine.flags;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphUpload(void* exec, void* stream) {
  return with_exec(exec, [&](Runtime& state, const GraphExec&) {
    return state.is_stream(stream) ? cuda::kSuccess : cuda::kInvalidResourceHandle;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphLaunch(void* exec, void* stream) {
  return with_exec(exec, [&](Runtime& state, const GraphExec& mine) {
    const Captured where = captured(state, stream, GraphNode::Kind::graph);
    if (!where.node) return where.error != cuda::kSuccess ? where.error : run_graph(state, *mine.graph);
    where.node->child = mine.graph->copy();
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphExecUpdate(void* exec, void* graph, UpdateResult* told) {
  return with_exec(exec, [&](Runtime& state, GraphExec& mine) {
    if (!state.graphs.contains(graph)) return cuda::kInvalidValue;
    const int result = update(mine, *static_cast<Graph*>(graph));
    if (told) *told = {result, nullptr, nullptr};
    return result == kUpdateSuccess ? cuda::kSuccess : cuda::kGraphExecUpdateFailure;
  });
}
