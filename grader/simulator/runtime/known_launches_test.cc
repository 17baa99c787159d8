#include "grader/simulator/runtime/known_launches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "grader/simulator/small_gpu.h"

namespace fusebox::sim {
namespace {

constexpr double kLong = 100;  ///< seconds: always worth looking for

class KnownLaunchesTest : public testing::Test {
 protected:
  KnownLaunchesTest() {
    place("in", in_, std::byte{1});
    place("out", out_, std::byte{0});
  }
  void place(const char* name, DeviceAddress address, std::byte value) {
    ASSERT_TRUE(session_.place(name, address, kBytes, std::vector<std::byte>(kBytes, value)));
  }
  std::byte* at(DeviceAddress address) { return GlobalMemory::data(address); }
  void set(DeviceAddress address, std::uint8_t value) {
    session_.fill(address, value, kBytes);
    known_.disturb();
  }
  /// What a kernel would do; true: it was not needed.
  template <class Kernel>
  bool launch(const std::string& kind, Kernel kernel, double seconds = kLong, bool plain = true) {
    if (known_.repeat(kind)) return true;
    kernel();
    known_.keep(seconds, plain);
    return false;
  }
  void add() {
    for (std::uint64_t i = 0; i < kBytes; ++i)
      at(out_)[i] =
          static_cast<std::byte>(std::to_integer<int>(at(out_)[i]) + std::to_integer<int>(at(in_)[i]));
  }
  void copy() { session_.copy(out_, in_, kBytes); }

  static constexpr std::uint64_t kBytes = 600 << 10;  // three pieces
  Session session_{small_gpu(1), 1};
  const DeviceAddress in_ = session_.buffers().begin + (1 << 20), out_ = in_ + (1 << 20);
  KnownLaunches known_{session_};
};

TEST_F(KnownLaunchesTest, OneThatFindsWhatAnEarlierOneLeftIsKnownFromTheThirdOn) {
  const auto again = [&] { return launch("copy", [&] { copy(); }); };
  EXPECT_FALSE(again());  // nobody knows how long it takes
  EXPECT_FALSE(again());
  EXPECT_TRUE(again());
  EXPECT_TRUE(again());
  EXPECT_EQ(at(out_)[kBytes - 1], std::byte{1});
}

TEST_F(KnownLaunchesTest, OneThatFindsOtherMemoryIsCarriedOut) {
  const auto again = [&] { return launch("copy", [&] { copy(); }); };
  again();
  again();
  ASSERT_TRUE(again());
  at(in_)[kBytes - 1] = std::byte{7};
  known_.disturb();
  EXPECT_FALSE(again());
  EXPECT_EQ(at(out_)[kBytes - 1], std::byte{7});
  EXPECT_FALSE(again());  // it finds what it has left itself, for the first time
  EXPECT_TRUE(again());
  // Other arguments.
  EXPECT_FALSE(launch("copy something else", [] {}));
}

TEST_F(KnownLaunchesTest, WhatItChangedIsPutThereAgain) {
  for (int i = 0; i < 5; ++i) {
    set(out_, 40);
    EXPECT_EQ(launch("add", [&] { add(); }), i >= 2) << i;
    EXPECT_EQ(at(out_)[0], std::byte{41});
    EXPECT_EQ(at(out_)[kBytes - 1], std::byte{41});
  }
}

TEST_F(KnownLaunchesTest, WhatWasEverWrittenIsPartOfMemory) {
  const DeviceAddress fresh = out_ + (1 << 20);
  ASSERT_TRUE(session_.place("fresh", fresh, kBytes));
  const std::vector<std::byte> bytes(at(fresh), at(fresh) + kBytes);
  const auto again = [&] { return launch("define", [&] { session_.write(fresh, bytes.data(), kBytes); }); };
  again();
  again();
  ASSERT_TRUE(again());
  ASSERT_TRUE(session_.memory().free(fresh));
  session_.memory().forget(fresh);
  ASSERT_TRUE(session_.place("fresh", fresh, kBytes));
  known_.disturb();
  EXPECT_FALSE(again()) << "the same bytes, but nobody has written them";
  EXPECT_TRUE(session_.memory().defined(fresh, kBytes));
}

TEST_F(KnownLaunchesTest, OneThatDidMoreThanChangeMemoryIsNeverKnown) {
  for (int i = 0; i < 6; ++i)
    EXPECT_FALSE(launch(
        "prints", [&] { copy(); }, kLong, false));
}

TEST_F(KnownLaunchesTest, AShortOneIsNotLookedFor) {
  for (int i = 0; i < 6; ++i)
    EXPECT_FALSE(launch(
        "short", [&] { copy(); }, 1e-9));
}

TEST_F(KnownLaunchesTest, OneThatGoesOnAndThenComesToRestIsKnownThen) {
  for (int i = 0; i < 200; ++i) EXPECT_FALSE(launch("add", [&] { add(); }));
  EXPECT_EQ(at(out_)[0], std::byte{200});
  EXPECT_FALSE(launch("add", [] {}));
  EXPECT_TRUE(launch("add", [] {}));
}

TEST_F(KnownLaunchesTest, TwoThatTakeTurnsAreBothKnown) {
  int known = 0;
  for (int i = 0; i < 10; ++i) {
    known += launch("zero", [&] { session_.fill(out_, 0, kBytes); });
    known += launch("add", [&] { add(); });
    EXPECT_EQ(at(out_)[5], std::byte{1});
  }
  EXPECT_GE(known, 14);
}

TEST(MemoryImage, TellsEveryBitAndEveryPlace) {
  Session session(small_gpu(1), 2);
  const DeviceAddress begin = session.buffers().begin + 4096;
  constexpr std::uint64_t kBytes = 1 << 20;
  ASSERT_TRUE(session.place_zeros("buffer", begin, kBytes));
  const auto hash = [&] { return MemoryImage::of(session.memory(), 2).hash(); };
  const std::uint64_t before = hash();
  EXPECT_EQ(hash(), before);
  std::vector<std::uint64_t> seen{before};
  for (std::uint64_t place = 0; place < kBytes; place = place * 3 + 1)
    for (int bit = 0; bit < 8; ++bit) {
      std::byte& byte = *GlobalMemory::data(begin + place);
      byte ^= std::byte{1} << bit;
      seen.push_back(hash());
      byte ^= std::byte{1} << bit;
    }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
  EXPECT_EQ(hash(), before);
  // What makes a factor 0 hides nothing beside it.
  constexpr std::uint64_t kFactor = 0xd6e8feb86659fd93ull;
  std::memcpy(GlobalMemory::data(begin + 8), &kFactor, sizeof kFactor);
  const std::uint64_t beside = hash();
  *GlobalMemory::data(begin) = std::byte{1};
  EXPECT_NE(hash(), beside);
}

}  // namespace
}  // namespace fusebox::sim
