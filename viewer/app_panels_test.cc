// What panels do together: one selection for all of them, where they begin, what they say when they are
// empty.

#include <map>

#include "viewer/shown_testing.h"

namespace fusebox::view {
namespace {

TEST_F(Shown, ALineLeadsToItsLanes) {
  App& app = show(book_of(sample_report()));
  go_to("source");
  click("line:mine.5");
  EXPECT_EQ(app.state.tab, tab_of("warp"));
  EXPECT_EQ(app.models().accesses[app.state.selection.access].line, 5);
  click("access:1");
  EXPECT_EQ(app.state.selection.access, 0u);
}

TEST_F(Shown, OneSelectionIsMarkedInEveryPanel) {
  App& app = show(book_of(sample_report()));
  const struct {
    const char *tab, *mark, *kernel, *tensor;
  } clicks[] = {{"traffic", "tensor:x", "", "x"},
                {"traffic", "bar:squares.unfused.you.written", "", "squares"},
                {"launches", "launch:unfused · you.2", "scale_kernel", ""},
                {"launches", "buffer:unfused · you.squares", "", "squares"},
                {"warp", "access:2", "", "x"},
                {"roofline", "point:fused · you.5", "fused_kernel", ""},
                {"occupancy", "occupancy:fused · you.fused_kernel", "fused_kernel", ""}};
  for (const auto& each : clicks) {
    go_to(each.tab);
    if (app.ui.find("button:chosen")) click("button:chosen");
    EXPECT_TRUE(app.state.selection.empty()) << each.mark;
    std::map<std::string, std::uint64_t> before;
    for (const char* tab : {"traffic", "launches", "source", "occupancy"})
      go_to(tab), before[tab] = drawing();
    go_to(each.tab);
    click(each.mark);
    const Selection& chosen = app.state.selection;
    EXPECT_FALSE(chosen.empty()) << each.mark;
    if (*each.kernel) {
      EXPECT_EQ(chosen.kernel, each.kernel) << each.mark;
    }
    if (*each.tensor) {
      EXPECT_EQ(chosen.tensor, each.tensor) << each.mark;
    }
    for (const auto& [tab, drawn] : before) {
      go_to(tab);
      EXPECT_NE(drawing(), drawn) << each.mark << " is not marked in " << tab;
    }
  }
}

TEST_F(Shown, BudgetsAndCausesLeadOn) {
  Report report = sample_report();
  report.entries[1].cause =
      Cause{"Why", "3 cases", "", {"More."}, "puzzles/p99_sample.cu", 9, "code", "again"};
  report.entries[1].blanks = {{"fused", "wrong"}};
  App& app = show(book_of(report));
  click("cause:fused.line");
  EXPECT_EQ(app.state.tab, tab_of("source"));
  EXPECT_EQ(app.state.selection.line, 9);
  EXPECT_NE(app.ui.find("line:mine.9"), nullptr);
  go_to("verdict");
  click("budget:fused.bytes.requested");
  EXPECT_EQ(app.state.tab, tab_of("traffic"));
  EXPECT_EQ(app.state.selection.tensor, "x");
}

TEST_F(Shown, SourceBeginsAtTheFaultAndKeepsItsHead) {
  Report report = huge_report(3, 2000);
  Fault& fault = *report.entries[1].checks.back().fault;
  fault.line = 1500, fault.other_line = 1490;
  App& app = show(book_of(report));
  go_to("source");
  ASSERT_NE(app.ui.find("line:mine.1500"), nullptr);
  EXPECT_NE(app.ui.find("line:mine.1490"), nullptr) << "the other end of the race";
  const Rect choice = *app.ui.find("choice:listing.you");
  frame(Key::end);
  frames(3);
  EXPECT_EQ(app.ui.find("line:mine.1500"), nullptr) << "scrolled away";
  ASSERT_NE(app.ui.find("choice:listing.you"), nullptr);
  EXPECT_EQ(app.ui.find("choice:listing.you")->y, choice.y) << "the head stays";
}

TEST_F(Shown, AccessesAndTheStripScrollByThemselves) {
  Report report = sample_report();
  auto& samples = report.entries[0].student->launches[0].samples;
  for (int i = 0; i < 60; ++i) samples.push_back(sample_access(4, "t" + std::to_string(i), 4));
  App& app = show(book_of(report));
  go_to("warp");
  const Rect code = *app.ui.find("lane:0");
  app.ui.reveal("access:40");
  frames(3);
  EXPECT_LT(app.ui.find("access:40")->bottom(), 800);
  EXPECT_LT(app.ui.find("access:1")->y, 0) << "the list was scrolled";
  EXPECT_EQ(app.ui.find("lane:0")->y, code.y) << "the strip was not";
}

TEST_F(Shown, WhatFailedIsUnfoldedAndTheRestIsALine) {
  App& app = show(book_of(sample_report()));
  ASSERT_NE(app.ui.find("check:fused.1 of 2 cases"), nullptr);
  EXPECT_NE(app.ui.find("check:fused.case rows_33"), nullptr) << "unfolded";
  EXPECT_GT(app.ui.find("check:fused.file")->y, app.ui.find("check:fused.case rows_33")->bottom() + 20)
      << "with its detail";
  EXPECT_EQ(app.ui.find("check:unfused.case rows_32"), nullptr);
  EXPECT_LT(app.ui.find("budget:fused.launches")->y, app.ui.find("budget:unfused.launches")->y);
  click("check:unfused.checks");
  EXPECT_NE(app.ui.find("check:unfused.1 case"), nullptr);
}

TEST_F(Shown, FullSizeComesFirstAndTheCountedCaseBeside) {
  App& app = show(book_of(sample_report_at_full_size()));
  EXPECT_TRUE(app.shown().full_size);
  go_to("traffic");
  EXPECT_NE(app.ui.find("bar:fused · you.dram"), nullptr);
  EXPECT_NE(app.ui.find("counted:fused · you.dram"), nullptr);
  EXPECT_GT(*app.models().traffic.rows[2].dram, *app.models().counted.rows[2].dram);
  click("choice:size.counted case");
  EXPECT_FALSE(app.shown().full_size);
  EXPECT_EQ(app.ui.find("counted:fused · you.dram"), nullptr);
  for (const char* tab : {"launches", "timings", "source", "roofline", "occupancy"}) {
    go_to(tab);
    const std::uint64_t counted = drawing();
    click("choice:size.full size");
    EXPECT_TRUE(app.shown().full_size) << tab;
    mouse_ = {-1, -1};
    EXPECT_NE(drawing(), counted) << tab;
    click("choice:size.counted case");
    mouse_ = {-1, -1};
  }
  // A report without a full size offers none.
  app.open(book_of(sample_report()));
  go_to("traffic");
  EXPECT_EQ(app.ui.find("choice:size.full size"), nullptr);
}

TEST_F(Shown, TheRecordingsFullSizeStandsInUntilThereIsOne) {
  write(paths_.recorded_reports() / "p99_sample.json", to_json(sample_report_at_full_size()));
  App& app = show(book_of(sample_report(), Origin::attempt));
  ASSERT_TRUE(app.shown().full_size);
  EXPECT_EQ(app.models().traffic.rows.size(), 2u) << "the reference's alone";
  EXPECT_EQ(app.models().counted.rows.size(), 4u);
  app.open(book_of(sample_report(), Origin::file));
  EXPECT_FALSE(app.shown().full_size) << "files are shown as they are";
}

TEST_F(Shown, NarrowWindowsKeepTheListOfPuzzles) {
  size_ = {800, 700};
  App& app = show(book_of(sample_report(), Origin::attempt));
  ASSERT_NE(app.ui.find("puzzle:p98"), nullptr);
  EXPECT_LT(app.ui.find("puzzle:p98")->right(), 80);
  click("puzzle:p98");
  EXPECT_EQ(app.book().path, (paths_.recorded_reports() / "p98_other.json").string());
}

TEST_F(Shown, WideWindowsShowBothListings) {
  size_ = {2560, 1440};
  App& app = show(book_of(sample_report()));
  go_to("source");
  EXPECT_NE(app.ui.find("line:mine.5"), nullptr);
  EXPECT_NE(app.ui.find("line:theirs.5"), nullptr);
}

TEST_F(Shown, TwoPuzzlesAreNotComparedSilently) {
  Book book = book_of(sample_report());
  book.other = sample_report(2);
  App& app = show(std::move(book));
  EXPECT_FALSE(has_banner("mismatch"));
  book = book_of(sample_report());
  book.other = sample_report(2);
  book.other->puzzle = "p04";
  app.open(std::move(book));
  frames(2);
  EXPECT_TRUE(has_banner("mismatch"));
}

TEST_F(Shown, APuzzleMadeAMinuteAgoIsInTheList) {
  write(folder_ / "puzzles/p77_new.cu", "// p77\n");
  fs::create_directories(folder_ / "assets/puzzles/p77_new");
  write(folder_ / "assets/puzzles/p77_new/lesson.md", "# p77 Something new\n\nText.\n");
  const auto puzzles = puzzles_in(paths_);
  ASSERT_EQ(puzzles.size(), 3u);
  EXPECT_EQ(puzzles[0].id, "p77");
  EXPECT_EQ(puzzles[0].title, "Something new");
  EXPECT_EQ(puzzles[2].title, "sample") << "without a lesson it is the slug";
  auto book = open_puzzle(paths_, "p77");
  ASSERT_TRUE(book);
  EXPECT_EQ(book->origin, Origin::unseen);
  App& app = show(std::move(*book));
  EXPECT_TRUE(has_banner("unseen"));
  EXPECT_EQ(app.title(), "p77  Something new");
  for (const char* tab : kTabNames) {
    go_to(tab);
    EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 500) << tab << " is empty without a word";
  }
  EXPECT_FALSE(open_puzzle(paths_, "p78"));
}

}  // namespace
}  // namespace fusebox::view
