// The rules for wide shared accesses and for atomics against what an H200's counters said of each pattern of
// addresses (bench/patterns/record.sh made the table).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "grader/simulator/observe/requests/banks.h"
#include "grader/simulator/observe/requests/sectors.h"

namespace fusebox::sim {
namespace {

struct Pattern {
  std::string instruction, name;
  std::uint32_t bytes = 0, count = 0;
  std::uint64_t address[kWarpSize] = {};
  LaneMask lanes = 0;
};

std::vector<Pattern> read_patterns() {
  std::ifstream in(FUSEBOX_SOURCE_DIR "/assets/recorded/parity/patterns_h200.csv");
  std::vector<Pattern> patterns;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string bytes, offsets, count;
    Pattern p;
    std::getline(std::getline(fields, p.instruction, ','), p.name, ',');
    std::getline(std::getline(std::getline(fields, bytes, ','), offsets, ','), count, ',');
    p.bytes = static_cast<std::uint32_t>(std::stoul(bytes));
    p.count = static_cast<std::uint32_t>(std::stoul(count));
    std::istringstream each(offsets);
    for (int lane = 0; lane < kWarpSize; ++lane) {
      std::int64_t offset = -1;
      each >> offset;
      if (offset < 0) continue;
      p.address[lane] = static_cast<std::uint64_t>(offset);
      p.lanes |= LaneMask{1} << lane;
    }
    patterns.push_back(p);
  }
  return patterns;
}

std::uint32_t ours(const Pattern& p) {
  const bool load = p.instruction.starts_with("lds"), store = p.instruction.starts_with("sts");
  if (!load && !store) return atomic_sectors(p.address, p.lanes);
  return count_wavefronts(p.address, p.lanes, p.bytes, load ? AccessKind::load : AccessKind::store)
      .wavefronts;
}

TEST(HardwareRules, SharedWavefrontsAndAtomicSectorsAreThoseOfTheCounters) {
  const std::vector<Pattern> patterns = read_patterns();
  ASSERT_GE(patterns.size(), 600u);
  std::set<std::string> instructions;
  std::vector<std::string> different;
  for (const Pattern& p : patterns) {
    instructions.insert(p.instruction);
    if (ours(p) != p.count)
      different.push_back(p.instruction + ", " + p.name + ": " + std::to_string(ours(p)) + ", not " +
                          std::to_string(p.count));
  }
  EXPECT_GE(instructions.size(), 15u);
  // The hardware takes one more where a few lanes of a wide load lie far apart, and for some atomics that
  // touch more than a dozen lines; nothing simple says when.
  EXPECT_THAT(
      different,
      testing::ElementsAre("lds128, some of 32 #8: 4, not 5", "lds128, some of 64 #11: 4, not 5",
                           "red64, random of 512 #16: 30, not 31", "atom64, random of 512 #16: 30, not 31"));
}

}  // namespace
}  // namespace fusebox::sim
