#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "grader/device/cuda_abi.h"
#include "grader/device/plan.h"

// CUDA graphs: work that is written down, by hand or by capturing what a stream is given, and carried out
// later, any number of times. Carried out in one order that the dependencies allow.
namespace fusebox::sim::runtime {

class Runtime;
struct Kernel;

/// A launch whose arguments have been read.
struct KernelCall {
  Kernel* kernel = nullptr;
  LaunchOp op;
};

/// cudaKernelNodeParams, cudaMemsetParams, cudaHostNodeParams.
struct KernelNodeParams {
  const void* function;
  cuda::Extent grid, block;
  unsigned shared;
  void** arguments;
  void** extra;
};
struct MemsetNodeParams {
  void* to;
  std::size_t pitch;
  unsigned value, element;
  std::size_t width, rows;  ///< width in elements
};
struct HostNodeParams {
  void (*function)(void*);
  void* data;
};
static_assert(sizeof(KernelNodeParams) == 56 && sizeof(MemsetNodeParams) == 40 &&
              sizeof(HostNodeParams) == 16);

struct Graph;

struct GraphNode {
  /// As cudaGraphNodeType counts them.
  enum class Kind : int {
    kernel,
    copy,
    fill,
    host,
    graph,
    empty,
    wait,
    record,
    allocation = 10,
    release = 11
  };
  Kind kind = Kind::empty;
  std::vector<GraphNode*> before;  ///< must be done first
  bool enabled = true;
  std::function<cuda::Error(Runtime&)> work;  ///< empty: nothing to do
  // What it was made of, for those who ask.
  const void* function = nullptr;
  KernelCall kernel;
  std::vector<void*> arguments;  ///< into kernel.op.arguments
  cuda::Copy3D copy{};
  MemsetNodeParams fill{};
  HostNodeParams host{};
  void* event = nullptr;
  void* allocated = nullptr;
  std::shared_ptr<Graph> child;
  const GraphNode* origin = nullptr;  ///< that it is a copy of
};

struct Graph {
  /// A user object that lives at least as long as the graph, its copies and what was instantiated from it.
  struct Kept {
    std::shared_ptr<void> life;
    unsigned references = 0;
  };
  std::vector<std::unique_ptr<GraphNode>> nodes;  ///< in the order of their making
  std::map<const void*, Kept> objects;            ///< by handle

  GraphNode& add(GraphNode::Kind kind, std::vector<GraphNode*> before);
  bool holds(const GraphNode* node) const;
  std::unique_ptr<Graph> copy() const;
  /// Each after what it depends on; empty when they wait for each other in a circle.
  std::vector<GraphNode*> in_order() const;
};

/// cudaGraphExec_t: a graph as it was when it was instantiated, and as it was updated since.
struct GraphExec {
  std::unique_ptr<Graph> graph;
  unsigned long long flags = 0;
};

/// What one stream does while it is being captured.
struct Capture {
  std::shared_ptr<Graph> graph;
  const void* origin = nullptr;   ///< the stream that it began with
  std::vector<GraphNode*> last;   ///< what comes next waits for them
  std::shared_ptr<bool> invalid;  ///< of all streams of one capture
  unsigned long long id = 0;
};

/// What to do with an operation of a stream.
struct Captured {
  GraphNode* node = nullptr;           ///< not null: write it down there
  cuda::Error error = cuda::kSuccess;  ///< else: do it, unless this is an error
};
Captured captured(Runtime& state, const void* stream, GraphNode::Kind kind);

/// Carries a node's work out whenever it runs, or now when the stream is not being captured.
cuda::Error in_stream(void* stream, GraphNode::Kind kind, std::function<cuda::Error(Runtime&)> work);

/// Reads what a node is to do, so that it runs later. Errors are those of the call itself.
cuda::Error set_kernel(Runtime& state, GraphNode& node, const KernelNodeParams& params);
cuda::Error run_graph(Runtime& state, const Graph& graph);

}  // namespace fusebox::sim::runtime
