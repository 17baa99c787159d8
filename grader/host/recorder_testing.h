#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "grader/host/recorder.h"
#include "grader/process/run_process.h"
#include "grader/toolchain/checkout_compiler.h"

// What the recorder's tests share: the compiled behaviours, requests for them, and calls that must or must
// not succeed.
namespace fusebox::recorder_testing {

namespace fs = std::filesystem;

#ifdef FUSEBOX_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

inline constexpr DeviceAddress kIn = 0x4000'0010'0000, kOut = 0x4000'0020'0000;
inline constexpr AddressRange kAllocations{0x4000'0030'0000, 1ull << 36};
inline constexpr std::uint64_t kGap = 1 << 20;

inline void expect_success(const std::vector<std::string>& command) {
  const auto ran = run_process(command);
  EXPECT_TRUE(ran.ok() && ran->exit_code == 0)
      << command.front() << ": " << (ran.ok() ? ran->output : ran.error().what);
}

/// The compiled testdata/NAME.cu; compiled once per content and build folder.
inline fs::path compiled(const std::string& name) {
  const fs::path source = fs::path(FUSEBOX_SOURCE_DIR) / "grader/host/testdata" / (name + ".cu");
  std::ostringstream text;
  text << std::ifstream(source).rdbuf();
  const fs::path folder = fs::path(FUSEBOX_BINARY_DIR) / "host_testdata";
  fs::create_directories(folder);
  const fs::path library =
      folder / (name + "-" + std::to_string(std::hash<std::string>()(text.str())) + ".so");
  // CTest runs every test in a process of its own, several at a time: one of them compiles, the others wait.
  const int lock = open((library.string() + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  flock(lock, LOCK_EX);
  const auto unlock = [](const int* held) { close(*held); };
  const std::unique_ptr<const int, decltype(unlock)> guard(&lock, unlock);
  if (fs::exists(library)) return library;
  const auto compiler = find_checkout_compiler();
  if (!compiler) {
    ADD_FAILURE() << compiler.error().what << ": " << compiler.error().remedy;
    return {};
  }
  const std::string stem = library.string() + "." + std::to_string(getpid());
  const std::string object = stem + ".o";
  expect_success({compiler->nvcc, "-c", "-w", "-std=c++17", "-Xcompiler", "-fPIC", "--compress-mode=none",
                  "-gencode", "arch=compute_90,code=[sm_90,compute_90]", "-o", object, source});
  expect_success({"g++", "-shared", "-o", stem, object});
  fs::remove(object);
  fs::rename(stem, library);
  return library;
}

inline GpuProfile some_gpu() {
  GpuProfile gpu;
  gpu.name = "h200";
  gpu.full_name = "NVIDIA H200";
  gpu.sms = 132;
  gpu.l2_bytes = 60ull << 20;
  gpu.global_bytes = 150'000'000'000;
  gpu.shared_bytes_per_sm = 233472;
  gpu.max_shared_bytes_per_block_optin = 232448;
  gpu.clock_hz = 1.98e9;
  return gpu;
}

inline RecordRequest request_for(const std::string& function, std::vector<HostArgument> arguments = {}) {
  RecordRequest request;
  request.library = compiled("behaviours");
  request.function = function;
  request.arguments = std::move(arguments);
  request.kernels = {
      {"_Z11copy_kernelPKfPfi", {{0, 8}, {8, 8}, {16, 4}}, 20, 16, 0, 0},
      {"_Z10odd_kernelc3OddPfl", {{0, 1}, {8, 24}, {32, 8}, {40, 8}}, 48, 16, 0, 0},
      {"_Z14bounded_kernelPf", {{0, 8}}, 8, 8, 0, 256},
      {"_Z13shared_kernelPf", {{0, 8}}, 8, 8, 0, 0},
      {"_Z15template_kernelIfEvPT_", {{0, 8}}, 8, 8, 0, 0},
      {"_Z15template_kernelIiEvPT_", {{0, 8}}, 8, 8, 0, 0},
      {"_Z12empty_kernelv", {}, 0, 4, 0, 0},
  };
  request.allocations = kAllocations;
  request.gpu = some_gpu();
  return request;
}

inline HostArgument pointer(DeviceAddress address) { return {HostArgument::Kind::pointer, address}; }
inline HostArgument longs(const std::vector<long>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {HostArgument::Kind::host_array, 0, {bytes.begin(), bytes.end()}};
}
inline HostArgument int32(int value) {
  return {HostArgument::Kind::int32, static_cast<std::uint32_t>(value)};
}
inline HostArgument int64(long value) {
  return {HostArgument::Kind::int64, static_cast<std::uint64_t>(value)};
}
inline HostArgument float32(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return {HostArgument::Kind::float32, bits};
}

inline const fs::path kProgram = fs::path(FUSEBOX_BINARY_DIR) / "bin/recorder";

inline RecordLimits short_limits() {
  RecordLimits limits;
  limits.wall_seconds = 0.4;
  return limits;
}

inline RecordResult record(const RecordRequest& request, const RecordLimits& limits = {}) {
  Result<RecordResult> result = Recorder(kProgram, limits).record(request);
  if (result) return *result;
  ADD_FAILURE() << result.error().what;
  return RecordFailure{FailureKind::none, result.error().what, "", ""};
}

/// The recording of a function that must succeed.
inline Recording recorded(const std::string& function, std::vector<HostArgument> arguments = {}) {
  const RecordResult result = record(request_for(function, std::move(arguments)));
  if (const auto* recording = std::get_if<Recording>(&result)) return *recording;
  const auto& failure = std::get<RecordFailure>(result);
  ADD_FAILURE() << function << ": " << to_string(failure.kind) << ": " << failure.what << failure.output;
  return {};
}

inline RecordFailure failed(const std::string& function, std::vector<HostArgument> arguments = {},
                            const RecordLimits& limits = {}) {
  const RecordResult result = record(request_for(function, std::move(arguments)), limits);
  if (const auto* failure = std::get_if<RecordFailure>(&result)) return *failure;
  ADD_FAILURE() << function << " was recorded: " << std::get<Recording>(result).output;
  return {};
}

template <class T>
std::vector<T> ops_of(const LaunchPlan& plan) {
  std::vector<T> found;
  for (const PlanOp& op : plan.ops)
    if (const auto* one = std::get_if<T>(&op)) found.push_back(*one);
  return found;
}

/// Values laid end to end, as a kernel's arguments without padding are.
template <class... T>
std::vector<std::byte> laid_out(T... values) {
  std::vector<std::byte> bytes;
  const auto append = [&](const auto& value) {
    bytes.resize(bytes.size() + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
  };
  (append(values), ...);
  return bytes;
}

}  // namespace fusebox::recorder_testing
