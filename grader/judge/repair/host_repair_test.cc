#include "grader/judge/repair/host_repair.h"

#include <fmt/format.h>

#include <charconv>

#include "grader/judge/suspect/played_testing.h"

namespace fusebox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Computes the right answers where the first launch has five blocks, and of so many elements anyway.
class FiveBlocks : public played::PlayedDevice {
 public:
  Result<Run> execute(const LaunchPlan& plan, const ModuleImage& module, std::span<const Buffer> buffers,
                      const ExecuteOptions& options) override {
    auto run = PlayedDevice::execute(plan, module, buffers, options);
    const std::uint32_t blocks = std::get<LaunchOp>(plan.ops[1]).grid.x;
    const std::size_t elements = buffers[1].bytes / 4;
    if (run) run->launches[0].grid[0] = blocks;
    if (run && blocks != 5 && elements != right_anyway)
      run->outputs[1] = encode(std::vector(elements, 77.0), DType::f32);
    return run;
  }
  std::size_t right_anyway = 0;
};

/// A host function that launches four blocks, and five with one of the changes in its text.
class HostRepairTest : public played::Played {
 protected:
  HostRepairTest() {
    services.device = &five;
    services.compile = [this](const SourceFile& file) -> Result<CompileResult> {
      for (const std::string& change : {wanted, also_wanted})
        if (const auto at = file.text.find(change); at != std::string::npos) {
          const auto sign = file.text.rfind("fusebox_host_edit == ", at);
          if (sign == std::string::npos)
            made = file.text;
          else
            std::from_chars(&file.text[sign + 21], file.text.data() + at, numbers.emplace_back());
        }
      Artifact artifact = artifact_of(file);
      artifact.host_library = file.text == made ? "with it" : "without";
      return CompileResult{std::move(artifact)};
    };
    services.record = [this](const RecordRequest& request) -> Result<RecordResult> {
      Recording recording;
      recording.plan.ops.emplace_back(AllocOp{request.allocations.begin, 4 * request.arguments[2].bits});
      for (const char* kernel : {"first_kernel", "second_kernel"}) {
        LaunchOp launch;
        launch.kernel = kernel;
        const bool mended = request.library == "with it" ||
                            std::find(numbers.begin(), numbers.end(), request.edit) != numbers.end();
        const bool is_right = request.arguments[2].bits == five.right_anyway;
        launch.grid = {mended && !(only_where_wrong && is_right) ? 5u : 4u, 1, 1};
        recording.plan.ops.emplace_back(launch);
      }
      for (int i = 0; i < memsets; ++i)
        recording.plan.ops.emplace_back(MemsetOp{request.allocations.begin, 4});
      return RecordResult{recording};
    };
  }

  std::vector<std::string> repairs(const std::string& change) {
    wanted = change;
    Suspect s = suspect("double", "plus one\nvoid played(const float* x, float* y, int count) {\n" + before +
                                      "  first_kernel<<<count / 8, 32>>>(x, y, count);\n}");
    for (CaseResult& result : results)  // as a grading keeps them
      if (!result.wrong_answer) result.launches.clear();
    std::vector<std::string> found;
    for (const Repair& repair : find_host_repairs(s, {})) found.push_back(repair.with);
    return found;
  }

  FiveBlocks five;
  std::string wanted, also_wanted = "nothing", made = "none";
  std::string before;  ///< the launch, in the host function
  std::vector<std::uint32_t> numbers;
  int memsets = 0;                ///< behind the launches
  bool only_where_wrong = false;  ///< a change launches five blocks
};

TEST_F(HostRepairTest, OneChangeOfTheHostCodeThatMakesEveryCaseRight) {
  EXPECT_THAT(
      repairs("(count + 1)"),
      ElementsAre("`(count + 1) / 8` in place of `count / 8` in line 7, where `first_kernel` is launched"));
}

// Always as many threads as the longest row needs go around what is wrong with short ones.
TEST_F(HostRepairTest, WhatLaunchesOtherBlocksWhereItWasRightIsNotSaid) {
  five.right_anyway = 40;
  EXPECT_THAT(repairs("(count + 1)"), IsEmpty());
}

TEST_F(HostRepairTest, WhatLaunchesThereWhatItDidIsSaid) {
  five.right_anyway = 40;
  only_where_wrong = true;
  EXPECT_THAT(repairs("(count + 1)"), testing::SizeIs(1));
}

TEST_F(HostRepairTest, WhatIsTypicalIsTriedOfALongFunctionToo) {
  for (int i = 0; i < 30; ++i) before += fmt::format("  int v{} = count * 12 + count;\n", i);
  EXPECT_THAT(repairs("(count + 8 - 1) / 8"), testing::SizeIs(1));
  made = "none", numbers.clear();
  EXPECT_THAT(repairs("(count + 1) / 8"), IsEmpty()) << "of others there are too many";
}

// Of bounds a text has many, and one of them mends where a group is too large for what it is asked for.
TEST_F(HostRepairTest, AGroupOfThreadsIsSaidBeforeABound) {
  before = "  if (count <= 192) run<192>(x);\n";
  also_wanted = "run<256>";
  EXPECT_THAT(repairs("count < 192"), ElementsAre(testing::HasSubstr("`run<256>` in place of `run<192>`")));
}

TEST_F(HostRepairTest, ItIsToldHowManyAreTried) {
  std::vector<std::string> told;
  services.step = [&](const std::string& step) { told.push_back(step); };
  repairs("(count + 1)");
  EXPECT_THAT(told, ElementsAre(testing::MatchesRegex("trying [0-9]+ changes of the host function")));
}

TEST_F(HostRepairTest, NothingIsSaidWhereNoneDoes) { EXPECT_THAT(repairs("(count + 5)"), IsEmpty()); }

TEST_F(HostRepairTest, AFunctionThatAsksForVeryMuchIsLeftAsItIs) {
  memsets = 300;
  EXPECT_THAT(repairs("(count + 1)"), IsEmpty());
}

}  // namespace
}  // namespace fusebox
