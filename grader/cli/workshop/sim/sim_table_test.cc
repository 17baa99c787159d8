#include "grader/cli/workshop/sim/sim_table.h"

#include <gmock/gmock.h>

#include "grader/cli/render/render.h"

namespace fusebox {
namespace {

// Without line numbers all instructions of a kernel are at one, and one line may have several.
TEST(SimTable, AFaultIsToldOnceWithTheLaunchesItIsIn) {
  Fault fault;
  fault.kind = "race-shared", fault.what = "race", fault.kernel = "k", fault.count = 32;
  sim::Journal journal;
  journal.launches.resize(3);
  journal.launches[0].faults = {fault, fault, fault};
  EXPECT_THAT(
      render_program(journal, GpuProfile{}, Style{}),
      testing::AllOf(testing::HasSubstr(", 96 lanes\n"), testing::Not(testing::HasSubstr("launches\n"))));
  journal.launches[2].faults = {fault, fault};
  EXPECT_THAT(render_program(journal, GpuProfile{}, Style{}),
              testing::HasSubstr(", 160 lanes, in 2 launches\n"));
}

}  // namespace
}  // namespace fusebox
