#include "grader/simulator/launch/session.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "grader/simulator/exec/instructions/lanes/lanes.h"
#include "grader/simulator/launch/grid_workspace.h"
#include "grader/simulator/observe/modelled/model.h"
#include "grader/simulator/ptx/link.h"
#include "grader/simulator/ptx/parser.h"

namespace fusebox::sim {
namespace {

// The end of the device's addresses belongs to the variables of modules and, behind them, to the heap.
constexpr std::uint64_t kVariableBytes = 4ull << 30;

std::uint64_t variable_bytes(const AddressRange& all) { return std::min(kVariableBytes, all.bytes / 4); }

AddressRange heap_range(const AddressRange& all) {
  const std::uint64_t bytes = variable_bytes(all) / 2;
  return {all.begin + all.bytes - bytes, bytes - std::min(2 * kWorkspaceRoom, bytes)};
}

constexpr int kNewestPtxMajor = 9;

}  // namespace

Result<std::unique_ptr<LoadedModule>> load_module(const std::string& ptx, DeviceAddress variable_base,
                                                  bool watch_nan) {
  return load_module(std::vector{ptx}, variable_base, watch_nan);
}

Result<std::unique_ptr<LoadedModule>> load_module(const std::vector<std::string>& parts,
                                                  DeviceAddress variable_base, bool watch_nan) {
  if (auto missing = missing_lanes()) return *missing;
  std::vector<ptx::Module> modules;
  for (const std::string& part : parts) {
    Result<ptx::Module> parsed = ptx::parse(part);
    if (!parsed) return parsed.error();
    modules.push_back(std::move(*parsed));
  }
  ptx::Module linked = ptx::link(std::move(modules));
  if (linked.version_major > kNewestPtxMajor)
    return Error{ErrorKind::not_passed,
                 "the PTX is of version " + std::to_string(linked.version_major) + "." +
                     std::to_string(linked.version_minor) + ", newer than this simulator knows",
                 "compile with CUDA 13 or older"};
  return std::make_unique<LoadedModule>(std::move(linked), variable_base, watch_nan);
}

Session::Session(GpuProfile gpu, unsigned cores)
    : gpu_(std::move(gpu)),
      cores_(cores != 0 ? cores : std::clamp(std::thread::hardware_concurrency(), 1u, 64u)),
      memory_(GlobalMemory::kReserved, cores_),
      heap_(memory_, heap_range(memory_.range())),
      parallel_(std::make_unique<ParallelLauncher>(memory_, cores_)) {}
Session::~Session() = default;

AddressRange Session::buffers() const {
  AddressRange range = memory_.range();
  return {range.begin, range.bytes - variable_bytes(range)};
}

void Session::restart(unsigned share) {
  memory_.clear();
  heap_.restart();
  for (auto& [module, traffic] : traffic_) traffic.restart();
  launches_ = 0;
  late_copies_.clear();
  uncounted_ = false;
  if (caches_ ? caches_->share() != share : share != 1) caches_ = std::make_unique<Caches>(gpu_, share);
  if (caches_) caches_->flush();  // a plan meets an L2 that holds nothing of it
}

void Session::forget_code() {
  traffic_.clear();
  unset_reads_.clear();
  parallel_->forget_code();
}

Result<bool> Session::place(const std::string& name, DeviceAddress address, std::uint64_t bytes,
                            const std::vector<std::byte>& contents) {
  if (auto placed = memory_.allocate(name, address, bytes, !contents.empty()); !placed) return placed.error();
  if (contents.empty())
    std::memset(GlobalMemory::data(address), GlobalMemory::kUndefinedByte, bytes);
  else
    for (std::uint64_t at = 0; at < bytes; at += contents.size())
      std::memcpy(GlobalMemory::data(address) + at, contents.data(),
                  std::min<std::uint64_t>(contents.size(), bytes - at));
  return true;
}

Result<bool> Session::place_zeros(const std::string& name, DeviceAddress address, std::uint64_t bytes) {
  if (auto placed = memory_.allocate(name, address, bytes, true); !placed) return placed.error();
  memory_.zero(address, bytes);
  return true;
}

LaunchModel Session::model_copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  if (!caches_) caches_ = std::make_unique<Caches>(gpu_);
  return fusebox::sim::model_copy(gpu_, caches_->copy(to, from, bytes));
}

void Session::model_copy_later(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  constexpr std::size_t kMaxLateCopies = 64;
  const Copy copy{to, from, bytes};
  if (uncounted_) std::erase(late_copies_, copy);
  late_copies_.push_back(copy);
  if (late_copies_.size() > kMaxLateCopies) model_late_copies();
}

void Session::model_late_copies() {
  for (const Copy& copy : late_copies_) model_copy(copy.to, copy.from, copy.bytes);
  late_copies_.clear();
}

void Session::fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes) {
  memory_.fill(to, value, bytes);
  memory_.define(to, bytes);
}

void Session::write(DeviceAddress to, const void* from, std::uint64_t bytes) {
  if (bytes == 0) return;
  std::memmove(GlobalMemory::data(to), from, bytes);
  memory_.define(to, bytes);
}

void Session::copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  if (bytes == 0) return;
  std::memmove(GlobalMemory::data(to), GlobalMemory::data(from), bytes);
  std::memmove(memory_.shadow(to), memory_.shadow(from), bytes);
}

std::vector<NamedRange> Session::live_ranges() const {
  std::vector<NamedRange> ranges;
  for (const Allocation& a : memory_.allocations())
    if (!a.freed) ranges.push_back({a.name, a.address, a.bytes, a.own});
  return ranges;
}

}  // namespace fusebox::sim
