#include "grader/toolchain/cache/cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace fusebox {
namespace {

namespace fs = std::filesystem;

class CacheTest : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder_); }

  Result<CacheEntry> put(Cache& cache, const std::string& key, const std::string& contents) {
    const auto workspace = cache.make_workspace();
    if (!workspace) return workspace.error();
    write_file(workspace->folder() / "made.so", contents);
    return cache.store(key, workspace.value(), workspace->folder() / "made.so", "{\"key\":\"" + key + "\"}");
  }

  fs::path folder_ = fs::temp_directory_path() / ("fusebox_cache_" + std::to_string(getpid()));
};

TEST_F(CacheTest, KeepsWhatIsStored) {
  Cache cache(folder_);
  EXPECT_FALSE(cache.find("a").has_value());
  ASSERT_TRUE(put(cache, "a", "bytes").ok());
  const auto entry = cache.find("a");
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->facts, "{\"key\":\"a\"}");
  EXPECT_EQ(entry->library_bytes.size(), 5u);
  EXPECT_EQ(read_file(entry->library).value(), "bytes");
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << "workspaces go away by themselves";
}

TEST_F(CacheTest, DamagedEntriesCountAsNone) {
  const auto cut = [](std::string s) { return s.substr(0, s.size() / 2); };
  const auto flip = [](std::string s) { return s[s.size() - 3] ^= 1, s; };
  const auto nothing = [](std::string) { return std::string(); };
  const struct {
    const char* what;
    const char* file;
    std::function<std::string(std::string)> damage;
  } cases[] = {{"library cut off", "library.so", cut},       {"one bit of the library", "library.so", flip},
               {"empty library", "library.so", nothing},     {"facts cut off", "facts.json", cut},
               {"one bit of the facts", "facts.json", flip}, {"empty facts", "facts.json", nothing}};
  Cache cache(folder_);
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    ASSERT_TRUE(put(cache, "a", "some bytes").ok());
    ASSERT_TRUE(cache.find("a").has_value());
    const fs::path file = folder_ / "artifacts/a" / c.file;
    write_file(file, c.damage(read_file(file).value()));
    EXPECT_FALSE(cache.find("a").has_value());
  }
  ASSERT_TRUE(put(cache, "a", "some bytes").ok());
  fs::remove(folder_ / "artifacts/a/library.so");
  EXPECT_FALSE(cache.find("a").has_value());
  EXPECT_TRUE(put(cache, "a", "some bytes").ok()) << "a half entry does not block a new one";
}

TEST_F(CacheTest, TheFirstOfTwoWritersWins) {
  Cache cache(folder_);
  ASSERT_TRUE(put(cache, "a", "bytes").ok());
  const auto second = put(cache, "a", "bytes");
  ASSERT_TRUE(second.ok()) << second.error().what;
  EXPECT_EQ(read_file(second->library).value(), "bytes");
}

TEST_F(CacheTest, DropsTheLongestUnusedBeyondItsLimits) {
  for (const auto& limits : {Cache::Limits{1u << 20, 3, 60, 0}, Cache::Limits{300, 100, 60, 0}}) {
    fs::remove_all(folder_);
    Cache cache(folder_, limits);
    const auto hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const char* key : {"a", "b", "c"}) {
      ASSERT_TRUE(put(cache, key, std::string(100, 'x')).ok());
      fs::last_write_time(folder_ / "artifacts" / key, hour_ago);
    }
    ASSERT_TRUE(cache.find("a").has_value());  // used just now
    ASSERT_TRUE(put(cache, "d", std::string(100, 'x')).ok());
    std::size_t left = 0;
    for (const char* key : {"b", "c"}) left += fs::exists(folder_ / "artifacts" / key) ? 1 : 0;
    EXPECT_EQ(left, 1u);
    EXPECT_TRUE(fs::exists(folder_ / "artifacts/a"));
    EXPECT_TRUE(fs::exists(folder_ / "artifacts/d"));
  }
}

TEST_F(CacheTest, LooksForWhatIsTooMuchOnceInAWhile) {
  Cache cache(folder_, Cache::Limits{1u << 20, 1, 60, 60});
  const auto hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  const auto is_left_beside = [&](const char* key) {
    EXPECT_TRUE(put(cache, key, "xx").ok());
    fs::last_write_time(folder_ / "artifacts" / key, hour_ago);
    return fs::exists(folder_ / "artifacts/a");
  };
  EXPECT_TRUE(is_left_beside("a"));
  EXPECT_TRUE(is_left_beside("b"));
  fs::last_write_time(folder_ / "pruned", hour_ago);
  EXPECT_FALSE(is_left_beside("c"));
}

TEST_F(CacheTest, WhatIsInUseStaysEvenBeyondTheLimits) {
  Cache cache(folder_, Cache::Limits{1, 1, 60, 0});
  for (const char* key : {"a", "b", "c"}) ASSERT_TRUE(put(cache, key, "xx").ok());
  for (const char* key : {"a", "b", "c"}) EXPECT_TRUE(cache.find(key).has_value()) << key;
}

TEST_F(CacheTest, WhatIsFoundWhileAnotherPrunesIsThere) {
  const Cache::Limits one_entry{1, 1, 60, 0};
  std::atomic<bool> done = false;
  std::thread other([&] {
    Cache cache(folder_, one_entry);
    for (int i = 0; !done; ++i) EXPECT_TRUE(put(cache, "new" + std::to_string(i % 3), "xx").ok());
  });
  Cache cache(folder_, one_entry);
  const auto hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  int lost = 0;
  for (int i = 0; i < 300; ++i) {
    const auto entry = put(cache, "a", "xx");
    lost += !entry.ok() || !fs::exists(entry->library);
    std::error_code none;
    fs::last_write_time(folder_ / "artifacts/a", hour_ago, none);
    std::this_thread::sleep_for(std::chrono::microseconds(i % 8 * 40));  // until the other one has seen it
    if (const auto found = cache.find("a")) lost += !fs::exists(found->library);
  }
  done = true;
  other.join();
  EXPECT_EQ(lost, 0);
}

TEST_F(CacheTest, LeftoversOfKilledRunsGo) {
  Cache cache(folder_);
  fs::create_directories(folder_ / "tmp/old");
  fs::last_write_time(folder_ / "tmp/old", fs::file_time_type::clock::now() - std::chrono::hours(2));
  ASSERT_TRUE(put(cache, "a", "x").ok());
  EXPECT_FALSE(fs::exists(folder_ / "tmp/old"));
}

TEST_F(CacheTest, AHalfWrittenFileIsNoticed) {
  EXPECT_FALSE(write_file("/dev/full", "something"));
  EXPECT_TRUE(is_full("/no/such/folder"));
  fs::create_directories(folder_);
  EXPECT_FALSE(is_full(folder_));
  EXPECT_TRUE(fs::is_empty(folder_)) << "the probe goes away";
}

}  // namespace
}  // namespace fusebox
