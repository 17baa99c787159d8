// What is printed, tested as text: no compiler, no device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "grader/cli/grade/grade_tests.h"
#include "grader/cli/render/render.h"
#include "grader/cli/verbs/progress.h"
#include "grader/toolchain/cache/files.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

TEST(Style, PlainTextHasNoEscapes) {
  EXPECT_EQ(Style(false).bad("x"), "x");
  EXPECT_THAT(Style(true).bad("x"), HasSubstr("\x1b[31m"));
  EXPECT_EQ(width_of(Style(true).bad("é✓")), 2u);
}

TEST(Table, AlignsAndIgnoresEscapes) {
  EXPECT_EQ(table({{"a", "1"}, {"long", Style(true).good("22")}}), "  a      1\n  long  \x1b[32m22\x1b[0m\n");
}

TEST(Wrapped, BreaksAtSpacesAndKeepsLineEnds) {
  EXPECT_EQ(wrapped("one two three\nfour", 9, 2), "  one two\n  three\n  four\n");
}

TEST(Printable, NothingThatATerminalObeys) {
  const struct {
    const char *text, *shown;
  } cases[] = {
      {"plain é✓ text\tand\nlines", "plain é✓ text\tand\nlines"},
      {"\x1b[31mred\x1b]0;title\x07", "\\x1b[31mred\\x1b]0;title\\x07"},
      {"one\r\ntwo\rthree", "one\ntwo\\x0dthree"},
      {"\xc2\x9b 31m", "\\xc2\\x9b 31m"},
      {"\xff\x9b is no text", "\\xff\\x9b is no text"},
      {"cut \xc3", "cut \\xc3"},
      {"\x7f", "\\x7f"},
  };
  for (const auto& c : cases) EXPECT_EQ(printable(c.text), c.shown);
}

TEST(Printable, ChecksAndVerdictsAre) {
  Check check;
  check.name = "case seed";
  check.outcome = Outcome::failed;
  check.summary = "\x1b[2J gone";
  check.detail = "it printed:\n\x1b]0;owned\x07\n";
  Report report;
  report.verdict_text = "\x1b[2J";
  EXPECT_THAT(render_check(check, Style(false), true), Not(HasSubstr("\x1b")));
  EXPECT_THAT(render_verdict(report, Style(false)), Not(HasSubstr("\x1b")));
}

TEST(TestName, IsAnIdentifier) { EXPECT_EQ(test_name("budget bytes.requested"), "budget_bytes_requested"); }

Report fusing() {
  Report report;
  report.puzzle = "p99";
  for (const char* name : {"unfused", "fused"}) {
    EntryReport entry;
    entry.entry = name;
    SideRun run;
    run.counted_case = "N8";
    run.metrics = {{"launches", "launches", "", Unit::count, entry.entry == "fused" ? 1.0 : 2.0}};
    LaunchRecord launch;
    launch.tensors = {{"x", 64, 64, 0, 64, 0}};
    if (entry.entry == "unfused") launch.tensors.push_back({"between", 64, 64, 64, 64, 64});
    run.launches = {launch};
    entry.reference = run;
    entry.budgets = {{run.metrics[0], 1.0, 2, true}};
    entry.budgets[0].student.value.reset();
    report.entries.push_back(entry);
  }
  return report;
}

TEST(Render, FullSizeLeadsWithItsSentenceAndNamesWhatIsTooMuch) {
  Report report;
  EXPECT_EQ(render_full_size(report, Style(), true), "");
  FullSize& full = report.full_size.emplace();
  full.shape = "M8 N4";
  full.sentence = "Fused wins.";
  full.counted_sentence = "The counted case is small.";
  FullSizeEntry& entry = full.entries.emplace_back();
  entry.entry = "fused";
  entry.student.emplace().dram_read_bytes = 3 << 20;
  entry.reference.emplace().problem = "it never ends";
  FullSizeBudget& budget = entry.budgets.emplace_back();
  budget.student = {"bytes.dram", "DRAM bytes", "", Unit::bytes, 3 << 20, Source::modelled};
  budget.limit = 2 << 20;
  EXPECT_EQ(render_full_size(report, Style(), false),
            "Full size M8 N4\n"
            "  Fused wins.\n"
            "  fused of the reference could not be run there: it never ends\n"
            "  fused: 3.00 MiB through DRAM, where 2.00 MiB are enough.\n"
            "  The counted case is small.\n");
  const std::string all = render_full_size(report, Style(), true);
  EXPECT_NE(all.find("DRAM read"), std::string::npos) << all;
  EXPECT_NE(all.find("n/a"), std::string::npos) << all;
}

TEST(Render, UnsolvedShowsTheReferenceBesideAnEmptyColumn) {
  const std::string text = render_numbers(fusing(), Style());
  EXPECT_THAT(text, HasSubstr("N8"));
  EXPECT_THAT(text, HasSubstr("launches               2     ≤ 2"));
}

TEST(Render, LedgerSaysWhatFusionRemoves) {
  const std::string text = render_ledger(fusing(), Style());
  EXPECT_THAT(text, HasSubstr("that no cache saves (reference)"));
  EXPECT_THAT(text, HasSubstr("fused away"));
  EXPECT_THAT(text, HasSubstr("128 B"));
}

TEST(Render, DetailIsShownOnRequestAndTheSummaryOnce) {
  Check check;
  check.name = "case a";
  check.outcome = Outcome::failed;
  check.summary = "it broke";
  check.detail = "it broke\nat line 7\n";
  EXPECT_THAT(render_check(check, Style(), false), Not(HasSubstr("line 7")));
  const std::string text = render_check(check, Style(), true);
  EXPECT_THAT(text, HasSubstr("at line 7"));
  EXPECT_EQ(text.find("it broke"), text.rfind("it broke"));
}

class Folder : public testing::Test {
 protected:
  Folder() : folder_(fs::temp_directory_path() / ("fusebox_cli_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Folder() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(Folder, WritesWholeFilesOrSaysWhy) {
  EXPECT_FALSE(write_atomically(folder_ / "a", "text"));
  std::ifstream file(folder_ / "a");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "text");
  const auto absent = write_atomically(folder_ / "no" / "a", "text");
  ASSERT_TRUE(absent);
  EXPECT_EQ(absent->kind, ErrorKind::missing_part);
  EXPECT_TRUE(write_atomically(folder_, "text"));
  const auto full = write_atomically("/dev/full", "text");
  ASSERT_TRUE(full);
  EXPECT_THAT(full->remedy, HasSubstr("disk space"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "nothing half-written stays";
}

TEST_F(Folder, ProgressComesBackAndDamageIsForgotten) {
  const fs::path path = folder_ / "progress.json";
  Progress progress = Progress::load(path);
  PuzzleProgress one;
  one.tried = one.solved = one.asked = one.scored = true;
  one.hints = 2;
  one.prediction = "1 x=2";
  progress.set("p20", one);
  EXPECT_FALSE(progress.save());
  EXPECT_EQ(Progress::load(path).of("p20"), one);
  std::ofstream(path) << "{\"p20\": 7, ";
  EXPECT_FALSE(Progress::load(path).of("p20").solved);
}

}  // namespace
}  // namespace fusebox
