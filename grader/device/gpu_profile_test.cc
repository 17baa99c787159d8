#include "grader/device/gpu_profile.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace fusebox {
namespace {

namespace fs = std::filesystem;

const fs::path kAssets = fs::path(FUSEBOX_SOURCE_DIR) / "assets";

TEST(GpuProfile, EveryShippedProfileLoadsAndIsConsistent) {
  const auto names = gpu_profile_names(kAssets);
  EXPECT_EQ(names, (std::vector<std::string>{"a100", "a40", "h100", "h200", "t4", "v100"}));
  for (const auto& name : names) {
    SCOPED_TRACE(name);
    const auto gpu = load_gpu_profile(kAssets, name);
    ASSERT_TRUE(gpu.ok()) << gpu.error().what;
    EXPECT_LE(gpu->max_shared_bytes_per_block_optin + gpu->reserved_shared_bytes_per_block,
              gpu->shared_bytes_per_sm);
    EXPECT_LE(gpu->max_shared_bytes_per_block, gpu->max_shared_bytes_per_block_optin);
    EXPECT_LT(gpu->dram_copy_bytes_per_second, gpu->dram_bytes_per_second);
    EXPECT_GT(gpu->dram_copy_bytes_per_second, 0.8 * gpu->dram_bytes_per_second);
    EXPECT_GT(gpu->clock_hz, 1e9);
    EXPECT_LT(gpu->launch_overhead_s, 1e-5);
  }
}

TEST(GpuProfile, TheDefaultOne) {
  const auto gpu = load_gpu_profile(kAssets, "h200");
  ASSERT_TRUE(gpu.ok());
  EXPECT_EQ(gpu->compute_major, 9);
  EXPECT_EQ(gpu->sms, 132);
  EXPECT_EQ(gpu->l2_bytes, 60u << 20);
  EXPECT_EQ(gpu->shared_bytes_per_sm, 228 * 1024);
  EXPECT_DOUBLE_EQ(gpu->dram_copy_bytes_per_second, 4.27e12);
}

TEST(GpuProfile, DramIsAsFastAsTheDataSheetsSay) {
  for (const auto& [name, bytes_per_second] : std::map<std::string, double>{{"a100", 2.04e12},
                                                                            {"a40", 696e9},
                                                                            {"h100", 3.35e12},
                                                                            {"h200", 4.8e12},
                                                                            {"t4", 320e9},
                                                                            {"v100", 900e9}}) {
    const auto gpu = load_gpu_profile(kAssets, name);
    ASSERT_TRUE(gpu.ok());
    EXPECT_DOUBLE_EQ(gpu->dram_bytes_per_second, bytes_per_second) << name;
  }
}

TEST(GpuProfile, UnknownNamesListTheKnownOnes) {
  for (const char* name : {"rtx", "", "../gpus/h200", "h200.json"}) {
    const auto gpu = load_gpu_profile(kAssets, name);
    ASSERT_FALSE(gpu.ok());
    EXPECT_EQ(gpu.error().kind, ErrorKind::wrong_usage);
    EXPECT_NE(gpu.error().remedy.find("h200"), std::string::npos);
  }
}

class BrokenProfile : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(assets_ / "gpus");
    std::ifstream(kAssets / "gpus" / "h200.json") >> good_;
  }
  void TearDown() override { fs::remove_all(assets_); }

  Error error_for(const std::string& text) {
    std::ofstream(assets_ / "gpus" / "h200.json") << text;
    const auto gpu = load_gpu_profile(assets_, "h200");
    return gpu.ok() ? Error{ErrorKind::internal, "was accepted", ""} : gpu.error();
  }

  fs::path assets_ = fs::temp_directory_path() / ("fusebox_gpu_profile_" + std::to_string(getpid()));
  nlohmann::json good_;
};

TEST_F(BrokenProfile, EachFieldIsRequiredAndTyped) {
  for (const auto& [key, value] : good_.items()) {
    SCOPED_TRACE(key);
    auto without = good_, wrong = good_, negative = good_;
    without.erase(key);
    wrong[key] = nlohmann::json::array();
    negative[key] = -1;
    for (const auto& broken : {without, wrong, negative}) {
      const Error error = error_for(broken.dump());
      EXPECT_EQ(error.kind, ErrorKind::missing_part);
      EXPECT_NE(error.what.find("h200.json"), std::string::npos) << error.what;
      EXPECT_NE(error.what.find('"' + key + '"'), std::string::npos) << error.what;
    }
  }
}

TEST_F(BrokenProfile, TextThatIsNoJsonObject) {
  for (const char* text : {"", "{", "[]", "42"})
    EXPECT_EQ(error_for(text).kind, ErrorKind::missing_part) << text;
}

TEST_F(BrokenProfile, NameThatIsAnotherFiles) {
  good_["name"] = "a100";
  EXPECT_NE(error_for(good_.dump()).what.find("\"name\""), std::string::npos);
}

}  // namespace
}  // namespace fusebox
