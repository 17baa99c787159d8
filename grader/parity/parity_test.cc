#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "grader/parity/compare.h"
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

TEST(Parity, DifferentBytesAreNotKept) {
  ParityPair pair = pair_of(4000, 20e-6, 2'000'000);
  pair.hardware.same_bytes = false;
  EXPECT_FALSE(summarise({pair}).kept());
  pair.hardware.same_bytes.reset();  // not defined to the last bit
  EXPECT_TRUE(summarise({pair}).kept());
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
