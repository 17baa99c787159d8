#include "grader/simulator/observe/requests/banks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>

#include "grader/simulator/observe/requests/lanes.h"

namespace fusebox::sim {
namespace {

struct BankRow {
  const char* name;
  std::uint32_t bytes;
  LaneMask lanes;
  std::function<std::uint64_t(std::uint64_t)> offset;
  std::uint32_t wavefronts, conflicts;
  AccessKind kind = AccessKind::load;
};

void PrintTo(const BankRow& row, std::ostream* out) { *out << row.name; }

class BankTable : public testing::TestWithParam<BankRow> {};

TEST_P(BankTable, CountsAsWritten) {
  const BankRow& row = GetParam();
  std::uint64_t address[kWarpSize];
  for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
    address[lane] = (row.lanes >> lane) & 1 ? 1024 + row.offset(lane) : lane * 128;
  }
  const Wavefronts got = count_wavefronts(address, row.lanes, row.bytes, row.kind);
  EXPECT_EQ(got.wavefronts, row.wavefronts);
  EXPECT_EQ(got.conflicts(), row.conflicts);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, BankTable,
    testing::Values(
        BankRow{"float, unit", 4, kAllLanes, [](auto i) { return 4 * i; }, 1, 0},
        BankRow{"float, unit, not from bank 0", 4, kAllLanes, [](auto i) { return 20 + 4 * i; }, 1, 0},
        BankRow{"float, permuted", 4, kAllLanes, [](auto i) { return 4 * (i ^ 13); }, 1, 0},
        BankRow{"float, stride 2", 4, kAllLanes, [](auto i) { return 8 * i; }, 2, 1},
        BankRow{"float, stride 3", 4, kAllLanes, [](auto i) { return 12 * i; }, 1, 0},
        BankRow{"float, stride 8", 4, kAllLanes, [](auto i) { return 32 * i; }, 8, 7},
        BankRow{"float, stride 32: column 0 of tile[32][32]", 4, kAllLanes, [](auto i) { return 128 * i; },
                32, 31},
        BankRow{"float, stride 32, column 31", 4, kAllLanes, [](auto i) { return 128 * i + 124; }, 32, 31},
        BankRow{"float, stride 33: column 31 of tile[32][33]", 4, kAllLanes,
                [](auto i) { return 132 * i + 124; }, 1, 0},
        BankRow{"float, stride 64", 4, kAllLanes, [](auto i) { return 256 * i; }, 32, 31},
        BankRow{"broadcast", 4, kAllLanes, [](auto) { return 40; }, 1, 0},
        BankRow{"two words of one bank", 4, kAllLanes, [](auto i) { return i % 2 * 128; }, 2, 1},
        BankRow{"two halves read the same 16 words", 4, kAllLanes, [](auto i) { return i % 16 * 4; }, 1, 0},
        BankRow{"two halves read one word each, other banks", 4, kAllLanes, [](auto i) { return i / 16 * 4; },
                1, 0},
        BankRow{"two halves read one word each, same bank", 4, kAllLanes, [](auto i) { return i / 16 * 128; },
                2, 1},
        BankRow{"char, unit", 1, kAllLanes, [](auto i) { return i; }, 1, 0},
        BankRow{"char, 4 bytes apart", 1, kAllLanes, [](auto i) { return 4 * i + 3; }, 1, 0},
        BankRow{"char, 128 bytes apart", 1, kAllLanes, [](auto i) { return 128 * i; }, 32, 31},
        BankRow{"half, unit", 2, kAllLanes, [](auto i) { return 2 * i; }, 1, 0},
        BankRow{"double, unit", 8, kAllLanes, [](auto i) { return 8 * i; }, 2, 0},
        BankRow{"double, stride 2", 8, kAllLanes, [](auto i) { return 16 * i; }, 4, 2},
        BankRow{"double, stride 16", 8, kAllLanes, [](auto i) { return 128 * i; }, 32, 30},
        BankRow{"double, stride 17", 8, kAllLanes, [](auto i) { return 136 * i; }, 2, 0},
        BankRow{"double, broadcast", 8, kAllLanes, [](auto) { return 8; }, 1, 0},
        BankRow{"double, broadcast, stored", 8, kAllLanes, [](auto) { return 8; }, 2, 0, AccessKind::store},
        BankRow{"double, pairs of lanes share", 8, kAllLanes, [](auto i) { return i / 2 * 8; }, 1, 0},
        BankRow{"double, every other lane shares", 8, kAllLanes, [](auto i) { return i % 2 * 8; }, 1, 0},
        BankRow{"double, every fourth lane shares", 8, kAllLanes, [](auto i) { return i % 4 * 8; }, 2, 0},
        BankRow{"float4, unit", 16, kAllLanes, [](auto i) { return 16 * i; }, 4, 0},
        BankRow{"float4, stride 2", 16, kAllLanes, [](auto i) { return 32 * i; }, 8, 4},
        BankRow{"float4, stride 8", 16, kAllLanes, [](auto i) { return 128 * i; }, 32, 28},
        BankRow{"float4, broadcast", 16, kAllLanes, [](auto) { return 0; }, 2, 0},
        BankRow{"float4, broadcast, stored", 16, kAllLanes, [](auto) { return 0; }, 4, 0, AccessKind::store},
        BankRow{"float4, half a warp each", 16, kAllLanes, [](auto i) { return i / 16 * 16; }, 2, 0}));

INSTANTIATE_TEST_SUITE_P(
    PartOfAWarp, BankTable,
    testing::Values(BankRow{"one lane", 4, 0x10, [](auto i) { return 4 * i; }, 1, 0},
                    BankRow{"low half, stride 2: no two in a bank", 4, 0x0000FFFF,
                            [](auto i) { return 8 * i; }, 1, 0},
                    BankRow{"double, low half only", 8, 0x0000FFFF, [](auto i) { return 8 * i; }, 1, 0},
                    BankRow{"double, a lane of each half", 8, 0x80000001, [](auto i) { return 8 * i; }, 1, 0},
                    BankRow{"double, even lanes", 8, 0x55555555, [](auto i) { return 8 * i; }, 2, 1},
                    BankRow{"float4, first group only", 16, 0x000000FF, [](auto i) { return 16 * i; }, 1, 0},
                    BankRow{"float4, three groups", 16, 0x00FF01F1, [](auto i) { return 16 * i; }, 3, 0},
                    BankRow{"unit with a hole and a stray", 4, 0xF0FFFFFF,
                            [](auto i) { return i == 31 ? 128 : 4 * i; }, 2, 1}));

/// Lanes [first, first + lanes_served) at once: the most words of a bank, and all words.
std::pair<std::size_t, std::size_t> serve(const std::uint64_t* address, LaneMask lanes, std::uint32_t width,
                                          int first, int lanes_served) {
  std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
  for (int lane = first; lane < first + lanes_served; ++lane)
    for (std::uint32_t i = 0; (lanes >> lane) & 1 && i < width; ++i) {
      const std::uint64_t word = (address[lane] + i) / 4;
      words_of_bank[word % 32].insert(word);
    }
  std::size_t most = 0, all = 0;
  for (const auto& [bank, words] : words_of_bank) most = std::max(most, words.size()), all += words.size();
  return {most, all};
}

Wavefronts definition(const std::uint64_t* address, LaneMask lanes, std::uint32_t width, AccessKind kind) {
  const int group = width == 16 ? 8 : width == 8 ? 16 : 32;
  const auto same = [&](int lane, int other) {
    return !(lanes >> lane & 1) || !(lanes >> other & 1) || address[lane] == address[other];
  };
  Wavefronts result;
  for (int first = 0; first < kWarpSize; first += group) {
    bool by_one = first % (2 * group) == 0 && kind == AccessKind::load && group < 32, by_two = by_one;
    for (int lane = first; lane < first + 2 * group && lane < kWarpSize; ++lane) {
      by_one = by_one && same(lane, lane ^ 1);
      by_two = by_two && same(lane, lane ^ 2);
    }
    const bool together = by_one || by_two;
    const auto [most, all] = serve(address, lanes, width, first, together ? 2 * group : group);
    result.wavefronts += most;
    result.ideal += together ? (all + 31) / 32 : all != 0;
    if (together) first += group;
  }
  return result;
}

TEST(Banks, RowsOfMatricesAreNotReadInPairs) {
  std::uint64_t address[kWarpSize];
  for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) address[lane] = lane / 2 * 16;
  WarpAccess access;
  access.space = Space::shared;
  access.bytes = 16;
  access.lanes = kAllLanes;
  access.address = address;
  EXPECT_EQ(count_wavefronts(access).wavefronts, 2u);
  access.path = AccessPath::matrices;
  EXPECT_EQ(count_wavefronts(access).wavefronts, 4u);
}

TEST(Banks, AgreeWithTheDefinitionOnRandomPatterns) {
  std::mt19937_64 random(8);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (int trial = 0; trial < 40'000; ++trial) {
    const std::uint32_t width = 1u << below(5);
    const std::uint64_t span = std::uint64_t{1} << below(12);
    const std::uint64_t stride = below(100) * width;
    const std::uint64_t base = below(64) * width + 200 * 128 * width;
    const std::uint64_t shape = below(8);
    const AccessKind kind = below(3) ? AccessKind::load : AccessKind::store;
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
          address[lane] = base - lane * stride;
          break;
        case 3:
          address[lane] = base + lane / 16 * stride + lane % 16 * width;
          break;
        case 4:
          address[lane] = base + lane / 2 * stride;
          break;
        case 5:
          address[lane] = base + lane / 4 * stride + lane % 2 * width;
          break;
        default:
          address[lane] = base + below(span) * width;
      }
    }
    if (below(4) == 0) address[below(32)] += width;
    LaneMask lanes = below(2) ? kAllLanes : static_cast<LaneMask>(random());
    if (below(4) == 0) lanes = kAllLanes >> below(32);
    if (lanes == 0) lanes = 1;
    const Wavefronts got = count_wavefronts(address, lanes, width, kind),
                     want = definition(address, lanes, width, kind);
    ASSERT_EQ(got.wavefronts, want.wavefronts)
        << "trial " << trial << " width " << width << " shape " << shape;
    ASSERT_EQ(got.ideal, want.ideal) << "trial " << trial;
  }
}

}  // namespace
}  // namespace fusebox::sim
