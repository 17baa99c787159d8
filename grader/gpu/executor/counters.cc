#include "grader/gpu/executor/counters.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "grader/gpu/executor/cupti.h"

namespace fusebox::gpu {
namespace {

// CUPTI's range profiler (CUDA 12.6 and newer) as far as it is used here, in our own declarations. Every call
// takes one struct that begins with its size, to the end of the last field that the caller knows of.
constexpr int kRangeProfiler = 0, kRangeIsKernel = 1, kUserReplay = 3;
constexpr int kInsufficientPrivileges = 35, kVirtualInsufficientPrivileges = 40;
constexpr int kMaxPasses = 64;

struct Initialize {
  std::size_t size = sizeof(Initialize);
  void* reserved = nullptr;
};
struct ChipName {
  std::size_t size = sizeof(ChipName);
  void* reserved = nullptr;
  std::size_t device = 0;
  const char* name = nullptr;
};
struct Availability {
  std::size_t size = sizeof(Availability);
  void* reserved = nullptr;
  cu::Context context = nullptr;
  std::size_t bytes = 0;
  std::uint8_t* image = nullptr;
};
struct HostInitialize {
  std::size_t size = sizeof(HostInitialize);
  void* reserved = nullptr;
  int kind = kRangeProfiler;
  const char* chip = nullptr;
  const std::uint8_t* availability = nullptr;
  void* host = nullptr;
};
struct HostDeinitialize {
  std::size_t size = sizeof(HostDeinitialize);
  void* reserved = nullptr;
  void* host = nullptr;
};
struct AddMetrics {
  std::size_t size = sizeof(AddMetrics);
  void* reserved = nullptr;
  void* host = nullptr;
  const char** names = nullptr;
  std::size_t count = 0;
};
struct ConfigBytes {
  std::size_t size = sizeof(ConfigBytes);
  void* reserved = nullptr;
  void* host = nullptr;
  std::size_t bytes = 0;
};
struct ConfigImage {
  std::size_t size = sizeof(ConfigImage);
  void* reserved = nullptr;
  void* host = nullptr;
  std::size_t bytes = 0;
  std::uint8_t* image = nullptr;
};
struct Enable {
  std::size_t size = sizeof(Enable);
  void* reserved = nullptr;
  cu::Context context = nullptr;
  void* profiler = nullptr;
};
/// Parameters of Disable and Start.
struct Simple {
  std::size_t size = sizeof(Simple);
  void* reserved = nullptr;
  void* profiler = nullptr;
};
struct CounterDataBytes {
  std::size_t size = offsetof(CounterDataBytes, bytes) + sizeof(std::size_t);
  void* reserved = nullptr;
  void* profiler = nullptr;
  const char** names = nullptr;
  std::size_t count = 0, max_ranges = 0;
  std::uint32_t max_nodes = 0;
  std::size_t bytes = 0;
};
struct DataImage {
  std::size_t size = sizeof(DataImage);
  void* reserved = nullptr;
  void* profiler = nullptr;
  std::size_t bytes = 0;
  std::uint8_t* data = nullptr;
};
struct SetConfig {
  std::size_t size = offsetof(SetConfig, target_level) + sizeof(std::uint16_t);
  void* reserved = nullptr;
  void* profiler = nullptr;
  std::size_t config_bytes = 0;
  const std::uint8_t* config = nullptr;
  std::size_t data_bytes = 0;
  std::uint8_t* data = nullptr;
  int range = kRangeIsKernel, replay = kUserReplay;
  std::size_t max_ranges = 0;
  std::uint16_t levels = 1, min_level = 1;
  std::size_t pass = 0;
  std::uint16_t target_level = 1;
};
struct Stop {
  std::size_t size = offsetof(Stop, all_submitted) + 1;
  void* reserved = nullptr;
  void* profiler = nullptr;
  std::size_t pass = 0, target_level = 0;
  std::uint8_t all_submitted = 0;
};
struct Decode {
  std::size_t size = sizeof(Decode);
  void* reserved = nullptr;
  void* profiler = nullptr;
  std::size_t dropped = 0;
};
struct Evaluate {
  std::size_t size = sizeof(Evaluate);
  void* reserved = nullptr;
  void* host = nullptr;
  const std::uint8_t* data = nullptr;
  std::size_t bytes = 0, range = 0;
  const char** names = nullptr;
  std::size_t count = 0;
  double* values = nullptr;
};

// What we call a function, its exported name, its parameters.
#define FUSEBOX_PROFILER_FUNCTIONS(X)                                         \
  X(initialize, cuptiProfilerInitialize, Initialize)                          \
  X(chip_name, cuptiDeviceGetChipName, ChipName)                              \
  X(availability, cuptiProfilerGetCounterAvailability, Availability)          \
  X(host_initialize, cuptiProfilerHostInitialize, HostInitialize)             \
  X(host_deinitialize, cuptiProfilerHostDeinitialize, HostDeinitialize)       \
  X(add_metrics, cuptiProfilerHostConfigAddMetrics, AddMetrics)               \
  X(config_bytes, cuptiProfilerHostGetConfigImageSize, ConfigBytes)           \
  X(config_image, cuptiProfilerHostGetConfigImage, ConfigImage)               \
  X(evaluate, cuptiProfilerHostEvaluateToGpuValues, Evaluate)                 \
  X(enable, cuptiRangeProfilerEnable, Enable)                                 \
  X(disable, cuptiRangeProfilerDisable, Simple)                               \
  X(data_bytes, cuptiRangeProfilerGetCounterDataSize, CounterDataBytes)       \
  X(data_initialize, cuptiRangeProfilerCounterDataImageInitialize, DataImage) \
  X(set_config, cuptiRangeProfilerSetConfig, SetConfig)                       \
  X(start, cuptiRangeProfilerStart, Simple)                                   \
  X(stop, cuptiRangeProfilerStop, Stop)                                       \
  X(decode, cuptiRangeProfilerDecodeData, Decode)

struct Library {
#define FUSEBOX_DECLARE(ours, theirs, Parameters) int (*ours)(Parameters*) = nullptr;
  FUSEBOX_PROFILER_FUNCTIONS(FUSEBOX_DECLARE)
#undef FUSEBOX_DECLARE
  std::string problem;
};

Library load() {
  Library found;
  void* library = cupti_library();
  if (library == nullptr) {
    found.problem = "CUPTI is not installed here: it comes with the CUDA Toolkit";
    return found;
  }
#define FUSEBOX_FIND(ours, theirs, Parameters)                                  \
  found.ours = reinterpret_cast<decltype(found.ours)>(dlsym(library, #theirs)); \
  if (found.ours == nullptr) found.problem = "this CUPTI has no range profiler: it came with CUDA 12.6";
  FUSEBOX_PROFILER_FUNCTIONS(FUSEBOX_FIND)
#undef FUSEBOX_FIND
  return found;
}

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

/// Thrown and caught in this file.
struct Refused {
  std::string what;
};

void check(int result, const char* doing) {
  if (result == 0) return;
  if (result == kInsufficientPrivileges || result == kVirtualInsufficientPrivileges)
    throw Refused{
        "this machine keeps hardware counters for administrators: run it as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0"};
  throw Refused{std::string("CUPTI refuses, ") + doing + ": its error " + std::to_string(result)};
}

/// The part that knows the metrics of this GPU and how they are made of counters.
class Host {
 public:
  Host() {
    const Library& cupti = library();
    if (!cupti.problem.empty()) throw Refused{cupti.problem};
    Initialize initialize;
    check(cupti.initialize(&initialize), "beginning");
    ChipName chip;
    check(cupti.chip_name(&chip), "naming the GPU");
    Availability availability;
    check(cupti.availability(&availability), "asking what can be counted");
    available_.resize(availability.bytes);
    availability.image = available_.data();
    check(cupti.availability(&availability), "asking what can be counted");
    HostInitialize host;
    host.chip = chip.name;
    host.availability = available_.data();
    check(cupti.host_initialize(&host), "looking up the GPU's metrics");
    host_ = host.host;
  }
  ~Host() {
    HostDeinitialize end;
    end.host = host_;
    library().host_deinitialize(&end);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// False: this GPU does not have one of these metrics. Nothing can be added to this host any more then.
  bool add(std::vector<const char*> metrics) {
    AddMetrics add;
    add.host = host_;
    add.names = metrics.data();
    add.count = metrics.size();
    return library().add_metrics(&add) == 0;
  }

  std::vector<std::uint8_t> config() {
    ConfigBytes bytes;
    bytes.host = host_;
    check(library().config_bytes(&bytes), "choosing counters");
    std::vector<std::uint8_t> config(bytes.bytes);
    ConfigImage image;
    image.host = host_;
    image.bytes = config.size();
    image.image = config.data();
    check(library().config_image(&image), "choosing counters");
    return config;
  }

  std::vector<double> evaluate(const std::vector<std::uint8_t>& data, std::vector<const char*>& names) {
    std::vector<double> values(names.size());
    Evaluate evaluate;
    evaluate.host = host_;
    evaluate.data = data.data();
    evaluate.bytes = data.size();
    evaluate.names = names.data();
    evaluate.count = names.size();
    evaluate.values = values.data();
    check(library().evaluate(&evaluate), "reading counters");
    return values;
  }

 private:
  std::vector<std::uint8_t> available_;
  void* host_ = nullptr;
};

/// The part that counts, in the current context.
class Profiler {
 public:
  explicit Profiler(std::vector<std::uint8_t> config) : config_(std::move(config)) {
    Enable enable;
    check(library().enable(&enable), "reserving the counters");
    profiler_ = enable.profiler;
  }
  ~Profiler() {
    Simple disable = simple();
    library().disable(&disable);
  }
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  /// The counters of one kernel. In every pass: `before`, then `kernel`, which is counted, then `after`.
  std::vector<std::uint8_t> count(std::vector<const char*>& names, const std::function<void()>& before,
                                  const std::function<void()>& kernel, const std::function<void()>& after) {
    const Library& cupti = library();
    CounterDataBytes bytes;
    bytes.profiler = profiler_;
    bytes.names = names.data();
    bytes.count = names.size();
    bytes.max_ranges = bytes.max_nodes = 1;
    check(cupti.data_bytes(&bytes), "making room for counters");
    std::vector<std::uint8_t> data(bytes.bytes);
    DataImage image;
    image.profiler = profiler_;
    image.bytes = data.size();
    image.data = data.data();
    check(cupti.data_initialize(&image), "making room for counters");
    SetConfig set;
    set.profiler = profiler_;
    set.config_bytes = config_.size();
    set.config = config_.data();
    set.data_bytes = data.size();
    set.data = data.data();
    set.max_ranges = 1;
    check(cupti.set_config(&set), "setting counters up");

    bool counted = false;
    for (int pass = 0; pass < kMaxPasses && !counted; ++pass) {
      before();
      Simple start = simple();
      check(cupti.start(&start), "starting to count");
      kernel();
      Stop stop;
      stop.profiler = profiler_;
      check(cupti.stop(&stop), "stopping to count");
      counted = stop.all_submitted != 0;
      after();
    }
    if (!counted) throw Refused{"CUPTI never had enough passes"};
    Decode decode;
    decode.profiler = profiler_;
    check(cupti.decode(&decode), "collecting counters");
    return data;
  }

 private:
  Simple simple() const {
    Simple parameters;
    parameters.profiler = profiler_;
    return parameters;
  }

  std::vector<std::uint8_t> config_;
  void* profiler_ = nullptr;
};

}  // namespace

CountedLaunches count_launches(ExecutorSession& session, DriverModule& module, const LaunchPlan& plan,
                               const std::vector<std::string>& metrics,
                               const std::function<void()>& before_each) {
  CountedLaunches counted;
  try {
    std::vector<const char*> names;
    std::vector<std::size_t> where;
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      if (!Host().add({metrics[m].c_str()})) continue;
      names.push_back(metrics[m].c_str());
      where.push_back(m);
    }
    if (names.empty()) throw Refused{"this GPU has none of the counters that are asked for"};
    Host host;
    if (!host.add(names)) throw Refused{"these counters do not go together"};
    Profiler profiler(host.config());
    for (std::size_t wanted = 0; wanted < plan.ops.size(); ++wanted) {
      if (!std::holds_alternative<LaunchOp>(plan.ops[wanted])) continue;
      const auto enqueue = [&](std::size_t first, std::size_t end) {
        for (std::size_t op = first; op < end; ++op)
          if (!is_bookkeeping(plan.ops[op]))
            session.enqueue(module, plan.ops[op], static_cast<std::int64_t>(op));
      };
      const auto data = profiler.count(
          names,
          [&] {
            enqueue(0, wanted);
            before_each();
            session.synchronize("counting");
          },
          [&] {
            enqueue(wanted, wanted + 1);
            session.synchronize("counting");
          },
          [&] {
            enqueue(wanted + 1, plan.ops.size());
            session.synchronize("counting");
          });
      const auto values = host.evaluate(data, names);
      auto& launch = counted.values.emplace_back(metrics.size(), std::numeric_limits<double>::quiet_NaN());
      for (std::size_t i = 0; i < values.size(); ++i) launch[where[i]] = values[i];
    }
  } catch (const Refused& refused) {
    counted.values.clear();
    counted.problem = refused.what;
  }
  return counted;
}

}  // namespace fusebox::gpu
