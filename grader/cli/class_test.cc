// A class of hostile submissions: each gets the verdict that its first line says, and nothing but rows comes
// of it.
//   // EXPECT: VERDICT     first line
//   // REFERENCE           a line that stands for the whole of p01's reference
//   @ROOT@, @SECRET@       the checkout, and a file that nobody may read
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "grader/toolchain/process.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const fs::path kRoot = FUSEBOX_SOURCE_DIR;
const fs::path kHostile = kRoot / "grader/testdata/hostile";
const std::string kFile = "p01_copy.cu";
const std::string kSecret = "planted_word_that_nobody_may_see";

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

class Class : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fusebox-class-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(folder_ / "secret") << kSecret << "\n";
    std::ofstream(folder_ / "roster.csv") << "id,name\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void hand_in(const std::string& student, std::string text) {
    replace(text, "// REFERENCE\n", text_of(kRoot / "solutions" / kFile));
    replace(text, "@ROOT@", kRoot.string());
    replace(text, "@SECRET@", (folder_ / "secret").string());
    enrol(student);
    fs::create_directories(folder_ / "handed" / student);
    std::ofstream(folder_ / "handed" / student / kFile, std::ios::binary) << text;
  }
  void enrol(const std::string& student) {
    fs::create_directories(folder_ / "handed");
    std::ofstream(folder_ / "roster.csv", std::ios::app) << student << ",=1+1\n";
  }
  /// `more`: options with their values, in place of the usual ones or beside them.
  std::vector<std::string> command(const std::map<std::string, std::string>& more) const {
    std::map<std::string, std::string> options = {{"--puzzles", "p01"},
                                                  {"--submissions", folder_ / "handed"},
                                                  {"--roster", folder_ / "roster.csv"},
                                                  {"--out", folder_ / "out"},
                                                  {"--root", kRoot}};
    for (const auto& [name, value] : more) options[name] = value;
    std::vector<std::string> words = {fs::path(FUSEBOX_BINARY_DIR) / "bin/workshop", "class"};
    for (const auto& [name, value] : options) words.insert(words.end(), {name, value});
    return words;
  }
  std::string grade(int exit, const std::map<std::string, std::string>& more = {}) {
    const auto run = run_process(command(more), {.time_limit_s = 900, .directory = {}, .environment = {}});
    if (!run) return run.error().what;
    EXPECT_EQ(run->exit_code, exit) << run->output;
    return run->output;
  }
  std::map<std::string, std::string> verdicts() const {
    std::map<std::string, std::string> found;
    std::ifstream table(folder_ / "out/results.csv");
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line))
      found[line.substr(0, line.find(','))] = line.substr(line.rfind(',') + 1);
    return found;
  }

  fs::path folder_;
};

TEST_F(Class, HostileSubmissionsGetTheirVerdictsAndNothingElse) {
  std::map<std::string, std::string> expected;
  for (const auto& entry : fs::directory_iterator(kHostile)) {
    const std::string text = text_of(entry.path()), mark = "// EXPECT: ";
    ASSERT_TRUE(text.starts_with(mark)) << entry.path();
    const std::string student = entry.path().stem();
    expected[student] = text.substr(mark.size(), text.find('\n') - mark.size());
    hand_in(student, text);
  }
  enrol("absent");
  expected["absent"] = "INVALID_SUBMISSION";
  EXPECT_GE(expected.size(), 52u);
  const std::string before = text_of(folder_ / "secret");
  setenv("FUSEBOX_TEST_WORD", kSecret.c_str(), 1);
  grade(0);
  unsetenv("FUSEBOX_TEST_WORD");
  const auto found = verdicts();
  EXPECT_EQ(found.size(), expected.size());
  for (const auto& [student, verdict] : expected)
    EXPECT_EQ(found.contains(student) ? found.at(student) : "no row", verdict) << student;
  EXPECT_EQ(text_of(folder_ / "secret"), before);
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "out"))
    if (entry.is_regular_file()) {
      EXPECT_THAT(text_of(entry.path()), Not(HasSubstr(kSecret))) << entry.path();
      EXPECT_THAT(text_of(entry.path()), Not(HasSubstr("<script"))) << entry.path();
    }
  // What students handed in is as it was, and nothing stands beside it.
  for (const auto& entry : fs::directory_iterator(folder_ / "handed"))
    EXPECT_EQ(std::distance(fs::directory_iterator(entry.path()), fs::directory_iterator()), 1)
        << entry.path();
  EXPECT_FALSE(fs::exists(folder_ / "out/scratch"));
}

TEST_F(Class, TheSameCommandResumes) {
  hand_in("ada", "// REFERENCE\n");
  hand_in("bob", "no program\n");
  EXPECT_THAT(grade(0), HasSubstr("2 graded now, 0 stood from before"));
  EXPECT_THAT(grade(0), HasSubstr("0 graded now, 2 stood from before"));
  // A row that is lost or damaged, and an answer that has changed.
  fs::remove(folder_ / "out/rows/ada/p01.json");
  EXPECT_THAT(grade(0), HasSubstr("1 graded now, 1 stood from before"));
  std::ofstream(folder_ / "out/rows/ada/p01.json") << "{";
  EXPECT_THAT(grade(0), HasSubstr("1 graded now, 1 stood from before"));
  std::ofstream(folder_ / "handed/bob" / kFile) << text_of(kRoot / "solutions" / kFile);
  EXPECT_THAT(grade(0), HasSubstr("1 graded now, 1 stood from before"));
  EXPECT_EQ(verdicts()["bob"], "PASS");
  EXPECT_THAT(grade(0, {{"--rerun", "all"}}), HasSubstr("2 graded now"));
}

// Whenever it is killed: what is done stands, and the same command does the rest.
TEST_F(Class, KilledInTheMiddleItResumes) {
  for (const char* student : {"ada", "bob", "cy", "dan"}) hand_in(student, "// REFERENCE\n");
  const auto killed = run_process(command({}), {.time_limit_s = 6, .directory = {}, .environment = {}});
  ASSERT_TRUE(killed.ok());
  grade(0);
  const auto found = verdicts();
  EXPECT_EQ(found.size(), 4u);
  for (const auto& [student, verdict] : found) EXPECT_EQ(verdict, "PASS") << student;
  EXPECT_FALSE(fs::exists(folder_ / "out/scratch"));
}

TEST_F(Class, AMistypedCommandIsSaid) {
  enrol("ada");
  EXPECT_THAT(grade(2, {{"--puzzles", "p99"}}), HasSubstr("no puzzle"));
  EXPECT_THAT(grade(2, {{"--out", folder_ / "handed/out"}}), HasSubstr("students can have written"));
  EXPECT_THAT(grade(2, {{"--roster", folder_ / "none.csv"}}), HasSubstr("--roster"));
  EXPECT_THAT(grade(2, {{"--submissions", folder_ / "none"}}), HasSubstr("no such folder"));
}

}  // namespace
}  // namespace fusebox
