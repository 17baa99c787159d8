// What one panel's model works out: the calculator, the ledger's remarks, the selection, the listing,
// occupancy, and why a panel is empty.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "grader/report/json/json.h"
#include "viewer/model/panels/calculator.h"
#include "viewer/model/panels/listing.h"
#include "viewer/model/panels/occupancy.h"
#include "viewer/model/panels/traffic.h"
#include "viewer/model/panels/verdict.h"
#include "viewer/model/panels/why.h"
#include "viewer/model/sample_report.h"
#include "viewer/model/selection.h"

namespace fusebox::view {
namespace {

namespace fs = std::filesystem;

Book sample() {
  Book book;
  book.report = sample_report();
  return book;
}

// ---- calculator

TEST(Calculator, TheWorkedExample) {
  CalculatorInput in;
  in.sums = 0, in.bandwidth = 3.35e12, in.launch_cost = 0;
  const CalculatorResult result = calculate(in);
  EXPECT_DOUBLE_EQ(result.unfused.read_bytes, 3.0 * 1024 * 8192 * 2) << "50 MB";
  EXPECT_DOUBLE_EQ(result.unfused.write_bytes, 3.0 * 1024 * 8192 * 2);
  EXPECT_DOUBLE_EQ(result.fused.read_bytes, 1.0 * 1024 * 8192 * 2) << "17 MB, however often it is read";
  EXPECT_DOUBLE_EQ(result.fused.write_bytes, 1024.0 * 8192 * 2);
  EXPECT_NEAR(result.speed_up, 3.0, 0.001);
  EXPECT_EQ(result.unfused.launches, 5);
}

/// Compulsory bytes of the tensors of full size: what the calculator speaks of.
Path counted(const std::vector<LaunchRecord>& launches, std::size_t from, std::size_t to, double tensor) {
  Path path;
  for (std::size_t i = from; i < to; ++i)
    for (const TensorTraffic& t : launches[i].tensors)
      if (static_cast<double>(t.buffer_bytes) == tensor) {
        path.read_bytes += static_cast<double>(t.compulsory_read);
        path.write_bytes += static_cast<double>(t.compulsory_write);
      }
  return path;
}

// RMSNorm of 1024 x 8192 bf16 values, run on the simulator by viewer/tools/count_rmsnorm.sh. The chain and
// the one kernel are counted alike: compulsory bytes of all tensors of full size.
TEST(Calculator, TheSimulatorCountsTheSameOnBothSides) {
  std::ifstream file(fs::path(FUSEBOX_SOURCE_DIR) / "viewer/testdata/rmsnorm_bf16.json");
  std::vector<LaunchRecord> launches;
  for (std::string line; std::getline(file, line);) {
    auto launch = launch_from_json(line);
    ASSERT_TRUE(launch) << launch.error().what;
    launches.push_back(std::move(*launch));
  }
  ASSERT_EQ(launches.size(), 6u) << "five kernels, and one";
  const CalculatorInput in;
  const double tensor = in.rows * in.columns * in.element_bytes;
  const CalculatorResult result = calculate(in);
  const Path chain = counted(launches, 0, 5, tensor), one = counted(launches, 5, 6, tensor);
  EXPECT_EQ(chain.read_bytes, result.unfused.read_bytes);
  EXPECT_EQ(chain.write_bytes, result.unfused.write_bytes);
  EXPECT_EQ(one.read_bytes, result.fused.read_bytes);
  EXPECT_EQ(one.write_bytes, result.fused.write_bytes);
}

TEST(Calculator, BeginsAsTheOpenPuzzleWasCounted) {
  const Book book = sample();
  const CalculatorInput in = calculator_input(book);
  EXPECT_EQ(in.rows * in.columns * in.element_bytes, 262'144);
  EXPECT_EQ(in.kernels, 2);
  EXPECT_EQ(in.passes, 2) << "squares and out are written";
  EXPECT_EQ(in.sums, 1) << "x twice and squares once are read";
  EXPECT_EQ(in.fused_reads, 1);
  EXPECT_EQ(in.fused_writes, 1);
  EXPECT_EQ(in.bandwidth, 4e12);
  const CalculatorResult result = calculate(in);
  EXPECT_EQ(result.unfused.bytes(), *value_of(reference_of(book, "unfused"), "bytes.compulsory"));
  EXPECT_EQ(result.fused.bytes(), *value_of(reference_of(book, "fused"), "bytes.compulsory"));
  EXPECT_EQ(calculator_input({}).rows, CalculatorInput().rows) << "the example, where nothing is open";
}

TEST(Calculator, AVectorSaysHowLongARowIs) {
  Book book = sample();
  book.report.entries[1].reference->launches[0].tensors.push_back(tensor_row("weight", 2048, 1, 0));
  EXPECT_EQ(calculator_input(book).columns, 512);
  EXPECT_EQ(calculator_input(book).rows, 128);
}

// ---- ledger

const LedgerRow* row_of(const TrafficModel& model, const std::string& tensor) {
  for (const LedgerRow& row : model.ledger.rows)
    if (row.tensor == tensor) return &row;
  return nullptr;
}

TEST(Ledger, RemarksFollowTheLearnersOwnNumbers) {
  Book book = sample();
  EXPECT_EQ(row_of(traffic_model(book), "squares")->remark, "fusion removes this");
  EXPECT_TRUE(row_of(traffic_model(book), "squares")->good);
  // The learner's fused kernel still writes it, or a tensor of its own.
  auto& tensors = book.report.entries[1].student->launches[0].tensors;
  tensors.push_back(tensor_row("squares", 64 << 20, 1, 1));
  EXPECT_EQ(row_of(traffic_model(book), "squares")->remark, "still written: 64.0 MiB");
  EXPECT_FALSE(row_of(traffic_model(book), "squares")->good);
  tensors.back() = tensor_row("my_sums", 64 << 20, 1, 1);
  EXPECT_EQ(row_of(traffic_model(book), "my_sums")->remark, "still written: 64.0 MiB");
  tensors.back() = tensor_row("squares", 64 << 20, 1, 0);
  EXPECT_EQ(row_of(traffic_model(book), "squares")->remark, "still read: 64.0 MiB");
  EXPECT_EQ(row_of(traffic_model(book), "x")->remark, "");
  book.report.entries[1].student.reset();
  EXPECT_EQ(row_of(traffic_model(book), "squares")->remark, "the reference's fusion removes this");
  book.report.entries[0].student.reset();
  EXPECT_EQ(row_of(traffic_model(book), "squares")->remark, "fusion removes this");
}

TEST(Traffic, TheAxisHoldsTheGhostsToo) {
  Book book = sample();
  book.before = sample_report(9);
  EXPECT_GE(traffic_model(book).largest, *value_of(before_of(book, "unfused"), "bytes.requested"));
}

// ---- selection

TEST(Selection, OneThingIsChosenInAllPanels) {
  const Book book = sample();
  const auto accesses = accesses_of(book);
  const Selection line = select_line(accesses, "you", 5);
  ASSERT_LT(line.access, accesses.size());
  EXPECT_EQ(accesses[line.access].line, 5);
  EXPECT_EQ(line.kernel, "square_kernel");
  EXPECT_EQ(line.tensor, "x");
  EXPECT_EQ(line.launch, 0u);
  const Selection launch = select_launch(book, accesses, "unfused · you", 1);
  EXPECT_EQ(launch.kernel, "scale_kernel");
  EXPECT_EQ(accesses[launch.access].run, "unfused · you");
  EXPECT_EQ(launch.line, 9) << "its worst access";
  const Selection tensor = select_tensor(accesses, "x", "fused · reference");
  EXPECT_EQ(accesses[tensor.access].run, "fused · reference");
  EXPECT_EQ(tensor.label, "reference");
  // A tensor that no sample shows is chosen all the same, and nothing else.
  const Selection other = select_tensor(accesses, "out");
  EXPECT_EQ(other.tensor, "out");
  EXPECT_EQ(other.access, Selection::kNone);
  EXPECT_EQ(other.line, 0);
  EXPECT_TRUE(select_launch(book, accesses, "nobody", 0).empty());
  EXPECT_TRUE(select_access(accesses, 9999).empty());
  EXPECT_EQ(to_text(line), "x · line 5 · square_kernel");
}

TEST(Selection, ABudgetLeadsToWhatItCounts) {
  const Book book = sample();
  const auto accesses = accesses_of(book);
  const struct {
    const char *tag, *tab, *tensor;
  } rows[] = {{"launches", "launches", ""},        {"intermediate_bytes", "launches", ""},
              {"sectors_over_ideal", "warp", "x"}, {"bytes.requested", "traffic", "x"},
              {"bytes.compulsory", "traffic", ""}, {"registers", "occupancy", ""}};
  for (const auto& row : rows) {
    const BudgetLead lead = lead_of_budget(book, accesses, "fused", row.tag);
    EXPECT_EQ(lead.tab, row.tab) << row.tag;
    EXPECT_EQ(lead.selection.budget, row.tag);
    EXPECT_EQ(lead.selection.run, "fused · you");
    if (*row.tensor) {
      EXPECT_EQ(lead.selection.tensor, row.tensor) << row.tag;
    }
  }
  Book nothing;
  EXPECT_EQ(lead_of_budget(nothing, {}, "fused", "bytes.requested").tab, "traffic");
}

// ---- listing

TEST(Listing, OpensAtTheFaultElseAtTheHottestLine) {
  Book book = sample();
  EXPECT_EQ(line_to_open(listing_of(book, true)), 12u) << "line 13 has the fault";
  book.report.entries[1].cause = Cause{"why", "", "", {}, "elsewhere/p99_sample.cu", 9, "", ""};
  EXPECT_EQ(line_to_open(listing_of(book, true)), 8u) << "the line that the verdict is about";
  EXPECT_EQ(line_to_open(listing_of(book, false)), 7u) << "the hottest one of the reference";
  EXPECT_EQ(line_to_open({}), 0u);
}

TEST(Listing, BothEndsOfARaceAreMarked) {
  Book book = sample();
  Fault& fault = *book.report.entries[1].checks.back().fault;
  fault.kind = "race-shared", fault.other_line = 5;
  const Listing listing = listing_of(book, true);
  ASSERT_EQ(listing.lines[4].other_ends.size(), 1u);
  EXPECT_EQ(listing.lines[4].other_ends[0]->line, 13);
  EXPECT_EQ(listing.lines[12].faults.size(), 1u);
  fault.other_line = fault.line;
  EXPECT_TRUE(listing_of(book, true).lines[12].other_ends.empty())
      << "a line that races with itself has one end";
  fault.other_line = 9999;
  EXPECT_FALSE(listing_of(book, true).lines.empty());
}

TEST(Listing, LongLinesGoOnAndAreNeverCut) {
  const struct {
    const char* line;
    std::size_t columns;
    std::vector<std::string_view> pieces;
  } rows[] = {{"short", 10, {"short"}},
              {"", 10, {""}},
              {"one, two, three", 10, {"one, two, ", "three"}},
              {"call(alpha, beta)", 12, {"call(alpha, ", "beta)"}},
              {"abcdefghijklmnop", 10, {"abcdefghij", "klmnop"}},
              {"        indented_so_far", 12, {"        inde", "nted_so_far"}},
              {"ääääääääää", 8, {"ääääääää", "ää"}}};
  for (const auto& row : rows) EXPECT_EQ(wrapped(row.line, row.columns), row.pieces) << row.line;
}

// ---- occupancy

TEST(Occupancy, SaysWhatIsResidentBesideWhatWouldFit) {
  const GpuNumbers gpu = sample_gpu("H1", 132, 4e12);
  const struct {
    std::uint32_t blocks;
    std::uint64_t sms, resident_blocks, resident_warps;
  } rows[] = {{1, 1, 1, 8},      {128, 128, 1, 8},      {132, 132, 1, 8},
              {133, 132, 2, 16}, {100'000, 132, 6, 48}, {0, 0, 0, 0}};
  for (const auto& row : rows) {
    LaunchRecord launch = sample_launch("k", 5e-6, {}, 4);
    launch.grid = {row.blocks, 1, 1};
    const OccupancyRow made = occupancy_of(gpu, launch);
    EXPECT_EQ(made.sms, row.sms) << row.blocks;
    EXPECT_EQ(made.resident_blocks, row.resident_blocks) << row.blocks;
    EXPECT_EQ(made.resident_warps, row.resident_warps) << row.blocks;
    EXPECT_EQ(made.occupancy.warps_per_sm, 48u);
  }
}

// ---- verdict

TEST(Verdict, WhatFailedStandsFirstAndCasesAreGrouped) {
  Book book = sample();
  const VerdictModel model = verdict_model(book);
  ASSERT_EQ(model.entries.size(), 2u);
  EXPECT_EQ(model.entries[0].entry, "fused");
  ASSERT_FALSE(model.entries[0].checks.empty());
  const CheckRow& first = model.entries[0].checks[0];
  EXPECT_EQ(first.name, "1 of 2 cases");
  EXPECT_EQ(first.summary, "rows_33");
  ASSERT_EQ(first.rows.size(), 1u);
  EXPECT_EQ(first.rows[0].line, 13);
}

// ---- why

TEST(Why, AnEmptyPanelSaysWhy) {
  Book book = sample();
  EXPECT_EQ(why_not_counted(book, "fused"), "");
  EntryReport& entry = book.report.entries[1];
  entry.student.reset();
  EXPECT_EQ(why_not_counted(book, "fused"), "3 elements of `out` are wrong.") << "what is wrong first";
  entry.checks.push_back({"blanks", Outcome::unsolved, "blank `fused` is empty", "", {}, {}, {}, {}});
  EXPECT_EQ(why_not_counted(book, "fused"), "blank `fused` is empty");
  EXPECT_EQ(why_empty(book), "fused: blank `fused` is empty.");
  book.report.compiler_messages = {"error"};
  EXPECT_NE(why_empty(book).find("does not compile"), std::string::npos);
  book.report.entries.clear();
  EXPECT_EQ(why_empty(book), "This report holds no entry of the puzzle.");
  book.origin = Origin::unseen;
  EXPECT_NE(why_empty(book).find("never graded"), std::string::npos);
}

TEST(Why, ReportsThatDoNotCompareAreNotComparedSilently) {
  Book book = sample();
  EXPECT_EQ(mismatch_text(book), "");
  book.other = sample_report(2);
  EXPECT_EQ(mismatch_text(book), "") << "the same puzzle and case";
  book.other->gpus[0].name = "another", book.other->gpus[0].full_name = "Another";
  EXPECT_NE(mismatch_text(book).find("two GPUs"), std::string::npos);
  for (EntryReport& entry : book.other->entries) entry.student->counted_case = "rows 1";
  EXPECT_NE(mismatch_text(book).find("two sizes"), std::string::npos);
  book.other->puzzle = "p04";
  EXPECT_NE(mismatch_text(book).find("two puzzles, p99 and p04"), std::string::npos);
}

}  // namespace
}  // namespace fusebox::view
