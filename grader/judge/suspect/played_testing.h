#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "grader/catalog/formula.h"
#include "grader/judge/compare/compare.h"
#include "grader/judge/compare/tensor_bytes.h"
#include "grader/judge/suspect/suspect.h"
#include "grader/toolchain/blanks.h"

/// A puzzle of two launches with a buffer between them, a compiler that keeps the words of the blanks, and a
/// device that plays what they say: what suspects are made of, without a compiler or a simulator.
namespace fusebox::played {

inline SourceFile source(const std::string& first, const std::string& second) {
  return {"p98.cu", "// FILL ME IN: first (roughly 1 line)\n" + first +
                        "\n// END: first\n// FILL ME IN: second (roughly 1 line)\n" + second +
                        "\n// END: second\n"};
}

/// Reads the words "double", "triple", "half written" (first) and "plus one", "plus two", "minus one",
/// "reads early", "no number" (second) out of the program's text.
class PlayedDevice : public Device {
 public:
  AddressRange address_range() const override { return {kBegin, 1ull << 32}; }
  Result<Run> execute(const LaunchPlan& plan, const ModuleImage& module, std::span<const Buffer> buffers,
                      const ExecuteOptions& options) override {
    if (options.races) raced.push_back(static_cast<std::int64_t>(buffers[0].bytes / 4));
    const auto says = [&](const char* word) { return module.ptx.find(word) != std::string::npos; };
    fusebox::Run run;
    std::size_t launches = 0;
    for (const PlanOp& op : plan.ops)
      if (const auto* launch = std::get_if<LaunchOp>(&op)) {
        run.launches.emplace_back();
        run.launches.back().kernel = launch->kernel;
        ++launches;
      }
    const auto x = buffers[0].contents;
    const auto count = static_cast<std::int64_t>(buffers[0].bytes / 4);
    std::vector<double> middle, out;
    for (std::int64_t i = 0; i < count; ++i) {
      const double v = decode(x, i, DType::f32);
      middle.push_back(says("triple") ? 3 * v : 2 * v);
      out.push_back(middle.back() + (says("plus two") ? 2 : says("minus one") ? -1 : 1));
    }
    if (says("no number")) {
      out.assign(out.size(), std::nan(""));
      for (const int line : {2, says("in two lines") ? 3 : 2, says("and three") ? 4 : 2})
        if (options.watch_nan && launches > 1) {
          Fault fault;
          fault.kind = "not-a-number",
          fault.what = says("of two kinds") && line == 3 ? "inf - inf is worked out" : "0 / 0 is worked out",
          fault.line = line;
          fault.file = says("in a header") ? "header.h" : "p98.cu";
          run.launches[1].faults.push_back(fault);
        }
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const bool written = i == 0 || (i == 1 && launches > 1) || (i == 2 && launches > 0);
      run.outputs.push_back(i == 0     ? x
                            : !written ? std::vector<std::byte>(buffers[i].bytes, kPoison)
                                       : encode(i == 1 ? out : middle, DType::f32));
      run.written.push_back(written);
    }
    if (says("half written")) {
      if (buffers.size() > 2) {
        std::fill(run.outputs[2].begin() + static_cast<std::ptrdiff_t>(buffers[2].bytes / 2),
                  run.outputs[2].end(), kPoison);
        run.written[2] = 0;
      }
      if (launches > 1) {
        Fault fault;
        fault.kind = "uninitialised-read", fault.what = "uninitialised read", fault.kernel = "second_kernel";
        run.launches[1].faults.push_back(fault);
      }
    }
    return run;
  }
  std::vector<std::int64_t> raced;  ///< N of each run in which races were looked for
  static constexpr DeviceAddress kBegin = 0x100000000;
};

class Played : public testing::Test {
 protected:
  Played() {
    puzzle.id = "p98", puzzle.slug = "played";
    Entry entry;
    entry.name = "kernel";
    entry.signature = signature<void(const float*, float*, int)>("played");
    entry.blanks = {"first", "second"};
    entry.intermediates = {"middle"};
    puzzle.entries = {entry};
    puzzle.cases = {
        {"small", "", {{"N", 4}}}, {"large", "", {{"N", 40}}}, {"counted", "", {{"N", 80}}, "", true}};
    services.device = &device;
    services.compile = [](const SourceFile& file) -> Result<CompileResult> {
      // Each known mistake alone, so that its words stay apart.
      if (file.text.find("namespace ") != std::string::npos) return CompileResult{CompileFailure{}};
      if (file.text.find("syntax error") != std::string::npos) return CompileResult{CompileFailure{}};
      return CompileResult{artifact_of(file)};
    };
    services.record = [](const RecordRequest& request) -> Result<RecordResult> {
      Recording recording;
      recording.plan.ops.emplace_back(AllocOp{request.allocations.begin, 4 * request.arguments[2].bits});
      for (const char* kernel : {"first_kernel", "second_kernel"}) {
        LaunchOp launch;
        launch.kernel = kernel;
        recording.plan.ops.emplace_back(launch);
      }
      return RecordResult{recording};
    };
  }

  static Artifact artifact_of(const SourceFile& file) {
    Artifact artifact;
    std::string words;
    for (const char c : file.text) words += c == '\n' ? ' ' : c;
    artifact.module.ptx = ".version 8.0\n.target sm_90\n.address_size 64\n// " + words + "\n";
    artifact.functions = {"played(float const*, float*, int)"};
    artifact.mangled = {"_Z6played"};
    return artifact;
  }

  /// The learner's file against the reference, which doubles and adds one, in all cases.
  const Suspect& suspect(const std::string& first, const std::string& second) {
    const SourceFile mine = source(first, second), theirs = source("double", "plus one");
    student = {mine, artifact_of(mine), {}};
    reference = {theirs, artifact_of(theirs), {}};
    made = std::make_unique<Suspect>(Suspect{puzzle,
                                             puzzle.entries[0],
                                             student.source,
                                             &student,
                                             reference.source,
                                             &reference,
                                             mutants,
                                             {},
                                             services});
    results.clear();
    results.reserve(puzzle.cases.size());
    for (const Case& which : puzzle.cases) {
      const auto problem = std::make_shared<const Problem>(problem_of(which));
      const CaseAnswer answer{&which, problem, nullptr};
      auto result = made->run(student, answer);
      EXPECT_TRUE(result);
      results.push_back(std::move(*result));
      made->cases.push_back({&which, problem, &results.back()});
    }
    return *made;
  }

  static Problem problem_of(const Case& which) {
    Random random(3);
    Tensor x, out;
    x.name = "x", out.name = "out";
    out.shape = x.shape = {which.sizes.at("N")};
    x.values = random.normals(which.sizes.at("N"));
    for (const double v : x.values) out.expected.push_back(2 * v + 1);
    out.role = Role::out;
    out.tolerance = {1e-5, 1e-6, "test"};
    return Problem{{x, out, static_cast<std::int32_t>(which.sizes.at("N"))}};
  }

  void know(const std::string& blank, const std::string& says, const std::string& words) {
    Mutant mutant;
    mutant.name = says, mutant.says = says, mutant.entry = "kernel", mutant.blank = blank;
    mutant.fragment = words + "\n";
    mutants.push_back(mutant);
  }

  Puzzle puzzle;
  PlayedDevice device;
  Services services;
  std::vector<Mutant> mutants;
  CompiledFile student, reference;
  std::vector<CaseResult> results;
  std::unique_ptr<Suspect> made;
};

}  // namespace fusebox::played
