#include "grader/host/program/order.h"

#include <algorithm>

namespace fusebox::recording {

/// Of the operations of one stream the last one stands for all: sets of points stay as small as the number of
/// streams.
void Order::add(Points& to, const Points& from) const {
  for (const std::uint32_t point : from) {
    std::erase_if(to, [&](std::uint32_t known) { return known < point && ids_[known] == ids_[point]; });
    const bool later =
        std::any_of(to.begin(), to.end(), [&](std::uint32_t known) { return ids_[known] == ids_[point]; });
    if (!later) to.insert(point);
  }
}

Order::Order() {
  for (const std::uintptr_t handle : {0, 2}) streams_[reinterpret_cast<const void*>(handle)].id = next_id_++;
}

/// 0 and 1 are the legacy default stream, 2 is the thread's own.
const void* Order::canonical(const void* stream) {
  return reinterpret_cast<std::uintptr_t>(stream) == 1 ? nullptr : stream;
}

void* Order::create_stream(bool blocking) {
  void* handle = new char;  // an address that nothing else has
  streams_[handle] = {next_id_++, blocking, {}};
  return handle;
}

bool Order::destroy_stream(const void* stream) {
  const auto found = streams_.find(stream);
  if (found == streams_.end() || reinterpret_cast<std::uintptr_t>(stream) <= 2) return false;
  // Its work goes on; the default stream still waits for it, as does the host.
  add(found->second.blocking ? left_blocking_ : left_, found->second.tail);
  streams_.erase(found);
  captures_.erase(stream);
  delete static_cast<const char*>(stream);
  return true;
}

void* Order::create_event() {
  void* handle = new char;
  events_[handle];
  return handle;
}

bool Order::destroy_event(const void* event) {
  if (events_.erase(event) == 0) return false;
  delete static_cast<const char*>(event);
  return true;
}

/// What an operation of this stream waits for when it comes now.
Points Order::point_of(const void* stream) const {
  const Stream& own = streams_.at(canonical(stream));
  Points points = own.tail;
  const bool legacy = canonical(stream) == nullptr;
  if (legacy) {
    add(points, left_blocking_);
    for (const auto& [handle, other] : streams_)
      if (other.blocking) add(points, other.tail);
  }
  if (!legacy && own.blocking) add(points, streams_.at(nullptr).tail);
  return points;
}

OpOrder Order::order_of(std::uint32_t stream, const Points& after) {
  Points all = after;
  add(all, joined_);
  ids_.push_back(stream);
  return {stream, {all.begin(), all.end()}};
}

OpOrder Order::next(const void* stream) {
  Stream& own = streams_.at(canonical(stream));
  OpOrder order = order_of(own.id, point_of(stream));
  used_ = used_ || canonical(stream) != nullptr;
  own.tail = {static_cast<std::uint32_t>(ids_.size() - 1)};
  return order;
}

OpOrder Order::next_of_host() { return order_of(OpOrder::kHost, {}); }

void Order::record(const void* event, const void* stream) {
  const auto capture = captures_.find(canonical(stream));
  events_[event] = capture == captures_.end() ? Event{point_of(stream), nullptr}
                                              : Event{capture->second.tail, capture->second.graph};
}

cuda::Error Order::wait(const void* stream, const void* event) {
  const Event& seen = events_.at(event);
  const auto capture = captures_.find(canonical(stream));
  if (!seen.graph) {
    if (capture == captures_.end()) add(streams_.at(canonical(stream)).tail, seen.points);
    return cuda::kSuccess;
  }
  const bool open = std::any_of(captures_.begin(), captures_.end(),
                                [&](const auto& each) { return each.second.graph == seen.graph; });
  if (!open) return cuda::kSuccess;
  if (capture == captures_.end()) {
    captures_[canonical(stream)] = {seen.graph, nullptr, seen.points};
    return cuda::kSuccess;
  }
  if (capture->second.graph != seen.graph) return cuda::kStreamCaptureMerge;
  capture->second.tail.insert(seen.points.begin(), seen.points.end());
  return cuda::kSuccess;
}

cuda::Error Order::join_stream(const void* stream) {
  if (is_capturing(stream)) return cuda::kStreamCaptureUnsupported;
  add(joined_, point_of(stream));
  return cuda::kSuccess;
}

cuda::Error Order::join_event(const void* event) {
  const Event& seen = events_.at(event);
  if (seen.graph) return cuda::kStreamCaptureUnsupported;
  add(joined_, seen.points);
  return cuda::kSuccess;
}

void Order::join_all() {
  add(joined_, left_);
  add(joined_, left_blocking_);
  left_.clear();
  left_blocking_.clear();
  for (const auto& [handle, stream] : streams_) add(joined_, stream.tail);
}

std::vector<std::uint32_t> Order::done_for_the_caller() const {
  Points done = point_of(nullptr);
  add(done, joined_);
  return {done.begin(), done.end()};
}

cuda::Error Order::begin_capture(const void* stream) {
  if (canonical(stream) == nullptr) return cuda::kStreamCaptureUnsupported;
  if (is_capturing(stream)) return cuda::kIllegalState;
  captures_[stream] = {std::make_shared<Graph>(), stream, {}};
  return cuda::kSuccess;
}

cuda::Error Order::end_capture(const void* stream, void** graph) {
  const auto found = captures_.find(stream);
  if (found == captures_.end()) return cuda::kIllegalState;
  if (found->second.origin != stream) return cuda::kStreamCaptureUnmatched;
  const Captured captured = found->second;
  // Every branch must have come back to the stream that it began with.
  Points reached = captured.tail;
  std::vector<std::uint32_t> open(reached.begin(), reached.end());
  while (!open.empty()) {
    const Points before = captured.graph->nodes[open.back()].after;
    open.pop_back();
    for (const std::uint32_t node : before)
      if (reached.insert(node).second) open.push_back(node);
  }
  std::erase_if(captures_, [&](const auto& each) { return each.second.graph == captured.graph; });
  if (reached.size() != captured.graph->nodes.size()) return cuda::kStreamCaptureUnjoined;
  *graph = keep(captured.graph);
  return cuda::kSuccess;
}

bool Order::capture(const void* stream, const PlanOp& op) {
  const auto found = captures_.find(canonical(stream));
  if (found == captures_.end()) return false;
  Captured& captured = found->second;
  captured.graph->nodes.push_back({op, canonical(stream), captured.tail});
  captured.tail = {static_cast<std::uint32_t>(captured.graph->nodes.size() - 1)};
  return true;
}

const Graph* Order::find_graph(const void* graph) const {
  const auto found = graphs_.find(graph);
  return found == graphs_.end() ? nullptr : found->second.get();
}

void* Order::keep(std::shared_ptr<Graph> graph) {
  void* handle = new char;
  graphs_[handle] = std::move(graph);
  return handle;
}

std::shared_ptr<Graph> Order::copy_of(const void* graph) const {
  const Graph* known = find_graph(graph);
  return known ? std::make_shared<Graph>(*known) : nullptr;
}

std::vector<OpOrder> Order::launch(const void* graph, const void* stream) {
  const std::vector<Graph::Node>& nodes = find_graph(graph)->nodes;
  if (nodes.empty()) return {};
  used_ = true;
  const Points start = point_of(stream);
  const auto first = static_cast<std::uint32_t>(ids_.size());
  Points ends;
  std::vector<OpOrder> orders;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const auto [branch, fresh] = branches_.try_emplace({graph, nodes[i].stream}, next_id_);
    if (fresh) ++next_id_;
    Points after;
    for (const std::uint32_t before : nodes[i].after) {
      after.insert(first + before);
      ends.erase(first + before);
    }
    ends.insert(first + i);
    orders.push_back(order_of(branch->second, after.empty() ? start : after));
  }
  streams_.at(canonical(stream)).tail = ends;
  return orders;
}

}  // namespace fusebox::recording
