#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "grader/device/cuda_abi.h"
#include "grader/device/plan.h"

// What streams and events order. The plan itself is in program order, which every order that they ask for
// allows.
namespace fusebox::recording {

using Points = std::set<std::uint32_t>;  ///< operations, by their index in the plan or graph

/// Operations that were captured, to be recorded at each launch of the graph.
struct Graph {
  struct Node {
    PlanOp op;
    const void* stream = nullptr;
    Points after;
  };
  std::vector<Node> nodes;
};

struct Stream {
  std::uint32_t id = 0;
  bool blocking = true;  ///< the legacy default stream and this one wait for each other
  Points tail;           ///< what its next operation waits for
};

/// What one stream does while it is being captured.
struct Captured {
  std::shared_ptr<Graph> graph;
  const void* origin = nullptr;  ///< the stream that the capture began with
  Points tail;                   ///< in the graph
};

struct Event {
  Points points;
  std::shared_ptr<Graph> graph;  ///< not null: the points are in this graph, which is being captured
};

/// The streams, events and graphs of a host function, and the order that they give to its operations.
class Order {
 public:
  Order();
  bool is_stream(const void* stream) const { return streams_.contains(canonical(stream)); }
  bool is_event(const void* event) const { return events_.contains(event); }
  void* create_stream(bool blocking);
  bool destroy_stream(const void* stream);
  void* create_event();
  bool destroy_event(const void* event);

  /// Whether operations came on more than one stream, so that their order says something.
  bool is_used() const { return used_; }
  /// The next operation of the plan is of this stream, or of the host.
  OpOrder next(const void* stream);
  OpOrder next_of_host();

  void record(const void* event, const void* stream);
  cuda::Error wait(const void* stream, const void* event);
  /// The host has seen the end of a stream's work, of what an event recorded, of everything.
  cuda::Error join_stream(const void* stream);
  cuda::Error join_event(const void* event);
  void join_all();
  /// Operations that the host has seen the end of, or that the default stream's next one waits for; those
  /// before them on their streams as well.
  std::vector<std::uint32_t> done_for_the_caller() const;

  cuda::Error begin_capture(const void* stream);
  cuda::Error end_capture(const void* stream, void** graph);
  bool is_capturing(const void* stream) const { return captures_.contains(canonical(stream)); }
  /// Keeps `op` when the stream is being captured; false: it is to be recorded now.
  bool capture(const void* stream, const PlanOp& op);
  /// Null: there is no such graph.
  const Graph* find_graph(const void* graph) const;
  void* keep(std::shared_ptr<Graph> graph);
  std::shared_ptr<Graph> copy_of(const void* graph) const;
  bool destroy_graph(const void* graph) { return graphs_.erase(graph) != 0; }
  /// The order of a graph's operations, which come next in the plan, by a launch into `stream`.
  std::vector<OpOrder> launch(const void* graph, const void* stream);

 private:
  static const void* canonical(const void* stream);
  Points point_of(const void* stream) const;
  OpOrder order_of(std::uint32_t stream, const Points& after);
  void add(Points& to, const Points& from) const;

  std::map<const void*, Stream> streams_;
  std::map<const void*, Event> events_;
  std::map<const void*, Captured> captures_;              ///< by stream
  std::map<const void*, std::shared_ptr<Graph>> graphs_;  ///< by handle, executable ones too
  std::map<std::pair<const void*, const void*>, std::uint32_t>
      branches_;                    ///< of graphs, by their captured stream
  Points joined_;                   ///< what the host has waited for
  Points left_, left_blocking_;     ///< by streams that were destroyed
  std::vector<std::uint32_t> ids_;  ///< of the streams of all operations
  std::uint32_t next_id_ = 0;
  bool used_ = false;
};

}  // namespace fusebox::recording
