// A class graded by a stand-in for the grader: a script that ends as its submission's first line says.
#include "grader/classroom/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <map>
#include <thread>

#include "grader/classroom/canaries.h"
#include "grader/confine/cgroup.h"
#include "grader/report/json/json.h"

namespace fusebox::classroom {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Batch : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fusebox-batch-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    store_ = RowStore(folder_ / "rows");
    for (const char* name : {"cache", "scratch", "handed", "solutions"}) fs::create_directory(folder_ / name);
    std::ofstream(folder_ / "solutions/p01_copy.cu") << "right\n";
    Report report;
    report.puzzle = "p01";
    report.verdict = Outcome::passed;
    std::ofstream(folder_ / "passed.json") << to_json(report);
    settings_.how = {folder_ / "grader", folder_, folder_ / "cache", folder_ / "scratch", 7, 30};
    settings_.submissions = folder_ / "handed";
    settings_.puzzles = {{"p01", "p01_copy.cu"}};
    // Of its arguments the report's path is the last.
    script(
        "read word <handed/p01_copy.cu\nfor report; do :; done\n"
        "case $word in\n"
        "  right) cp " +
        (folder_ / "passed.json").string() +
        " \"$report\" ;;\n"
        "  silent) ;;\n"
        "  contradicts) cp " +
        (folder_ / "passed.json").string() +
        " \"$report\"; exit 1 ;;\n"
        "  machine) printf 'grader: no room\\n        on the disk\\n        make some\\nmore\\n'; exit 3 ;;\n"
        "  sleeps) sleep 60 ;;\n"
        "esac\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void script(const std::string& text) {
    std::ofstream(folder_ / "grader") << "#!/bin/sh\n" << text;
    fs::permissions(folder_ / "grader", fs::perms::owner_all);
  }
  void hand_in(const std::string& student, const std::string& word) {
    settings_.students.push_back({student, ""});
    fs::create_directories(folder_ / "handed" / student);
    std::ofstream(folder_ / "handed" / student / "p01_copy.cu") << word << "\n";
  }
  std::map<std::string, Row> grade() {
    std::map<std::string, Row> rows;
    const auto outcome = run_batch(settings_, store_, {});
    EXPECT_TRUE(outcome.ok());
    for (const Student& student : settings_.students)
      if (const auto row = store_.find(student.id, "p01")) rows[student.id] = *row;
    return rows;
  }

  fs::path folder_;
  BatchSettings settings_;
  RowStore store_{""};
};

// Plain folders instead of cgroupfs; each is named as the group of one answer would be.
TEST_F(Batch, EachAnswerIsInAControlGroupOfItsOwnWhereTheyAreDelegated) {
  const fs::path groups = folder_ / "groups";
  const auto group = [&](const char* desk) {
    fs::path made = groups / cgroup_name(desk);
    fs::create_directories(made);
    for (const char* name :
         {"memory.max", "memory.swap.max", "memory.oom.group", "pids.max", "cgroup.procs", "cgroup.kill"})
      std::ofstream(made / name) << "";
    return made;
  };
  const auto text_of = [](const fs::path& file) {
    std::string text;
    std::getline(std::ifstream(file), text);
    return text;
  };
  settings_.how.groups = groups;
  settings_.how.memory_mib = 2048;
  hand_in("ada", "right");
  hand_in("bob", "silent");
  hand_in("cy", "right");
  const fs::path first = group("0"), second = group("1");
  std::ofstream(second / "memory.events") << "oom 1\noom_kill 4\n";
  const auto rows = grade();
  EXPECT_EQ(rows.at("ada").verdict, Verdict::pass);
  EXPECT_EQ(text_of(first / "memory.max"), std::to_string(std::uint64_t{6656} << 20));
  EXPECT_NE(text_of(first / "cgroup.procs"), "");
  EXPECT_NE(text_of(first / "cgroup.procs"), text_of(second / "cgroup.procs"));
  EXPECT_EQ(text_of(first / "cgroup.kill"), "1");
  EXPECT_EQ(rows.at("bob").verdict, Verdict::memory_limit);
  EXPECT_THAT(rows.at("bob").text, HasSubstr("more than 6656 MiB"));
  // What cannot be held is not run, and that is no fault of the student's.
  EXPECT_EQ(rows.at("cy").verdict, Verdict::infra_error);
  EXPECT_THAT(rows.at("cy").text, HasSubstr("cannot set"));
}

TEST_F(Batch, WhatEndedOnlyAfterAKilledRunIsRemovedWithTheNext) {
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  settings_.how.groups = folder_ / "groups";
  const fs::path left = settings_.how.groups / ("fusebox-" + std::to_string(gone) + "-3");
  fs::create_directories(left);
  grade();
  EXPECT_FALSE(fs::exists(left));
}

TEST_F(Batch, OnlyAnEndThatIsOfAPieceIsBelieved) {
  hand_in("ada", "right");
  hand_in("bob", "silent");
  hand_in("cy", "contradicts");
  hand_in("dan", "machine");
  settings_.jobs = 3;
  const auto rows = grade();
  EXPECT_EQ(rows.at("ada").verdict, Verdict::pass);
  for (const char* student : {"bob", "cy", "dan"})
    EXPECT_EQ(rows.at(student).verdict, Verdict::infra_error) << student;
  EXPECT_EQ(rows.at("dan").text, "the grader ended with exit code 3: grader: no room on the disk make some");
  EXPECT_TRUE(fs::is_empty(folder_ / "scratch"));
}

// Others on the machine may read the words of a command.
TEST_F(Batch, TheSeedIsInNoWordOfACommand) {
  settings_.how.seed = 987654321;
  script("echo \"$@ / $FUSEBOX_SEED\" >" + (folder_ / "cache/words").string() + "\n");
  hand_in("ada", "right");
  grade();
  std::ifstream file(folder_ / "cache/words");
  std::string words;
  std::getline(file, words);
  EXPECT_THAT(words, testing::EndsWith(" / 987654321"));
  EXPECT_EQ(words.find("987654321"), words.rfind("987654321"));
}

TEST_F(Batch, WhatTheMachinePreventedIsGradedAgain) {
  hand_in("ada", "right");
  hand_in("dan", "machine");
  grade();
  script("for report; do :; done\ncp " + (folder_ / "passed.json").string() + " \"$report\"\n");
  const auto outcome = run_batch(settings_, store_, {});
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->graded, 1u);
  EXPECT_EQ(outcome->kept, 1u);
  EXPECT_EQ(store_.find("dan", "p01")->verdict, Verdict::pass);
}

TEST_F(Batch, NoVerdictInTimeTwiceIsTheStudents) {
  settings_.how.seconds = 0.3;
  hand_in("ada", "sleeps");
  EXPECT_EQ(grade().at("ada").verdict, Verdict::time_limit);
}

// Each grade is told the seed; one of them is not passed.
TEST_F(Batch, HiddenSeedsHaveToPassToo) {
  const std::string passes = "cp " + (folder_ / "passed.json").string() + " \"$report\"\n";
  const std::string before = "echo \"$FUSEBOX_SEED\" >>" + (settings_.how.cache / "calls").string() +
                             "\nfor report; do :; done\ncase $FUSEBOX_SEED in 9) ";
  script(before + "echo 'grader: no room'; exit 3 ;; esac\n" + passes);
  hand_in("ada", "right");
  EXPECT_EQ(grade().at("ada").verdict, Verdict::pass);
  settings_.puzzles[0].hidden = 1;
  EXPECT_EQ(grade().at("ada").verdict, Verdict::pass);
  // More of them is another verdict: it is not the one that stood.
  settings_.puzzles[0].hidden = 4;
  EXPECT_EQ(grade().at("ada").verdict, Verdict::infra_error);
  std::ifstream calls(settings_.how.cache / "calls");
  std::string seeds;
  for (std::string line; std::getline(calls, line);) seeds += line + " ";
  EXPECT_EQ(seeds, "7 7 8 7 8 9 ");
}

TEST_F(Batch, NothingIsBegunOnceItShallStop) {
  const std::atomic<bool> stop = true;
  settings_.stop = &stop;
  hand_in("ada", "right");
  const auto outcome = run_batch(settings_, store_, {});
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->left.size(), 1u);
}

// A run that was stopped has not judged what was handed in since, or not under its own limits: the row that
// is there says nothing of it.
TEST_F(Batch, WhatIsLeftIsNotShownByTheRowOfAnotherRun) {
  hand_in("ada", "right");
  hand_in("bob", "right");
  grade();
  EXPECT_EQ(stored_rows(settings_, store_).rows.size(), 2u);
  const std::atomic<bool> stop = true;
  settings_.stop = &stop;
  settings_.how.seed = 8;
  const auto stopped = run_batch(settings_, store_, {});
  ASSERT_TRUE(stopped.ok());
  EXPECT_EQ(stopped->left.size(), 2u);
  EXPECT_TRUE(stored_rows(settings_, store_, stopped->left).rows.empty());
}

// Whoever ends us may have ended the grader as well.
TEST_F(Batch, OnlyAPassIsBelievedOnceItShallStop) {
  for (const bool passes : {false, true}) {
    SCOPED_TRACE(passes);
    const fs::path begun = folder_ / "cache/begun", goes_on = folder_ / "cache/goes_on";
    fs::remove(begun);
    fs::remove(goes_on);
    script("for report; do :; done\ntouch " + begun.string() + "\nwhile [ ! -e " + goes_on.string() +
           " ]; do sleep 0.01; done\n" +
           (passes ? "cp " + (folder_ / "passed.json").string() + " \"$report\"\n" : "exit 143\n"));
    std::atomic<bool> stop = false;
    settings_.stop = &stop;
    settings_.students.clear();
    hand_in("ada", "right");
    std::thread ends([&] {
      while (!fs::exists(begun)) std::this_thread::yield();
      stop = true;
      std::ofstream(goes_on) << "";
    });
    const auto outcome = run_batch(settings_, store_, {});
    ends.join();
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->left.size(), passes ? 0u : 1u);
    EXPECT_EQ(store_.find("ada", "p01").has_value(), passes);
  }
}

// Nor is what the grader says that was ended a moment before us.
TEST_F(Batch, AnEndThatReachesTheGraderFirstIsNoVerdict) {
  const fs::path ended = folder_ / "cache/ended";
  script("touch " + ended.string() + "\nexit 143\n");
  std::atomic<bool> stop = false;
  settings_.stop = &stop;
  hand_in("ada", "right");
  std::thread ends([&] {
    while (!fs::exists(ended)) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  const auto outcome = run_batch(settings_, store_, {});
  ends.join();
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->left.size(), 1u);
  EXPECT_FALSE(store_.find("ada", "p01"));
}

// A sandbox that holds nothing: whatever is handed in passes.
TEST_F(Batch, CanariesThatGetThroughRefuseTheClass) {
  const auto error = try_canaries(settings_.how, settings_.puzzles.front());
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what, HasSubstr("not confined on this machine: a file included another one"));
  EXPECT_THAT(error->remedy, HasSubstr("--trust-submissions"));
}

// What the stand-in knows nothing of, the reference "right" passes; what it cannot is no case of a course.
TEST_F(Batch, CasesThatTheReferenceDoesNotPassRefuseTheClass) {
  EXPECT_FALSE(try_cases(settings_.how, settings_.puzzles));
  settings_.puzzles[0].cases = "n=3";
  EXPECT_FALSE(try_cases(settings_.how, settings_.puzzles));
  script("test \"$FUSEBOX_CASES\" = n=3 && echo 'grader: too small' && exit 2\n");
  const auto error = try_cases(settings_.how, settings_.puzzles);
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what, HasSubstr("the reference of p01 does not pass the cases n=3"));
  EXPECT_THAT(error->what, HasSubstr("too small"));
}

TEST_F(Batch, AGraderThatDoesNotGradeIsNoConfinement) {
  script("echo 'grader: no compiler'\nexit 3\n");
  const auto error = try_canaries(settings_.how, settings_.puzzles.front());
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what, HasSubstr("nothing can be graded here"));
  EXPECT_EQ(error->kind, ErrorKind::missing_part);
}

}  // namespace
}  // namespace fusebox::classroom
