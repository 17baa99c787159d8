#include "grader/host/program/runtime.h"

#include <algorithm>
#include <cstring>

#include "grader/host/messages.h"
#include "grader/host/program/answer.h"

namespace fusebox::recording {
namespace {

// The same shape as place_buffers(): an index that is off by a row or two lands in a gap and not in the next
// buffer.
constexpr std::uint64_t kAlignment = 256, kGap = 1 << 20;
constexpr std::uint64_t kMaxHostBytes = 192ull << 20;

std::uint64_t round_up(std::uint64_t value) { return (value + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

Runtime& runtime() {
  static auto* state = new Runtime;  // never destroyed: the library's exit handlers call back into it
  return *state;
}

cuda::Error& last_error() {
  thread_local cuda::Error error = cuda::kSuccess;
  return error;
}

void Runtime::start(RecordRequest value) {
  request = std::move(value);
  device_begin_ = request.allocations.begin;
  device_end_ = request.allocations.begin + request.allocations.bytes;
  for (const auto& arguments : request.calls_before) note_pointers(arguments);
  note_pointers(request.arguments);
  next_ = kGap;
}

void Runtime::note_pointers(std::span<const HostArgument> arguments) {
  for (const HostArgument& argument : arguments) {
    if (argument.kind != HostArgument::Kind::pointer || argument.bits == 0) continue;
    device_begin_ = std::min(device_begin_, argument.bits);
    device_end_ = std::max(device_end_, argument.bits + 1);
    argument_buffers_.insert(argument.bits);
  }
}

void Runtime::begin_next_call() {
  order.join_all();
  plan.of_calls_before = plan.ops.size();
}

bool Runtime::in_bounds(DeviceAddress address, std::uint64_t bytes) const {
  if (!is_device(address)) return false;
  const AddressRange& own = request.allocations;
  if (address < own.begin || address - own.begin >= own.bytes) return true;
  auto above = live_.upper_bound(address);
  if (above == live_.begin()) return false;
  const auto& [begin, size] = *std::prev(above);
  return address - begin <= size && bytes <= size - (address - begin);
}

DeviceAddress Runtime::allocate(std::uint64_t bytes, std::optional<const void*> stream) {
  const std::uint64_t room = request.allocations.bytes;
  if (bytes > free_bytes() || next_ > room || bytes > room - next_) return 0;
  const DeviceAddress address = request.allocations.begin + next_;
  next_ += round_up(bytes) + kGap;
  live_[address] = bytes;
  live_bytes_ += bytes;
  // A graph that is launched twice still has one allocation, which is there from now on.
  if (stream && order.is_capturing(*stream)) stream.reset();
  record(AllocOp{address, bytes}, stream);
  return address;
}

bool Runtime::free(DeviceAddress address, std::optional<const void*> stream) {
  const auto found = live_.find(address);
  if (found == live_.end()) return false;
  if (stream && order.is_capturing(*stream)) return true;  // lives as long as its graph
  live_bytes_ -= found->second;
  live_.erase(found);
  if (!stream) order.join_all();  // cudaFree waits for the device
  record(FreeOp{address}, stream);
  return true;
}

std::uint64_t Runtime::free_bytes() const {
  return request.gpu.global_bytes > live_bytes_ ? request.gpu.global_bytes - live_bytes_ : 0;
}

Kernel* Runtime::find_kernel(const void* function) {
  if (const auto found = kernels.find(function); found != kernels.end()) return &found->second;
  for (auto& [stub, kernel] : kernels)
    if (&kernel == function) return &kernel;
  return nullptr;
}

void Runtime::make_room(std::size_t ops) const {
  if (plan.ops.size() + ops > wire::kMaxOps)
    refuse(FailureKind::memory, "Your host function asked for more than 100,000 operations.",
           "Look for a loop around the launches that does not end.");
}

void Runtime::record(PlanOp op, std::optional<const void*> stream) {
  if (stream && order.capture(*stream, op)) return;
  make_room(1);
  plan.ops.push_back(std::move(op));
  plan.order.push_back(stream ? order.next(*stream) : order.next_of_host());
}

void Runtime::record_graph(const void* graph, const void* stream) {
  make_room(order.find_graph(graph)->nodes.size());
  for (const Graph::Node& node : order.find_graph(graph)->nodes) plan.ops.push_back(node.op);
  for (OpOrder& each : order.launch(graph, stream)) plan.order.push_back(std::move(each));
}

std::vector<std::byte> Runtime::take_host_bytes(const void* from, std::uint64_t bytes) {
  if (bytes > kMaxHostBytes - host_bytes_)
    refuse(FailureKind::memory, "Your host function copied more than 192 MiB from the host to the device.",
           "The tensors are on the device already: copy only small tables.");
  host_bytes_ += bytes;
  std::vector<std::byte> copy(bytes);
  std::memcpy(copy.data(), from, bytes);
  return copy;
}

void refuse_call(const char* function, std::string_view why, std::string_view hint) {
  const std::string what =
      std::string("Your host function called ") + function + ": " + std::string(why) + ".";
  refuse(FailureKind::unsupported, what, hint);
}

cuda::Error check_stream(const Runtime& state, const void* stream) {
  return state.order.is_stream(stream) ? cuda::kSuccess : cuda::kInvalidResourceHandle;
}

}  // namespace fusebox::recording
