#include "grader/host/wire.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace fusebox::wire {

void Writer::raw(const void* data, std::size_t size) {
  if (fits() && size <= target_.size() - size_) std::memcpy(target_.data() + size_, data, size);
  size_ += size;
}

void Writer::bytes(std::span<const std::byte> value) {
  number<std::uint64_t>(value.size());
  if (!value.empty()) raw(value.data(), value.size());
}

void Reader::raw(void* data, std::size_t size) {
  if (size > source_.size()) ok_ = false;
  if (!ok_) return;
  std::memcpy(data, source_.data(), size);
  source_ = source_.subspan(size);
}

std::size_t Reader::count(std::size_t least_bytes) {
  const auto value = number<std::uint64_t>();
  if (value > source_.size() / std::max<std::size_t>(least_bytes, 1)) ok_ = false;
  return ok_ ? static_cast<std::size_t>(value) : 0;
}

std::vector<std::byte> Reader::bytes() {
  std::vector<std::byte> value(count(1));
  if (!value.empty()) raw(value.data(), value.size());
  return value;
}

std::string Reader::text() {
  std::string value(count(1), '\0');
  if (!value.empty()) raw(value.data(), value.size());
  return value;
}

namespace {

// members() names the members of a struct once, in the order in which they travel; both directions go through
// it.

auto members(auto& s, const Dim3&) { return std::tie(s.x, s.y, s.z); }
auto members(auto& s, const AllocOp&) { return std::tie(s.address, s.bytes); }
auto members(auto& s, const FreeOp&) { return std::tie(s.address); }
auto members(auto& s, const MemsetOp&) { return std::tie(s.address, s.bytes, s.value); }
auto members(auto& s, const CopyOp&) { return std::tie(s.to, s.from, s.bytes, s.symbol, s.host_bytes); }
auto members(auto& s, const LaunchOp&) {
  return std::tie(s.kernel, s.grid, s.block, s.dynamic_shared_bytes, s.cooperative, s.cluster, s.arguments);
}
auto members(auto& s, const OpOrder&) { return std::tie(s.stream, s.after); }
auto members(auto& s, const AddressRange&) { return std::tie(s.begin, s.bytes); }
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
  return std::tie(s.library, s.function, s.arguments, s.kernels, s.allocations, s.gpu);
}

template <class T>
constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T>
void put(Writer& wire, const T& value);
void put(Writer& wire, const std::string& value) { wire.text(value); }
void put(Writer& wire, const std::filesystem::path& value) { wire.text(value.native()); }
void put(Writer& wire, const std::vector<std::byte>& value) { wire.bytes(value); }
void put(Writer& wire, bool value) { wire.number<std::uint8_t>(value); }
template <class T>
void put(Writer& wire, const std::vector<T>& list) {
  wire.number<std::uint64_t>(list.size());
  for (const T& element : list) put(wire, element);
}
template <class T>
void put(Writer& wire, const T& value) {
  if constexpr (kIsNumber<T>)
    wire.number(value);
  else
    std::apply([&](const auto&... member) { (put(wire, member), ...); }, members(value, value));
}

template <class T>
void get(Reader& wire, T& value);
void get(Reader& wire, std::string& value) { value = wire.text(); }
void get(Reader& wire, std::filesystem::path& value) { value = wire.text(); }
void get(Reader& wire, std::vector<std::byte>& value) { value = wire.bytes(); }
void get(Reader& wire, bool& value) {
  const auto byte = wire.number<std::uint8_t>();
  if (byte > 1) wire.fail();  // any other byte in a bool is undefined behaviour
  value = byte == 1;
}
template <class T>
void get(Reader& wire, std::vector<T>& list) {
  list.resize(wire.count(1));
  for (T& element : list) get(wire, element);
}
template <class T>
void get(Reader& wire, T& value) {
  if constexpr (kIsNumber<T>)
    value = wire.number<T>();
  else
    std::apply([&](auto&... member) { (get(wire, member), ...); }, members(value, value));
}

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
  return true;
}

constexpr std::size_t kLeastOpBytes = 1 + sizeof(DeviceAddress);

}  // namespace

std::vector<std::byte> encode(const RecordRequest& request) {
  Writer measure({});
  put(measure, request);
  std::vector<std::byte> bytes(measure.size());
  Writer writer(bytes);
  put(writer, request);
  return bytes;
}

std::optional<RecordRequest> decode_request(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  RecordRequest request;
  get(reader, request);
  if (!reader.complete()) return std::nullopt;
  return request;
}

void write(Writer& writer, const LaunchPlan& plan) {
  writer.number<std::uint64_t>(plan.ops.size());
  for (const PlanOp& op : plan.ops) {
    writer.number(static_cast<std::uint8_t>(op.index()));
    std::visit([&](const auto& alternative) { put(writer, alternative); }, op);
  }
  put(writer, plan.order);
}

std::optional<LaunchPlan> decode_plan(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  LaunchPlan plan;
  const std::size_t count = reader.count(kLeastOpBytes);
  if (count > kMostOps) return std::nullopt;
  plan.ops.reserve(count);
  for (std::size_t i = 0; i < count && reader.ok(); ++i)
    if (!get_alternative(reader, plan.ops.emplace_back(), reader.number<std::uint8_t>())) return std::nullopt;
  const std::size_t orders = reader.count(1);
  if (orders != 0 && orders != count) return std::nullopt;
  plan.order.resize(orders);
  for (OpOrder& order : plan.order) get(reader, order);
  if (!reader.complete() || !is_possible(plan)) return std::nullopt;
  return plan;
}

}  // namespace fusebox::wire
