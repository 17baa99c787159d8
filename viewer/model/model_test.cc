#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "grader/report/json/json.h"
#include "viewer/model/book/history.h"
#include "viewer/model/headline.h"
#include "viewer/model/panels/launches.h"
#include "viewer/model/panels/listing.h"
#include "viewer/model/panels/occupancy.h"
#include "viewer/model/panels/roofline.h"
#include "viewer/model/panels/strip.h"
#include "viewer/model/panels/text.h"
#include "viewer/model/panels/traffic.h"
#include "viewer/model/panels/verdict.h"
#include "viewer/model/panels/why.h"
#include "viewer/model/sample_report.h"

namespace fusebox::view {
namespace {

namespace fs = std::filesystem;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Compares with viewer/testdata/<name>.txt. FUSEBOX_UPDATE_GOLDEN=1 writes it instead.
void expect_golden(const std::string& name, const std::string& text) {
  const fs::path path = fs::path(FUSEBOX_SOURCE_DIR) / "viewer/testdata" / (name + ".txt");
  if (std::getenv("FUSEBOX_UPDATE_GOLDEN")) std::ofstream(path) << text;
  EXPECT_EQ(text, read(path)) << path;
}

Book sample_book() {
  Book book;
  book.report = sample_report();
  book.before = sample_report(2);
  return book;
}

std::string all_text(const Book& book) {
  std::string text = to_text(verdict_model(book)) + "\n" + to_text(traffic_model(book)) + "\n" +
                     to_text(waterfall_of(book, Bytes::compulsory)) +
                     to_text(waterfall_of(book, Bytes::requested)) + "\n" + to_text(launches_model(book)) +
                     "\n" + to_text(listing_of(book, true)) + to_text(listing_of(book, false)) + "\n" +
                     to_text(accesses_of(book));
  for (const GpuNumbers& gpu : book.report.gpus)
    text += "\n" + to_text(roofline_model(book, gpu)) + to_text(occupancy_model(book, gpu));
  return text;
}

TEST(Model, EveryRowOfASample) { expect_golden("sample", all_text(sample_book())); }

TEST(Model, EveryRowAtFullSize) {
  Book book;
  book.report = sample_report_at_full_size();
  ASSERT_TRUE(has_full_size(book.report));
  Measured measured{"p99", "NVIDIA H1", "2026-11-21", "rows65536 columns512", 4e12, 40, {}};
  measured.rows.push_back({"reference", "fused", 7e-4, {}, {}, {}, 3e8, {}, "reference", ""});
  book.measured.push_back(measured);
  const Book full = at_full_size(book);
  const GpuNumbers& gpu = book.report.gpus[0];
  const Listing mine = listing_of(full, true), theirs = listing_of(full, false);
  std::string text = size_text(full) + "\n" + to_text(traffic_model(full)) + to_text(launches_model(full)) +
                     to_text(time_rows(full, gpu)) + "counted\n" + to_text(time_rows(book, gpu)) + "\n";
  for (const std::string& line :
       {headline_of_bytes(full), headline_of_bytes(book), headline_of(full, launches_model(full)),
        headline_of(time_rows(full, gpu)), headline_of(accesses_of(book)), headline_of(mine, theirs),
        headline_of(roofline_model(full, gpu)), headline_of(occupancy_model(full, gpu), gpu),
        headline_of(occupancy_model(book, gpu), gpu)})
    text += line + "\n";
  expect_golden("full_size", text);
}

TEST(Model, PartsOfTheTimeSumToIt) {
  Book book;
  book.report = sample_report_at_full_size();
  for (const Book& at : {book, at_full_size(book)})
    for (const GpuNumbers& gpu : book.report.gpus)
      for (const TimeRow& row : time_rows(at, gpu)) {
        double sum = 0;
        for (const TimePart& part : row.parts) sum += part.seconds;
        EXPECT_NEAR(sum, *row.seconds, 1e-12) << row.name << gpu.name;
        EXPECT_LE(row.next_seconds, *row.seconds) << row.name;
      }
}

TEST(Model, WhatDidNotRunAtFullSizeSaysWhy) {
  Book book;
  book.report = sample_report_at_full_size();
  book.report.full_size->entries[1].student->problem = "it needs 3 GiB";
  Book full = at_full_size(book);
  EXPECT_EQ(student_of(full, "fused"), nullptr);
  EXPECT_EQ(why_not_counted(full, "fused"), "it could not be run at full size: it needs 3 GiB");
  book.report.full_size->entries[1].student.reset();
  full = at_full_size(book);
  EXPECT_EQ(why_not_counted(full, "fused"), "an answer is wrong, so that it was not run at full size");
  book.report.full_size.reset();
  EXPECT_FALSE(has_full_size(book.report));
  EXPECT_EQ(headline_of_bytes(book), "");
}

TEST(Model, EveryRowOfARecording) {
  Book book;
  auto report = report_from_json(read(fs::path(FUSEBOX_SOURCE_DIR) / "viewer/testdata/p20.json"));
  ASSERT_TRUE(report) << report.error().what;
  book.report = std::move(*report);
  book.origin = Origin::recording;
  expect_golden("p20", all_text(book));
}

TEST(Model, WaterfallsSumExactly) {
  for (const Bytes which : {Bytes::compulsory, Bytes::requested}) {
    Book book = sample_book();
    // Memory that belongs to no buffer is not forgotten.
    book.report.entries[1].student->launches[0].counters.global_load.sectors += 5;
    const Waterfall waterfall = waterfall_of(book, which);
    auto at = static_cast<std::int64_t>(waterfall.start);
    for (const Step& step : waterfall.steps) at += step.delta;
    EXPECT_EQ(at, static_cast<std::int64_t>(waterfall.end));
    EXPECT_FALSE(waterfall.steps.empty());
  }
}

TEST(Model, AnotherReportStandsInForTheReference) {
  Book book = sample_book();
  book.other = sample_report(3);
  EXPECT_EQ(value_of(reference_of(book, "fused"), "bytes.requested"),
            value_of(&*book.other->entries[1].student, "bytes.requested"));
  EXPECT_EQ(verdict_model(book).entries[0].budgets[1].reference,
            value_of(reference_of(book, "fused"), "bytes.requested"));
  book.other->entries.clear();
  EXPECT_EQ(reference_of(book, "fused"), nullptr);
}

TEST(Model, TheReportsOwnGpuIsModelledAsTheGraderDid) {
  std::size_t compared = 0;
  for (const auto& file : fs::directory_iterator(fs::path(FUSEBOX_SOURCE_DIR) / "assets/recorded/reports")) {
    const auto report = report_from_json(read(file.path()));
    ASSERT_TRUE(report) << file.path() << report.error().what;
    ASSERT_FALSE(report->gpus.empty()) << file.path();
    for (const EntryReport& entry : report->entries) {
      if (!entry.reference) continue;
      for (const LaunchRecord& launch : entry.reference->launches) {
        if (!launch.model) continue;
        const auto again = remodel(report->gpus[0], report->gpus[0], launch);
        ASSERT_TRUE(again) << launch.kernel;
        EXPECT_NEAR(again->seconds, launch.model->seconds, 1e-9 * launch.model->seconds) << launch.kernel;
        EXPECT_EQ(again->bound_by, launch.model->bound_by) << launch.kernel;
        EXPECT_EQ(again->occupancy, launch.model->occupancy) << file.path() << " " << launch.kernel;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 10u);
}

TEST(Model, LaunchesStandBehindEachOtherAndBuffersSpanTheirUse) {
  const LaunchesModel model = launches_model(sample_book());
  ASSERT_EQ(model.lanes.size(), 4u);
  const Lane& lane = model.lanes[0];
  ASSERT_EQ(lane.boxes.size(), 2u);
  EXPECT_DOUBLE_EQ(lane.boxes[1].start, lane.boxes[0].end());
  EXPECT_NEAR(lane.boxes[0].overhead, 2.5e-6, 1e-12);
  ASSERT_EQ(lane.spans.size(), 1u);
  EXPECT_EQ(lane.spans[0].tensor, "squares");
  EXPECT_DOUBLE_EQ(lane.spans[0].to, lane.boxes[1].end());
  EXPECT_TRUE(model.lanes[2].spans.empty()) << "fused: nothing in between";
}

TEST(Model, ReportsThatHoldLittleGiveModelsThatHoldLittle) {
  Book book;
  EXPECT_EQ(to_text(waterfall_of(book, Bytes::compulsory)), "no waterfall\n");
  EXPECT_TRUE(launches_model(book).lanes.empty());
  EXPECT_FALSE(listing_of(book, true).problem.empty());
  EXPECT_TRUE(accesses_of(book).empty());
  EXPECT_TRUE(ladder_points(book, {}).empty());
  EXPECT_EQ(history_point(book.report, 1).bytes, std::nullopt);
  book.report = sample_report();
  for (EntryReport& entry : book.report.entries) entry.student.reset();
  EXPECT_EQ(sides_of(book).size(), 2u);
  EXPECT_FALSE(waterfall_of(book, Bytes::compulsory).from.empty()) << "the reference's";
}

TEST(Model, NumbersBeyondAllBoundsAreCarriedThrough) {
  Book book = sample_book();
  for (EntryReport& entry : book.report.entries) {
    for (auto* run : {&entry.student, &entry.reference}) {
      int turn = 0;
      for (Metric& metric : (*run)->metrics) metric.value = turn++ % 2 ? kInfinity : std::nan("");
      for (LaunchRecord& launch : (*run)->launches) {
        launch.time.value = std::nan("");
        launch.counters.global_load.sectors = std::numeric_limits<std::uint64_t>::max() / 64;
        launch.grid = {0, 0, 0}, launch.block = {0, 0, 0};
        launch.registers = -5;
        launch.model->terms[0].seconds = kInfinity;
        launch.samples[0].offsets = {std::numeric_limits<std::int64_t>::max() - 64};
        launch.samples[1].bytes = 4'000'000'000;
        launch.lines[0].line = -3;
      }
    }
  }
  book.report.gpus[0] = {};
  EXPECT_FALSE(all_text(book).empty());
  EXPECT_EQ(launches_model(book).longest, 0);
}

TEST(Model, ListingsHideTheReferencesAnswersAndKnowTheirLines) {
  const Book book = sample_book();
  const Listing mine = listing_of(book, true);
  EXPECT_TRUE(mine.traffic);
  ASSERT_EQ(mine.lines[12].faults.size(), 1u);
  EXPECT_EQ(mine.lines[12].faults[0]->count, 12u);
  const Listing theirs = listing_of(book, false);
  EXPECT_TRUE(theirs.lines[12].hidden);
  EXPECT_FALSE(theirs.lines[10].hidden);
  EXPECT_TRUE(theirs.lines[12].faults.empty());
}

TEST(Measured, RecordsOfTheBenchmarkAreRead) {
  const std::string text = R"({"schema": 1, "date": "2026-11-21", "command": "grader bench p09", "tables": [
    {"puzzle": "p09", "gpu": "NVIDIA H200", "sizes": "rows 8192", "samples": 40, "large_copy_bytes_per_second": 4.2e12, "rows": [
      {"label": "reference", "entry": "forward", "seconds": {"median": 2e-5, "p20": 1.9e-5, "p80": 2.2e-5}, "bytes_per_second": 3e12, "problem": "", "steps": [{"counters": [2e-5, 1000, 24, 7]}, {"counters": [1e-5, 5, 6]}]},
      {"label": "you, 128 threads", "entry": "forward", "seconds": null, "bytes_per_second": 1e12, "problem": "wrong"},
      {"label": "rung p08", "entry": "forward", "seconds": {"median": "fast"}}, 7]},
    {"puzzle": "p20", "rows": []}]})";
  const auto tables = measured_in(text, "p09");
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].rows.size(), 3u);
  EXPECT_EQ(tables[0].rows[0].p80, 2.2e-5);
  EXPECT_EQ(tables[0].rows[0].dram_bytes, 1035) << "read and written, of both launches";
  EXPECT_FALSE(tables[0].rows[1].dram_bytes);
  EXPECT_EQ(tables[0].rows[1].threads, 128);
  EXPECT_EQ(tables[0].rows[1].program, "you");
  EXPECT_FALSE(tables[0].rows[1].median);
  EXPECT_FALSE(tables[0].rows[2].median);
  EXPECT_TRUE(measured_in(text, "p20").empty());
  for (const char* wrong : {"", "[]", "{\"schema\": 1, \"tables\": []}", "{\"schema\": 1, \"tables\": 3}"})
    EXPECT_TRUE(measured_in(wrong, "p09").empty());
  EXPECT_EQ(label_text(tables[0].rows[0]), "reference");
  EXPECT_EQ(label_text({"mistake three_reads", "", {}, {}, {}, {}, {}, {}, "", ""}), "mistake: three reads");
  EXPECT_TRUE(same_shape(tables[0], "rows8192"));
  EXPECT_FALSE(same_shape(tables[0], "rows8193"));
  EXPECT_FALSE(same_shape(tables[0], ""));
  Book book = sample_book();
  book.measured = tables;
  const auto points = ladder_points(book, book.report.gpus[0]);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].block, 128u);
}

TEST(Measured, WhatIsRecordedIsShown) {
  const auto tables = measurements(fs::path(FUSEBOX_SOURCE_DIR) / "assets/recorded", "p20");
  ASSERT_FALSE(tables.empty());
  EXPECT_EQ(tables[0].gpu, "NVIDIA H200");
  EXPECT_FALSE(tables[0].date.empty());
  const auto timed = [](const MeasuredRow& row) { return row.median.has_value(); };
  EXPECT_TRUE(std::any_of(tables[0].rows.begin(), tables[0].rows.end(), timed));
  const std::string newer =
      R"({"schema": 99, "tables": [{"puzzle": "p20", "rows": [{"label": "reference"}]}]})";
  EXPECT_TRUE(measured_in(newer, "p20").empty());
}

TEST(Model, ALadderHasAPointForEachRun) {
  Book book = sample_book();
  EXPECT_TRUE(ladder_points(book, book.report.gpus[0]).empty()) << "one puzzle is no ladder";
  book.ladder = {sample_report(), sample_report(4)};
  book.ladder[1].puzzle = "p98";
  const auto points = ladder_points(book, book.report.gpus[0]);
  ASSERT_EQ(points.size(), 8u);
  EXPECT_EQ(points[4].puzzle, "p98");
  EXPECT_EQ(points[4].block, 256u);
  EXPECT_GT(points[4].bytes_per_second, points[0].bytes_per_second) << "the launches weigh less";
}

TEST(Strip, TakesAccessesApartTheWorstOneFirst) {
  const auto accesses = accesses_of(sample_book());
  ASSERT_GE(accesses.size(), 3u);
  for (std::size_t i = 1; i < accesses.size(); ++i)
    EXPECT_GE(waste_of(accesses[i - 1]), waste_of(accesses[i])) << i;
  const StripAccess& worst = accesses[0];
  EXPECT_EQ(worst.sectors.size(), 32u) << "a row apart";
  EXPECT_EQ(worst.lines.size(), 32u);
  EXPECT_EQ(worst.label, "you") << "of two that are as bad, the learner's own";
  EXPECT_NE(advice_for(worst).find("8.0 times"), std::string::npos) << advice_for(worst);
  const auto shared = std::find_if(accesses.begin(), accesses.end(), [](const auto& a) { return a.shared; });
  ASSERT_NE(shared, accesses.end());
  EXPECT_EQ(shared->wavefronts, 2u) << "every other bank";
  EXPECT_EQ(shared->ideal_wavefronts, 1u);
  EXPECT_EQ(shared->words_of_bank[0], 2);
  EXPECT_EQ(shared->words_of_bank[1], 0);
  const StripAccess& fine = accesses.back();
  EXPECT_EQ(waste_of(fine), 0);
  EXPECT_EQ(fine.sectors.size(), 4u);
  EXPECT_EQ(fine.ideal_sectors, 4u);
  EXPECT_EQ(fine.lines.size(), 1u);
}

TEST(Text, Passes) {
  EXPECT_EQ(passes_text(0, 10), "–");
  EXPECT_EQ(passes_text(10, 10), "1×");
  EXPECT_EQ(passes_text(30, 10), "3×");
  EXPECT_EQ(passes_text(25, 100), "0.25×");
  EXPECT_EQ(passes_text(1, 100'000), "<0.01×");
  EXPECT_EQ(passes_text(128'000, 100), "1280×");
  EXPECT_EQ(passes_text(64, 0), "64 B");
}

TEST(Text, LessonsBecomeBlocks) {
  const auto blocks = blocks_of(
      "# Head\n\nOne\ntwo **bold** a * b, *so*: 2*3.\n\n    code\n\n      deeper\n\n- item\n  goes on\n1. first\n\n| a | b |\n|---|---|\n| `1` | 2 |\n\n```\nx\n```\n");
  using Kind = Block::Kind;
  ASSERT_EQ(blocks.size(), 7u);
  EXPECT_EQ(blocks[0].level, 1);
  EXPECT_EQ(blocks[1].text, "One two bold a * b, so: 2*3.");
  EXPECT_EQ(blocks[2].kind, Kind::code);
  EXPECT_EQ(blocks[2].text, "code\n\n  deeper");
  EXPECT_EQ(blocks[3].text, "item goes on");
  EXPECT_EQ(blocks[4].text, "1. first");
  ASSERT_EQ(blocks[5].rows.size(), 2u);
  EXPECT_EQ(blocks[5].rows[1], (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(blocks[6].text, "x");
  EXPECT_TRUE(blocks_of("").empty());
  EXPECT_EQ(blocks_of("|\n|---").size(), 1u);
}

}  // namespace
}  // namespace fusebox::view
