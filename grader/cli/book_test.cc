// What the launcher shows before anything is built is, word for word, what the grader shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "grader/catalog/puzzle.h"
#include "grader/cli/render/render.h"
#include "grader/process/run_process.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

/// Two copies of what the book is made of, each with progress of its own: one has no grader.
class Book : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fusebox-book-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    for (const fs::path& root : {bare(), built()}) {
      for (const char* part : {"setup", "assets", "puzzles", "solutions", "grader/catalog/specs"}) {
        fs::create_directories((root / part).parent_path());
        fs::copy(fs::path(FUSEBOX_SOURCE_DIR) / part, root / part, fs::copy_options::recursive);
      }
      fs::copy_file(fs::path(FUSEBOX_SOURCE_DIR) / "fusebox", root / "fusebox");
      fs::create_directories(root / "build");
    }
    fs::create_directories(built() / "build/bin");
    fs::copy_file(fs::path(FUSEBOX_BINARY_DIR) / "bin/grader", built() / "build/bin/grader");
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path bare() const { return folder_ / "bare"; }
  fs::path built() const { return folder_ / "built"; }
  void progress(const std::string& json) const {
    for (const fs::path& root : {bare(), built()}) std::ofstream(root / "build/progress.json") << json;
  }
  static std::string run(const fs::path& root, std::vector<std::string> words) {
    words.insert(words.begin(), "./fusebox");
    const auto ran = run_process(words, {.time_limit_s = 60, .directory = root, .environment = {}});
    if (!ran) return ran.error().what;
    EXPECT_EQ(ran->exit_code, 0) << ran->output;
    return ran->output;
  }
  /// Of both; how a further command is typed differs, and so do blanks that nobody sees.
  static std::string words_of(std::string text) {
    for (const std::string& command : {std::string("build/bin/grader"), std::string("./fusebox")})
      for (std::size_t at; (at = text.find(command)) != std::string::npos;)
        text.replace(at, command.size(), "*");
    return text;
  }
  void expect_same(const std::vector<std::string>& words) const {
    const std::string theirs = run(built(), words);
    EXPECT_EQ(words_of(run(bare(), words)), words_of(theirs)) << testing::PrintToString(words);
    std::istringstream lines(theirs);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(width_of(line), kWidth) << testing::PrintToString(words) << "\n" << line;
  }

  fs::path folder_;
};

TEST_F(Book, NeedsNoBuild) {
  expect_same({"list"});
  progress(
      "{\n \"p04\": {\n  \"tried\": true,\n  \"solved\": true,\n  \"hints\": 1\n },\n"
      " \"p20\": {\n  \"tried\": true,\n  \"solved\": false,\n  \"hints\": 0\n }\n}\n");
  expect_same({"list"});
  for (const Puzzle& puzzle : puzzles()) {
    expect_same({"lesson", puzzle.id});
    // One more than there are: the last is shown again.
    for (int i = 0; i < 4; ++i) expect_same({"hint", puzzle.slug});
  }
  for (const char* name : {"4", "04", "P04", "p4", "p04_bias_gelu", "p04_bias_gelu.cu"})
    expect_same({"lesson", name});
  expect_same({"list"});
  EXPECT_FALSE(fs::exists(bare() / "build/bin"));
}

TEST_F(Book, EveryPartSaysWhatComesOfIt) {
  const std::string list = run(bare(), {"list"});
  std::set<std::string> parts;
  for (const Puzzle& puzzle : puzzles()) parts.insert(puzzle.chapter);
  for (const std::string& part : parts) EXPECT_THAT(list, testing::ContainsRegex(part + "\n  [A-Z]"));
  std::ifstream map(fs::path(FUSEBOX_SOURCE_DIR) / "assets/map.md");
  for (std::string line; std::getline(map, line);) {
    if (line.rfind("## ", 0) != 0) continue;
    EXPECT_THAT(parts, testing::Contains(line.substr(3)));
  }
}

TEST_F(Book, NextIsTheFirstThatIsNotSolved) {
  EXPECT_THAT(run(bare(), {"list"}), testing::HasSubstr("next: ./fusebox lesson p01, then"));
  progress("{\n \"p01\": {\n  \"tried\": true,\n  \"solved\": true,\n  \"hints\": 1\n }\n}\n");
  EXPECT_THAT(run(bare(), {"list"}), testing::HasSubstr("next: ./fusebox lesson p02, then"));
}

TEST_F(Book, HintsShownBeforeTheBuildAreKnownToTheGrader) {
  const std::string first = run(bare(), {"hint", "p20"});
  EXPECT_THAT(first, testing::HasSubstr("hint 1 of"));
  fs::copy_file(bare() / "build/progress.json", built() / "build/progress.json");
  EXPECT_THAT(run(built(), {"hint", "p20"}), testing::HasSubstr("hint 2 of"));
  fs::copy_file(built() / "build/progress.json", bare() / "build/progress.json",
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(run(bare(), {"hint", "p20"}), testing::HasSubstr("hint 3 of"));
  // What else is kept stays as it was.
  run(bare(), {"hint", "p04"});
  EXPECT_THAT(run(bare(), {"hint", "p20"}), testing::HasSubstr("hint 3 of"));
}

TEST_F(Book, AnUnknownPuzzleIsAMistypedCommand) {
  const auto ran = run_process({"./fusebox", "lesson", "p99"},
                               {.time_limit_s = 60, .directory = bare(), .environment = {}});
  ASSERT_TRUE(ran.ok());
  EXPECT_EQ(ran->exit_code, 2);
  EXPECT_THAT(ran->output, testing::HasSubstr("there is no puzzle `p99`"));
}

}  // namespace
}  // namespace fusebox
