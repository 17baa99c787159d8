#include "grader/host/messages.h"

#include <tuple>

namespace fusebox {

auto members(auto& s, const Dim3&) { return std::tie(s.x, s.y, s.z); }
auto members(auto& s, const AllocOp&) { return std::tie(s.address, s.bytes); }
auto members(auto& s, const FreeOp&) { return std::tie(s.address); }
auto members(auto& s, const MemsetOp&) { return std::tie(s.address, s.bytes, s.value); }
auto members(auto& s, const CopyOp&) { return std::tie(s.to, s.from, s.bytes, s.symbol, s.host_bytes); }
auto members(auto& s, const LaunchOp&) {
  return std::tie(s.kernel, s.grid, s.block, s.dynamic_shared_bytes, s.cooperative, s.cluster, s.arguments);
}
auto members(auto& s, const OpOrder&) { return std::tie(s.stream, s.after); }
auto members(auto& s, const HostArgument&) { return std::tie(s.kind, s.bits, s.bytes); }
auto members(auto& s, const KernelParameters::Slot&) { return std::tie(s.offset, s.bytes); }
auto members(auto& s, const KernelParameters&) {
  return std::tie(s.kernel, s.slots, s.total_bytes, s.registers, s.static_shared_bytes, s.max_threads);
}
auto members(auto& s, const GpuProfile&) {
  return std::tie(s.name, s.full_name, s.compute_major, s.compute_minor, s.sms, s.l2_bytes, s.global_bytes,
                  s.shared_bytes_per_sm, s.max_shared_bytes_per_block, s.max_shared_bytes_per_block_optin,
                  s.reserved_shared_bytes_per_block, s.registers_per_sm, s.max_threads_per_sm,
                  s.max_threads_per_block, s.max_blocks_per_sm, s.clock_hz, s.dram_bytes_per_second,
                  s.dram_copy_bytes_per_second, s.launch_overhead_s);
}
auto members(auto& s, const RecordRequest&) {
  return std::tie(s.library, s.function, s.calls_before, s.arguments, s.kernels, s.allocations, s.gpu,
                  s.edit);
}

namespace wire {
namespace {

template <std::size_t I = 0>
bool get_alternative(Reader& wire, PlanOp& op, std::size_t index) {
  if constexpr (I == std::variant_size_v<PlanOp>)
    return false;
  else if (index != I)
    return get_alternative<I + 1>(wire, op, index);
  else
    return get(wire, op.emplace<I>()), true;
}

/// Nothing waits for what comes later.
bool is_possible(const LaunchPlan& plan) {
  for (std::size_t i = 0; i < plan.order.size(); ++i)
    for (const std::uint32_t before : plan.order[i].after)
      if (before >= i) return false;
  for (const std::uint32_t done : plan.done_for_the_caller)
    if (done >= plan.ops.size()) return false;
  return true;
}

constexpr std::size_t kMinOpBytes = 1 + sizeof(DeviceAddress);

}  // namespace

std::vector<std::byte> encode(const RecordRequest& request) { return encoded(request); }

std::optional<RecordRequest> decode_request(std::span<const std::byte> bytes) {
  return decoded<RecordRequest>(bytes);
}

void put(Writer& writer, const LaunchPlan& plan) {
  writer.number<std::uint64_t>(plan.ops.size());
  for (const PlanOp& op : plan.ops) {
    writer.number(static_cast<std::uint8_t>(op.index()));
    std::visit([&](const auto& alternative) { put(writer, alternative); }, op);
  }
  put(writer, plan.order);
  put(writer, plan.done_for_the_caller);
  writer.number(plan.of_calls_before);
}

void get(Reader& reader, LaunchPlan& plan) {
  const std::size_t count = reader.count(kMinOpBytes);
  if (count > kMaxOps) return reader.fail();
  plan.ops.reserve(count);
  for (std::size_t i = 0; i < count && reader.ok(); ++i)
    if (!get_alternative(reader, plan.ops.emplace_back(), reader.number<std::uint8_t>()))
      return reader.fail();
  const std::size_t orders = reader.count(1);
  if (orders != 0 && orders != count) return reader.fail();
  plan.order.resize(orders);
  for (OpOrder& order : plan.order) get(reader, order);
  get(reader, plan.done_for_the_caller);
  plan.of_calls_before = reader.number<std::uint64_t>();
  if (!is_possible(plan) || plan.of_calls_before > count) reader.fail();
}

std::optional<LaunchPlan> decode_plan(std::span<const std::byte> bytes) { return decoded<LaunchPlan>(bytes); }

}  // namespace wire
}  // namespace fusebox
