#include "grader/judge/repair/repair.h"

#include <cstring>
#include <set>
#include <utility>

#include "grader/judge/cause/cause.h"
#include "grader/judge/suspect/played_testing.h"

namespace fusebox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Computes the right answers from one plan only, the one that `wanted` accepts.
class PickyDevice : public played::PlayedDevice {
 public:
  Result<Run> execute(const LaunchPlan& plan, const ModuleImage& module, std::span<const Buffer> buffers,
                      const ExecuteOptions& options) override {
    auto run = PlayedDevice::execute(plan, module, buffers, options);
    if (run && !wanted(plan) && !fault.empty()) {
      run->launches[0].faults.emplace_back();
      run->launches[0].faults.back().kind = fault;
    }
    if (run && !wanted(plan)) run->outputs[1] = encode(std::vector(buffers[1].bytes / 4, 77.0), DType::f32);
    return run;
  }
  std::function<bool(const LaunchPlan&)> wanted;
  std::string fault;  ///< of any other plan's first launch; empty: none
};

const LaunchOp& launch(const LaunchPlan& plan, std::size_t number) {
  return std::get<LaunchOp>(plan.ops[1 + number]);
}

std::uint64_t word(const LaunchOp& launch, std::size_t at, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, launch.arguments.data() + at, bytes);
  return value;
}

class RepairTest : public played::Played {
 protected:
  RepairTest() {
    services.device = &picky;
    services.record = [this](const RecordRequest& request) -> Result<RecordResult> {
      Recording recording;
      recording.plan.ops.emplace_back(AllocOp{request.allocations.begin, 4 * request.arguments[2].bits});
      for (const char* kernel : {"first_kernel", second}) {
        LaunchOp op;
        op.kernel = request.arguments[2].bits >= first_from ? "first_kernel" : kernel;
        op.grid = {2, 3, 1}, op.block = block;
        op.arguments.resize(28);
        op.dynamic_shared_bytes = 100;
        const std::uint64_t n = request.arguments[2].bits;
        const std::uint64_t in = request.arguments[0].bits + moved;
        std::memcpy(op.arguments.data(), &in, 8);
        std::memcpy(op.arguments.data() + 8, &request.allocations.begin, 8);
        const std::uint32_t sizes[] = {static_cast<std::uint32_t>(n), 7, 9};
        std::memcpy(op.arguments.data() + 16, sizes, sizeof(sizes));
        recording.plan.ops.emplace_back(op);
      }
      if (own_memset)
        recording.plan.ops.emplace_back(MemsetOp{request.allocations.begin, request.arguments[2].bits});
      return RecordResult{recording};
    };
  }

  std::vector<std::string> changes(std::function<bool(const LaunchPlan&)> wanted) {
    picky.wanted = std::move(wanted);
    Suspect s = suspect("double", std::string("plus one") + launches);
    student.source.text += "__global__ void first_kernel(const float* in, float* out, int n, int step) {}\n";
    reference.source.text += "void played(const float* x, float* y, int count) {}\n";
    for (const char* kernel : {"first_kernel", "second_kernel"}) {
      student.kernels.push_back({kernel, {{0, 8}, {8, 8}, {16, 4}, {20, 4}}, 24, 0, 0, bounds});
      if (three_sizes) student.kernels.back().slots.push_back({24, 4});
    }
    static const CaseResult kNone;
    if (stops_early) {
      s.untried = {s.cases.back()};
      s.untried.front().result = &kNone;
      s.cases.pop_back();
    }
    std::vector<std::string> found;
    may_go_around = false;
    for (const Repair& repair : find_repairs(s)) {
      found.push_back(repair.with);
      may_go_around = may_go_around || repair.may_go_around();
    }
    return found;
  }

  PickyDevice picky;
  bool may_go_around = false;  ///< one of the last changes()
  const char* second = "second_kernel";
  std::uint64_t first_from = 1000;  ///< from as many elements on the first kernel is launched twice
  Dim3 block{8, 32, 1};
  int bounds = 0;             ///< of threads, for each kernel
  bool own_memset = false;    ///< behind all launches, of a quarter of its own allocation
  std::uint64_t moved = 0;    ///< bytes that `in` points behind its tensor's begin
  const char* launches = "";  ///< in the second blank
  bool three_sizes = false;   ///< each kernel has one parameter more
  bool stops_early = false;   ///< the last case is left out, as behind one that does not end
};

TEST_F(RepairTest, OneChangeOfThePlanThatMakesEveryCaseRight) {
  struct Row {
    const char* with;
    std::function<bool(const LaunchPlan&)> wanted;
  };
  const Row rows[] = {
      {"a block of (32, 8) in place of (8, 32) at launch 1 of 2, `first_kernel`",
       [](const LaunchPlan& plan) {
         return launch(plan, 0).block == Dim3{32, 8, 1};
       }},
      {"a grid of (3, 2) in place of (2, 3), x and y exchanged, at launch 2 of 2, `second_kernel`",
       [](const LaunchPlan& plan) {
         return launch(plan, 1).grid == Dim3{3, 2, 1};
       }},
      {"a grid of (2, 1, 3) in place of (2, 3, 1), y and z exchanged, at launch 2 of 2, `second_kernel`",
       [](const LaunchPlan& plan) {
         return launch(plan, 1).grid == Dim3{2, 1, 3};
       }},
      {"a grid of (2, 4) in place of (2, 3) at launch 2 of 2, `second_kernel`",
       [](const LaunchPlan& plan) {
         return launch(plan, 1).grid == Dim3{2, 4, 1};
       }},
      {"a grid of (3, 4) in place of (2, 3) at launch 1 of 2, `first_kernel`",
       [](const LaunchPlan& plan) {
         return launch(plan, 0).grid == Dim3{3, 4, 1};
       }},
      {"a block of (32, 32) in place of (8, 32) at launch 1 of 2, `first_kernel`",
       [](const LaunchPlan& plan) {
         return launch(plan, 0).block == Dim3{32, 32, 1};
       }},
      {"400 bytes of dynamic shared memory in place of 100, 4 times as much, at launch 2 of 2, `second_kernel`",
       [](const LaunchPlan& plan) { return launch(plan, 1).dynamic_shared_bytes == 400; }},
      {"4 bytes of dynamic shared memory more for each warp at launch 1 of 2, `first_kernel`",
       [](const LaunchPlan& plan) {
         const auto bytes = launch(plan, 0).dynamic_shared_bytes;
         return bytes == 132 || bytes == 164 || bytes == 1124;
       }},
      {"4 bytes of dynamic shared memory more for each thread at launch 1 of 2, `first_kernel`",
       [](const LaunchPlan& plan) { return launch(plan, 0).dynamic_shared_bytes == 1124; }},
      {"the arguments for `n` and `step` exchanged at launch 1 of 2, `first_kernel`",
       [](const LaunchPlan& plan) { return word(launch(plan, 0), 16, 4) == 7; }},
      {"`count` given for argument 4 at launch 2 of 2, `second_kernel`",
       [](const LaunchPlan& plan) {
         return word(launch(plan, 1), 20, 4) != 7 && word(launch(plan, 1), 16, 4) != 7;
       }},
      {"28 given for `step` in place of 7, 4 times as much, at launch 1 of 2, `first_kernel`",
       [](const LaunchPlan& plan) { return word(launch(plan, 0), 20, 4) == 28; }},
      {"launch 2 of 2, `second_kernel` before launch 1 of 2, `first_kernel`",
       [](const LaunchPlan& plan) { return launch(plan, 0).kernel == "second_kernel"; }},
  };
  for (const Row& row : rows) EXPECT_THAT(changes(row.wanted), ElementsAre(row.with));
}

TEST_F(RepairTest, TheHostFunctionMayChooseTheWrongKernel) {
  first_from = 80;
  const auto is_first = [](const LaunchPlan& plan) {
    return launch(plan, 0).kernel == "first_kernel" && launch(plan, 1).kernel == "first_kernel";
  };
  EXPECT_THAT(
      changes([&](const LaunchPlan& plan) { return is_first(plan) || word(launch(plan, 0), 16, 4) == 4; }),
      ElementsAre("`first_kernel` launched where the host function chooses `second_kernel`"));
  // Which is right nowhere: then it is wrong, and not the choice.
  EXPECT_THAT(changes(is_first), IsEmpty());
}

TEST_F(RepairTest, ArgumentsMayBeExchangedAtEveryLaunchOfAKernel) {
  second = "first_kernel";
  const auto exchanged = [](const LaunchPlan& plan, std::size_t number) {
    return word(launch(plan, number), 16, 4) == 7;
  };
  EXPECT_THAT(changes([&](const LaunchPlan& plan) { return exchanged(plan, 0) && exchanged(plan, 1); }),
              ElementsAre("the arguments for `n` and `step` exchanged at all 2 launches of `first_kernel`"));
}

TEST_F(RepairTest, ThreeArgumentsMayStandInTheOrderOfAnotherFunction) {
  three_sizes = true;
  EXPECT_THAT(
      changes([](const LaunchPlan& plan) {
        return word(launch(plan, 1), 16, 4) == 7 && word(launch(plan, 1), 20, 4) == 9;
      }),
      ElementsAre("what is given for argument 4, argument 5 and argument 3 given for argument 3, argument 4 "
                  "and argument 5 at launch 2 of 2, `second_kernel`"));
}

TEST_F(RepairTest, WhatMendsIsTriedInCasesThatWereLeftOutToo) {
  stops_early = true;
  std::set<std::uint64_t> tried;
  const auto is_swapped = [](const LaunchPlan& plan) { return launch(plan, 0).block == Dim3{32, 8, 1}; };
  const std::string swapped = "a block of (32, 8) in place of (8, 32) at launch 1 of 2, `first_kernel`";
  EXPECT_THAT(changes([&](const LaunchPlan& plan) {
                if (is_swapped(plan)) tried.insert(word(launch(plan, 0), 16, 4));
                return is_swapped(plan);
              }),
              ElementsAre(swapped));
  EXPECT_EQ(tried.size(), puzzle.cases.size());
  const auto last = static_cast<std::uint64_t>(puzzle.cases.back().sizes.at("N"));
  EXPECT_THAT(changes([&](const LaunchPlan& plan) {
                return is_swapped(plan) && word(launch(plan, 0), 16, 4) != last;
              }),
              IsEmpty());
}

TEST_F(RepairTest, AWarpsBlockForFourRowsMayBeFourWarps) {
  block = {32, 1, 1};
  EXPECT_THAT(changes([](const LaunchPlan& plan) {
                return launch(plan, 0).block == Dim3{128, 1, 1};
              }),
              ElementsAre("a block of 128 in place of 32 at launch 1 of 2, `first_kernel`"));
}

TEST_F(RepairTest, ABlockMayBeWhatTheKernelIsBoundTo) {
  block = {48, 1, 1};
  const auto wanted = [](const LaunchPlan& plan) { return launch(plan, 1).block == Dim3{256, 1, 1}; };
  EXPECT_THAT(changes(wanted), IsEmpty());
  bounds = 256;
  EXPECT_THAT(changes(wanted),
              ElementsAre("a block of 256 in place of 48 at launch 2 of 2, `second_kernel`"));
  // Whole warps are less, and may be all that is missing.
  EXPECT_THAT(changes([](const LaunchPlan& plan) {
                return launch(plan, 1).block.x == 64 || launch(plan, 1).block.x == 256;
              }),
              ElementsAre("a block of 64 in place of 48, rounded up to whole warps, at launch 2 of 2, "
                          "`second_kernel`"));
  block = {128, 1, 1};
  EXPECT_THAT(changes(wanted),
              ElementsAre("a block of 256 in place of 128 at launch 2 of 2, `second_kernel`"))
      << "twice as many, which is one change and said once";
}

const MemsetOp& memset_of(const LaunchPlan& plan) { return std::get<MemsetOp>(plan.ops.back()); }

TEST_F(RepairTest, AMemsetMayBeOfAnotherBufferOrOfMoreBytes) {
  own_memset = true;
  EXPECT_THAT(changes([](const LaunchPlan& plan) {
                return memset_of(plan).address != std::get<AllocOp>(plan.ops[0]).address;
              }),
              ElementsAre("a memset of `out` in place of one of `middle`"));
  EXPECT_THAT(changes([](const LaunchPlan& plan) {
                return memset_of(plan).bytes == std::get<AllocOp>(plan.ops[0]).bytes;
              }),
              ElementsAre(HasSubstr("4 times as many, at the memset of `middle`")));
}

TEST_F(RepairTest, APointerMayLackTheOffsetThatAnotherHas) {
  moved = 2;
  EXPECT_THAT(changes([](const LaunchPlan& plan) {
                return word(launch(plan, 0), 8, 8) == std::get<AllocOp>(plan.ops[0]).address + 2;
              }),
              ElementsAre("`out` moved on as far as `in` is at launch 1 of 2, `first_kernel`"));
}

TEST_F(RepairTest, MoreBlocksOrThreadsMayGoAroundWhatIsWrongWithAKernel) {
  EXPECT_THAT(changes([](const LaunchPlan& plan) { return launch(plan, 0).grid.x == 3; }), Not(IsEmpty()));
  EXPECT_TRUE(may_go_around);
  EXPECT_THAT(changes([](const LaunchPlan& plan) { return launch(plan, 1).block.x == 16; }), Not(IsEmpty()));
  EXPECT_TRUE(may_go_around);
  // The same number of either, the other way round, does not.
  EXPECT_THAT(changes([](const LaunchPlan& plan) {
                return launch(plan, 0).grid == Dim3{3, 2, 1};
              }),
              Not(IsEmpty()));
  EXPECT_FALSE(may_go_around);
}

TEST_F(RepairTest, WhatDoesMoreIsSaidOnlyWhereLessDoesNot) {
  EXPECT_THAT(changes([](const LaunchPlan& plan) {
                return launch(plan, 0).grid.x == 3 && launch(plan, 0).grid.y > 2;
              }),
              ElementsAre("a grid of (3, 3) in place of (2, 3) at launch 1 of 2, `first_kernel`"));
}

TEST_F(RepairTest, WhereTheLearnersLaunchesLeadToAFaultBlocksMayBeOthers) {
  struct Row {
    const char* with;
    Dim3 block;
    std::function<bool(const LaunchPlan&)> wanted;
  };
  const Row rows[] = {
      {"a grid of (8, 3) in place of (2, 3) at launch 1 of 2, `first_kernel`",
       {32, 1, 1},
       [](const LaunchPlan& plan) { return launch(plan, 0).grid.x >= 7 && launch(plan, 0).block.x == 32; }},
      {"blocks of at least 256 threads at all 2 launches",
       {32, 1, 1},
       [](const LaunchPlan& plan) {
         return launch(plan, 0).block.x >= 256 && launch(plan, 1).block.x >= 256;
       }},
      {"blocks of half as many threads, and 2 times as many of them, at all 2 launches",
       {512, 1, 1},
       [](const LaunchPlan& plan) {
         return launch(plan, 0).block.x == 256 && launch(plan, 1).block.x == 256 &&
                launch(plan, 0).grid.x == 4;
       }},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.with);
    block = row.block;
    picky.fault = "uninitialised-read", launches = "\nsecond_kernel<<<6, 7>>>();";
    EXPECT_THAT(changes(row.wanted), ElementsAre(row.with));
    launches = "";
    EXPECT_THAT(changes(row.wanted), IsEmpty()) << "the solution launches";
    picky.fault = "", launches = "\nsecond_kernel<<<6, 7>>>();";
    EXPECT_THAT(changes(row.wanted), IsEmpty()) << "a kernel may lack a loop";
  }
}

TEST_F(RepairTest, NothingWhereNoChangeMendsItOrTooManyDo) {
  EXPECT_THAT(changes([](const LaunchPlan&) { return false; }), IsEmpty());
  EXPECT_THAT(changes([](const LaunchPlan& plan) {
                return launch(plan, 0).block != Dim3{8, 32, 1};
              }),
              IsEmpty());
}

TEST_F(RepairTest, ARaceIsNotMendedByAnotherLaunch) {
  for (const auto& [kind, said] : {std::pair{"out-of-bounds", true}, std::pair{"race-shared", false}}) {
    picky.fault = kind;
    ASSERT_FALSE(changes([](const LaunchPlan& plan) {
                   return launch(plan, 0).block == Dim3{32, 8, 1};
                 }).empty());
    const Suspect s = *made;
    const auto found = find_cause(s, {});
    ASSERT_TRUE(found.cause);
    EXPECT_EQ(found.cause->sentence.find("every answer is right") != std::string::npos, said) << kind;
  }
}

TEST_F(RepairTest, IsSaidWithItsProof) {
  const std::vector<Repair> one = {{"a grid of 2 in place of 1 at the launch of `k`", 9}};
  EXPECT_EQ(sentence_of(one), "With a grid of 2 in place of 1 at the launch of `k`, every answer is right.");
  EXPECT_EQ(evidence_of(one), "carried out with that change: right in 9 of 9 cases");
  EXPECT_EQ(sentence_of({{"this", 2}, {"that", 2}}), "With this, or with that, every answer is right.");
  EXPECT_EQ(
      sentence_of({{"no condition in place of `i < n` in line 7", 2, false, 7, true}}),
      "With no condition in place of `i < n` in line 7, every answer is right: look there for what is wrong, something else may belong in its place.");
}

TEST(Repair, AnArgumentThatMendsByAccidentWhatAKernelDoesIsNotSaid) {
  using enum BlankTrial::Verdict;
  const struct {
    const char *what, *kernel, *launches;
    BlankTrial::Verdict first, second;
    std::size_t left;
  } rows[] = {
      {"the kernel is wrong by itself", "x = 1;", "k<<<1, 1>>>();", wrong, right, 1},
      {"the launches are", "x = 1;", "k<<<1, 1>>>();", right, wrong, 2},
      {"both are", "x = 1;", "k<<<1, 1>>>();", wrong, wrong, 2},
      {"launched otherwise", "x = 1;", "cudaLaunchKernel(k);", right, wrong, 2},
      {"neither is: what stands around them", "x = 1;", "k<<<1, 1>>>();", right, right, 2},
      {"neither compiles alone", "x = 1;", "k<<<1, 1>>>();", unknown, unknown, 2},
  };
  for (const auto& row : rows) {
    std::vector<Repair> repairs = {{"a block of 32", 3, false}, {"`rows` given for `strip`", 3, true}};
    drop_accidents(played::source(row.kernel, row.launches).text, "",
                   {{"first", row.first}, {"second", row.second}}, repairs);
    EXPECT_EQ(repairs.size(), row.left) << row.what;
  }
}

TEST(Repair, AnArgumentOfALaunchThatIsWrittenAsInTheReferenceIsNotSaid) {
  const std::string reference = "void f() { g<<<1, 1>>>(n); k<<<n / 2, 32>>>(x, strip); }";
  for (const auto& [launches, left] :
       {std::pair{"void f() { k<<<n / 2,\n    32>>>(x, strip); own<<<1, 1>>>(n); }", 1u},
        std::pair{"void f() { k<<<n / 2, 32>>>(x, rows); }", 2u}, std::pair{"void f() { go(k); }", 2u}}) {
    std::vector<Repair> repairs = {{"a block of 32", 3, false},
                                   {"`rows` given for `strip` at the launch of `k`", 3, true}};
    drop_accidents(launches, reference, {}, repairs);
    EXPECT_EQ(repairs.size(), left) << launches;
  }
}

}  // namespace
}  // namespace fusebox
