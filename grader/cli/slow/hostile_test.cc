// Hostile submissions, each in a class of its own with an honest one behind it: it gets the verdict that its
// first line says, and nothing but rows comes of it. They come as they are in testdata/hostile:
//   // EXPECT: VERDICT     first line
//   // SAYS: WORDS         perhaps the second one: they are in the row
//   // REFERENCE           a line that stands for the whole of p01's reference
//   @ROOT@, @SECRET@       the checkout, and a file that nobody may read
// A program of its own, because it counts what is left running: every process whose parents are gone becomes
// its child.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "grader/confine/landlock.h"
#include "grader/process/run_process.h"
#include "grader/toolchain/sandbox/environment.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const fs::path kRoot = FUSEBOX_SOURCE_DIR, kBinary = FUSEBOX_BINARY_DIR;
const fs::path kHostile = kRoot / "grader/testdata/hostile";
const std::string kFile = "p01_copy.cu";
const std::string kSecret = "planted_word_that_nobody_may_see";
const std::string kSeed = "739391113";
// What entries try to leave where everybody may write.
const fs::path kTraces[] = {"/tmp/fusebox_seen", "/dev/shm/fusebox"};

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// What an entry wants its row to say; empty: nothing of its own.
std::string said(const std::string& text) {
  const std::string mark = "\n// SAYS: ";
  const std::size_t at = text.find(mark);
  if (at == text.npos) return {};
  return text.substr(at + mark.size(), text.find('\n', at + 1) - at - mark.size());
}

std::vector<std::string> entries() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kHostile)) names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

/// How a file is, in a line that any change of it changes.
std::string state_of(const fs::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return "gone";
  std::ostringstream line;
  line << std::oct << status.st_mode << std::dec << " inode " << status.st_ino << " owner " << status.st_uid;
  if (S_ISREG(status.st_mode))
    line << " bytes " << status.st_size << " changed " << status.st_mtim.tv_sec << "."
         << status.st_mtim.tv_nsec;
  return line.str();
}

using Snapshot = std::map<fs::path, std::string>;

void look_at(const fs::path& folder, Snapshot& into) {
  into[folder] = state_of(folder);
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    into[entry.path()] = state_of(entry.path());
}

std::string changes(const Snapshot& before, const Snapshot& after) {
  std::string found;
  for (const auto& [path, state] : after)
    if (!before.contains(path) || before.at(path) != state) found += "changed: " + path.string() + "\n";
  for (const auto& [path, state] : before)
    if (!after.contains(path)) found += "gone: " + path.string() + "\n";
  return found;
}

/// What was left to this process and still runs, by its command lines; it runs no longer. Who was killed a
/// moment ago may take a moment more.
std::string end_what_is_left() {
  for (int tries = 0; tries < 100; ++tries) {
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0) return "";  // no child
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::string names;
  std::istringstream children(text_of("/proc/thread-self/children"));
  for (pid_t child = 0; children >> child;) {
    names += text_of("/proc/" + std::to_string(child) + "/cmdline") + "\n";
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  return names.empty() ? "somebody" : names;
}

/// A way to be graded: in the best confinement of this machine, or in what is left where bubblewrap does not
/// work.
struct Entry {
  std::string name;
  bool bubblewrap = true;
};

void PrintTo(const Entry& entry, std::ostream* out) { *out << entry.name; }

class Hostile : public testing::TestWithParam<Entry> {
 protected:
  void SetUp() override {
    if (landlock_version() == 0) GTEST_SKIP() << "this kernel has no Landlock: hostile code is not run on it";
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    std::string pattern = (fs::temp_directory_path() / "fusebox-hostile-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::create_directory(folder_ / "programs");
    if (!GetParam().bubblewrap) {
      std::ofstream(folder_ / "programs/bwrap") << "#!/bin/sh\nexit 1\n";
      fs::permissions(folder_ / "programs/bwrap", fs::perms::owner_all);
    }
    std::ofstream(folder_ / "secret") << kSecret << "\n";
    std::ofstream roster(folder_ / "roster.csv");
    roster << "id,name\nentry,=1+1\nnext,Next\nabsent,Absent\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void hand_in(const std::string& student, std::string text) {
    replace(text, "// REFERENCE\n", text_of(kRoot / "solutions" / kFile));
    replace(text, "@ROOT@", kRoot.string());
    replace(text, "@SECRET@", (folder_ / "secret").string());
    fs::create_directories(folder_ / "handed" / student);
    std::ofstream(folder_ / "handed" / student / kFile, std::ios::binary) << text;
  }
  /// One after the other. The canaries are left out: they are tried in class_test.cc, and every entry is one.
  Result<ProcessResult> grade() {
    return run_process(
        {kBinary / "bin/workshop", "class", "--puzzles", "p01", "--submissions", folder_ / "handed",
         "--roster", folder_ / "roster.csv", "--out", folder_ / "out", "--root", kRoot, "--jobs", "1",
         "--seed", kSeed, "--trust-submissions"},
        {.time_limit_s = 240,
         .directory = {},
         .environment = {"FUSEBOX_TEST_WORD=" + kSecret,
                         "PATH=" + (folder_ / "programs").string() + ":" + environment("PATH")}});
  }
  /// Everything that a submission might reach, but for the results.
  Snapshot surroundings() const {
    Snapshot found;
    for (const char* part : {"solutions", "puzzles", "assets", "grader/testdata"})
      look_at(kRoot / part, found);
    look_at(kBinary / "bin", found);
    look_at(folder_ / "handed", found);
    for (const char* file : {"secret", "roster.csv"}) found[folder_ / file] = state_of(folder_ / file);
    for (const fs::path& trace : kTraces) found[trace] = state_of(trace);
    return found;
  }
  std::map<std::string, std::string> verdicts() const {
    std::map<std::string, std::string> found;
    std::istringstream table(text_of(folder_ / "out/results.csv"));
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line))
      found[line.substr(0, line.find(','))] = line.substr(line.rfind(',') + 1);
    return found;
  }

  fs::path folder_;
};

TEST_P(Hostile, GetsItsVerdictAndNothingElse) {
  const std::string text = text_of(kHostile / (GetParam().name + ".cu")), mark = "// EXPECT: ";
  ASSERT_TRUE(text.starts_with(mark));
  const std::string expected = text.substr(mark.size(), text.find('\n') - mark.size());
  hand_in("entry", text);
  hand_in("next", "// REFERENCE\n// Handed in by somebody else.\n");
  const Snapshot before = surroundings();

  const auto run = grade();
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->exit_code, 0) << run->output;
  EXPECT_EQ(end_what_is_left(), "") << "outlived the run";
  using Verdicts = std::map<std::string, std::string>;
  EXPECT_EQ(verdicts(), (Verdicts{{"entry", expected}, {"next", "PASS"}, {"absent", "INVALID_SUBMISSION"}}))
      << run->output;
  const std::string row = text_of(folder_ / "out/rows/entry/p01.json");
  EXPECT_THAT(row, HasSubstr("seccomp"));
  EXPECT_THAT(row, HasSubstr(said(text)));
  if (!GetParam().bubblewrap) {
    EXPECT_THAT(row, Not(HasSubstr("bubblewrap")));
  }
  EXPECT_THAT(text_of(folder_ / "out/gradescope/entry.json"),
              HasSubstr(expected == "PASS" ? "\"score\": 1.0" : "\"score\": 0.0"));

  EXPECT_EQ(changes(before, surroundings()), "");
  EXPECT_FALSE(fs::exists(folder_ / "out/fusebox-scratch"));
  const auto silent = AllOf(Not(HasSubstr(kSecret)), Not(HasSubstr(kSeed)), Not(HasSubstr("<script")));
  EXPECT_THAT(run->output, silent);
  for (const auto& each : fs::recursive_directory_iterator(folder_ / "out"))
    if (each.is_regular_file()) {
      EXPECT_THAT(text_of(each.path()), silent) << each.path();
    }
}

std::vector<Entry> in_the_best_way() {
  std::vector<Entry> all;
  for (const std::string& name : entries()) all.push_back({name});
  return all;
}

/// One attack for each thing that the second tier must refuse without bubblewrap.
std::vector<Entry> without_bubblewrap() {
  std::vector<Entry> some;
  for (const char* name : {"honest", "assembles_the_reference", "opens_the_reference", "reads_the_parent",
                           "kills_the_parent", "writes_reports", "leaves_a_file", "unix_socket"})
    some.push_back({name, false});
  return some;
}

const auto kNamed = [](const auto& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(Entry, Hostile, testing::ValuesIn(in_the_best_way()), kNamed);
INSTANTIATE_TEST_SUITE_P(WithoutBubblewrap, Hostile, testing::ValuesIn(without_bubblewrap()), kNamed);

TEST(HostileCorpus, HoldsWhatItHeld) { EXPECT_GE(entries().size(), 91u); }

}  // namespace
}  // namespace fusebox
