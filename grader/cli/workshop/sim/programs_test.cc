// bench/programs.py over a folder of four programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "grader/process/run_process.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

TEST(ProgramsTable, SaysOfEachHowItFared) {
  const auto python = run_process({"python3", "--version"});
  if (!python || python->exit_code != 0) GTEST_SKIP() << "python3 is missing here";
  const fs::path source = FUSEBOX_SOURCE_DIR, build = FUSEBOX_BINARY_DIR;
  const fs::path folder = build / "surveyed_programs", programs = source / "grader/testdata/programs";
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::copy_file(programs / "vector_add.cu", folder / "vector_add.cu");
  fs::copy_file(programs / "block_barrier_race.cu", folder / "race.cu");
  write(folder / "unfinished.cu", "int main() { return 0\n");
  // Its second run says that it failed, and ends with 0 all the same.
  write(folder / "checks/main.cu",
        "#include <cstdio>\nint main(int n, char**) { std::puts(n == 1 ? \"PASSED\" : \"Test FAILED\"); }\n");
  write(
      folder / "checks/Makefile",
      "ARCH = sm_35\nmain: main.cu\n\tnvcc -arch=$(ARCH) -o $@ main.cu\nrun: main\n\t./main\n\t./main again\n");

  const auto run = run_process({"python3", (source / "bench/programs.py").string(), folder.string(), "--sim",
                                (build / "bin/grader").string() + " sim", "--make", "ARCH=sm_80", "--json",
                                (folder / "rows.json").string()});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->exit_code, 1) << run->output;
  using testing::ContainsRegex;
  EXPECT_THAT(run->output, ContainsRegex("\nvector_add.cu +good +"));
  EXPECT_THAT(run->output, ContainsRegex("\nrace.cu +faults +.*race"));
  EXPECT_THAT(run->output, ContainsRegex("\nunfinished.cu +not built +.*error"));
  EXPECT_THAT(run->output, ContainsRegex("\nchecks +wrong +failed +.* Test FAILED"));
  EXPECT_THAT(
      run->output,
      testing::HasSubstr(
          "1 of 3 that build are good: 1 wrong, 1 faults, 0 refused, 0 too slow, 0 crashed, 1 not built"));
  EXPECT_TRUE(fs::exists(folder / "rows.json"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace fusebox
