#include <cstring>

#include "grader/simulator/runtime/cuda/runtime.h"

// Nodes of graphs that are made, asked about and changed by hand.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;
using Kind = GraphNode::Kind;

Error with_graph(void* handle, const std::function<Error(Runtime&, Graph&)>& body) {
  return entry([&](Runtime& state) {
    return state.graphs.contains(handle) ? body(state, *static_cast<Graph*>(handle)) : cuda::kInvalidValue;
  });
}

/// Makes a node of `kind` behind those that it depends on; `fill` reads what it does.
Error add(GraphNode** made, void* graph, GraphNode* const* before, std::size_t count, Kind kind,
          const std::function<Error(Runtime&, GraphNode&)>& fill) {
  return with_graph(graph, [&](Runtime& state, Graph& mine) {
    if (!made || (count > 0 && !before)) return cuda::kInvalidValue;
    for (std::size_t i = 0; i < count; ++i)
      if (!mine.holds(before[i])) return cuda::kInvalidValue;
    GraphNode& node = mine.add(kind, {before, before + count});
    const Error error = fill(state, node);
    if (error != cuda::kSuccess) {
      mine.nodes.pop_back();
      return error;
    }
    *made = &node;
    return cuda::kSuccess;
  });
}

Error set_copy(GraphNode& node, const cuda::Copy3D* order) {
  if (!order) return cuda::kInvalidValue;
  node.copy = *order;
  node.work = [order = *order](Runtime&) { return cudaMemcpy3D(&order); };
  return cuda::kSuccess;
}

Error set_line(GraphNode& node, void* to, const void* from, std::size_t bytes, int kind) {
  node.copy = {};
  node.copy.from = {const_cast<void*>(from), bytes, bytes, 1};
  node.copy.to = {to, bytes, bytes, 1};
  node.copy.volume = {bytes, 1, 1};
  node.copy.kind = kind;
  node.work = [=](Runtime&) { return cudaMemcpy(to, from, bytes, kind); };
  return cuda::kSuccess;
}

Error set_fill(GraphNode& node, const MemsetNodeParams* params) {
  if (!params || (params->element != 1 && params->element != 2 && params->element != 4) || params->rows == 0)
    return cuda::kInvalidValue;
  node.fill = *params;
  node.work = [params = *params](Runtime& state) {
    for (std::size_t row = 0; row < params.rows; ++row) {
      const DeviceAddress begin = address_of(params.to) + row * params.pitch;
      if (!state.session.memory().live(begin, params.width * params.element)) return cuda::kInvalidValue;
      for (std::size_t i = 0; i < params.width; ++i)
        std::memcpy(GlobalMemory::data(begin + i * params.element), &params.value, params.element);
      state.session.memory().define(begin, params.width * params.element);
    }
    return cuda::kSuccess;
  };
  return cuda::kSuccess;
}

Error set_host(GraphNode& node, const HostNodeParams* params) {
  if (!params || !params->function) return cuda::kInvalidValue;
  node.host = *params;
  node.work = [params = *params](Runtime&) {
    params.function(params.data);
    return cuda::kSuccess;
  };
  return cuda::kSuccess;
}

Error set_child(GraphNode& node, const Graph& child) {
  node.child = child.copy();
  return cuda::kSuccess;
}

Error set_record(GraphNode& node, void* event) {
  node.event = event;
  node.work = [event](Runtime&) { return cudaEventRecord(event, nullptr); };
  return cuda::kSuccess;
}

/// cudaMemAllocNodeParams: how much, and where the address goes.
constexpr std::size_t kAllocationBytesAt = 104, kAllocationAddressAt = 112;

Error set_allocation(Runtime& state, GraphNode& node, std::byte* params) {
  if (!params) return cuda::kInvalidValue;
  std::size_t bytes = 0;
  std::memcpy(&bytes, params + kAllocationBytesAt, sizeof bytes);
  if (const Error error = cudaMalloc(&node.allocated, bytes); error != cuda::kSuccess) return error;
  std::memcpy(params + kAllocationAddressAt, &node.allocated, sizeof node.allocated);
  state.graph_memory.insert(node.allocated);
  return cuda::kSuccess;
}

/// The node of `exec` that stands for a node of the graph that it was made of.
Error with_exec_node(void* exec, const GraphNode* node,
                     const std::function<Error(Runtime&, GraphNode&)>& body) {
  return entry([&](Runtime& state) {
    const auto found = state.graph_execs.find(exec);
    if (found == state.graph_execs.end()) return cuda::kInvalidValue;
    for (const auto& mine : found->second->graph->nodes)
      if (mine->origin == node) return body(state, *mine);
    return cuda::kInvalidValue;
  });
}

Error with_node(GraphNode* node, Kind kind, const std::function<Error(Runtime&)>& body) {
  return entry([&](Runtime& state) {
    for (const auto& [handle, graph] : state.graphs)
      if (graph->holds(node)) return node->kind == kind ? body(state) : cuda::kInvalidValue;
    return cuda::kInvalidValue;
  });
}

/// Offsets in cudaGraphNodeParams: its kind comes first, and that kind's parameters 16 bytes in.
constexpr std::size_t kNodeParamsAt = 16, kCopyOrderAt = 16;

Error set_any(Runtime& state, GraphNode& node, std::byte* params) {
  std::byte* told = params + kNodeParamsAt;
  switch (node.kind) {
    case Kind::kernel:
      return set_kernel(state, node, *reinterpret_cast<KernelNodeParams*>(told));
    case Kind::copy:
      return set_copy(node, reinterpret_cast<cuda::Copy3D*>(told + kCopyOrderAt));
    case Kind::fill:
      return set_fill(node, reinterpret_cast<MemsetNodeParams*>(told));
    case Kind::host:
      return set_host(node, reinterpret_cast<HostNodeParams*>(told));
    case Kind::graph: {
      void* child = *reinterpret_cast<void**>(told);
      return state.graphs.contains(child) ? set_child(node, *static_cast<Graph*>(child))
                                          : cuda::kInvalidValue;
    }
    case Kind::record:
      return set_record(node, *reinterpret_cast<void**>(told));
    case Kind::allocation:
      return set_allocation(state, node, told);
    case Kind::empty:
    case Kind::wait:
    case Kind::release:
      return cuda::kSuccess;
  }
  return not_supported("cudaGraphAddNode", "nodes of type " + std::to_string(static_cast<int>(node.kind)));
}

Error add_any(GraphNode** made, void* graph, GraphNode* const* before, std::size_t count, void* params) {
  if (!params) return entry([](Runtime&) { return cuda::kInvalidValue; });
  auto* bytes = static_cast<std::byte*>(params);
  int kind = 0;
  std::memcpy(&kind, bytes, sizeof kind);
  return add(made, graph, before, count, static_cast<Kind>(kind),
             [&](Runtime& state, GraphNode& node) { return set_any(state, node, bytes); });
}

/// Where a symbol's bytes are, for copies from and to it.
Error symbol_address(Runtime& state, const void* symbol, std::size_t offset, void*& address) {
  const Symbol* found = nullptr;
  DeviceAddress begin = 0;
  const Error error = state.locate(symbol, found, begin);
  address = pointer_to(begin + offset);
  return error;
}

}  // namespace
}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim::runtime;
using Kind = GraphNode::Kind;

FUSEBOX_CUDA_API cuda::Error cudaGraphAddKernelNode(GraphNode** node, void* graph, GraphNode* const* before,
                                                    std::size_t count, const KernelNodeParams* params) {
  return add(node, graph, before, count, Kind::kernel, [&](Runtime& state, GraphNode& mine) {
    return params ? set_kernel(state, mine, *params) : cuda::kInvalidValue;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddMemcpyNode(GraphNode** node, void* graph, GraphNode* const* before,
                                                    std::size_t count, const cuda::Copy3D* order) {
  return add(node, graph, before, count, Kind::copy,
             [&](Runtime&, GraphNode& mine) { return set_copy(mine, order); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddMemcpyNode1D(GraphNode** node, void* graph, GraphNode* const* before,
                                                      std::size_t count, void* to, const void* from,
                                                      std::size_t bytes, int kind) {
  return add(node, graph, before, count, Kind::copy,
             [&](Runtime&, GraphNode& mine) { return set_line(mine, to, from, bytes, kind); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddMemcpyNodeToSymbol(GraphNode** node, void* graph,
                                                            GraphNode* const* before, std::size_t count,
                                                            const void* symbol, const void* from,
                                                            std::size_t bytes, std::size_t offset, int kind) {
  return add(node, graph, before, count, Kind::copy, [&](Runtime& state, GraphNode& mine) {
    void* to = nullptr;
    const cuda::Error error = symbol_address(state, symbol, offset, to);
    return error != cuda::kSuccess ? error : set_line(mine, to, from, bytes, kind);
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddMemcpyNodeFromSymbol(GraphNode** node, void* graph,
                                                              GraphNode* const* before, std::size_t count,
                                                              void* to, const void* symbol, std::size_t bytes,
                                                              std::size_t offset, int kind) {
  return add(node, graph, before, count, Kind::copy, [&](Runtime& state, GraphNode& mine) {
    void* from = nullptr;
    const cuda::Error error = symbol_address(state, symbol, offset, from);
    return error != cuda::kSuccess ? error : set_line(mine, to, from, bytes, kind);
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddMemsetNode(GraphNode** node, void* graph, GraphNode* const* before,
                                                    std::size_t count, const MemsetNodeParams* params) {
  return add(node, graph, before, count, Kind::fill,
             [&](Runtime&, GraphNode& mine) { return set_fill(mine, params); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddHostNode(GraphNode** node, void* graph, GraphNode* const* before,
                                                  std::size_t count, const HostNodeParams* params) {
  return add(node, graph, before, count, Kind::host,
             [&](Runtime&, GraphNode& mine) { return set_host(mine, params); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddEmptyNode(GraphNode** node, void* graph, GraphNode* const* before,
                                                   std::size_t count) {
  return add(node, graph, before, count, Kind::empty, [](Runtime&, GraphNode&) { return cuda::kSuccess; });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddChildGraphNode(GraphNode** node, void* graph,
                                                        GraphNode* const* before, std::size_t count,
                                                        void* child) {
  return add(node, graph, before, count, Kind::graph, [&](Runtime& state, GraphNode& mine) {
    return state.graphs.contains(child) ? set_child(mine, *static_cast<Graph*>(child)) : cuda::kInvalidValue;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddEventRecordNode(GraphNode** node, void* graph,
                                                         GraphNode* const* before, std::size_t count,
                                                         void* event) {
  return add(node, graph, before, count, Kind::record,
             [&](Runtime&, GraphNode& mine) { return set_record(mine, event); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddEventWaitNode(GraphNode** node, void* graph,
                                                       GraphNode* const* before, std::size_t count, void*) {
  return add(node, graph, before, count, Kind::wait, [](Runtime&, GraphNode&) { return cuda::kSuccess; });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddMemAllocNode(GraphNode** node, void* graph, GraphNode* const* before,
                                                      std::size_t count, void* params) {
  return add(node, graph, before, count, Kind::allocation, [&](Runtime& state, GraphNode& mine) {
    return set_allocation(state, mine, static_cast<std::byte*>(params));
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddMemFreeNode(GraphNode** node, void* graph, GraphNode* const* before,
                                                     std::size_t count, void*) {
  return add(node, graph, before, count, Kind::release, [](Runtime&, GraphNode&) { return cuda::kSuccess; });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddNode(GraphNode** node, void* graph, GraphNode* const* before,
                                              void* edges_or_count, void* count_or_params, void* params) {
  if (kCudaMajor < 13)
    return add_any(node, graph, before, reinterpret_cast<std::size_t>(edges_or_count), count_or_params);
  return add_any(node, graph, before, reinterpret_cast<std::size_t>(count_or_params), params);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphAddNode_v2(GraphNode** node, void* graph, GraphNode* const* before,
                                                 const void*, std::size_t count, void* params) {
  return add_any(node, graph, before, count, params);
}

FUSEBOX_CUDA_API cuda::Error cudaGraphKernelNodeGetParams(GraphNode* node, KernelNodeParams* params) {
  return with_node(node, Kind::kernel, [&](Runtime&) {
    if (!params) return cuda::kInvalidValue;
    const auto extent = [](const Dim3& d) {
      return cuda::Extent{static_cast<unsigned>(d.x), static_cast<unsigned>(d.y), static_cast<unsigned>(d.z)};
    };
    const LaunchOp& op = node->kernel.op;
    *params = {node->function,          extent(op.grid),        extent(op.block),
               op.dynamic_shared_bytes, node->arguments.data(), nullptr};
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphKernelNodeSetParams(GraphNode* node, const KernelNodeParams* params) {
  return with_node(node, Kind::kernel, [&](Runtime& state) {
    return params ? set_kernel(state, *node, *params) : cuda::kInvalidValue;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphMemcpyNodeGetParams(GraphNode* node, cuda::Copy3D* order) {
  return with_node(node, Kind::copy, [&](Runtime&) {
    if (!order) return cuda::kInvalidValue;
    *order = node->copy;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphMemcpyNodeSetParams(GraphNode* node, const cuda::Copy3D* order) {
  return with_node(node, Kind::copy, [&](Runtime&) { return set_copy(*node, order); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphMemcpyNodeSetParams1D(GraphNode* node, void* to, const void* from,
                                                            std::size_t bytes, int kind) {
  return with_node(node, Kind::copy, [&](Runtime&) { return set_line(*node, to, from, bytes, kind); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphMemsetNodeGetParams(GraphNode* node, MemsetNodeParams* params) {
  return with_node(node, Kind::fill, [&](Runtime&) {
    if (!params) return cuda::kInvalidValue;
    *params = node->fill;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphMemsetNodeSetParams(GraphNode* node, const MemsetNodeParams* params) {
  return with_node(node, Kind::fill, [&](Runtime&) { return set_fill(*node, params); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphHostNodeGetParams(GraphNode* node, HostNodeParams* params) {
  return with_node(node, Kind::host, [&](Runtime&) {
    if (!params) return cuda::kInvalidValue;
    *params = node->host;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphHostNodeSetParams(GraphNode* node, const HostNodeParams* params) {
  return with_node(node, Kind::host, [&](Runtime&) { return set_host(*node, params); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphChildGraphNodeGetGraph(GraphNode* node, void** graph) {
  return with_node(node, Kind::graph, [&](Runtime& state) {
    if (!graph) return cuda::kInvalidValue;
    *graph = node->child.get();
    state.graphs[*graph] = node->child;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphMemFreeNodeGetParams(GraphNode* node, void** pointer) {
  return with_node(node, Kind::release, [&](Runtime&) {
    if (!pointer) return cuda::kInvalidValue;
    *pointer = node->allocated;
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaGraphExecKernelNodeSetParams(void* exec, GraphNode* node,
                                                              const KernelNodeParams* params) {
  return with_exec_node(exec, node, [&](Runtime& state, GraphNode& mine) {
    return params ? set_kernel(state, mine, *params) : cuda::kInvalidValue;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphExecMemcpyNodeSetParams(void* exec, GraphNode* node,
                                                              const cuda::Copy3D* order) {
  return with_exec_node(exec, node, [&](Runtime&, GraphNode& mine) { return set_copy(mine, order); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphExecMemcpyNodeSetParams1D(void* exec, GraphNode* node, void* to,
                                                                const void* from, std::size_t bytes,
                                                                int kind) {
  return with_exec_node(exec, node,
                        [&](Runtime&, GraphNode& mine) { return set_line(mine, to, from, bytes, kind); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphExecMemsetNodeSetParams(void* exec, GraphNode* node,
                                                              const MemsetNodeParams* params) {
  return with_exec_node(exec, node, [&](Runtime&, GraphNode& mine) { return set_fill(mine, params); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphExecHostNodeSetParams(void* exec, GraphNode* node,
                                                            const HostNodeParams* params) {
  return with_exec_node(exec, node, [&](Runtime&, GraphNode& mine) { return set_host(mine, params); });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphExecChildGraphNodeSetParams(void* exec, GraphNode* node, void* child) {
  return with_exec_node(exec, node, [&](Runtime& state, GraphNode& mine) {
    return state.graphs.contains(child) ? set_child(mine, *static_cast<Graph*>(child)) : cuda::kInvalidValue;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphExecNodeSetParams(void* exec, GraphNode* node, void* params) {
  return with_exec_node(exec, node, [&](Runtime& state, GraphNode& mine) {
    return params ? set_any(state, mine, static_cast<std::byte*>(params)) : cuda::kInvalidValue;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphNodeSetEnabled(void* exec, GraphNode* node, unsigned enabled) {
  return with_exec_node(exec, node, [&](Runtime&, GraphNode& mine) {
    mine.enabled = enabled != 0;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphNodeGetEnabled(void* exec, GraphNode* node, unsigned* enabled) {
  return with_exec_node(exec, node, [&](Runtime&, GraphNode& mine) {
    if (!enabled) return cuda::kInvalidValue;
    *enabled = mine.enabled;
    return cuda::kSuccess;
  });
}
