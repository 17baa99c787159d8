#include "grader/host/recorder.h"

#include <dirent.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace fusebox {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

constexpr DeviceAddress kIn = 0x4000'0010'0000, kOut = 0x4000'0020'0000;
constexpr AddressRange kAllocations{0x4000'0030'0000, 1ull << 36};
constexpr std::uint64_t kGap = 1 << 20;

fs::path find_nvcc() {
  std::vector<fs::path> folders{fs::path(FUSEBOX_BINARY_DIR) / "toolkit/bin", "/usr/local/cuda/bin"};
  if (const char* path = std::getenv("PATH")) {
    std::istringstream words(path);
    for (std::string folder; std::getline(words, folder, ':');) folders.push_back(folder);
  }
  for (const fs::path& folder : folders)
    if (access((folder / "nvcc").c_str(), X_OK) == 0) return folder / "nvcc";
  return {};
}

/// The compiled testdata/NAME.cu; compiled once per content and build folder.
fs::path compiled(const std::string& name) {
  const fs::path source = fs::path(FUSEBOX_SOURCE_DIR) / "grader/host/testdata" / (name + ".cu");
  std::ostringstream text;
  text << std::ifstream(source).rdbuf();
  const fs::path folder = fs::path(FUSEBOX_BINARY_DIR) / "host_testdata";
  fs::create_directories(folder);
  const fs::path library =
      folder / (name + "-" + std::to_string(std::hash<std::string>()(text.str())) + ".so");
  if (fs::exists(library)) return library;
  const fs::path nvcc = find_nvcc();
  if (nvcc.empty()) {
    ADD_FAILURE() << "no nvcc on PATH: run ./fusebox setup";
    return {};
  }
  const std::string stem = library.string() + "." + std::to_string(getpid());
  const std::string command = nvcc.string() +
                              " -c -std=c++17 -Xcompiler -fPIC --compress-mode=none -gencode "
                              "arch=compute_90,code=[sm_90,compute_90] -o " +
                              stem + ".o " + source.string() + " && g++ -shared -o " + stem + " " + stem +
                              ".o";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  fs::remove(stem + ".o");
  fs::rename(stem, library);
  return library;
}

GpuProfile some_gpu() {
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

RecordRequest request_for(const std::string& function, std::vector<HostArgument> arguments = {}) {
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

HostArgument pointer(DeviceAddress address) { return {HostArgument::Kind::pointer, address}; }
HostArgument int32(int value) { return {HostArgument::Kind::int32, static_cast<std::uint32_t>(value)}; }
HostArgument int64(long value) { return {HostArgument::Kind::int64, static_cast<std::uint64_t>(value)}; }
HostArgument float32(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return {HostArgument::Kind::float32, bits};
}

const fs::path kProgram = fs::path(FUSEBOX_BINARY_DIR) / "bin/recorder";

RecordLimits short_limits() {
  RecordLimits limits;
  limits.wall_seconds = 0.4;
  return limits;
}

RecordResult record(const RecordRequest& request, const RecordLimits& limits = {}) {
  Result<RecordResult> result = Recorder(kProgram, limits).record(request);
  if (result) return *result;
  ADD_FAILURE() << result.error().what;
  return RecordFailure{"error", result.error().what, "", ""};
}

/// The recording of a function that must succeed.
Recording recorded(const std::string& function, std::vector<HostArgument> arguments = {}) {
  const RecordResult result = record(request_for(function, std::move(arguments)));
  if (const auto* recording = std::get_if<Recording>(&result)) return *recording;
  const auto& failure = std::get<RecordFailure>(result);
  ADD_FAILURE() << function << ": " << failure.kind << ": " << failure.what << failure.output;
  return {};
}

RecordFailure failed(const std::string& function, std::vector<HostArgument> arguments = {},
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
    const auto* begin = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof value);
  };
  (append(values), ...);
  return bytes;
}

// ---- what is recorded ----

TEST(Recorder, OneLaunchWithItsArguments) {
  const Recording recording = recorded("trivial", {pointer(kIn), pointer(kOut), int32(1000)});
  ASSERT_EQ(recording.plan.ops.size(), 1u);
  const auto& launch = std::get<LaunchOp>(recording.plan.ops[0]);
  EXPECT_EQ(launch.kernel, "_Z11copy_kernelPKfPfi");
  EXPECT_EQ(launch.grid, (Dim3{4, 1, 1}));
  EXPECT_EQ(launch.block, (Dim3{256, 1, 1}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 0u);
  EXPECT_FALSE(launch.cooperative);
  EXPECT_EQ(launch.arguments, laid_out(kIn, kOut, std::int32_t{1000}));
  EXPECT_EQ(recording.output, "");
}

TEST(Recorder, NothingIsAnEmptyPlan) { EXPECT_TRUE(recorded("nothing").plan.ops.empty()); }

TEST(Recorder, AWholePlanInOrder) {
  const LaunchPlan plan = recorded("two_kernels", {pointer(kIn), pointer(kOut), int32(300)}).plan;
  ASSERT_EQ(plan.ops.size(), 6u);
  const auto& alloc = std::get<AllocOp>(plan.ops[0]);
  EXPECT_EQ(alloc.bytes, 1200u);
  EXPECT_EQ(alloc.address, kAllocations.begin + kGap);
  EXPECT_EQ(alloc.address % 256, 0u);
  const auto& memset = std::get<MemsetOp>(plan.ops[1]);
  EXPECT_EQ(memset.address, alloc.address);
  EXPECT_EQ(memset.bytes, 1200u);
  EXPECT_EQ(memset.value, 0xff);
  const auto& first = std::get<LaunchOp>(plan.ops[2]);
  EXPECT_EQ(first.grid, (Dim3{300, 2, 3}));
  EXPECT_EQ(first.block, (Dim3{32, 4, 2}));
  EXPECT_EQ(first.dynamic_shared_bytes, 1024u);
  EXPECT_EQ(first.arguments, laid_out(kIn, alloc.address, std::int32_t{300}));
  EXPECT_EQ(std::get<LaunchOp>(plan.ops[3]).arguments, laid_out(alloc.address, kOut, std::int32_t{7}));
  const auto& copy = std::get<CopyOp>(plan.ops[4]);
  EXPECT_EQ(copy.to, kOut);
  EXPECT_EQ(copy.from, alloc.address);
  EXPECT_EQ(copy.bytes, 16u);
  EXPECT_TRUE(copy.host_bytes.empty());
  EXPECT_EQ(std::get<FreeOp>(plan.ops[5]).address, alloc.address);
}

TEST(Recorder, ArgumentsLieWhereTheParamSpaceHasThem) {
  const auto launches = ops_of<LaunchOp>(recorded("odd_arguments", {pointer(kOut)}).plan);
  ASSERT_EQ(launches.size(), 1u);
  std::vector<std::byte> want(48);
  const double d = 2.5;
  const std::int16_t s = -3;
  const std::int64_t wide = -5;
  want[0] = std::byte{'f'};
  want[8] = std::byte{'o'};
  std::memcpy(&want[16], &d, 8);
  std::memcpy(&want[24], &s, 2);
  std::memcpy(&want[32], &kOut, 8);
  std::memcpy(&want[40], &wide, 8);
  EXPECT_EQ(launches[0].arguments, want);
}

TEST(Recorder, MoreArgumentsThanRegisters) {
  const Recording recording =
      recorded("many", {int32(-1), int64(-2'000'000'000'000), float32(1.5f), int32(2), int32(3), int32(4),
                        int64(5), int32(6), float32(2.5f), pointer(0xabc000), float32(3), float32(4),
                        float32(5), float32(6), float32(7), float32(8), float32(9.25f), int32(-7)});
  EXPECT_EQ(recording.output, "-1 -2000000000000 1.5 2 3 4 5 6 2.5 0xabc000 3 4 5 6 7 8 9.25 -7\n");
}

TEST(Recorder, TemplatesAreDifferentKernels) {
  const auto launches = ops_of<LaunchOp>(recorded("templates", {pointer(kOut)}).plan);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].kernel, "_Z15template_kernelIfEvPT_");
  EXPECT_EQ(launches[1].kernel, "_Z15template_kernelIiEvPT_");
}

TEST(Recorder, CopiesToSymbolsKeepTheBytesOfTheMoment) {
  const Recording recording = recorded("symbols", {pointer(kOut)});
  EXPECT_EQ(recording.output, "0\n0\n1\n13\n");
  const auto copies = ops_of<CopyOp>(recording.plan);
  ASSERT_EQ(copies.size(), 3u);
  EXPECT_EQ(copies[0].symbol, "table");
  EXPECT_EQ(copies[0].to, 8u);
  EXPECT_EQ(copies[0].bytes, 16u);
  EXPECT_EQ(copies[0].host_bytes, laid_out(1.f, 2.f, 3.f, 4.f));
  EXPECT_EQ(copies[1].symbol, "counter");
  EXPECT_EQ(copies[1].host_bytes, laid_out(7));
  EXPECT_EQ(copies[2].from, kOut);
  EXPECT_TRUE(copies[2].host_bytes.empty());
}

TEST(Recorder, CopiesInEveryDirectionThatIsAllowed) {
  const Recording recording = recorded("copies", {pointer(kIn), pointer(kOut)});
  EXPECT_EQ(recording.output, "0 0 0 1 21 0\n");
  const auto copies = ops_of<CopyOp>(recording.plan);
  ASSERT_EQ(copies.size(), 2u);
  EXPECT_EQ(copies[0].host_bytes, laid_out(1.5f, -2.f));
  EXPECT_EQ(copies[1].from, kIn);
}

struct Printed {
  const char* function;
  std::vector<HostArgument> arguments;
  const char* output;
  std::size_t ops;
};

class RecorderPrints : public testing::TestWithParam<Printed> {};

TEST_P(RecorderPrints, AndRecords) {
  const Recording recording = recorded(GetParam().function, GetParam().arguments);
  EXPECT_EQ(recording.output, GetParam().output);
  EXPECT_EQ(recording.plan.ops.size(), GetParam().ops);
}

INSTANTIATE_TEST_SUITE_P(
    Calls, RecorderPrints,
    testing::Values(
        // allocations: two, too large, none, past the end twice, free, double free, foreign, null, free,
        // nothing left
        Printed{"allocations", {pointer(kOut)}, "0 0 2 02 0 0 1 1 0 1 1 0 0 1\n", 4},
        Printed{"streams_and_events", {}, "0 0 0 0 0 0 400 0\n", 1},
        Printed{"errors",
                {},
                "0 1 1 1 0 cudaErrorMemoryAllocation|invalid argument|unrecognized error code\n",
                0},
        Printed{"queries",
                {},
                "0 NVIDIA H200 150000000000 49152 65536 32 2147483647 1024 1024 1024 64 2147483647 65535 "
                "65535 65536 9 0 512 "
                "132 1 1 1 62914560 2048 1 1 233472 65536 1 232448 32 1024 1 0\n"
                "132 1024 2147483647 65535 64 32 232448 233472 62914560 9 1 32 1024 2048 65536 | 1 0 0 101\n",
                0},
        Printed{"kernel_queries", {}, "0 16 0 1024 49152\n8 2 0 264 1024\n", 0},
        Printed{"cooperative", {pointer(kOut), int32(264)}, "0\n", 1},
        Printed{"extended", {pointer(kOut)}, "0\n", 1},
        Printed{"much_shared", {pointer(kOut), int32(49152), int32(0)}, "0\n", 1},
        Printed{"much_shared", {pointer(kOut), int32(100000), int32(100000)}, "0 0\n", 1},
        Printed{"pinned", {}, "0 0 0\n", 0}, Printed{"threads", {}, "", 200},
        Printed{"counts_descriptors", {}, "3 0\n", 0}, Printed{"looks_around", {}, "1 no home\n0 0\n", 0},
        Printed{"writes_everywhere", {pointer(kOut)}, "", 1},
        Printed{"closes_everything", {pointer(kOut)}, "", 1}),
    [](const auto& info) { return info.param.function + std::string("_") + std::to_string(info.index); });

TEST(Recorder, CooperativeLaunchesSaySo) {
  const auto launches = ops_of<LaunchOp>(recorded("extended", {pointer(kOut)}).plan);
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_TRUE(launches[0].cooperative);
  EXPECT_EQ(launches[0].grid, (Dim3{3, 1, 1}));
}

TEST(Recorder, OutputIsCutAndMayBeBinary) {
  const Recording much = recorded("prints_a_lot");
  EXPECT_EQ(much.plan.ops.size(), 1u);
  EXPECT_LT(much.output.size(), (64u << 10) + 100);
  EXPECT_THAT(much.output, testing::EndsWith("[... the rest is not shown]\n"));
  const Recording binary = recorded("prints_binary");
  ASSERT_EQ(binary.output.size(), 259u);
  for (int i = 0; i < 256; ++i) {
    EXPECT_TRUE(binary.output.find(static_cast<char>(i)) != std::string::npos) << i;
  }
}

// ---- what fails ----

struct Failing {
  const char* function;
  std::vector<HostArgument> arguments;
  const char* kind;
  const char* what;
  bool needs_memory_limit = false;
};

class RecorderFails : public testing::TestWithParam<Failing> {};

TEST_P(RecorderFails, WithAVerdict) {
  const Failing& row = GetParam();
  if (row.needs_memory_limit && kSanitized) GTEST_SKIP() << "no memory limit under the address sanitizer";
  const bool hangs = row.kind == std::string("hang");
  const RecordFailure failure = failed(row.function, row.arguments, hangs ? short_limits() : RecordLimits());
  EXPECT_EQ(failure.kind, row.kind) << failure.what << failure.output;
  EXPECT_THAT(failure.what, HasSubstr(row.what));
  EXPECT_FALSE(failure.hint.empty());
  EXPECT_EQ(failure.what.back(), '.');
  EXPECT_EQ(failure.hint.back(), '.');
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

INSTANTIATE_TEST_SUITE_P(
    Verdicts, RecorderFails,
    testing::Values(
        Failing{"null_pointer", {}, "crash", "segmentation fault (SIGSEGV) at 0x10."},
        Failing{
            "device_read", {pointer(kOut)}, "crash", "(SIGSEGV) at 0x40000020000c, which is device memory"},
        Failing{"own_device_read", {}, "crash", "which is device memory"},
        Failing{"divide", {int32(0)}, "crash", "(SIGFPE)"},
        Failing{"recursion", {}, "crash", "the stack is full"}, Failing{"aborts", {}, "crash", "(SIGABRT)"},
        Failing{"throws", {}, "crash", "threw std::runtime_error: no such row."},
        Failing{"throws_number", {}, "crash", "threw something that is not a std::exception"},
        Failing{"throws_in_thread", {}, "crash", "threw std::logic_error: from a thread"},
        Failing{"throws_bad_alloc", {}, "memory", "std::bad_alloc", true},
        Failing{"mallocs_without_end", {}, "crash", "(SIGSEGV)", true},
        Failing{"launches_without_end", {}, "memory", "more than a million"},
        Failing{"hang", {}, "hang", "within 0.4 seconds"},
        Failing{"sleeps", {}, "hang", "within 0.4 seconds"},
        Failing{"deaf", {}, "hang", "within 0.4 seconds"},
        Failing{"prints_without_end", {}, "hang", "within 0.4 seconds"},
        Failing{"exits", {int32(0)}, "exit", "exit status 0"},
        Failing{"exits", {int32(7)}, "exit", "exit status 7"},
        Failing{"exits_at_once", {int32(0)}, "exit", "exit status 0"},
        Failing{"forks", {}, "forbidden", "tried to start a process"},
        Failing{"calls_system", {}, "forbidden", "tried to start a process"},
        Failing{"executes", {}, "forbidden", "tried to start a process"},
        Failing{"writes_file", {}, "forbidden", "tried to write to a file"},
        Failing{"removes_file", {}, "forbidden", "tried to write to a file or change one"},
        Failing{"connects", {}, "forbidden", "tried to use the network"},
        Failing{"kills_parent", {}, "forbidden", "tried to touch another process"},
        Failing{"new_session", {}, "forbidden", "tried to leave its session"},
        Failing{"more_limits", {}, "forbidden", "tried to change its limits"},
        Failing{"read_back", {pointer(kOut)}, "unsupported", "called cudaMemcpy: nothing has run yet"},
        Failing{
            "read_back_inferred", {pointer(kOut)}, "unsupported", "called cudaMemcpy: nothing has run yet"},
        Failing{"read_symbol", {}, "unsupported", "called cudaMemcpyFromSymbol: nothing has run yet"},
        Failing{"elapsed", {}, "unsupported", "the grader holds the clock"},
        Failing{"managed", {}, "unsupported", "cudaMallocManaged"},
        Failing{"clusters", {pointer(kOut)}, "unsupported", "clusters"},
        Failing{"launch_shape",
                {pointer(kOut), int32(0), int32(32), int32(1)},
                "bad-launch",
                "The launch of copy_kernel with grid (0, 1, 1) and block (32, 1, 1) is refused: the grid's x "
                "is 0"},
        Failing{"launch_shape",
                {pointer(kOut), int32(1), int32(0), int32(1)},
                "bad-launch",
                "the block's x is 0"},
        Failing{"launch_shape",
                {pointer(kOut), int32(1), int32(1025), int32(1)},
                "bad-launch",
                "the limit is 1024"},
        Failing{"launch_shape",
                {pointer(kOut), int32(1), int32(1), int32(65536)},
                "bad-launch",
                "the limit is 65535"},
        Failing{"launch_shape", {pointer(kOut), int32(-1), int32(1), int32(1)}, "bad-launch", "4294967295"},
        Failing{"much_shared",
                {pointer(kOut), int32(49153), int32(0)},
                "bad-launch",
                "without cudaFuncSetAttribute"},
        Failing{"much_shared",
                {pointer(kOut), int32(100004), int32(100000)},
                "bad-launch",
                "100004 bytes of shared memory"},
        Failing{"much_shared",
                {pointer(kOut), int32(300000), int32(300000)},
                "bad-launch",
                "300000 bytes of shared memory"},
        Failing{"beyond_bounds", {pointer(kOut)}, "bad-launch", "__launch_bounds__ allow 256"},
        Failing{"cooperative", {pointer(kOut), int32(265)}, "bad-launch", "only 264 are resident"},
        Failing{"no_such_function", {}, "load", "no host function no_such_function"}),
    [](const auto& info) { return info.param.function + std::string("_") + std::to_string(info.index); });

TEST(Recorder, BadLaunchesReturnWhatCudaReturns) {
  EXPECT_EQ(failed("launch_shape", {pointer(kOut), int32(0), int32(32), int32(1)}).output, "9\n");
  EXPECT_EQ(failed("much_shared", {pointer(kOut), int32(49153), int32(0)}).output, "1\n");
  EXPECT_EQ(failed("much_shared", {pointer(kOut), int32(300000), int32(300000)}).output, "1 1\n");
  EXPECT_EQ(failed("beyond_bounds", {pointer(kOut)}).output, "701\n");
  EXPECT_EQ(failed("cooperative", {pointer(kOut), int32(265)}).output, "720\n");
}

TEST(Recorder, CallsThatAreNotOfferedAreNamed) {
  RecordRequest request = request_for("pitched");
  request.library = compiled("unsupported");
  const RecordResult result = record(request);
  ASSERT_TRUE(std::holds_alternative<RecordFailure>(result));
  EXPECT_EQ(std::get<RecordFailure>(result).kind, "unsupported");
  EXPECT_THAT(std::get<RecordFailure>(result).what, HasSubstr("calls cudaMallocPitch"));
}

TEST(Recorder, AHeapWrittenOverIsAVerdict) {
  const RecordResult result = record(request_for("scribbles"), short_limits());
  ASSERT_TRUE(std::holds_alternative<RecordFailure>(result));
  EXPECT_THAT(std::get<RecordFailure>(result).kind, testing::AnyOf("crash", "garbled", "hang", "memory"));
}

TEST(Recorder, AllocationsBeyondTheRangeAreOutOfMemory) {
  RecordRequest request = request_for("two_kernels", {pointer(kIn), pointer(kOut), int32(300)});
  request.allocations.bytes = kGap + 1000;
  const RecordResult result = record(request);
  ASSERT_TRUE(std::holds_alternative<Recording>(result));
  const LaunchPlan& plan = std::get<Recording>(result).plan;
  EXPECT_TRUE(ops_of<AllocOp>(plan).empty());
  ASSERT_EQ(ops_of<LaunchOp>(plan).size(), 2u);
}

TEST(Recorder, AKernelThatTheDeviceCodeLacksIsNamed) {
  RecordRequest request = request_for("trivial", {pointer(kIn), pointer(kOut), int32(1)});
  request.kernels.clear();
  const RecordResult result = record(request);
  ASSERT_TRUE(std::holds_alternative<RecordFailure>(result));
  EXPECT_THAT(std::get<RecordFailure>(result).what, HasSubstr("no kernel copy_kernel"));
}

TEST(Recorder, ReadsNothingButTheSystemsLibraries) {
  if (syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) < 1)
    GTEST_SKIP() << "this kernel has no Landlock";
  EXPECT_EQ(recorded("reads_files").output, "0000000 1\n");
}

TEST(Recorder, ALibraryThatIsNoneIsAVerdict) {
  const fs::path path = fs::path(FUSEBOX_BINARY_DIR) / "host_testdata" / "not_a_library.so";
  std::ofstream(path) << "not a library";
  RecordRequest request = request_for("f");
  for (const fs::path& library : {path, fs::path("/nonexistent/x.so")}) {
    request.library = library;
    const RecordResult result = record(request);
    ASSERT_TRUE(std::holds_alternative<RecordFailure>(result));
    EXPECT_EQ(std::get<RecordFailure>(result).kind, "load");
  }
}

TEST(Recorder, AMissingOrBrokenProgramIsAnError) {
  const RecordRequest request = request_for("nothing");
  const Result<RecordResult> missing = Recorder("/nonexistent/recorder").record(request);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::missing_part);
  EXPECT_THAT(missing.error().what, HasSubstr("/nonexistent/recorder"));
  EXPECT_FALSE(missing.error().remedy.empty());
  for (const char* other : {"/bin/false", "/bin/true", "/etc/passwd"}) {
    const Result<RecordResult> broken = Recorder(other).record(request);
    ASSERT_FALSE(broken) << other;
    EXPECT_EQ(broken.error().kind, ErrorKind::missing_part);
  }
}

std::size_t open_descriptors() {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

TEST(Recorder, LeavesNothingBehind) {
  const std::size_t before = open_descriptors();
  recorded("nothing");
  failed("aborts");
  failed("sleeps", {}, short_limits());
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(Recorder, ServesCallersWithoutStandardDescriptors) {
  const fs::path library = compiled("behaviours");
  const pid_t child = fork();
  if (child == 0) {
    for (int descriptor = 0; descriptor < 3; ++descriptor) close(descriptor);
    const Result<RecordResult> result =
        Recorder(kProgram).record(request_for("trivial", {pointer(kIn), pointer(kOut), int32(1)}));
    _exit(result && std::holds_alternative<Recording>(*result) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Recorder, TakesMilliseconds) {
  const RecordRequest request = request_for("trivial", {pointer(kIn), pointer(kOut), int32(1000)});
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    record(request);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  RecordProperty("best_ms", std::to_string(best * 1e3));
  std::printf("one record() takes %.2f ms at best\n", best * 1e3);
  EXPECT_LT(best, 0.25);  // wide: a machine under load; the figure itself is printed
}

}  // namespace
}  // namespace fusebox
