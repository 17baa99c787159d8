// A report is there after every run, and it is of that run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "grader/cli/grade/attachments.h"
#include "grader/cli/verbs/verbs.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

TEST(GradeJson, AnErrorReplacesTheReportOfTheRunBefore) {
  const fs::path file = fs::temp_directory_path() / ("fusebox_report_" + std::to_string(getpid()) + ".json");
  Options nobody, nowhere;
  nobody.puzzle = "p999";
  nowhere.puzzle = "p04";
  nowhere.from = "no/such/folder";
  for (const auto verb : {grade_verb, all_verb}) {
    for (Options options : {nobody, nowhere}) {
      if (verb == all_verb) options.from = nowhere.from;
      options.json = file.string();
      std::ofstream(file) << "of the run before";
      EXPECT_EQ(verb(WorkspacePaths{}, options), 2);
      std::ifstream in(file);
      const std::string text((std::istreambuf_iterator<char>(in)), {});
      EXPECT_THAT(text, testing::HasSubstr("\"verdict\"")) << options.puzzle;
      EXPECT_THAT(text, testing::HasSubstr("skipped"));
      EXPECT_THAT(text, testing::HasSubstr("there is no"));
    }
  }
  fs::remove(file);
}

TEST(KeepAttempt, SaysWhyItCannot) {
  const fs::path build = fs::temp_directory_path() / ("fusebox_build_" + std::to_string(getpid()));
  fs::create_directories(build);
  WorkspacePaths paths;
  paths.bin = build / "bin";
  Report report;
  report.puzzle = "p04";
  const auto kept = keep_attempt(paths, report);
  ASSERT_TRUE(kept) << kept.error().what;
  EXPECT_TRUE(fs::exists(*kept));
  fs::remove_all(build / "reports");
  std::ofstream(build / "reports") << "a file where the folder should be";
  const auto failed = keep_attempt(paths, report);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().what, testing::HasSubstr((build / "reports").string()));
  EXPECT_EQ(failed.error().kind, ErrorKind::missing_part);
  fs::remove_all(build);
}

}  // namespace
}  // namespace fusebox
