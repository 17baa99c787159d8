// On files in the place of device nodes.
#include "grader/confine/gpu_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class GpuNodesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fusebox-nodes-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::create_directories(folder_ / "dev");
    for (const char* name : {"nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "null"})
      std::ofstream(folder_ / "dev" / name) << "";
    // Numbers of nodes need not be in the order of the bus.
    add("0000:87:00.0", "GPU-cccc-3", 0);
    add("0000:0f:00.0", "GPU-aaaa-1", 2);
    add("0000:3b:00.0", "GPU-bbbb-2", 1);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void add(const std::string& place, const std::string& name, int minor) const {
    fs::create_directories(folder_ / "driver/gpus" / place);
    std::ofstream(folder_ / "driver/gpus" / place / "information")
        << "Model: \t\t NVIDIA H200\nIRQ:   \t\t 18\nGPU UUID: \t " << name << "\nBus Location: \t " << place
        << "\nDevice Minor: \t " << minor << "\nGPU Excluded:\t No\n";
    std::ofstream(folder_ / "dev" / ("nvidia" + std::to_string(minor))) << "";
  }
  GpuNodes find(const std::string& wanted) const {
    return find_gpu_nodes(wanted, folder_ / "dev", folder_ / "driver");
  }

  fs::path folder_;
};

TEST_F(GpuNodesTest, TheDriversNodesAndThoseOfTheGpuThatCudaWouldTakeFirst) {
  const struct {
    const char* wanted;
    const char* node;
    const char* visible;
  } rows[] = {{"", "nvidia2", "GPU-aaaa-1"},           {"0", "nvidia2", "GPU-aaaa-1"},
              {"1", "nvidia1", "GPU-bbbb-2"},          {"2,0", "nvidia0", "GPU-cccc-3"},
              {"GPU-bbbb-2", "nvidia1", "GPU-bbbb-2"}, {"GPU-c,GPU-a", "nvidia0", "GPU-cccc-3"}};
  for (const auto& row : rows) {
    const GpuNodes found = find(row.wanted);
    EXPECT_THAT(found.nodes, ElementsAre(folder_ / "dev/nvidiactl", folder_ / "dev/nvidia-uvm",
                                         folder_ / "dev" / row.node))
        << row.wanted;
    EXPECT_EQ(found.visible, row.visible) << row.wanted;
  }
}

// As a queue leaves them that gives a job one of them; as a driver that does not tell names.
TEST_F(GpuNodesTest, OfGpusThatMayNotBeOpenedNoneIsTaken) {
  fs::remove(folder_ / "dev/nvidia2");
  EXPECT_EQ(find("0").visible, "GPU-bbbb-2");
  add("0000:3b:00.0", "GPU-?-?", 1);
  EXPECT_EQ(find("0").visible, "0");
}

TEST_F(GpuNodesTest, WhatIsNotKnownIsSaid) {
  EXPECT_THAT(find("3").why_none, HasSubstr("no GPU is the `3`"));
  EXPECT_THAT(find("-1").why_none, HasSubstr("no GPU is the `-1`"));
  EXPECT_THAT(find("GPU-d").why_none, HasSubstr("`GPU-d`"));
  EXPECT_THAT(find("MIG-1").why_none, HasSubstr("MIG"));
  fs::remove(folder_ / "dev/nvidia-uvm");
  EXPECT_THAT(find("").why_none, HasSubstr("nvidia-uvm is missing"));
  std::ofstream(folder_ / "dev/nvidia-uvm") << "";
  fs::remove_all(folder_ / "driver");
  EXPECT_THAT(find("").why_none, HasSubstr("no GPU of"));
}

}  // namespace
}  // namespace fusebox
