#include "grader/simulator/runtime/cuda/graphs.h"

#include <algorithm>
#include <map>
#include <set>

#include "grader/simulator/runtime/cuda/runtime.h"

namespace fusebox::sim::runtime {

using cuda::Error;

GraphNode& Graph::add(GraphNode::Kind kind, std::vector<GraphNode*> before) {
  auto node = std::make_unique<GraphNode>();
  node->kind = kind;
  node->before = std::move(before);
  nodes.push_back(std::move(node));
  return *nodes.back();
}

bool Graph::holds(const GraphNode* node) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& mine) { return mine.get() == node; });
}

std::unique_ptr<Graph> Graph::copy() const {
  auto graph = std::make_unique<Graph>();
  graph->objects = objects;
  std::map<const GraphNode*, GraphNode*> copies;
  for (const auto& node : nodes) {
    auto copied = std::make_unique<GraphNode>(*node);
    copied->origin = node.get();
    if (node->child) copied->child = node->child->copy();
    for (std::size_t k = 0; k < copied->arguments.size(); ++k)
      copied->arguments[k] = copied->kernel.op.arguments.data() +
                             (static_cast<std::byte*>(node->arguments[k]) - node->kernel.op.arguments.data());
    copies[node.get()] = copied.get();
    graph->nodes.push_back(std::move(copied));
  }
  for (const auto& node : graph->nodes)
    for (GraphNode*& before : node->before) before = copies.at(before);
  return graph;
}

std::vector<GraphNode*> Graph::in_order() const {
  std::vector<GraphNode*> order;
  std::set<const GraphNode*> done;
  for (bool any = true; any && order.size() < nodes.size();) {
    any = false;
    for (const auto& node : nodes) {
      if (done.contains(node.get()) || !std::all_of(node->before.begin(), node->before.end(),
                                                    [&](const GraphNode* b) { return done.contains(b); }))
        continue;
      done.insert(node.get());
      order.push_back(node.get());
      any = true;
    }
  }
  if (order.size() < nodes.size()) order.clear();
  return order;
}

Error run_graph(Runtime& state, const Graph& graph) {
  for (const GraphNode* node : graph.in_order()) {
    if (!node->enabled) continue;
    Error error = cuda::kSuccess;
    if (node->kind == GraphNode::Kind::kernel)
      error = carry_out(state, node->kernel);
    else if (node->child)
      error = run_graph(state, *node->child);
    else if (node->work) {
      state.known.disturb();
      error = node->work(state);
    }
    if (error != cuda::kSuccess) return error;
    if (state.pending != cuda::kSuccess) break;  // a fault: nothing after it runs
  }
  return cuda::kSuccess;
}

Error set_kernel(Runtime& state, GraphNode& node, const KernelNodeParams& params) {
  if (params.extra) return not_supported("cudaGraphAddKernelNode", "arguments in `extra`");
  LaunchShape shape;
  shape.grid = {params.grid.x, params.grid.y, params.grid.z};
  shape.block = {params.block.x, params.block.y, params.block.z};
  shape.dynamic_shared_bytes = params.shared;
  KernelCall call;
  if (const Error error = read_launch(state, params.function, shape, params.arguments, call);
      error != cuda::kSuccess)
    return error;
  node.function = params.function;
  node.kernel = std::move(call);
  node.arguments.clear();
  for (const auto& slot : node.kernel.kernel->parameters.slots)
    node.arguments.push_back(node.kernel.op.arguments.data() + slot.offset);
  return cuda::kSuccess;
}

}  // namespace fusebox::sim::runtime
