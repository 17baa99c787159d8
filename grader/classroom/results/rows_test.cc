// What is taken of a submission, what a report means, and rows that survive.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "grader/classroom/ingest.h"
#include "grader/classroom/results/row.h"
#include "grader/classroom/results/row_store.h"
#include "grader/confine/landlock.h"

namespace fusebox::classroom {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Rows : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fusebox-rows-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(Rows, OnlyRegularFilesWithOneNameAreTaken) {
  const fs::path ada = folder_ / "ada";
  fs::create_directories(ada / "folder.cu");
  std::ofstream(ada / "good.cu") << "text";
  std::ofstream(folder_ / "elsewhere") << "secret";
  fs::create_symlink(folder_ / "elsewhere", ada / "link.cu");
  fs::create_hard_link(folder_ / "elsewhere", ada / "hard.cu");
  ASSERT_EQ(mkfifo((ada / "pipe.cu").c_str(), 0600), 0);
  std::ofstream(ada / "large.cu") << std::string(kLargestSubmission + 1, 'x');
  fs::create_directory_symlink(ada, folder_ / "bob");

  EXPECT_EQ(take_file(ada, "good.cu").text, "text");
  const struct {
    const char *folder, *name, *why;
  } rows[] = {{"ada", "none.cu", "there is no none.cu"}, {"ada", "link.cu", "is a link"},
              {"ada", "hard.cu", "hard link"},           {"ada", "pipe.cu", "no regular file"},
              {"ada", "folder.cu", "no regular file"},   {"ada", "large.cu", "larger than 1024 KiB"},
              {"bob", "good.cu", "is a link"},           {"cy", "good.cu", "nothing was handed in"}};
  for (const auto& row : rows) {
    const Handed handed = take_file(folder_ / row.folder, row.name);
    EXPECT_FALSE(handed.text) << row.name;
    EXPECT_THAT(handed.why, HasSubstr(row.why));
  }
}

TEST_F(Rows, AFolderOrAnArchiveOfAStudentIsTakenAndNotBoth) {
  const fs::path submissions = folder_ / "handed", program = folder_ / "unpacker";
  fs::create_directories(submissions / "ada");
  std::ofstream(submissions / "ada/good.cu") << "of a folder";
  for (const char* file : {"bob.zip", "cy.tar.gz", "cy.tgz", "dan.tar"})
    std::ofstream(submissions / file) << file;
  fs::create_directories(submissions / "dan");
  fs::create_symlink(submissions / "bob.zip", submissions / "eve.zip");
  std::ofstream(submissions / "fay.zip") << std::string(kLargestArchive + 1, 'x');
  fs::create_directories(submissions / "gil.zip");
  // A stand-in: it says what it was given.
  std::ofstream(program) << "#!/bin/sh\necho file\ncat \"$1\"\necho \" $2\"\n";
  fs::permissions(program, fs::perms::owner_all);

  const struct {
    const char *id, *text, *why;
  } rows[] = {{"ada", "of a folder", ""},
              {"bob", "bob.zip good.cu\n", ""},
              {"cy", nullptr, "cy.tgz and cy.tar.gz were both handed in"},
              {"dan", nullptr, "dan and dan.tar were both handed in"},
              {"eve", nullptr, "eve.zip is a link"},
              {"fay", nullptr, "fay.zip is larger than 16384 KiB"},
              {"gil", nullptr, "nothing was handed in"}};
  for (const auto& row : rows) {
    const Handed handed = take_handed(submissions, row.id, "good.cu", {program, folder_ / "desk"});
    EXPECT_EQ(handed.text.value_or("none"), row.text == nullptr ? "none" : row.text) << row.id;
    EXPECT_EQ(handed.why, row.why);
    EXPECT_FALSE(handed.machine);
    EXPECT_FALSE(fs::exists(folder_ / "desk"));
  }
}

TEST_F(Rows, WhatReadsArchivesIsNotBelievedWhateverItSays) {
  const fs::path program = folder_ / "unpacker";
  const struct {
    const char *script, *why;
    bool machine;
  } rows[] = {{"printf 'refused\\nit is damaged'", "a.zip: it is damaged", false},
              {"kill -XCPU $$", "takes more than 10 s", false},
              {"kill -SEGV $$", "cannot be unpacked", false},
              {"echo file; exit 1", "exit code 1", true},
              {"echo surprise", "exit code 0", true},
              {"kill -KILL $$", "exit code 137", true},
              {"echo >../trace", "exit code", true}};
  for (const auto& row : rows) {
    std::ofstream(program) << "#!/bin/sh\n" << row.script << "\n";
    fs::permissions(program, fs::perms::owner_all);
    const Handed handed = take_from_archive("bytes", "a.zip", "good.cu", {program, folder_ / "desk"});
    EXPECT_FALSE(handed.text) << row.script;
    EXPECT_THAT(handed.why, HasSubstr(row.why));
    EXPECT_EQ(handed.machine, row.machine) << row.script;
  }
  if (landlock_version() > 0) {
    EXPECT_FALSE(fs::exists(folder_ / "trace"));
  }
  const Handed none = take_from_archive("bytes", "a.zip", "good.cu", {folder_ / "none", folder_ / "desk"});
  EXPECT_TRUE(none.machine);
  EXPECT_THAT(none.why, HasSubstr("libarchive-dev"));
}

Report report_of(std::vector<Check> checks, Outcome verdict = Outcome::failed) {
  Report report;
  report.puzzle = "p01";
  report.verdict = verdict;
  EntryReport entry;
  entry.entry = "kernel";
  entry.checks = std::move(checks);
  report.entries = {entry};
  return report;
}

Check failing(const std::string& name, FailureKind ended = FailureKind::none, const std::string& fault = "") {
  Check check;
  check.name = name;
  check.outcome = Outcome::failed;
  check.ended = ended;
  if (!fault.empty()) {
    check.fault.emplace();
    check.fault->kind = fault;
  }
  return check;
}

TEST_F(Rows, AReportHasOneVerdict) {
  const struct {
    std::vector<Check> checks;
    Verdict verdict;
  } rows[] = {
      {{failing("case one")}, Verdict::wrong_answer},
      {{failing("budget launches")}, Verdict::over_budget},
      {{failing("case one"), failing("budget launches")}, Verdict::wrong_answer},
      {{failing("file", FailureKind::compile)}, Verdict::compile_error},
      {{failing("file", FailureKind::compile_limit)}, Verdict::compile_limit},
      {{failing("file")}, Verdict::invalid_submission},
      {{failing("signature")}, Verdict::compile_error},
      {{failing("case one", FailureKind::hang)}, Verdict::time_limit},
      {{failing("case one", FailureKind::memory)}, Verdict::memory_limit},
      {{failing("case one", FailureKind::output)}, Verdict::output_limit},
      {{failing("case one", FailureKind::none, "output-limit"), failing("case two", FailureKind::hang)},
       Verdict::output_limit},
      {{failing("case one", FailureKind::garbled)}, Verdict::protocol_error},
      {{failing("case one", FailureKind::forbidden)}, Verdict::runtime_error},
      {{failing("case one", FailureKind::none, "endless-loop")}, Verdict::time_limit},
      {{failing("case one", FailureKind::none, "memory-limit")}, Verdict::memory_limit},
      {{failing("case one", FailureKind::none, "out-of-bounds"), failing("case two")},
       Verdict::runtime_error},
  };
  for (const auto& row : rows)
    EXPECT_EQ(row_of(report_of(row.checks)).verdict, row.verdict) << to_string(row.verdict);
  EXPECT_EQ(row_of(report_of({}, Outcome::passed)).verdict, Verdict::pass);
  // What says both cannot be believed.
  EXPECT_EQ(row_of(report_of({failing("case one")}, Outcome::passed)).verdict, Verdict::infra_error);
  EXPECT_EQ(row_of(report_of({})).verdict, Verdict::infra_error);
}

TEST_F(Rows, RowsComeBackAndDamagedOnesAreNone) {
  const RowStore store(folder_ / "rows");
  const Row row{
      "ada", "p01", Verdict::time_limit, "slow \xc3\xa9\n", "why", {{"case one", "failed", "s"}}, 1.25,
      "t",   "k"};
  ASSERT_FALSE(store.keep(row));
  const auto back = store.find("ada", "p01");
  ASSERT_TRUE(back);
  EXPECT_EQ(to_json(*back), to_json(row));
  EXPECT_FALSE(store.find("ada", "p02"));
  const std::string whole = to_json(row);
  for (const std::string& text : {whole.substr(0, whole.size() / 2), std::string("[]"), std::string("{}"),
                                  std::string("{\"student\": 1}"), std::string()}) {
    std::ofstream(folder_ / "rows/ada/p01.json") << text;
    EXPECT_FALSE(store.find("ada", "p01")) << text;
  }
  // A row of somebody else's under this name is none either.
  fs::create_directories(folder_ / "rows/bob");
  std::ofstream(folder_ / "rows/bob/p01.json") << whole;
  EXPECT_FALSE(store.find("bob", "p01"));
}

TEST_F(Rows, ARowThatCannotBeKeptIsAnError) {
  std::ofstream(folder_ / "rows") << "a file where a folder should be";
  Row row;
  row.student = "ada";
  row.puzzle = "p01";
  const auto error = RowStore(folder_ / "rows").keep(row);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::missing_part);
}

}  // namespace
}  // namespace fusebox::classroom
