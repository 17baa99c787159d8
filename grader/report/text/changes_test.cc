#include "grader/report/text/changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace fusebox {
namespace {

Check check(std::string name) {
  Check made;
  made.name = std::move(name);
  return made;
}
Cause because(std::string sentence) {
  Cause made;
  made.sentence = std::move(sentence);
  return made;
}

/// A puzzle with one entry of two cases and a budget, all of which pass.
Report passing() {
  Report report;
  report.puzzle = "p99";
  report.device = "simulator";
  report.seed = 1;
  report.file_sha256 = "one";
  report.source = "a\nb\nc\nd\n";
  EntryReport entry;
  entry.entry = "kernel";
  entry.outcome = Outcome::passed;
  for (const char* name : {"file", "case small", "case large", "budget bytes.requested"})
    entry.checks.push_back(check(name));
  SideRun run;
  run.counted_case = "N8";
  run.metrics = {{"launches", "launches", "", Unit::count, 1.0},
                 {"bytes.requested", "bytes requested", "", Unit::bytes, 4096.0},
                 {"time.gpu", "GPU time", "", Unit::seconds, 1e-6, Source::measured}};
  LaunchRecord launch;
  launch.tensors = {{"x", 1024, 32 * 2'100'000ull, 0, 0, 0}, {"out", 1024, 0, 32 * 64, 0, 0}};
  launch.lines = {{"p99.cu", 12, 1, 32, 1, 64, 64, 32, 0}, {"p99.cu", 117, 1, 32, 1, 500'000, 64, 32, 0}};
  for (const auto& [line, tensor] : {std::pair(12, "out"), std::pair(117, "x")}) {
    AccessSample sample;
    sample.file = "p99.cu";
    sample.line = line;
    sample.tensor = tensor;
    launch.samples.push_back(sample);
  }
  run.launches = {launch};
  entry.budgets = {{run.metrics[1], 4096.0, 4096, true}};
  entry.student = entry.reference = run;
  report.entries = {entry};
  return report;
}

void edit(Report& report) {
  report.file_sha256 = "two";
  report.source = "a\nB\nc\nd\n";
}
EntryReport& entry(Report& report) { return report.entries[0]; }
LaunchRecord& launch(Report& report) { return entry(report).student->launches[0]; }

using Change = std::function<void(Report& before, Report& now)>;

TEST(WhatChanged, IsOneSentence) {
  const struct {
    const char* name;
    Change change;
    const char* sentence;
  } cases[] = {
      {"nothing", [](Report&, Report&) {}, "nothing changed, not even the file."},
      {"the seed", [](Report&, Report& now) { now.seed = 2; },
       "nothing changed but the seed; the file is the same."},
      {"a line", [](Report&, Report& now) { edit(now); }, "nothing changed but line 2."},
      {"lines",
       [](Report&, Report& now) {
         edit(now);
         now.source = "a\nB\nC\nD\nd\n";
       },
       "nothing changed but lines 2 to 4."},
      {"lines that are gone",
       [](Report&, Report& now) {
         edit(now);
         now.source = "a\nd\n";
       },
       "nothing changed but what was taken away at line 2."},
      {"a text that is not known",
       [](Report& before, Report& now) {
         edit(now);
         before.source.clear();
       },
       "nothing changed but the file's text."},
      {"sectors",
       [](Report&, Report& now) {
         edit(now);
         launch(now).tensors[0].requested_read = 32 * 289'000ull;
       },
       "sectors of `x` 2.10 M → 289 k, line 117."},
      {"sectors, with another seed",
       [](Report&, Report& now) {
         edit(now);
         now.seed = 2;
         launch(now).tensors[0].requested_read = 32 * 2'110'000ull;
       },
       "nothing changed but line 2."},
      {"launches come before sectors",
       [](Report&, Report& now) {
         edit(now);
         launch(now).tensors[0].requested_read = 32 * 289'000ull;
         entry(now).student->metrics[0].value = 3;
       },
       "launches 1 → 3."},
      {"a clock proves nothing",
       [](Report&, Report& now) {
         edit(now);
         entry(now).student->metrics[2].value = 5;
       },
       "nothing changed but line 2."},
      {"one more check",
       [](Report& before, Report& now) {
         edit(now);
         entry(before).checks[1].outcome = Outcome::failed;
       },
       "1 more check passes (case small), 3 of 3 now."},
      {"more checks, of a file that was empty",
       [](Report& before, Report& now) {
         edit(now);
         for (Check& check : entry(before).checks)
           if (check.name != "file") check.outcome = Outcome::skipped;
         entry(before).student.reset();
       },
       "3 more checks pass, 3 of 3 now."},
      {"a budget no longer, and why",
       [](Report&, Report& now) {
         edit(now);
         entry(now).checks[3].outcome = Outcome::failed;
         launch(now).tensors[0].requested_read *= 4;
       },
       "a check that passed fails (budget bytes requested), 2 of 3 pass now; sectors of `x` 2.10 M → 8.40 M, "
       "line 117."},
      {"better here, worse there",
       [](Report& before, Report& now) {
         edit(now);
         entry(before).checks[1].outcome = Outcome::failed;
         entry(now).checks[2].outcome = Outcome::failed;
       },
       "1 more check passes (case small), 1 no longer does (case large), 2 of 3 now."},
      {"it compiles",
       [](Report& before, Report& now) {
         edit(now);
         entry(before).checks[0].outcome = Outcome::failed;
       },
       "it compiles again."},
      {"it does not",
       [](Report&, Report& now) {
         edit(now);
         entry(now).checks[0].outcome = Outcome::failed;
       },
       "it no longer compiles."},
      {"another reason",
       [](Report& before, Report& now) {
         edit(now);
         entry(before).checks[1].outcome = entry(now).checks[1].outcome = Outcome::failed;
         entry(before).cause = because("Line 3 races.");
         entry(now).cause = because("Line 4 races.");
       },
       "the same checks fail, for another reason."},
  };
  for (const auto& c : cases) {
    Report before = passing(), now = passing();
    c.change(before, now);
    EXPECT_EQ(what_changed(before, now), std::string("Since the last run: ") + c.sentence) << c.name;
  }
}

TEST(WhatChanged, NamesTheEntryWhereThereAreSeveral) {
  Report before = passing(), now = passing();
  edit(now);
  for (Report* report : {&before, &now}) {
    report->entries.push_back(report->entries[0]);
    report->entries[0].entry = "unfused";
    report->entries[1].entry = "fused";
  }
  now.entries[1].student->launches[0].tensors[0].requested_read = 32 * 289'000ull;
  EXPECT_EQ(what_changed(before, now), "Since the last run: fused: sectors of `x` 2.10 M → 289 k, line 117.");
}

TEST(WhatChanged, ComparesOnlyWhatCanBeCompared) {
  const Change unlike[] = {
      [](Report& before, Report&) { before.puzzle = "p98"; },
      [](Report& before, Report&) { before.device = "another"; },
      [](Report& before, Report&) { before.entries[0].entry = "fused"; },
      [](Report&, Report& now) { now.entries.clear(); },
  };
  for (const Change& change : unlike) {
    Report before = passing(), now = passing();
    change(before, now);
    EXPECT_EQ(what_changed(before, now), "");
  }
}

}  // namespace
}  // namespace fusebox
