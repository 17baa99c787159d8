#include "grader/gpu/executor/activity.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "grader/gpu/executor/cupti.h"
#include "grader/gpu/executor/gate.h"

namespace fusebox::gpu {
namespace {

// CUPTI's activity interface, as far as it is used here. The fields that are read lie at the same offsets in
// every version since CUDA 7.
constexpr int kMemcpy = 1, kMemset = 2, kConcurrentKernel = 10;
constexpr std::size_t kStartOffset = 16, kEndOffset = 24, kMinRecord = 32;

struct Cupti {
  int (*enable)(int) = nullptr;
  int (*disable)(int) = nullptr;
  int (*flush)(std::uint32_t) = nullptr;
  int (*next)(std::uint8_t*, std::size_t, void**) = nullptr;
  int (*callbacks)(void (*)(std::uint8_t**, std::size_t*, std::size_t*),
                   void (*)(cu::Context, std::uint32_t, std::uint8_t*, std::size_t, std::size_t)) = nullptr;
  int (*get_version)(std::uint32_t*) = nullptr;
  bool works = false;
  std::uint32_t version = 0;
};

std::mutex records_lock;  // CUPTI completes buffers on a thread of its own
std::vector<Activity::Record> records;

void give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  *size = 1 << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
  *max_records = 0;
}

const Cupti& cupti();

void read_buffer(cu::Context, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  const std::lock_guard lock(records_lock);
  void* record = nullptr;
  while (valid >= kMinRecord && cupti().next(buffer, valid, &record) == 0) {
    int kind = 0;
    std::uint64_t start = 0, end = 0;
    std::memcpy(&kind, record, sizeof kind);
    if (kind != kMemcpy && kind != kMemset && kind != kConcurrentKernel) continue;
    std::memcpy(&start, static_cast<std::byte*>(record) + kStartOffset, sizeof start);
    std::memcpy(&end, static_cast<std::byte*>(record) + kEndOffset, sizeof end);
    records.push_back({1e-9 * static_cast<double>(start), 1e-9 * static_cast<double>(end)});
  }
  std::free(buffer);
}

Cupti load() {
  Cupti loaded;
  void* library = cupti_library();
  if (library == nullptr) return loaded;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    return function != nullptr;
  };
  loaded.works = find(loaded.enable, "cuptiActivityEnable") && find(loaded.disable, "cuptiActivityDisable") &&
                 find(loaded.flush, "cuptiActivityFlushAll") &&
                 find(loaded.next, "cuptiActivityGetNextRecord") &&
                 find(loaded.callbacks, "cuptiActivityRegisterCallbacks") &&
                 find(loaded.get_version, "cuptiGetVersion") && loaded.get_version(&loaded.version) == 0;
  return loaded;
}

const Cupti& cupti() {
  static const Cupti loaded = load();
  return loaded;
}

/// CUPTI is asked first when a measurement is wanted: from then on it costs every launch a little.
bool subscribe() {
  static const bool subscribed = cupti().works && cupti().callbacks(give_buffer, read_buffer) == 0;
  return subscribed;
}

OperationTimes time_with_events(ExecutorSession& session, DriverModule& module, const LaunchPlan& plan) {
  const cu::Driver& driver = session.driver();
  std::vector<cu::Event> events;
  const auto mark = [&] {
    cu::Event event = nullptr;
    session.check(driver.event_create(&event, 0), "making an event");
    session.check(driver.event_record(event, session.stream()), "recording an event");
    events.push_back(event);
  };
  Gate gate(session);
  gate.close();
  mark();
  for (std::size_t i = 0; i < plan.ops.size(); ++i) {
    if (is_bookkeeping(plan.ops[i])) continue;
    session.enqueue(module, plan.ops[i], static_cast<std::int64_t>(i));
    mark();
  }
  gate.open();
  session.synchronize("timing operations");
  OperationTimes times;
  for (std::size_t i = 1; i < events.size(); ++i) {
    float milliseconds = 0;
    session.check(driver.event_elapsed(&milliseconds, events[i - 1], events[i]), "reading events");
    times.seconds.push_back(1e-3 * milliseconds);
  }
  return times;
}

}  // namespace

std::string Activity::version() {
  if (!cupti().works) return "events";
  return "CUPTI, API " + std::to_string(cupti().version);
}

bool Activity::available() { return subscribe(); }

void Activity::start() {
  const std::lock_guard lock(records_lock);
  records.clear();
  for (int kind : {kConcurrentKernel, kMemcpy, kMemset}) cupti().enable(kind);
}

std::vector<Activity::Record> Activity::take() {
  cupti().flush(1);
  for (int kind : {kConcurrentKernel, kMemcpy, kMemset}) cupti().disable(kind);
  const std::lock_guard lock(records_lock);
  auto taken = std::move(records);
  records.clear();
  std::sort(taken.begin(), taken.end(), [](const Record& a, const Record& b) { return a.begin < b.begin; });
  return taken;
}

OperationTimes time_operations(ExecutorSession& session, DriverModule& module, const LaunchPlan& plan) {
  std::size_t operations = 0;
  for (const PlanOp& op : plan.ops) operations += !is_bookkeeping(op);
  if (Activity::available()) {
    Activity::start();
    // Behind the gate, or the gaps between short kernels would be those of the host's calls.
    Gate gate(session);
    gate.close();
    for (std::size_t i = 0; i < plan.ops.size(); ++i)
      if (!is_bookkeeping(plan.ops[i])) session.enqueue(module, plan.ops[i], static_cast<std::int64_t>(i));
    gate.open();
    session.synchronize("timing operations");
    auto seen = Activity::take();
    // With a record too few or too many they cannot be matched to launches. The first is the gate's.
    if (seen.size() == operations + 1) {
      seen.erase(seen.begin());
      OperationTimes times;
      for (std::size_t i = 0; i < seen.size(); ++i) {
        times.seconds.push_back(seen[i].end - seen[i].begin);
        if (i > 0) times.gaps.push_back(seen[i].begin - seen[i - 1].end);
      }
      return times;
    }
  }
  return time_with_events(session, module, plan);
}

}  // namespace fusebox::gpu
