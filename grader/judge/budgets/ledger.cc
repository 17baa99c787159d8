#include "grader/judge/budgets/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "grader/report/hardware.h"

namespace fusebox {
namespace {

constexpr const char *kMemset = "memset", *kCopyOnDevice = "copy on the device",
                     *kCopyToDevice = "copy to the device";

std::uint64_t sectors_of(DeviceAddress address, std::uint64_t bytes) {
  return bytes == 0 ? 0 : (address + bytes - 1) / kSectorBytes - address / kSectorBytes + 1;
}

/// The buffers that exist at one moment of a plan, by address.
class Memory {
 public:
  Memory(std::span<const Buffer> buffers, std::span<const std::string> names) : names_(names) {
    for (const Buffer& buffer : buffers) at_[buffer.address] = {buffer.name, buffer.bytes};
  }

  void allocate(const AllocOp& op) {
    const std::string name =
        allocated_ < names_.size() ? names_[allocated_] : fmt::format("buffer {}", allocated_ + 1);
    ++allocated_;
    at_[op.address] = {name, op.bytes};
  }

  /// Null when the address lies in none.
  const std::pair<std::string, std::uint64_t>* find(DeviceAddress address) const {
    auto after = at_.upper_bound(address);
    if (after == at_.begin()) return nullptr;
    const auto& [begin, buffer] = *std::prev(after);
    return address - begin < buffer.second ? &buffer : nullptr;
  }

 private:
  std::span<const std::string> names_;
  std::size_t allocated_ = 0;
  std::map<DeviceAddress, std::pair<std::string, std::uint64_t>> at_;
};

TensorTraffic& traffic_on(LaunchRecord& record, const std::pair<std::string, std::uint64_t>& buffer) {
  for (TensorTraffic& traffic : record.tensors)
    if (traffic.tensor == buffer.first) return traffic;
  record.tensors.push_back({.tensor = buffer.first, .buffer_bytes = buffer.second});
  return record.tensors.back();
}

void add_read(LaunchRecord& record, const Memory& memory, DeviceAddress address, std::uint64_t bytes) {
  const std::uint64_t sectors = sectors_of(address, bytes);
  record.counters.global_load.sectors += sectors;
  record.counters.global_load.useful_bytes += bytes;
  record.counters.compulsory_read_bytes += kSectorBytes * sectors;
  if (const auto* buffer = memory.find(address)) {
    TensorTraffic& traffic = traffic_on(record, *buffer);
    traffic.requested_read += kSectorBytes * sectors;
    traffic.compulsory_read += kSectorBytes * sectors;
  }
}

void add_write(LaunchRecord& record, const Memory& memory, DeviceAddress address, std::uint64_t bytes) {
  const std::uint64_t sectors = sectors_of(address, bytes);
  record.counters.global_store.sectors += sectors;
  record.counters.global_store.useful_bytes += bytes;
  record.counters.compulsory_write_bytes += kSectorBytes * sectors;
  if (const auto* buffer = memory.find(address)) {
    TensorTraffic& traffic = traffic_on(record, *buffer);
    traffic.requested_write += kSectorBytes * sectors;
    traffic.compulsory_write += kSectorBytes * sectors;
  }
}

}  // namespace

bool is_kernel(const LaunchRecord& operation) {
  return operation.counters.warp_instructions != 0 ||
         (operation.kernel != kMemset && operation.kernel != kCopyOnDevice &&
          operation.kernel != kCopyToDevice);
}

std::vector<LaunchRecord> operations_of(const LaunchPlan& plan, const Run& run,
                                        std::span<const Buffer> buffers,
                                        std::span<const std::string> intermediate_names) {
  std::vector<LaunchRecord> records;
  Memory memory(buffers, intermediate_names);
  std::size_t launch = 0, transfer = 0;
  const auto add_transfer = [&](LaunchRecord record) {
    if (transfer < run.transfers.size()) record.model = run.transfers[transfer];
    ++transfer;
    records.push_back(std::move(record));
  };
  for (const PlanOp& op : plan.ops) {
    if (const auto* alloc = std::get_if<AllocOp>(&op)) {
      memory.allocate(*alloc);
    } else if (const auto* memset = std::get_if<MemsetOp>(&op)) {
      LaunchRecord record;
      record.kernel = kMemset;
      add_write(record, memory, memset->address, memset->bytes);
      add_transfer(std::move(record));
    } else if (const auto* copy = std::get_if<CopyOp>(&op)) {
      LaunchRecord record;
      record.kernel = copy->from != 0 ? kCopyOnDevice : kCopyToDevice;
      if (copy->from != 0) add_read(record, memory, copy->from, copy->bytes);
      if (copy->symbol.empty()) add_write(record, memory, copy->to, copy->bytes);
      add_transfer(std::move(record));
    } else if (std::holds_alternative<LaunchOp>(op)) {
      // A device stops at a launch that nothing sensible can follow; the operations behind it did not happen.
      if (launch == run.launches.size()) break;
      records.push_back(run.launches[launch++]);
    }
  }
  return records;
}

std::vector<TensorTraffic> ledger_of(std::span<const LaunchRecord> launches) {
  std::vector<TensorTraffic> ledger;
  for (const LaunchRecord& launch : launches) {
    for (const TensorTraffic& traffic : launch.tensors) {
      auto row = std::find_if(ledger.begin(), ledger.end(),
                              [&](const auto& r) { return r.tensor == traffic.tensor; });
      if (row == ledger.end()) {
        ledger.push_back(traffic);
        continue;
      }
      row->buffer_bytes = std::max(row->buffer_bytes, traffic.buffer_bytes);
      row->requested_read += traffic.requested_read;
      row->requested_write += traffic.requested_write;
      row->compulsory_read += traffic.compulsory_read;
      row->compulsory_write += traffic.compulsory_write;
    }
  }
  return ledger;
}

std::vector<FusionLine> fusion_ledger(std::span<const TensorTraffic> before,
                                      std::span<const TensorTraffic> after) {
  std::vector<FusionLine> lines;
  const auto find = [](std::span<const TensorTraffic> rows,
                       const std::string& tensor) -> std::optional<TensorTraffic> {
    for (const TensorTraffic& row : rows)
      if (row.tensor == tensor) return row;
    return std::nullopt;
  };
  const auto compulsory = [](const TensorTraffic& row) { return row.compulsory_read + row.compulsory_write; };
  for (const TensorTraffic& row : before) {
    FusionLine line{row.tensor, row, find(after, row.tensor), ""};
    if (!line.after)
      line.remark = "fused away";
    else if (compulsory(*line.after) < compulsory(row))
      line.remark = "fewer passes";
    else if (compulsory(*line.after) > compulsory(row))
      line.remark = "more passes";
    lines.push_back(std::move(line));
  }
  for (const TensorTraffic& row : after)
    if (!find(before, row.tensor)) lines.push_back({row.tensor, std::nullopt, row, "only when fused"});
  return lines;
}

std::string passes(std::uint64_t bytes, std::uint64_t buffer_bytes) {
  if (bytes == 0) return "-";
  const std::uint64_t whole = (buffer_bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes;
  if (whole == 0) return "-";
  const double ratio = static_cast<double>(bytes) / static_cast<double>(whole);
  // A sector at a ragged end belongs to two tensors' worth of rounding; a twentieth of a pass is no pass.
  const double nearest = std::round(ratio);
  if (nearest >= 1 && std::abs(ratio - nearest) < 0.05) return fmt::format("{:.0f}x", nearest);
  return ratio < 0.1 ? fmt::format("{:.2g}x", ratio) : fmt::format("{:.1f}x", ratio);
}

}  // namespace fusebox
