// What a verdict looks like: its order, its width, its length. No compiler, no device.
#include "grader/cli/render/render_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "grader/cli/render/render.h"
#include "grader/cli/render/render_entry.h"

namespace fusebox {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

Check check(std::string name, std::string summary = "") {
  Check made;
  made.name = std::move(name);
  made.summary = std::move(summary);
  return made;
}

/// A puzzle of two entries with a dozen cases and five budgets; the first one is wrong.
Report wrong() {
  Report report;
  report.puzzle = "p99";
  report.title = "Two of a kind, unfused and fused";
  report.file = "puzzles/p99_two_of_a_kind.cu";
  report.file_sha256 = "0123456789abcdef";
  report.device = "simulator (PTX), profile h200";
  report.seed = 999'999;
  report.verdict = Outcome::failed;
  for (const char* name : {"unfused", "fused"}) {
    EntryReport entry;
    entry.entry = name;
    entry.outcome = Outcome::passed;
    entry.checks = {check("file", "compiles"), check("signature"), check("blanks", "`one`")};
    for (int i = 0; i < 12; ++i) entry.checks.push_back(check("case of_number_" + std::to_string(i)));
    SideRun run;
    run.counted_case = "N8";
    for (const char* tag : {"launches", "bytes.requested", "bytes.compulsory", "intermediate_bytes"}) {
      const Metric metric{tag, tag == std::string("launches") ? tag : "bytes of " + std::string(tag + 6), "",
                          Unit::count, 1.0};
      run.metrics.push_back(metric);
      entry.budgets.push_back({metric, 1.0, 1, true});
      entry.checks.push_back(check(std::string("budget ") + tag));
    }
    entry.student = entry.reference = run;
    report.entries.push_back(entry);
  }
  EntryReport& unfused = report.entries[0];
  unfused.outcome = Outcome::failed;
  for (Check& check : unfused.checks)
    if (check.name.starts_with("case "))
      check.outcome = Outcome::failed, check.summary = "12 of 64 are wrong";
  unfused.cause.emplace();
  unfused.cause->sentence = "This is LayerNorm without beta.";
  unfused.cause->evidence = "equal in 10 of 10 wrong cases, in 18210 elements";
  unfused.cause->corner =
      "          column  0\n" + repeated("row 0   expected  1\n        got       2*\n", 4);
  unfused.cause->details = {"`out` is what it should be plus a constant."};
  unfused.cause->file = report.file;
  unfused.cause->line = 49;
  unfused.cause->code = "normalized_row[h] = (x_row[h] - mean) * rstd * gamma[h];";
  unfused.cause->again = "build/bin/grader p99 --unfused --seed 999999";
  unfused.blanks = {{"one", "wrong"}, {"two", "right"}};
  report.verdict_text = "unfused: " + unfused.cause->sentence;
  return report;
}

const Around kAround{
    "then: build/bin/grader p99     stuck? build/bin/grader hint p99",
    "Since the last run: 2 more checks pass, 17 of 34 now; fused: sectors of `x` 2.10 M → 289 k.",
    "Your guess: 1 of 2 right; `x` 1x, you guessed 3x."};

std::string printed(const Report& report, bool verbose = false) {
  return render_title(report, Style()) + render_report(report, kAround, Style(), verbose);
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) most = std::max(most, width_of(line));
  return most;
}

TEST(RenderReport, OneMistakeFitsATerminal) {
  const struct {
    const char* name;
    std::function<void(Report&)> change;
  } cases[] = {
      {"a wrong answer", [](Report&) {}},
      {"a long sentence",
       [](Report& r) {
         r.entries[0].cause->sentence =
             repeated("Out-of-bounds store of 4 bytes past the end; ", 6) + "so do not.";
         r.verdict_text = "unfused: " + r.entries[0].cause->sentence;
       }},
      {"a compiler that says much",
       [](Report& r) {
         r.entries[0].cause->corner.clear();
         r.entries[0].cause->details.assign(12, repeated("no operator matches these operands ", 7));
       }},
      {"a word without end", [](Report& r) { r.entries[0].cause->details = {std::string(5000, 'x')}; }},
      {"code without end", [](Report& r) { r.entries[0].cause->code = std::string(5000, 'x'); }},
      {"both for one reason",
       [](Report& r) {
         r.entries[1].outcome = Outcome::failed;
         r.entries[1].cause = r.entries[0].cause;
       }},
      {"a path that is long",
       [](Report& r) { r.file = repeated("submissions/ada/", 3) + "p99_two_of_a_kind.cu"; }},
      {"too dear",
       [](Report& r) {
         for (Check& check : r.entries[0].checks)
           if (check.name.starts_with("case ")) check.outcome = Outcome::passed;
         r.entries[0].checks.back().outcome = Outcome::failed;
         r.entries[0].budgets.back().within = false;
       }},
      {"with warnings",
       [](Report& r) {
         for (int i = 1; i < 9; ++i)
           r.compiler_messages.push_back(r.file + ":" + std::to_string(i) +
                                         ":3: warning: variable is not used");
       }},
  };
  for (const auto& c : cases) {
    Report report = wrong();
    c.change(report);
    const std::string text = printed(report);
    EXPECT_LE(widest(text), kWidth) << c.name << "\n" << text;
    EXPECT_LE(lines_of(text), kLines) << c.name << "\n" << text;
    EXPECT_THAT(text, HasSubstr("again: ")) << c.name;
    const std::string last = text.substr(text.rfind("\nunfused: ") + 1);
    EXPECT_LE(lines_of(last), 2u) << c.name << "\n" << text;
    EXPECT_TRUE(report.verdict_text.starts_with(last.substr(0, 40))) << c.name << ": the cause is not last\n"
                                                                     << text;
  }
}

TEST(RenderReport, SaysTheCauseFirstAndLast) {
  const std::string text = printed(wrong());
  std::size_t at = 0;
  for (const char* part : {"unfused\n", "This is LayerNorm without beta", "equal in 10 of 10", "expected",
                           "got", "plus a constant", "49 | ", "again: ", "each blank alone: `one` wrong",
                           "✗ 12 cases", "✓ 4 budgets", "✓ fused", "then: ", "Since the last run",
                           "Your guess", "unfused: This is LayerNorm without beta."}) {
    const std::size_t next = text.find(part, at);
    ASSERT_NE(next, std::string::npos) << part << " is not there, or not in its place:\n" << text;
    at = next;
  }
  EXPECT_THAT(text, EndsWith("unfused: This is LayerNorm without beta.\n"));
}

TEST(RenderReport, SaysAReasonOnce) {
  Report report = wrong();
  report.entries[1].outcome = Outcome::failed;
  report.entries[1].cause = report.entries[0].cause;
  const std::string text = printed(report);
  EXPECT_THAT(text, HasSubstr("✗ fused             for the same reason as unfused\n"));
  EXPECT_EQ(text.find("equal in"), text.rfind("equal in")) << text;
}

TEST(RenderReport, HasNoRawIdentifiersOfMetrics) {
  Report report = wrong();
  for (const bool verbose : {false, true}) {
    EXPECT_THAT(printed(report, verbose), Not(HasSubstr("bytes.requested")));
    EXPECT_THAT(printed(report, verbose), Not(HasSubstr("intermediate_bytes")));
  }
  for (EntryReport& entry : report.entries) entry.budgets.clear();
  EXPECT_THAT(printed(report), Not(HasSubstr("bytes.requested"))) << "nor where nothing was counted";
}

TEST(RenderReport, ShowsOfADearAnswerTheBudgetsThatItExceeds) {
  Report report = wrong();
  for (Check& check : report.entries[0].checks)
    if (check.name.starts_with("case ")) check.outcome = Outcome::passed;
  report.entries[0].budgets[1].within = false;
  const std::string numbers = render_numbers(report, Style(), true);
  EXPECT_EQ(lines_of(numbers), 3u) << numbers;
  EXPECT_THAT(numbers, HasSubstr("bytes of requested"));
  EXPECT_THAT(printed(report), HasSubstr(numbers));
}

TEST(Warnings, AreOfTheLearnersLinesAndOnce) {
  Report report = wrong();
  report.reference_source =
      "int given;\n// FILL ME IN: one (roughly 1 line)\n  float right;\n// END: one\nint more;\n";
  report.source =
      "int given;\n// FILL ME IN: one (roughly 1 line)\n  float mine;\n// END: one\n  int more;\nint own;\n";
  for (const int line : {1, 3, 3, 5, 6})
    report.compiler_messages.push_back(report.file + ":" + std::to_string(line) + ":7: warning: not used");
  report.compiler_messages.push_back("/usr/include/cuda.h:3:7: warning: not used");
  report.compiler_messages.push_back(report.file + ":3:7: error: not declared");
  EXPECT_THAT(warnings_of(report), testing::ElementsAre("line 3: not used", "line 6: not used"));
  EXPECT_THAT(printed(report), HasSubstr("  warning: line 3: not used\n  warning: line 6: not used\n"));
}

TEST(RenderReport, NothingThatATerminalObeys) {
  Report report = wrong();
  const std::string bad = "\x1b]0;owned\x07\x1b[2J";
  Cause& cause = *report.entries[0].cause;
  cause.sentence = cause.evidence = cause.code = bad;
  cause.corner += bad;
  cause.details = {bad, "  " + bad};
  report.verdict_text = "unfused: " + bad;
  report.compiler_messages = {report.file + ":3:1: warning: " + bad};
  for (Check& check : report.entries[0].checks) check.summary = check.detail = bad;
  for (const bool verbose : {false, true}) EXPECT_THAT(printed(report, verbose), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace fusebox
