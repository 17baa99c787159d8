// A class from its folder to its results: it resumes, and says what was mistyped. What hostile submissions do
// is in slow/hostile_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "grader/confine/landlock.h"
#include "grader/process/run_process.h"
#include "grader/toolchain/sandbox/environment.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kRoot = FUSEBOX_SOURCE_DIR;
const std::string kFile = "p01_copy.cu";

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

class Class : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fusebox-class-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(folder_ / "roster.csv") << "id,name\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void hand_in(const std::string& student, const std::string& text) {
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
    if (more.contains("--course")) options.erase("--puzzles");
    for (const auto& [name, value] : more) options[name] = value;
    std::vector<std::string> words = {fs::path(FUSEBOX_BINARY_DIR) / "bin/workshop", "class"};
    for (const auto& [name, value] : options) words.insert(words.end(), {name, value});
    return words;
  }
  std::string grade(int exit, const std::map<std::string, std::string>& more = {}) {
    const auto run =
        run_process(command(more), {.time_limit_s = 900, .directory = {}, .environment = environment_});
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
  std::vector<std::string> environment_;
};

TEST_F(Class, TheSameCommandResumes) {
  hand_in("ada", text_of(kRoot / "solutions" / kFile));
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

TEST_F(Class, WhatAVerdictRestsOnIsPartOfItsKey) {
  hand_in("ada", text_of(kRoot / "solutions" / kFile));
  const fs::path root = folder_ / "root";
  for (const char* part :
       {"assets/gpus", "assets/puzzles/p01_copy", "puzzles/p01_copy.cu", "solutions/p01_copy.cu"}) {
    fs::create_directories((root / part).parent_path());
    fs::copy(kRoot / part, root / part, fs::copy_options::recursive);
  }
  const std::map<std::string, std::string> there = {{"--root", root}};
  EXPECT_THAT(grade(0, there), HasSubstr("1 graded now"));
  EXPECT_THAT(grade(0, there), HasSubstr("0 graded now"));
  for (const char* file : {"assets/gpus/h200.json", "assets/puzzles/p01_copy/mutants.md"}) {
    std::ofstream(root / file, std::ios::app) << "\n";
    EXPECT_THAT(grade(0, there), HasSubstr("1 graded now")) << file;
  }
}

// Landlock and seccomp still hold, but a class that asks for bubblewrap must get it.
TEST_F(Class, ABubblewrapThatHoldsNothingBackIsRefused) {
  if (landlock_version() == 0) GTEST_SKIP() << "this kernel has no Landlock";
  hand_in("ada", text_of(kRoot / "solutions" / kFile));
  fs::create_directory(folder_ / "programs");
  std::ofstream(folder_ / "programs/bwrap") << "#!/bin/sh\n"
                                               "test $1 = --version && echo bubblewrap 9.9 && exit\n"
                                               "while test $1 != --; do shift; done\n"
                                               "shift\n"
                                               "exec \"$@\"\n";
  fs::permissions(folder_ / "programs/bwrap", fs::perms::owner_all);
  environment_ = {"PATH=" + (folder_ / "programs").string() + ":" + environment("PATH")};
  EXPECT_THAT(grade(3), HasSubstr("a program in bubblewrap"));
  EXPECT_FALSE(fs::exists(folder_ / "out/rows/ada/p01.json"));
}

TEST_F(Class, ArchivesAreAsGoodAsFolders) {
  hand_in("ada", text_of(kRoot / "solutions" / kFile));
  const fs::path handed = folder_ / "handed";
  const auto packed = run_process({"tar", "-C", handed, "-czf", handed / "bob.tar.gz", "ada"});
  ASSERT_TRUE(packed.ok());
  ASSERT_EQ(packed->exit_code, 0) << packed->output;
  std::ofstream(handed / "cy.zip") << "no archive";
  for (const char* student : {"bob", "cy"}) enrol(student);
  // Where archives cannot be read, that is no fault of the student's.
  const bool reads = fs::exists(fs::path(FUSEBOX_BINARY_DIR) / "bin/unpacker");
  const std::map<std::string, std::string> expected = {{"ada", "PASS"},
                                                       {"bob", reads ? "PASS" : "INFRA_ERROR"},
                                                       {"cy", reads ? "INVALID_SUBMISSION" : "INFRA_ERROR"}};
  grade(reads ? 0 : 3);
  EXPECT_EQ(verdicts(), expected);
  EXPECT_THAT(text_of(folder_ / "out/rows/cy/p01.json"),
              HasSubstr(reads ? "cy.zip: it cannot be read" : "libarchive-dev"));
}

// Whenever it is killed: what is done stands, and the same command does the rest.
TEST_F(Class, KilledInTheMiddleItResumes) {
  for (const char* student : {"ada", "bob", "cy", "dan"})
    hand_in(student, text_of(kRoot / "solutions" / kFile));
  const auto killed = run_process(command({}), {.time_limit_s = 6, .directory = {}, .environment = {}});
  ASSERT_TRUE(killed.ok());
  grade(0);
  const auto found = verdicts();
  EXPECT_EQ(found.size(), 4u);
  for (const auto& [student, verdict] : found) EXPECT_EQ(verdict, "PASS") << student;
  EXPECT_FALSE(fs::exists(folder_ / "out/fusebox-scratch"));
}

TEST_F(Class, ACourseSaysWhatIsDueAndWhatItIsWorth) {
  hand_in("ada", text_of(kRoot / "solutions" / kFile));
  std::ofstream(folder_ / "course.csv") << "puzzle,weight,hidden\np01,2.5,1\n";
  grade(0, {{"--course", folder_ / "course.csv"}});
  EXPECT_THAT(text_of(folder_ / "out/results.csv"),
              HasSubstr("id,name,passed,points,p01\nada,'=1+1,1,2.5,PASS\n"));
  EXPECT_THAT(text_of(folder_ / "out/cases.csv"), HasSubstr("hidden 1: "));
}

TEST_F(Class, CasesOfACourseAreToBePassedToo) {
  hand_in("ada", text_of(kRoot / "solutions" / kFile));
  // Right in every case but one of the course's.
  std::string partly = text_of(kRoot / "solutions" / kFile);
  const std::string begin = "void copy(const float* x, float* out, long n) {\n";
  ASSERT_NE(partly.find(begin), partly.npos);
  partly.insert(partly.find(begin) + begin.size(), "  if (n == 777) --n;\n");
  hand_in("bob", partly);
  std::ofstream(folder_ / "course.csv") << "puzzle,cases\np01,N=777; N=5\n";
  grade(0, {{"--course", folder_ / "course.csv"}});
  const std::map<std::string, std::string> expected = {{"ada", "PASS"}, {"bob", "WRONG_ANSWER"}};
  EXPECT_EQ(verdicts(), expected);
  EXPECT_THAT(text_of(folder_ / "out/cases.csv"), HasSubstr("extra_2"));
}

TEST_F(Class, WhatIsNotOursStaysAsItIs) {
  hand_in("ada", text_of(kRoot / "solutions" / kFile));
  fs::create_directories(folder_ / "course/scratch");
  std::ofstream(folder_ / "course/scratch/thesis.txt") << "years of work\n";
  grade(0, {{"--out", folder_ / "course"}});
  EXPECT_EQ(text_of(folder_ / "course/scratch/thesis.txt"), "years of work\n");
  // Submissions in a folder that the class empties; results that are not ours.
  fs::create_directories(folder_ / "course/students");
  EXPECT_THAT(grade(2, {{"--out", folder_ / "course"}, {"--submissions", folder_ / "course/students"}}),
              HasSubstr("--submissions lies in"));
  fs::create_directories(folder_ / "mine");
  std::ofstream(folder_ / "mine/results.csv") << "of another course\n";
  EXPECT_THAT(grade(2, {{"--out", folder_ / "mine"}}), HasSubstr("no class's"));
  EXPECT_EQ(text_of(folder_ / "mine/results.csv"), "of another course\n");
  fs::create_directories(folder_ / "file");
  std::ofstream(folder_ / "file/gradescope") << "";
  EXPECT_THAT(grade(3, {{"--out", folder_ / "file"}}), HasSubstr("cannot make"));
}

TEST_F(Class, WhoIsNotInTheRosterIsNamed) {
  enrol("ada");
  const fs::path handed = folder_ / "handed";
  EXPECT_THAT(grade(0), HasSubstr("nobody of the roster has handed in anything"));
  for (const char* name : {"Ada", ".git"}) fs::create_directories(handed / name);
  for (const char* name : {"cy.tar.gz", "ada.zip", "README.txt"}) std::ofstream(handed / name) << "";
  const std::string said = grade(fs::exists(fs::path(FUSEBOX_BINARY_DIR) / "bin/unpacker") ? 0 : 3);
  EXPECT_THAT(said, HasSubstr(" are of nobody in the roster, and not graded: Ada, cy.tar.gz\n"));
  EXPECT_THAT(said, testing::Not(HasSubstr("nobody of the roster has handed in")));
}

TEST_F(Class, AMistypedCommandIsSaid) {
  enrol("ada");
  std::ofstream(folder_ / "course.csv") << "puzzle\np99\n";
  EXPECT_THAT(grade(2, {{"--course", folder_ / "course.csv"}}), HasSubstr("`p99` is no puzzle's id"));
  std::ofstream(folder_ / "course.csv") << "puzzle,cases\np01,N=0\n";
  EXPECT_THAT(grade(2, {{"--course", folder_ / "course.csv"}}), HasSubstr("N is a whole number"));
  EXPECT_THAT(grade(2, {{"--puzzles", ""}}), HasSubstr("neither --puzzles nor --course"));
  EXPECT_THAT(grade(2, {{"--puzzles", "p99"}}), HasSubstr("no puzzle"));
  EXPECT_THAT(grade(2, {{"--out", folder_ / "handed/out"}}), HasSubstr("students can have written"));
  EXPECT_THAT(grade(2, {{"--roster", folder_ / "none.csv"}}), HasSubstr("--roster"));
  for (const char* seconds : {"0", "nan", "inf", "-3"})
    EXPECT_THAT(grade(2, {{"--row-seconds", seconds}}), HasSubstr("a week of seconds")) << seconds;
  EXPECT_THAT(grade(2, {{"--submissions", folder_ / "none"}}), HasSubstr("no such folder"));
}

}  // namespace
}  // namespace fusebox
