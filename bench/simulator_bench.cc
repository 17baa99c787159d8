// How fast the simulator executes: a float32 LayerNorm of 2048 x 768 with every check and counter on, a
// million accesses far apart, and the counting of single requests. `items_per_second` is lane accesses
// (requests) per second.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "grader/process/run_process.h"
#include "grader/simulator/observe/requests/banks.h"
#include "grader/simulator/observe/requests/sectors.h"
#include "grader/simulator/observe/traffic/traffic.h"
#include "grader/simulator/ptx/module.h"
#include "grader/simulator/simulator.h"
#include "grader/toolchain/checkout_compiler.h"

namespace fusebox::sim {
namespace {

namespace fs = std::filesystem;

constexpr int kRows = 2048, kColumns = 768, kThreads = 256;

Result<std::string> compile(const std::string& name) {
  const auto compiler = find_checkout_compiler();
  if (!compiler) return compiler.error();
  const fs::path ptx = fs::path(FUSEBOX_BINARY_DIR) / (name + ".ptx");
  const auto ran =
      run_process({compiler->nvcc.string(), "-ptx", "-arch=compute_80", "-lineinfo", "-o", ptx.string(),
                   (fs::path(FUSEBOX_SOURCE_DIR) / "bench" / (name + ".cu")).string()});
  if (!ran) return ran.error();
  if (ran->exit_code != 0) return Error{ErrorKind::internal, ran->output, ""};
  std::ifstream in(ptx);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

template <class T>
void put(std::vector<std::byte>& bytes, T value) {
  while (bytes.size() % sizeof value) bytes.push_back({});
  bytes.resize(bytes.size() + sizeof value);
  std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

std::vector<std::byte> some_floats(std::size_t count) {
  std::vector<std::byte> bytes(count * sizeof(float));
  for (std::size_t i = 0; i < count; ++i) {
    const float value = static_cast<float>(i * 37 % 101) * 0.02f - 1.0f;
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return bytes;
}

/// mean 0 and variance 1 times gamma plus beta, in double; the largest error of a few rows.
double worst_error(const std::vector<std::byte>& x_bytes, const std::vector<std::byte>& gamma_bytes,
                   const std::vector<std::byte>& out_bytes) {
  const auto at = [](const std::vector<std::byte>& bytes, std::size_t i) {
    float value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    return static_cast<double>(value);
  };
  double worst = 0;
  for (std::size_t row = 0; row < kRows; row += 97) {
    double mean = 0, variance = 0;
    for (std::size_t c = 0; c < kColumns; ++c) mean += at(x_bytes, row * kColumns + c) / kColumns;
    for (std::size_t c = 0; c < kColumns; ++c)
      variance += std::pow(at(x_bytes, row * kColumns + c) - mean, 2) / kColumns;
    for (std::size_t c = 0; c < kColumns; ++c) {
      const double g = at(gamma_bytes, c);
      const double want = (at(x_bytes, row * kColumns + c) - mean) / std::sqrt(variance + 1e-5) * g + g;
      worst = std::fmax(worst, std::fabs(want - at(out_bytes, row * kColumns + c)));
    }
  }
  return worst;
}

/// ranges: 0 counters and memory faults only, 1 races too, 2 the model as well; cores, 0: all.
void layernorm(benchmark::State& state) {
  ExecuteOptions options;
  options.races = state.range(0) >= 1;
  options.model = state.range(0) >= 2;
  static const Result<std::string> ptx = compile("simulator_layernorm");
  if (!ptx) return state.SkipWithError(ptx.error().what.c_str());
  const auto gpu = load_gpu_profile(fs::path(FUSEBOX_SOURCE_DIR) / "assets", "h200");
  if (!gpu) return state.SkipWithError(gpu.error().what.c_str());

  Simulator simulator(*gpu, static_cast<unsigned>(state.range(1)));
  ModuleImage module;
  module.ptx = *ptx;
  const std::uint64_t matrix = std::uint64_t{kRows} * kColumns * sizeof(float),
                      row = kColumns * sizeof(float);
  const std::uint64_t sizes[] = {matrix, row, row, matrix};
  const auto addresses = place_buffers(simulator.address_range(), sizes);
  const auto x = some_floats(std::size_t{kRows} * kColumns), gamma = some_floats(kColumns);
  const std::vector<Buffer> buffers = {{"x", addresses[0], matrix, x},
                                       {"gamma", addresses[1], row, gamma},
                                       {"beta", addresses[2], row, gamma},
                                       {"out", addresses[3], matrix, {}}};
  LaunchOp launch{"layernorm", {kRows, 1, 1}, {kThreads, 1, 1}, 0, false, {}};
  for (const std::uint64_t address : addresses) put(launch.arguments, address);
  put(launch.arguments, std::int32_t{kColumns});
  put(launch.arguments, 1e-5f);
  const LaunchPlan plan{{launch}};

  Counters counters;
  for (auto _ : state) {
    const auto run = simulator.execute(plan, module, buffers, options);
    if (!run) return state.SkipWithError(run.error().what.c_str());
    if (run->launches.size() != 1 || !run->launches[0].faults.empty()) {
      return state.SkipWithError("the launch has faults");
    }
    counters = run->launches[0].counters;
    state.PauseTiming();
    if (worst_error(x, gamma, run->outputs[3]) > 1e-4) return state.SkipWithError("the result is wrong");
    state.ResumeTiming();
  }
  const double lane_accesses = static_cast<double>(counters.global_load.lanes + counters.global_store.lanes +
                                                   counters.shared_load.lanes + counters.shared_store.lanes);
  const double runs = static_cast<double>(state.iterations());
  state.SetItemsProcessed(static_cast<std::int64_t>(lane_accesses * runs));
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(counters.warp_instructions) * runs, benchmark::Counter::kIsRate);
  state.counters["lane_instructions"] =
      benchmark::Counter(static_cast<double>(counters.lane_instructions) * runs, benchmark::Counter::kIsRate);
}
BENCHMARK(layernorm)
    ->ArgNames({"detectors", "cores"})
    ->ArgsProduct({{0, 1, 2}, {1, 0}})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// Every check, counter and the model, on one core. Warp instructions of all time that a processor spent.
void far_apart(benchmark::State& state) {
  constexpr const char* kKernels[] = {"gathered", "scattered", "counted"};
  constexpr std::int32_t kCount = 1 << 20;
  static const Result<std::string> ptx = compile("simulator_scattered");
  if (!ptx) return state.SkipWithError(ptx.error().what.c_str());
  const auto gpu = load_gpu_profile(fs::path(FUSEBOX_SOURCE_DIR) / "assets", "h200");
  if (!gpu) return state.SkipWithError(gpu.error().what.c_str());
  Simulator simulator(*gpu, 1);
  ModuleImage module;
  module.ptx = *ptx;
  constexpr std::uint64_t kBytes = std::uint64_t{kCount} * sizeof(float);
  const std::uint64_t sizes[] = {kBytes, kBytes, kBytes};
  const auto addresses = place_buffers(simulator.address_range(), sizes);
  std::vector<std::byte> index;
  for (std::int64_t i = 0; i < kCount; ++i) put(index, static_cast<std::int32_t>(i * 40503 % kCount));
  const std::vector<std::byte> zeros(sizes[0]);
  const std::vector<Buffer> buffers = {{"x", addresses[0], sizes[0], zeros},
                                       {"index", addresses[1], sizes[1], index},
                                       {"out", addresses[2], sizes[2], zeros}};
  LaunchOp launch{kKernels[state.range(0)], {512, 1, 1}, {256, 1, 1}, 0, false, {}};
  for (const std::uint64_t address : addresses) put(launch.arguments, address);
  put(launch.arguments, kCount);
  const LaunchPlan plan{{launch}};
  ExecuteOptions options;
  options.model = true;
  std::uint64_t instructions = 0;
  for ([[maybe_unused]] auto _ : state) {
    const auto run = simulator.execute(plan, module, buffers, options);
    if (!run) return state.SkipWithError(run.error().what.c_str());
    if (!run->launches.at(0).faults.empty()) return state.SkipWithError("the launch has faults");
    instructions += run->launches[0].counters.warp_instructions;
  }
  state.SetLabel(kKernels[state.range(0)]);
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}
BENCHMARK(far_apart)->DenseRange(0, 2)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

/// The lanes' addresses of one request, by shape.
void fill_addresses(int shape, std::uint64_t width, std::uint64_t* address) {
  for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t index[] = {
        lane, 0, 2 * lane, 1024 * lane, lane ^ 13, lane % 16, lane * 2654435761u % 65536};
    address[lane] = 0x7000'0000'0000 + index[shape] * width;
  }
}
constexpr const char* kShapes[] = {"unit",     "broadcast",  "stride 2", "column",
                                   "permuted", "rows of 16", "random"};

void measure_sectors(benchmark::State& state) {
  std::uint64_t address[kWarpSize];
  fill_addresses(static_cast<int>(state.range(0)), 4, address);
  for (auto _ : state) {
    benchmark::DoNotOptimize(&address);
    benchmark::ClobberMemory();
    benchmark::DoNotOptimize(measure(address, ~0u, 4));
  }
  state.SetLabel(kShapes[state.range(0)]);
}
BENCHMARK(measure_sectors)->DenseRange(0, 6);

void measure_banks(benchmark::State& state) {
  std::uint64_t address[kWarpSize];
  fill_addresses(static_cast<int>(state.range(0)), 4, address);
  for (auto _ : state) {
    benchmark::DoNotOptimize(&address);
    benchmark::ClobberMemory();
    benchmark::DoNotOptimize(count_wavefronts(address, ~0u, 4, AccessKind::load));
  }
  state.SetLabel(kShapes[state.range(0)]);
}
BENCHMARK(measure_banks)->DenseRange(0, 6);

/// The traffic observer alone: one unit-stride request after the other through a buffer.
void observe_unit_stride(benchmark::State& state) {
  constexpr std::uint64_t kBase = 0x7000'0000'0000, kBytes = 32 << 20;
  ptx::Function function;
  function.instructions.resize(1);
  LaunchInfo launch;
  launch.function = &function;
  ptx::Module module;
  module.files = {""};
  Traffic traffic(module);
  traffic.set_ranges({{"x", kBase, kBytes}});
  traffic.launch_begin(launch);
  std::uint64_t address[kWarpSize];
  fill_addresses(0, 4, address);
  WarpAccess access;
  access.lanes = ~0u;
  access.address = address;
  for (auto _ : state) {
    benchmark::ClobberMemory();
    traffic.access(access);
    for (std::uint64_t& a : address) a = a + 128 >= kBase + kBytes ? a + 128 - kBytes : a + 128;
  }
}
BENCHMARK(observe_unit_stride);

}  // namespace
}  // namespace fusebox::sim
