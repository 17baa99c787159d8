#include "grader/simulator/plan/plan_limits.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <variant>

#include "grader/report/fault_key.h"
#include "grader/report/text/format.h"

namespace fusebox::sim {
namespace {

// What carrying an operation out takes the simulator, measured against its warp instructions: a launch has
// a record with counters, of memory every byte and its shadow are written.
constexpr std::uint64_t kWorkOfOperation = 500, kWorkOfLaunch = 10000, kBytesPerWork = 128;
// Each takes pieces of the process's address space, of which the system gives out 65,530.
constexpr std::size_t kMaxAllocations = 10'000;

std::uint64_t work_of(const PlanOp& op) {
  if (std::holds_alternative<LaunchOp>(op)) return kWorkOfLaunch;
  std::uint64_t bytes = 0;
  if (const auto* alloc = std::get_if<AllocOp>(&op)) bytes = alloc->bytes;
  if (const auto* fill = std::get_if<MemsetOp>(&op)) bytes = fill->bytes;
  if (const auto* copy = std::get_if<CopyOp>(&op)) bytes = copy->bytes;
  return kWorkOfOperation + bytes / kBytesPerWork;
}

std::string bytes(std::uint64_t count) { return format_bytes(static_cast<double>(count)); }

}  // namespace

Alarm::Alarm(double seconds) {
  if (seconds <= 0) return;
  const auto limit = std::chrono::duration<double>(std::min(seconds, 1e9));
  thread_ = std::thread([this, limit] {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, limit, [this] { return over_; })) rang_ = true;
  });
}

Alarm::~Alarm() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

PlanMeter::PlanMeter(const PlanLimits& limits) : limits_(limits), alarm_(limits.seconds) {}

std::optional<Fault> PlanMeter::begin(const PlanOp& op) {
  ++operations_;
  launches_ += std::holds_alternative<LaunchOp>(op);
  if (alarm_.rang()) return timed_out();
  if (const auto* alloc = std::get_if<AllocOp>(&op))
    if (auto fault = out_of_memory(alloc->bytes)) return fault;
  work_ += work_of(op);
  if (limited() && work_ > limits_.work) return out_of_work();
  return std::nullopt;
}

std::uint64_t PlanMeter::max_for_a_launch(std::uint64_t most) const {
  return limited() ? std::min(most, limits_.work - work_) : most;
}

void PlanMeter::launched(std::uint64_t work, bool complete, std::uint64_t most, LaunchRecord& record,
                         std::vector<Fault>& plan_faults) {
  const bool own_limit = max_for_a_launch(most) == most;
  work_ += work;
  if (complete) return;
  if (alarm_.rang() && record.faults.empty()) plan_faults.push_back(timed_out());
  if (own_limit) return;
  for (Fault& fault : record.faults) {
    if (!is_one_of(fault, {FaultKey::endless_loop})) continue;
    const Fault beyond = out_of_work();
    fault.kind = beyond.kind;
    fault.what = beyond.what;
    fault.hint = beyond.hint;
  }
}

Fault PlanMeter::out_of_work() const {
  Fault fault;
  fault.kind = word_of(FaultKey::work_limit);
  fault.what = "the call as a whole does too much: stopped at operation " + format_count(operations_) + " (" +
               format_count(launches_) + (launches_ == 1 ? " launch" : " launches") +
               " until there), when it had cost as much as " + format_count(limits_.work) +
               " warp instructions";
  fault.hint = "Look for a loop of the host function that launches, copies or allocates far too often.";
  return fault;
}

Fault PlanMeter::timed_out() const {
  Fault fault;
  fault.kind = word_of(FaultKey::time_limit);
  fault.what = "the call was stopped after " +
               format_count(static_cast<std::uint64_t>(std::llround(limits_.seconds))) + " s, in operation " +
               format_count(operations_);
  fault.hint = "Look for a loop that takes far too many turns; --timeout SECONDS allows more time.";
  return fault;
}

std::optional<Fault> PlanMeter::out_of_memory(std::uint64_t more) {
  Fault fault;
  fault.kind = word_of(FaultKey::memory_limit);
  bytes_ += more;
  ++allocations_;
  if (limits_.memory_bytes != 0 && bytes_ > limits_.memory_bytes) {
    fault.what = "cudaMalloc of " + bytes(more) + ": all that the call allocates may be " +
                 bytes(limits_.memory_bytes) + ", and this makes it " + bytes(bytes_);
    fault.hint =
        "Compute the size from the arguments, in bytes, and allocate no more than is used; --memory MIB allows more.";
    return fault;
  }
  if (limits_.memory_bytes == 0 || allocations_ <= kMaxAllocations) return std::nullopt;
  fault.what = "the call allocates more than " + format_count(kMaxAllocations) + " times";
  fault.hint = "Allocate once, in front of the loop.";
  return fault;
}

}  // namespace fusebox::sim
