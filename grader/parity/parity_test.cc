#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "grader/parity/compare.h"
#include "grader/parity/full_rows.h"
#include "grader/parity/rows.h"

namespace fusebox {
namespace {

using ::testing::HasSubstr;

ParityPair pair_of(std::uint64_t sectors, double modelled_seconds, std::uint64_t modelled_bytes) {
  ParityPair pair;
  pair.hardware.load_requests = 1000;
  pair.hardware.load_sectors = 4000;
  pair.hardware.dram_read_bytes = 2'000'000;
  pair.hardware.seconds = 20e-6;
  pair.hardware.same_bytes = true;
  pair.simulated.counters.global_load.requests = 1000;
  pair.simulated.counters.global_load.sectors = sectors;
  pair.simulated.counters.compulsory_read_bytes = sectors * 32;
  pair.simulated.model.emplace();
  pair.simulated.model->seconds = modelled_seconds;
  pair.simulated.model->dram_read_bytes = modelled_bytes;
  return pair;
}

TEST(Parity, RowsAreManyAndEachHasItsName) {
  std::set<std::string> names;
  for (const ParityRow& row : parity_rows()) {
    EXPECT_TRUE(names.insert(row.name()).second) << row.name();
    EXPECT_LE(row.block.count(), 1024u);
    EXPECT_GT(row.out_bytes, 0u);
  }
  EXPECT_GE(names.size(), 60u);
}

TEST(Parity, OneSectorMoreIsADifference) {
  EXPECT_TRUE(summarise({pair_of(4000, 20e-6, 2'000'000)}).kept());
  EXPECT_FALSE(summarise({pair_of(4001, 20e-6, 2'000'000)}).kept());
}

TEST(Parity, DramHasFivePercentAndTimeTwentyFive) {
  EXPECT_TRUE(summarise({pair_of(4000, 24.9e-6, 2'099'000)}).kept());
  EXPECT_FALSE(summarise({pair_of(4000, 20e-6, 2'101'000)}).kept());
  EXPECT_FALSE(summarise({pair_of(4000, 25.1e-6, 2'000'000)}).kept());
  // Of five, one may be further off.
  std::vector<ParityPair> pairs(4, pair_of(4000, 20e-6, 2'000'000));
  pairs.push_back(pair_of(4000, 90e-6, 2'000'000));
  EXPECT_TRUE(summarise(pairs).kept());
  EXPECT_THAT(render_parity({}, pairs), HasSubstr("4 of the 5 over 10 µs"));
}

// The promised bounds hold for the launches that the constants were fitted to; the others have their own
// line.
TEST(Parity, LaunchesThatTheFitHadNotSeenAreCountedApart) {
  std::vector<ParityPair> pairs{pair_of(4000, 20e-6, 2'000'000), pair_of(4000, 90e-6, 2'000'000)};
  EXPECT_FALSE(summarise(pairs).kept());
  for (const char* fitted : {"p20 fused", "p29", "copy 32", "p"}) {
    pairs.back().hardware.row = fitted;
    EXPECT_FALSE(summarise(pairs).kept()) << fitted;
  }
  pairs.back().hardware.row = "p21";
  EXPECT_TRUE(summarise(pairs).kept());
  EXPECT_THAT(render_parity({}, pairs), HasSubstr("1 of the 1 over 10 µs, and 0 of the 1 that the fit"));
  pairs.back().hardware.load_requests += 1;
  EXPECT_FALSE(summarise(pairs).kept());
}

TEST(Parity, DifferentBytesAreNotKept) {
  ParityPair pair = pair_of(4000, 20e-6, 2'000'000);
  pair.hardware.same_bytes = false;
  EXPECT_FALSE(summarise({pair}).kept());
  pair.hardware.same_bytes.reset();  // not defined to the last bit
  EXPECT_TRUE(summarise({pair}).kept());
}

FullRow full_row(double modelled_bytes, double modelled_seconds, double recorded_seconds) {
  return {"p98",          "N 8", "reference",      "kernel",        "DRAM",
          modelled_bytes, 100e6, modelled_seconds, recorded_seconds};
}

TEST(Parity, AtFullSizeDramHasFivePercentAndTimeFifteen) {
  const FullSummary kept = summarise({full_row(104.9e6, 114e-6, 100e-6), full_row(95.1e6, 86e-6, 100e-6)});
  EXPECT_EQ(kept.bytes_near, 2u);
  EXPECT_EQ(kept.time_near, 2u);
  EXPECT_EQ(kept.pairs, 0u);  // they take the same
  const FullSummary off = summarise({full_row(105.1e6, 116e-6, 100e-6), full_row(94.9e6, 84e-6, 100e-6)});
  EXPECT_EQ(off.bytes_near, 0u);
  EXPECT_EQ(off.time_near, 0u);
}

TEST(Parity, AtFullSizePairsOfOneShapeHaveAnOrder) {
  std::vector<FullRow> rows = {full_row(100e6, 10e-6, 10e-6), full_row(100e6, 9e-6, 12e-6)};
  EXPECT_EQ(summarise(rows).pairs, 1u);
  EXPECT_EQ(summarise(rows).ordered, 0u);
  rows[1].modelled_seconds = 11e-6;
  EXPECT_EQ(summarise(rows).ordered, 1u);
  rows[1].sizes = "N 9";
  EXPECT_EQ(summarise(rows).pairs, 0u);
  rows[1].problem = "not recorded";
  EXPECT_EQ(summarise(rows).rows, 1u);
  rows[1].held_out = true;
  EXPECT_THAT(render_full_rows(rows), HasSubstr("Held out:"));
  EXPECT_THAT(render_full_rows(rows), HasSubstr("| n/a | | n/a | | not recorded |"));
}

TEST(Parity, ReadsWhatNsightComputeWrites) {
  std::string head = "\"ID\",\"Kernel Name\"", units = "\"\",\"\"",
              row = "\"0\",\"copy(const float *, int)\"";
  std::string list = hardware_metrics() + ",";
  for (std::size_t at; (at = list.find(',')) != std::string::npos; list.erase(0, at + 1)) {
    const std::string name = list.substr(0, at);
    head += ",\"" + name + "\"";
    units += name == "gpu__time_duration.sum" ? ",\"us\"" : ",\"\"";
    row += name == "gpu__time_duration.sum" ? ",\"3.50\"" : ",\"1,234\"";
  }
  const auto launches = parse_ncu_table("==PROF== Connected\n" + head + "\n" + units + "\n" + row + "\n");
  ASSERT_TRUE(launches) << launches.error().what;
  ASSERT_EQ(launches->size(), 1u);
  EXPECT_EQ(launches->front().kernel, "copy");
  EXPECT_EQ(launches->front().store_sectors, 1234u);
  EXPECT_DOUBLE_EQ(launches->front().seconds, 3.5e-6);
  EXPECT_FALSE(parse_ncu_table("==ERROR== no permission\n"));
  EXPECT_FALSE(parse_ncu_table(head + "\n" + units + "\n\"0\"\n"));
}

}  // namespace
}  // namespace fusebox
