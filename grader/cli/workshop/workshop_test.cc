// Which of the two programs carries a verb out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "grader/process/run_process.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kBuilt = fs::path(FUSEBOX_BINARY_DIR) / "bin";

ProcessResult run(const std::vector<std::string>& words) {
  auto result = run_process(words);
  EXPECT_TRUE(result) << words.front();
  return result ? *result : ProcessResult{};
}

TEST(Workshop, IsStartedByTheGraderAndSpeaksInItsName) {
  const auto started = run({kBuilt / "grader", "dev", "check", "p99"});
  EXPECT_EQ(started.exit_code, 2);
  EXPECT_THAT(started.output, HasSubstr("there is no puzzle `p99`"));
  const auto parity = run({kBuilt / "workshop", "dev", "parity", "--full", "p99"});
  EXPECT_EQ(parity.exit_code, 2);
  EXPECT_THAT(parity.output, HasSubstr("there is no puzzle `p99`"));
  const auto direct = run({kBuilt / "workshop", "list"});
  EXPECT_EQ(direct.exit_code, 2);
  EXPECT_THAT(direct.output, HasSubstr("bin/grader in its place"));
}

TEST(Workshop, WhereItIsNotBuiltTheGraderSaysWhatToType) {
  std::string pattern = (fs::temp_directory_path() / "fusebox-workshop-XXXXXX").string();
  const fs::path root = mkdtemp(pattern.data());
  fs::create_directories(root / "bin");
  fs::copy_file(kBuilt / "grader", root / "bin/grader");
  const std::vector<std::vector<std::string>> verbs{{"sim"}, {"bench"}, {"dev", "check"}};
  for (std::vector<std::string> words : verbs) {
    const std::string type = "type ./fusebox " + words.front() + " ... in its place";
    words.insert(words.begin(), {root / "bin/grader", "--root", FUSEBOX_SOURCE_DIR});
    const auto refused = run(words);
    EXPECT_EQ(refused.exit_code, 3) << type;
    EXPECT_THAT(refused.output, HasSubstr(type));
  }
  fs::remove_all(root);
}

}  // namespace
}  // namespace fusebox
