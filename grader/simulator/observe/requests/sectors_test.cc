#include "grader/simulator/observe/requests/sectors.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>
#include <string>

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kSectorBase = 0x7000'0000'0000;

struct Row {
  const char* name;
  std::uint32_t bytes;
  LaneMask lanes;
  std::function<std::uint64_t(std::uint64_t)> offset;  // of a lane, from an aligned base
  std::uint32_t sectors, lines, useful, ideal;
};

// GoogleTest prints the name alone.
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class SectorTable : public testing::TestWithParam<Row> {};

TEST_P(SectorTable, CountsAsWritten) {
  const Row& row = GetParam();
  std::uint64_t address[kWarpSize];
  for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
    // Lanes that are not in the mask hold nonsense, which must not count.
    address[lane] = (row.lanes >> lane) & 1 ? kSectorBase + row.offset(lane) : lane * 77;
  }
  const Footprint got = measure(address, row.lanes, row.bytes);
  EXPECT_EQ(got.sectors, row.sectors);
  EXPECT_EQ(got.lines, row.lines);
  EXPECT_EQ(got.useful_bytes, row.useful);
  EXPECT_EQ(got.ideal_sectors, row.ideal);
}

constexpr LaneMask kFull = 0xFFFFFFFF;

INSTANTIATE_TEST_SUITE_P(
    FullWarpAlignedBase, SectorTable,
    testing::Values(
        Row{"char", 1, kFull, [](auto i) { return i; }, 1, 1, 32, 1},
        Row{"half", 2, kFull, [](auto i) { return 2 * i; }, 2, 1, 64, 2},
        Row{"float", 4, kFull, [](auto i) { return 4 * i; }, 4, 1, 128, 4},
        Row{"double", 8, kFull, [](auto i) { return 8 * i; }, 8, 2, 256, 8},
        Row{"float4", 16, kFull, [](auto i) { return 16 * i; }, 16, 4, 512, 16},
        Row{"float8", 32, kFull, [](auto i) { return 32 * i; }, 32, 8, 1024, 32},
        Row{"broadcast", 4, kFull, [](auto) { return 64; }, 1, 1, 4, 1},
        Row{"broadcast of the last element of a sector", 4, kFull, [](auto) { return 28; }, 1, 1, 4, 1},
        Row{"float at base + 4", 4, kFull, [](auto i) { return 4 + 4 * i; }, 5, 2, 128, 4},
        Row{"float at base + 32", 4, kFull, [](auto i) { return 32 + 4 * i; }, 4, 2, 128, 4},
        Row{"stride 2", 4, kFull, [](auto i) { return 8 * i; }, 8, 2, 128, 4},
        Row{"stride 4", 4, kFull, [](auto i) { return 16 * i; }, 16, 4, 128, 4},
        Row{"stride 8", 4, kFull, [](auto i) { return 32 * i; }, 32, 8, 128, 4},
        Row{"stride 32", 4, kFull, [](auto i) { return 128 * i; }, 32, 32, 128, 4},
        Row{"column of a 1024-wide matrix", 4, kFull, [](auto i) { return 4096 * i; }, 32, 32, 128, 4},
        Row{"reversed", 4, kFull, [](auto i) { return 4 * (31 - i); }, 4, 1, 128, 4},
        Row{"bits reversed", 4, kFull, [](auto i) { return 4 * (i * 5 % 32); }, 4, 1, 128, 4},
        Row{"neighbours swapped", 4, kFull, [](auto i) { return 4 * (i ^ 1); }, 4, 1, 128, 4},
        Row{"pairs share", 4, kFull, [](auto i) { return 4 * (i / 2); }, 2, 1, 64, 2},
        Row{"two rows of 16, far apart", 4, kFull, [](auto i) { return 4 * (i % 16) + 4096 * (i / 16); }, 4,
            2, 128, 4},
        Row{"two halves read the same 16", 4, kFull, [](auto i) { return 4 * (i % 16); }, 2, 1, 64, 2},
        Row{"two broadcasts, falling", 4, kFull, [](auto i) { return i < 16 ? 4096 : 0; }, 2, 2, 8, 1},
        Row{"strided bytes", 1, kFull, [](auto i) { return 32 * i; }, 32, 8, 32, 1}));

INSTANTIATE_TEST_SUITE_P(
    PartOfAWarp, SectorTable,
    testing::Values(Row{"low 16 lanes", 4, 0x0000FFFF, [](auto i) { return 4 * i; }, 2, 1, 64, 2},
                    Row{"high 16 lanes", 4, 0xFFFF0000, [](auto i) { return 4 * i; }, 2, 1, 64, 2},
                    Row{"even lanes, unit index", 4, 0x55555555, [](auto i) { return 4 * i; }, 4, 1, 64, 2},
                    Row{"one lane", 4, 0x00000100, [](auto i) { return 4 * i; }, 1, 1, 4, 1},
                    Row{"first and last lane", 4, 0x80000001, [](auto i) { return 4 * i; }, 2, 1, 8, 1},
                    Row{"all but the last lane", 4, 0x7FFFFFFF, [](auto i) { return 4 * i; }, 4, 1, 124, 4}));

// Lanes that are not naturally aligned: hardware faults, yet the measure is a measure of bytes and stays
// exact.
INSTANTIATE_TEST_SUITE_P(
    AnyAddress, SectorTable,
    testing::Values(Row{"one float across sectors", 4, 1, [](auto) { return 30; }, 2, 1, 4, 1},
                    Row{"one float across lines", 4, 1, [](auto) { return 126; }, 2, 2, 4, 1},
                    Row{"overlapping floats", 4, kFull, [](auto i) { return i; }, 2, 1, 35, 2},
                    Row{"32 bytes across lines", 32, 1, [](auto) { return 112; }, 2, 2, 32, 1},
                    Row{"32 bytes across the middle of a line", 32, 1, [](auto) { return 48; }, 2, 1, 32, 1},
                    Row{"12 bytes each", 12, kFull, [](auto i) { return 12 * i; }, 12, 3, 384, 12}));

/// The definition, byte by byte.
struct Oracle {
  std::set<std::uint64_t> bytes, sectors, lines;
  Oracle(const std::uint64_t* address, LaneMask lanes, std::uint32_t width) {
    for (int lane = 0; lane < kWarpSize; ++lane) {
      for (std::uint32_t i = 0; (lanes >> lane) & 1 && i < width; ++i) {
        bytes.insert(address[lane] + i);
        sectors.insert((address[lane] + i) / 32);
        lines.insert((address[lane] + i) / 128);
      }
    }
  }
};

TEST(Sectors, AgreeWithTheDefinitionOnRandomPatterns) {
  std::mt19937_64 random(20);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (int trial = 0; trial < 12'000; ++trial) {
    const std::uint32_t width = 1u << below(6);
    const std::uint64_t grain = below(8) ? width : 1;  // mostly aligned
    const std::uint64_t span = std::uint64_t{1} << below(14);
    const std::uint64_t stride = below(80) * grain;
    const std::uint64_t base = kSectorBase + below(64) * grain;
    const std::uint64_t shape = below(7);
    std::uint64_t address[kWarpSize];
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
      switch (shape) {
        case 0:
          address[lane] = base + lane * width;
          break;
        case 1:
          address[lane] = base + lane * stride;
          break;
        case 2:
          address[lane] = base + (31 - lane) * stride;
          break;
        case 3:
          address[lane] = base + (lane / 8) * span * grain + lane % 8 * width;
          break;
        case 4:
          address[lane] = base + (lane ^ 5) * width;
          break;
        default:
          address[lane] = base + below(span) * grain;
      }
    }
    if (below(4) == 0) address[below(32)] += width;  // nearly regular
    LaneMask lanes = below(2) ? kFull : static_cast<LaneMask>(random());
    if (below(4) == 0) lanes = kFull >> below(32);
    if (lanes == 0) lanes = 1;

    const Footprint got = measure(address, lanes, width);
    const Oracle want(address, lanes, width);
    SCOPED_TRACE("trial " + std::to_string(trial) + " width " + std::to_string(width));
    ASSERT_EQ(got.sectors, want.sectors.size());
    ASSERT_EQ(got.lines, want.lines.size());
    ASSERT_EQ(got.useful_bytes, want.bytes.size());
    ASSERT_EQ(got.ideal_sectors, (want.bytes.size() + 31) / 32);
    ASSERT_EQ(got.begin, *want.bytes.begin());
    ASSERT_EQ(got.end, *want.bytes.rbegin() + 1);
    if (got.contiguous) {
      ASSERT_EQ(got.end - got.begin, want.bytes.size());
    }
  }
}

TEST(MostLanesOnOneAddress, CountsTheLargestCrowd) {
  std::uint64_t address[kWarpSize];
  const auto most = [&](LaneMask lanes, auto of_lane) {
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) address[lane] = of_lane(lane);
    return max_lanes_on_one_address(address, lanes);
  };
  EXPECT_EQ(most(kFull, [](auto) { return kSectorBase; }), 32u);
  EXPECT_EQ(most(kFull, [](auto i) { return kSectorBase + 4 * i; }), 1u);
  EXPECT_EQ(most(kFull, [](auto i) { return kSectorBase + 4 * (i % 8); }), 4u);
  EXPECT_EQ(most(kFull, [](auto i) { return kSectorBase + 4 * (i < 30 ? i : 31); }), 2u);
  EXPECT_EQ(most(0xFFFF0000, [](auto i) { return kSectorBase + (i < 16 ? 0 : 4 * (i / 8)); }), 8u);
  EXPECT_EQ(most(0x00000004, [](auto) { return kSectorBase; }), 1u);
}

}  // namespace
}  // namespace fusebox::sim
