#include "grader/gpu/executor/timing.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>

#include "grader/gpu/executor/activity.h"
#include "grader/gpu/executor/baselines.h"
#include "grader/gpu/executor/clocks.h"
#include "grader/gpu/executor/counters.h"
#include "grader/gpu/executor/gate.h"
#include "grader/gpu/executor/kernels.h"

namespace fusebox::gpu {
namespace {

constexpr double kGraphSeconds = 0.02;  // a sample is that long, unless so many runs are not asked for
constexpr std::uint32_t kMinSamples = 5;
constexpr double kFallen = 0.9;  // of the highest clock seen: slower than that, and a sample does not count
constexpr std::uint64_t kLargeCopy = 1ull << 30;
constexpr int kOperationRuns = 5;
constexpr std::uint64_t kWorkspace = 32 << 20;  // what libraries may use

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

template <class... T>
std::vector<std::byte> packed(T... values) {
  std::vector<std::byte> bytes;
  const auto add = [&](auto value) {
    bytes.resize((bytes.size() + sizeof value - 1) / sizeof value * sizeof value);
    bytes.resize(bytes.size() + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
  };
  (add(values), ...);
  return bytes;
}

/// Memory of the executor itself, of no plan.
class Scratch {
 public:
  Scratch(ExecutorSession& session, std::uint64_t bytes) : session_(session), bytes_(bytes) {
    session_.check(session_.driver().allocate(&address_, bytes), "allocating memory on the GPU");
  }
  ~Scratch() { session_.driver().release(address_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  cu::DevicePointer address() const { return address_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  ExecutorSession& session_;
  cu::DevicePointer address_ = 0;
  std::uint64_t bytes_;
};

/// One thing to time: how to enqueue its work on set s.
struct Runner {
  VariantTimes* times = nullptr;
  std::uint32_t sets = 1;
  std::function<void(std::uint32_t)> enqueue;
  std::uint32_t runs = 1;  ///< in its graph
  cu::GraphExec graph = nullptr;
};

class Timing {
 public:
  Timing(ExecutorSession& session, const TimeRequest& request)
      : session_(session),
        driver_(session.driver()),
        request_(request),
        own_(session.driver(), kOwnKernels, {}),
        gate_(session),
        clocks_(session.driver(), 0) {
    for (cu::Event& event : events_) session_.check(driver_.event_create(&event, 0), "making an event");
  }

  TimeReply run() {
    prepare_sets();
    prepare_baselines();
    prepare_copies();
    for (Runner& runner : runners_) build_graph(runner);
    take_graph_samples();
    take_cold_samples();
    choose_copies();
    for (std::size_t v = 0; v < request_.variants.size(); ++v) finish(v);
    for (std::size_t b = 0; b < baselines_.size(); ++b) {
      const auto last = static_cast<std::uint32_t>(request_.sets.size() - 1);
      restore(last, false);
      baselines_[b].enqueue(last);
      fetch(last, reply_.baselines[b]);
    }
    reply_.memory_clock_hz = clocks_.memory_hz();
    session_.forget_pinned();
    return std::move(reply_);
  }

 private:
  void launch(const char* kernel, std::uint64_t blocks, std::uint32_t threads,
              std::vector<std::byte> arguments) {
    LaunchOp op;
    op.kernel = kernel;
    op.grid.x = static_cast<std::uint32_t>(blocks);
    op.block.x = threads;
    op.arguments = std::move(arguments);
    session_.enqueue(own_, PlanOp(std::move(op)), -1);
  }

  void enqueue_plan(std::size_t variant, std::uint32_t set) {
    const TimedVariant& timed = request_.variants[variant];
    for (const PlanOp& op : timed.plans[set].ops)
      if (!is_bookkeeping(op)) session_.enqueue(*modules_[timed.module], op, -1);
  }

  void prepare_sets() {
    for (const TimedModule& module : request_.modules)
      modules_.push_back(std::make_unique<DriverModule>(driver_, module.ptx, module.cubin));
    std::vector<AddressRange> ranges;
    for (const TimedVariant& variant : request_.variants) {
      if (variant.module >= modules_.size() || variant.plans.size() != request_.sets.size() ||
          variant.plans.empty())
        throw ExecutorError{{0, "", "a timing request that contradicts itself", -1}};
      for (std::size_t s = 0; s < variant.plans.size(); ++s)
        for (const AddressRange& range : ranges_of(variant.plans[s], request_.sets[s]))
          ranges.push_back(range);
    }
    session_.map(ranges);
    session_.poison();
    for (std::uint32_t s = 0; s < request_.sets.size(); ++s) restore(s, true);
    for (const auto& set : request_.sets)
      for (const Buffer& buffer : set) reply_.rotated_bytes += buffer.bytes;
    reply_.variants.resize(request_.variants.size());
    for (std::size_t v = 0; v < request_.variants.size(); ++v) {
      reply_.variants[v].name = request_.variants[v].name;
      runners_.push_back({&reply_.variants[v], static_cast<std::uint32_t>(request_.sets.size()),
                          [this, v](std::uint32_t set) { enqueue_plan(v, set); }});
    }
  }

  void prepare_baselines() {
    if (request_.linear.rows == 0 && request_.norm.rows == 0) return;
    workspace_ = std::make_unique<Scratch>(session_, kWorkspace);
    baselines_ = library_baselines(session_, request_, workspace_->address(), workspace_->bytes());
    reply_.baselines.resize(baselines_.size());  // runners point into it
    for (std::size_t b = 0; b < baselines_.size(); ++b) {
      reply_.baselines[b].name = baselines_[b].name;
      runners_.push_back(
          {&reply_.baselines[b], static_cast<std::uint32_t>(request_.sets.size()), baselines_[b].enqueue});
    }
  }

  /// Inputs as they were given; outputs undefined, so that a run that writes nothing shows.
  void restore(std::uint32_t set, bool inputs_too) {
    const auto& first = request_.sets.front();
    for (std::size_t b = 0; b < first.size(); ++b) {
      const Buffer& buffer = request_.sets[set][b];
      const BufferUse use = b < request_.uses.size() ? request_.uses[b] : BufferUse::both;
      if (first[b].contents.empty())
        session_.check(driver_.fill(buffer.address, 0xFF, buffer.bytes, session_.stream()), "a fill");
      else if (inputs_too || use != BufferUse::input)
        session_.check(
            driver_.to_device(buffer.address, first[b].contents.data(), buffer.bytes, session_.stream()),
            "sending a buffer");
    }
    session_.synchronize("sending buffers");
  }

  void fill_noise(cu::DevicePointer to, std::uint64_t bytes, std::uint32_t seed) {
    launch("fusebox_noise", (bytes / 4 + 255) / 256, 256, packed(to, bytes / 4, seed));
  }

  void copy_kernel(cu::DevicePointer from, cu::DevicePointer to, std::uint64_t bytes) {
    constexpr std::uint64_t kPerBlock = 512 * 4 * 16;
    launch("fusebox_copy", (bytes + kPerBlock - 1) / kPerBlock, 512, packed(from, to, bytes));
  }

  void add_copies(std::uint64_t half, std::uint32_t sets, VariantTimes& by_kernel, VariantTimes& by_driver) {
    auto memory = std::make_shared<Scratch>(session_, 2 * half * sets);
    fill_noise(memory->address(), memory->bytes(), 77);
    by_kernel.name = "copy kernel";
    by_driver.name = "cudaMemcpy";
    runners_.push_back({&by_kernel, sets, [this, memory, half](std::uint32_t set) {
                          const cu::DevicePointer at = memory->address() + 2 * half * set;
                          copy_kernel(at, at + half, half);
                        }});
    runners_.push_back({&by_driver, sets, [this, memory, half](std::uint32_t set) {
                          const cu::DevicePointer at = memory->address() + 2 * half * set;
                          session_.check(driver_.on_device(at + half, at, half, session_.stream()), "a copy");
                        }});
  }

  void prepare_copies() {
    const std::uint64_t l2 = std::max<std::uint64_t>(session_.info().l2_bytes, 1 << 20);
    flush_ = std::make_unique<Scratch>(session_, 2 * l2 + 256);
    fill_noise(flush_->address(), flush_->bytes() / 256 * 256, 11);
    std::size_t free_bytes = 0, total = 0;
    session_.check(driver_.memory_info(&free_bytes, &total), "asking for free memory");
    const std::uint64_t half = std::max<std::uint64_t>(request_.min_bytes / 2 / 256 * 256, 256);
    const std::uint64_t wanted = (3 * l2 + 2 * half - 1) / (2 * half);
    std::uint32_t sets = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, 4, 16));
    while (sets > 1 && 2 * half * sets > free_bytes / 2) --sets;
    add_copies(half, sets, copies_[0], copies_[1]);
    session_.check(driver_.memory_info(&free_bytes, &total), "asking for free memory");
    const std::uint64_t large = std::min<std::uint64_t>(kLargeCopy, free_bytes / 4 / 256 * 256);
    reply_.large_copy_bytes = 2 * large;
    add_copies(large, 1, copies_[2], copies_[3]);
    session_.synchronize("preparing copies");
  }

  double elapsed() {
    float milliseconds = 0;
    session_.check(driver_.event_elapsed(&milliseconds, events_[0], events_[1]), "reading events");
    return 1e-3 * milliseconds;
  }

  /// Seconds of what `work` enqueues, without the host's part in it.
  double timed(const std::function<void()>& work) {
    gate_.close();
    session_.check(driver_.event_record(events_[0], session_.stream()), "recording an event");
    work();
    session_.check(driver_.event_record(events_[1], session_.stream()), "recording an event");
    gate_.open();
    session_.synchronize("a timed run");
    return elapsed();
  }

  void build_graph(Runner& runner) {
    // Once to load code and touch pages, once to see how long it takes.
    double seconds = 0;
    for (int i = 0; i < 2; ++i)
      seconds = timed([&] {
        for (std::uint32_t s = 0; s < std::min(runner.sets, 4u); ++s) runner.enqueue(s);
      });
    seconds /= std::min(runner.sets, 4u);
    runner.runs = static_cast<std::uint32_t>(
        std::clamp(kGraphSeconds / std::max(seconds, 1e-7), 1.0, double(std::max(request_.launches, 1u))));
    runner.runs = std::max(runner.runs, runner.sets);
    if (seconds * runner.runs > 4 * request_.seconds) runner.runs = 1;
    cu::Graph graph = nullptr;
    session_.check(driver_.capture_begin(session_.stream(), cu::kCaptureRelaxed), "capturing a graph");
    for (std::uint32_t i = 0; i < runner.runs; ++i) runner.enqueue(i % runner.sets);
    session_.check(driver_.capture_end(session_.stream(), &graph), "capturing a graph");
    session_.check(driver_.graph_instantiate(&runner.graph, graph, 0), "making a graph");
    session_.check(driver_.graph_destroy(graph), "making a graph");
    session_.check(driver_.graph_upload(runner.graph, session_.stream()), "making a graph");
    session_.check(driver_.graph_launch(runner.graph, session_.stream()), "warming a graph up");
    session_.synchronize("warming a graph up");
    estimate_ += seconds * runner.runs;
    cold_estimate_ += seconds;
  }

  std::uint32_t samples_within(double one_round) const {
    const double fit = request_.seconds / std::max(one_round, 1e-6);
    return static_cast<std::uint32_t>(
        std::clamp(fit, double(kMinSamples), double(std::max(request_.samples, kMinSamples))));
  }

  /// Rounds in which every runner is sampled once, in an order that rotates. Those during which the clock
  /// had fallen are dropped whole, so that what is left stays paired.
  void take_rounds(std::uint32_t rounds, std::vector<double> VariantTimes::*where,
                   const std::function<double(Runner&, std::uint32_t)>& sample) {
    std::vector<std::vector<double>> taken(rounds);
    std::vector<double> clocks;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      taken[round].resize(runners_.size());
      double lowest = 0;
      for (std::size_t i = 0; i < runners_.size(); ++i) {
        const std::size_t r = (i + round) % runners_.size();
        taken[round][r] = sample(runners_[r], round);
        const double hz = clocks_.sm_hz();
        lowest = lowest == 0 ? hz : std::min(lowest, hz);
      }
      clocks.push_back(lowest);
    }
    const double highest = *std::max_element(clocks.begin(), clocks.end());
    for (std::uint32_t round = 0; round < rounds; ++round) {
      if (clocks[round] < kFallen * highest) {
        ++reply_.dropped;
        continue;
      }
      for (std::size_t r = 0; r < runners_.size(); ++r)
        (runners_[r].times->*where).push_back(taken[round][r]);
    }
    reply_.sm_clock_hz = median(clocks);
  }

  void take_graph_samples() {
    reply_.runs_per_graph = runners_.front().runs;
    take_rounds(samples_within(estimate_), &VariantTimes::graph, [&](Runner& runner, std::uint32_t) {
      return timed(
                 [&] { session_.check(driver_.graph_launch(runner.graph, session_.stream()), "a graph"); }) /
             runner.runs;
    });
    for (Runner& runner : runners_) driver_.graph_exec_destroy(runner.graph);
  }

  void take_cold_samples() {
    const double flush_estimate = 2e-4 * static_cast<double>(runners_.size());
    take_rounds(samples_within(cold_estimate_ + flush_estimate), &VariantTimes::cold,
                [&](Runner& runner, std::uint32_t round) {
                  flush();
                  session_.synchronize("flushing the caches");
                  return timed([&] { runner.enqueue(round % runner.sets); });
                });
  }

  /// By reading: a fill would leave lines whose way back to memory the next kernel pays for.
  void flush() {
    const std::uint64_t bytes = (flush_->bytes() - 256) / 256 * 256;
    launch("fusebox_read", (bytes / 16 + 511) / 512, 512,
           packed(flush_->address(), bytes, flush_->address() + flush_->bytes() - 4));
  }

  void choose_copies() {
    reply_.driver_copy = copies_[1];
    const auto better = [](VariantTimes& a, VariantTimes& b) {
      return std::move(median(a.graph) <= median(b.graph) ? a : b);
    };
    reply_.copy = better(copies_[0], copies_[1]);
    reply_.large_copy = better(copies_[2], copies_[3]);
  }

  /// Each operation by itself, what the hardware counts of it, and the outputs once more: what was timed must
  /// have been right.
  void finish(std::size_t v) {
    VariantTimes& times = reply_.variants[v];
    const TimedVariant& variant = request_.variants[v];
    std::vector<OperationTimes> runs;
    for (int i = 0; i < kOperationRuns; ++i)
      runs.push_back(time_operations(session_, *modules_[variant.module],
                                     variant.plans[static_cast<std::size_t>(i) % variant.plans.size()]));
    const auto medians = [&](std::vector<double> OperationTimes::*which) {
      std::vector<double> result;
      for (std::size_t op = 0; op < (runs.front().*which).size(); ++op) {
        std::vector<double> samples;
        for (const OperationTimes& run : runs)
          if (op < (run.*which).size()) samples.push_back((run.*which)[op]);
        result.push_back(median(samples));
      }
      return result;
    };
    times.operations = medians(&OperationTimes::seconds);
    times.gaps = medians(&OperationTimes::gaps);
    if (!request_.counters.empty() && reply_.counters_problem.empty()) {
      CountedLaunches counted = count_launches(session_, *modules_[variant.module], variant.plans.front(),
                                               request_.counters, [this] { flush(); });
      times.counters = std::move(counted.values);
      reply_.counters_problem = std::move(counted.problem);
    }

    const auto last = static_cast<std::uint32_t>(request_.sets.size() - 1);
    restore(last, false);
    enqueue_plan(v, last);
    fetch(last, times);
  }

  /// What a run has left in the buffers that are no inputs.
  void fetch(std::uint32_t set, VariantTimes& times) {
    for (std::size_t b = 0; b < request_.sets[set].size(); ++b) {
      const Buffer& buffer = request_.sets[set][b];
      auto& output = times.outputs.emplace_back();
      if (b < request_.uses.size() && request_.uses[b] == BufferUse::input) continue;
      output.resize(buffer.bytes);
      session_.check(driver_.to_host(output.data(), buffer.address, buffer.bytes, session_.stream()),
                     "fetching a buffer");
    }
    session_.synchronize("fetching buffers");
  }

  ExecutorSession& session_;
  const cu::Driver& driver_;
  const TimeRequest& request_;
  DriverModule own_;
  Gate gate_;
  Clocks clocks_;
  cu::Event events_[2] = {};
  std::vector<std::unique_ptr<DriverModule>> modules_;
  std::unique_ptr<Scratch> flush_, workspace_;
  std::vector<Baseline> baselines_;
  std::vector<Runner> runners_;
  VariantTimes copies_[4];
  double estimate_ = 0, cold_estimate_ = 0;
  TimeReply reply_;
};

}  // namespace

TimeReply time_variants(ExecutorSession& session, const TimeRequest& request) {
  if (request.sets.empty() || request.variants.empty())
    throw ExecutorError{{0, "", "a timing request without anything to time", -1}};
  return Timing(session, request).run();
}

}  // namespace fusebox::gpu
