#include "grader/report/workspace_paths.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace fusebox {
namespace {

namespace fs = std::filesystem;

struct Given {
  fs::path path;
  const char* lies_at;
};

TEST(WorkspacePaths, WhereEverythingLies) {
  const WorkspacePaths paths{"/work", "/elsewhere/build/bin", "grader"};
  for (const Given& row : {Given{paths.puzzles(), "/work/puzzles"},
                           {paths.solutions(), "/work/solutions"},
                           {paths.optimized(), "/work/solutions/optimized"},
                           {paths.assets(), "/work/assets"},
                           {paths.texts(), "/work/assets/puzzles"},
                           {paths.recorded(), "/work/assets/recorded"},
                           {paths.recorded_reports(), "/work/assets/recorded/reports"},
                           {paths.spec("p01_copy"), "/work/grader/catalog/specs/p01_copy.cc"},
                           {paths.build(), "/elsewhere/build"},
                           {paths.cache(), "/elsewhere/build/cache"},
                           {paths.attempts(), "/elsewhere/build/reports"},
                           {paths.progress(), "/elsewhere/build/progress.json"},
                           {paths.grader(), "/elsewhere/build/bin/grader"},
                           {paths.recorder(), "/elsewhere/build/bin/recorder"},
                           {paths.executor(), "/elsewhere/build/bin/gpu_executor"},
                           {paths.workshop(), "/elsewhere/build/bin/workshop"}})
    EXPECT_EQ(row.path, row.lies_at);
  // What is relative would lie in whatever folder somebody is in.
  EXPECT_EQ(WorkspacePaths{}.puzzles(), "");
  EXPECT_EQ(WorkspacePaths{}.recorded_reports(), "");
}

TEST(WorkspacePaths, ACheckoutIsGivenOrAroundThisProgram) {
  const fs::path root = FUSEBOX_SOURCE_DIR, build = FUSEBOX_BINARY_DIR;
  const fs::path other = fs::path(testing::TempDir()) / ("workspace_" + std::to_string(getpid()));
  fs::create_directories(other / "puzzles");
  const auto around = find_workspace("", "grader");
  ASSERT_TRUE(around) << around.error().what;
  EXPECT_TRUE(fs::equivalent(around->root, root));
  EXPECT_TRUE(fs::equivalent(around->build(), build));
  EXPECT_EQ(around->command, "grader");

  const auto half = find_workspace(other, "grader");
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error().what, other.string() + " holds no puzzles/ and assets/");
  setenv("FUSEBOX_ROOT", other.c_str(), 1);
  EXPECT_FALSE(find_workspace("", "grader"));
  EXPECT_TRUE(fs::equivalent(find_workspace(root, "grader")->root, root)) << "what is typed goes first";
  EXPECT_TRUE(fs::equivalent(workspace_if_any("viewer").root, root));
  fs::create_directories(other / "assets");
  EXPECT_TRUE(fs::equivalent(find_workspace("", "grader")->root, other));
  EXPECT_TRUE(fs::equivalent(workspace_if_any("viewer").root, other));
  unsetenv("FUSEBOX_ROOT");
  fs::remove_all(other);
}

}  // namespace
}  // namespace fusebox
