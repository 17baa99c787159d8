#include "grader/gpu/protocol.h"

#include <tuple>

#include "grader/host/messages.h"

namespace fusebox {

auto members(auto& s, const Buffer&) { return std::tie(s.name, s.address, s.bytes, s.contents); }

}  // namespace fusebox

namespace fusebox::gpu {

auto members(auto& s, const DeviceInfo&) {
  return std::tie(s.name, s.driver, s.cuda, s.compute_major, s.compute_minor, s.sms, s.l2_bytes,
                  s.global_bytes, s.shared_bytes_per_sm, s.max_shared_bytes_per_block,
                  s.max_shared_bytes_per_block_optin, s.reserved_shared_bytes_per_block, s.registers_per_sm,
                  s.max_threads_per_sm, s.max_threads_per_block, s.max_blocks_per_sm, s.clock_hz,
                  s.dram_bytes_per_second, s.range, s.kernel_times);
}
auto members(auto& s, const ExecuteRequest&) {
  return std::tie(s.ptx, s.cubin, s.plan, s.buffers, s.measure);
}
auto members(auto& s, const ExecuteReply&) { return std::tie(s.outputs, s.seconds); }
auto members(auto& s, const OpProgress&) { return std::tie(s.op); }
auto members(auto& s, const Failure&) { return std::tie(s.code, s.name, s.what, s.op); }
auto members(auto& s, const TimedVariant&) { return std::tie(s.name, s.module, s.plans); }
auto members(auto& s, const TimedModule&) { return std::tie(s.ptx, s.cubin); }
auto members(auto& s, const LinearRequest&) {
  return std::tie(s.x, s.weight, s.bias, s.out, s.rows, s.inner, s.columns);
}
auto members(auto& s, const NormRequest&) {
  return std::tie(s.rms, s.statistics, s.x, s.scale, s.bias, s.out, s.mean, s.rstd, s.rows, s.columns, s.eps);
}
auto members(auto& s, const TimeRequest&) {
  return std::tie(s.modules, s.variants, s.sets, s.linear, s.norm, s.uses, s.min_bytes, s.launches, s.samples,
                  s.seconds, s.counters);
}
auto members(auto& s, const VariantTimes&) {
  return std::tie(s.name, s.graph, s.cold, s.operations, s.gaps, s.outputs, s.counters, s.problem);
}
auto members(auto& s, const TimeReply&) {
  return std::tie(s.variants, s.baselines, s.copy, s.driver_copy, s.large_copy, s.large_copy_bytes,
                  s.runs_per_graph, s.dropped, s.sm_clock_hz, s.memory_clock_hz, s.rotated_bytes,
                  s.counters_problem);
}

void get(wire::Reader& wire, BufferUse& value) {
  const auto byte = wire.number<std::uint8_t>();
  if (byte > static_cast<std::uint8_t>(BufferUse::both)) wire.fail();
  value = wire.ok() ? static_cast<BufferUse>(byte) : BufferUse::input;
}

std::vector<std::byte> encode(const DeviceInfo& message) { return wire::encoded(message); }
std::vector<std::byte> encode(const ExecuteRequest& message) { return wire::encoded(message); }
std::vector<std::byte> encode(const ExecuteReply& message) { return wire::encoded(message); }
std::vector<std::byte> encode(const OpProgress& message) { return wire::encoded(message); }
std::vector<std::byte> encode(const Failure& message) { return wire::encoded(message); }
std::vector<std::byte> encode(const TimeRequest& message) { return wire::encoded(message); }
std::vector<std::byte> encode(const TimeReply& message) { return wire::encoded(message); }

template <class T>
std::optional<T> decode(std::span<const std::byte> bytes) {
  return wire::decoded<T>(bytes);
}

template std::optional<DeviceInfo> decode<DeviceInfo>(std::span<const std::byte>);
template std::optional<ExecuteRequest> decode<ExecuteRequest>(std::span<const std::byte>);
template std::optional<ExecuteReply> decode<ExecuteReply>(std::span<const std::byte>);
template std::optional<OpProgress> decode<OpProgress>(std::span<const std::byte>);
template std::optional<Failure> decode<Failure>(std::span<const std::byte>);
template std::optional<TimeRequest> decode<TimeRequest>(std::span<const std::byte>);
template std::optional<TimeReply> decode<TimeReply>(std::span<const std::byte>);

}  // namespace fusebox::gpu
