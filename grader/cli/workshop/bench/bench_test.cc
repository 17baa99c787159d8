#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/cli/workshop/bench/bench_table.h"

namespace fusebox {
namespace {

using testing::HasSubstr;
using testing::Not;

BenchTable example() {
  BenchTable table;
  table.puzzle = "p04";
  table.title = "Bias and GELU";
  table.sizes = "M 8192, N 4096";
  table.min_bytes = 268'451'840;
  table.gpu = "NVIDIA H200";
  table.driver = "580.159.04";
  table.cuda = "13.0";
  table.sheet_bytes_per_second = 4.9e12;
  table.samples = 15;
  table.sets = 4;
  table.step_source = "events";
  BenchRow fused, unfused, broken;
  fused.label = unfused.label = broken.label = "reference";
  fused.entry = "fused";
  fused.seconds = Spread{65.5e-6, 65.25e-6, 66e-6};
  fused.cold_seconds = Spread{67e-6, 66e-6, 68e-6};
  fused.bytes_per_second = 4.098e12;
  fused.share_of_copy = 0.9876;
  fused.over_unfused = 1.94;
  unfused.entry = "unfused";
  unfused.seconds = Spread{127e-6, 126e-6, 128e-6};
  unfused.steps = {{"bias_kernel", 60e-6, 1e-6, {}}, {"gelu_kernel", 65e-6, std::nullopt, {}}};
  broken.label = "you";
  broken.entry = "fused";
  broken.problem = "not timed, because it is wrong: 3 elements";
  table.rows = {unfused, fused, broken};
  return table;
}

TEST(Bench, TheTableHasWhatAReaderNeeds) {
  const std::string text = render_bench(example(), Style{});
  for (const char* part :
       {"reference, fused", "65.50", "65.25–66.00", "67.00", "4098", "0.988", "1.94x",
        "bias_kernel 60.00 us, gap 1.00, gelu_kernel 65.00 us", "NVIDIA H200", "580.159.04",
        "you, fused: not timed, because it is wrong: 3 elements", "268.5 MB"})
    EXPECT_THAT(text, HasSubstr(part));
}

BenchTable counted_example() {
  BenchTable table = example();
  auto& counters = table.rows[0].steps[1].counters;
  counters.assign(hardware_counters().size(), 1000.0);
  counters[1] = 134.2e6;       // DRAM read
  counters[2] = std::nullopt;  // DRAM written
  counters[3] = 0.93;          // DRAM busy
  return table;
}

TEST(Bench, HardwareCountersAreATableOfTheirOwn) {
  EXPECT_THAT(render_bench(example(), Style{}), Not(HasSubstr("counted by the hardware")));
  const std::string text = render_bench(counted_example(), Style{});
  for (const char* part :
       {"counted by the hardware", "DRAM read", "reference, unfused: gelu_kernel", "128 MiB", "n/a", "93"})
    EXPECT_THAT(text, HasSubstr(part));
  BenchTable refused = example();
  refused.counters_problem = "this machine keeps hardware counters for administrators";
  EXPECT_THAT(render_bench(refused, Style{}),
              HasSubstr("no hardware counters: this machine keeps hardware counters for administrators"));
}

TEST(Bench, RecordsFromBeforeTheCountersCanBeRead) {
  std::string text = bench_to_json({{example()}});
  for (const std::string line : {"\"counters\": [],", "\"counters_problem\": \"\","})
    for (std::size_t at; (at = text.find(line)) != std::string::npos;) text.erase(at, line.size());
  ASSERT_THAT(text, Not(HasSubstr("counters")));
  const auto back = bench_from_json(text);
  ASSERT_TRUE(back.ok()) << back.error().what;
  EXPECT_EQ(render_bench(back->tables[0], Style{}), render_bench(example(), Style{}));
}

TEST(Bench, JsonComesBackWhole) {
  BenchRecord record{{example()}};
  record.tables[0].date = "2026-11-21", record.tables[0].command = "grader bench all";
  const auto back = bench_from_json(bench_to_json(record));
  ASSERT_TRUE(back.ok()) << back.error().what;
  EXPECT_EQ(bench_to_json(*back), bench_to_json(record));
  EXPECT_EQ(back->tables[0].date + back->tables[0].command, "2026-11-21grader bench all");
  EXPECT_EQ(render_bench(back->tables[0], Style{}), render_bench(example(), Style{}));
  EXPECT_FALSE(back->tables[0].rows[0].cold_seconds);
  const BenchRecord counted{{counted_example()}};
  const auto again = bench_from_json(bench_to_json(counted));
  ASSERT_TRUE(again.ok()) << again.error().what;
  EXPECT_EQ(bench_to_json(*again), bench_to_json(counted));
}

TEST(Bench, OtherJsonIsRefused) {
  for (const char* text :
       {"", "[]", "{}", R"({"schema": 2, "tables": 7})", R"({"schema": 99, "tables": []})"}) {
    const auto record = bench_from_json(text);
    ASSERT_FALSE(record.ok()) << text;
    EXPECT_EQ(exit_code(record.error().kind), 3);
  }
}

TEST(Bench, SpreadsAreTheMiddleThreeFifths) {
  const auto spread = spread_of({5, 1, 4, 2, 3, 6});
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->median, 4);
  EXPECT_EQ(spread->p20, 2);
  EXPECT_EQ(spread->p80, 5);
  EXPECT_FALSE(spread_of({}));
}

TEST(Bench, BlockSizesReplaceTheConstant) {
  const std::string source = "// kThreads = 1\nconstexpr int kThreads = 256;  // of a block\nint x;\n";
  EXPECT_EQ(with_block_size(source, 64),
            "// kThreads = 1\nconstexpr int kThreads = 64;  // of a block\nint x;\n");
  EXPECT_FALSE(with_block_size("int kThreads = 3;", 64));
  EXPECT_EQ(with_block_size("\n[[maybe_unused]] constexpr int kThreads = 256;", 64),
            "\n[[maybe_unused]] constexpr int kThreads = 64;");
}

}  // namespace
}  // namespace fusebox
