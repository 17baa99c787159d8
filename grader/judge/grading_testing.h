// Grading with a stand-in compiler, recorder and device, so that each way to fail can be played at will.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/cases/mistakes.h"
#include "grader/judge/grading.h"

namespace fusebox::grading_testing {

namespace fs = std::filesystem;
using testing::HasSubstr;

inline constexpr const char* kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry copy_kernel(
	.param .u64 copy_kernel_param_0,
	.param .u64 copy_kernel_param_1,
	.param .u32 copy_kernel_param_2
)
.maxntid 256
{
	ret;
}
)";

inline constexpr const char* kSolution = R"(// a puzzle
__global__ void copy_kernel(const float* x, float* out, int n) {
  // FILL ME IN: body (roughly 1 line)
  out[threadIdx.x] = x[threadIdx.x];
  // END: body
}
)";

/// Hands back what `behave` makes of the buffers.
class FakeDevice : public Device {
 public:
  AddressRange address_range() const override { return {begin, 1ull << 32}; }
  Result<Run> execute(const LaunchPlan& plan, const ModuleImage&, std::span<const Buffer> buffers,
                      const ExecuteOptions& options) override {
    fusebox::Run run;
    ++executions;
    for (const Buffer& buffer : buffers) {
      EXPECT_GE(buffer.address, begin);
      EXPECT_LT(buffer.address, begin + (1ull << 32));
      run.outputs.push_back(buffer.contents.empty() ? std::vector<std::byte>(buffer.bytes, std::byte{0xFF})
                                                    : buffer.contents);
      run.written.push_back(!buffer.contents.empty());
    }
    for (const PlanOp& op : plan.ops)
      if (std::holds_alternative<LaunchOp>(op)) {
        LaunchRecord& launch = run.launches.emplace_back();
        for (const Buffer& buffer : buffers)
          if (reads) launch.tensors.push_back({buffer.name, buffer.bytes, 0, 0, buffer.bytes, 0});
      }
    if (refuse) return *refuse;
    if (behave) behave(run);
    if (options.schedule && shuffled) shuffled(run, *options.schedule);
    return run;
  }
  std::function<void(fusebox::Run&)> behave;
  std::function<void(fusebox::Run&, std::uint64_t)> shuffled;  ///< after that, under a schedule
  std::optional<Error> refuse;
  DeviceAddress begin = 0x100000000;
  int executions = 0;
  bool reads = true;  ///< every buffer, in each launch
};

inline void copies(fusebox::Run& run) {
  run.outputs[1] = run.outputs[0];
  run.written[1] = 1;
}

inline void loses_signs(fusebox::Run& run) {
  copies(run);
  for (std::size_t at = 3; at < run.outputs[1].size(); at += 4) run.outputs[1][at] ^= std::byte{0x80};
}

/// A known mistake in the blank of copy_puzzle().
inline Mutant sign_lost() {
  Mutant mutant;
  mutant.name = "sign", mutant.says = "the copy with a sign lost";
  mutant.entry = "kernel", mutant.blank = "body";
  mutant.fragment = "  out[0] = -x[0];\n";
  return mutant;
}

inline Puzzle copy_puzzle() {
  Puzzle puzzle;
  puzzle.id = "p99";
  puzzle.slug = "copy";
  puzzle.title = "Copy";
  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const float*, float*, int)>("copy");
  entry.blanks = {"body"};
  entry.budgets = {{"launches", 1}};
  puzzle.entries = {entry};
  puzzle.cases = {{"n_3", "small", {{"N", 3}}, "normal", false},
                  {"n_8", "counted", {{"N", 8}}, "normal", true}};
  puzzle.make = [](const Case& which, Random& random) {
    const std::int64_t n = which.sizes.at("N");
    Tensor x, out;
    x.name = "x";
    out.name = "out";
    x.shape = out.shape = {n};
    x.values = out.expected = random.normals(n);
    out.role = Role::out;
    return Problem{{x, out, static_cast<std::int32_t>(n)}};
  };
  return puzzle;
}

class GradingTest : public testing::Test {
 protected:
  GradingTest() : folder_(fs::temp_directory_path() / ("fusebox_grading_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    write("solution.cu", kSolution);
    write("mine.cu", std::string(kSolution) + "// mine\n");
    services_.compile = [this](const SourceFile& source) -> Result<CompileResult> {
      ++compiles_;
      if (source.text.find("syntax error") != std::string::npos)
        return CompileResult{CompileFailure{{{"mine.cu", 4, 7, "error", "expected a \";\""}},
                                            "mine.cu(4): error: expected a \";\"\n"}};
      Artifact artifact;
      artifact.module.ptx = kPtx;
      artifact.module.resources = resources_;
      artifact.functions = {function_};
      artifact.mangled = {"_Z4copy"};
      // Known mistakes come together, each in its namespace.
      if (source.text.find(namespace_name(0)) != std::string::npos) {
        artifact.functions = {namespace_name(0) + "::" + function_};
        artifact.mangled = {"_ZN19" + namespace_name(0) + "4copyE"};
      }
      return CompileResult{artifact};
    };
    services_.record = [this](const RecordRequest& request) -> Result<RecordResult> {
      ++records_;
      last_request_ = request;
      return recorded_;
    };
    services_.device = &device_;
    device_.behave = copies;
    Recording recording;
    recording.plan.ops.push_back(LaunchOp{});
    recorded_ = recording;
  }
  ~GradingTest() override { fs::remove_all(folder_); }

  void write(const char* name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  Grading grading(GradingOptions options = {}) {
    options.file = folder_ / "mine.cu";
    options.reference = folder_ / "solution.cu";
    options.seed = 7;
    options.schedules = schedules_;
    options.mutants = mutants_;
    return Grading(puzzle_, services_, options);
  }

  /// Asks for everything, as the command line does.
  Report grade(Grading& g) {
    const Entry& entry = puzzle_.entries[0];
    g.check_file();
    g.check_signature(entry);
    g.check_blanks(entry);
    for (const Case& which : puzzle_.cases) g.check_case(entry, which);
    for (std::size_t i = 0; i < entry.budgets.size(); ++i) g.check_budget(entry, i);
    return g.report();
  }
  Report grade() {
    Grading g = grading();
    Report report = grade(g);
    EXPECT_FALSE(g.error()) << g.error()->what;
    return report;
  }

  static const Check& check(const Report& report, const std::string& name) {
    for (const Check& each : report.entries.at(0).checks)
      if (each.name == name) return each;
    static const Check none;
    ADD_FAILURE() << "no check " << name;
    return none;
  }

  fs::path folder_;
  Puzzle puzzle_ = copy_puzzle();
  Services services_;
  FakeDevice device_;
  std::string function_ = "copy(float const*, float*, int)";
  RecordResult recorded_;
  RecordRequest last_request_;
  std::vector<KernelResources> resources_;
  std::uint64_t schedules_ = 0;
  std::vector<Mutant> mutants_;
  std::atomic<int> compiles_ = 0, records_ = 0;
};

}  // namespace fusebox::grading_testing
