#include "grader/simulator/observe/modelled/l2/l2_halves.h"

#include <gtest/gtest.h>

#include <bit>

namespace fusebox::sim {
namespace {

// Megabytes, of 10^6 bytes, that the model has of what an H200's L2 was asked by `bench/pipes/l2_keeps.cu`,
// with what that GPU said.
constexpr double kWithin = 0.1;
constexpr std::uint64_t kL2 = 62'914'560, kLine = 128, kMegabyte = 1 << 20;
constexpr std::uint64_t kHere = 1 << 24, kThere = 1 << 26;  // lines

struct Traffic {
  L2Halves l2{kL2, true};
  double read_megabytes = 0, written_megabytes = 0;

  void count(const L2Halves::Effect& effect) {
    read_megabytes += 32e-6 * std::popcount(effect.missed);
    for (const SectorCache::CastOut& line : effect.cast_out()) {
      read_megabytes += 32e-6 * std::popcount(line.filled);
      written_megabytes += 32e-6 * std::popcount(line.dirty);
    }
  }
  void read(std::uint64_t line, unsigned half) { count(l2.read(line, 0xf, half, nullptr)); }
  void write(std::uint64_t line, unsigned half) { count(l2.write(line, 0xf, ~0u, half, nullptr)); }
  /// Reads as many bytes twice, and returns how much is missing the second time.
  double missing_again(std::uint64_t bytes, bool by_both) {
    for (int time = 0; time < 2; ++time) {
      read_megabytes = 0;
      for (std::uint64_t line = 0; line < bytes / kLine; ++line) {
        read(kHere + line, line / 64 % 2);
        if (by_both) read(kHere + line, 1 - line / 64 % 2);
      }
    }
    return read_megabytes;
  }
};

TEST(L2Halves, WhatBothReadHasTwoPlacesAndWhatOneReadsOneAndAHalf) {
  struct Row {
    std::uint64_t megabytes;
    bool by_both;
    double missing, of_h200;
  };
  const Row rows[] = {{31, false, 0.06, 0.3}, {38, false, 3.03, 5.9}, {50, false, 46.18, 49.5},
                      {25, true, 0, 0},       {31, true, 10.88, 7},   {38, true, 39.85, 38.5}};
  for (const Row& row : rows) {
    Traffic traffic;
    EXPECT_NEAR(traffic.missing_again(row.megabytes * kMegabyte, row.by_both), row.missing, kWithin)
        << row.megabytes << " MB by " << (row.by_both ? "both" : "one") << "; " << row.of_h200
        << " on an H200";
  }
}

/// Where a tensor begins is as much its luck as a GPU's: the mean of some places.
template <class F>
double mean_written(F write_at) {
  constexpr unsigned kPlaces = 3;
  double sum = 0;
  for (unsigned place = 0; place < kPlaces; ++place) {
    Traffic traffic;
    write_at(traffic, kThere + place * std::uint64_t{7 << 14});
    sum += traffic.written_megabytes / kPlaces;
  }
  return sum;
}

double written_of_triangles(std::uint64_t squares) {
  return mean_written([&](Traffic& traffic, std::uint64_t at) {
    for (std::uint64_t row = 0; row < squares * 1024; ++row)
      for (std::uint64_t i = 0; i <= row % 1024 / 32; ++i) traffic.write(at + row * 32 + i, row % 2);
  });
}

double written_behind_one_another(std::uint64_t megabytes, std::uint64_t every) {
  return mean_written([&](Traffic& traffic, std::uint64_t at) {
    for (std::uint64_t line = 0; line < megabytes * kMegabyte / kLine; ++line)
      traffic.write(at + line * every, line / 64 % 2);
  });
}

TEST(L2Halves, WhatIsWrittenWaitsAndOfRowsThatAreNotFullLess) {
  EXPECT_NEAR(written_behind_one_another(25, 1), 0.58, kWithin) << "0.1 on an H200";
  EXPECT_NEAR(written_behind_one_another(38, 1), 10.50, kWithin) << "10.2 on an H200";
  // Of every second line as much.
  EXPECT_NEAR(written_behind_one_another(20, 2), 0, kWithin) << "0 on an H200";
  EXPECT_NEAR(written_behind_one_another(40, 2), 12.61, kWithin) << "12.4 on an H200";
  EXPECT_NEAR(written_of_triangles(10), 0.80, kWithin) << "0.4 on an H200";
  EXPECT_NEAR(written_of_triangles(12), 2.35, kWithin) << "1.6 on an H200";
  EXPECT_NEAR(written_of_triangles(16), 7.54, kWithin) << "7.0 on an H200";
}

TEST(L2Halves, WhatAllReadAgainAndAgainPushesOutWhatWasWritten) {
  const auto written_beside = [](std::uint64_t megabytes) {
    return mean_written([&](Traffic& traffic, std::uint64_t at) {
      const std::uint64_t pieces = megabytes * kMegabyte / 2048;
      for (std::uint64_t row = 0; row < std::uint64_t{12} * 1024; ++row) {
        for (std::uint64_t p = 0; p < 8; ++p)
          for (std::uint64_t i = 0; i < 16; ++i)
            traffic.read(kHere + (row * 977 + p * 331) % pieces * 16 + i, row % 2);
        for (std::uint64_t i = 0; i < 16; ++i) traffic.write(at + row * 16 + i, row % 2);
      }
    });
  };
  EXPECT_NEAR(written_beside(6), 0.33, kWithin) << "0.2 to 0.45 on an H200";
  EXPECT_NEAR(written_beside(12), 1.99, kWithin) << "2.7 on an H200";
  EXPECT_NEAR(written_beside(18), 8.09, kWithin) << "9.7 on an H200";
}

TEST(L2Halves, InOnePieceALineHasOnePlace) {
  L2Halves l2(kL2, false);
  std::uint64_t missed = 0;
  for (int time = 0; time < 2; ++time) {
    missed = 0;
    for (std::uint64_t line = 0; line < 54 * kMegabyte / kLine; ++line)
      for (const unsigned half : {0u, 1u}) missed += l2.read(kHere + line, 1, half, nullptr).missed;
  }
  EXPECT_EQ(missed, 0u);
}

}  // namespace
}  // namespace fusebox::sim
