#include "grader/device/cuda_launch.h"

#include <gtest/gtest.h>

#include <cstring>

namespace fusebox::cuda {
namespace {

TEST(CudaLaunch, ConfigurationsArePoppedInReverse) {
  EXPECT_FALSE(pop_call());
  push_call({{1, 2, 3}, {4, 5, 6}, 7, nullptr});
  push_call({{9, 1, 1}, {1, 1, 1}, 0, nullptr});
  EXPECT_EQ(pop_call()->grid.x, 9u);
  EXPECT_EQ(pop_call()->block.z, 6u);
  EXPECT_FALSE(pop_call());
}

TEST(CudaLaunch, ArgumentsLieWhereTheKernelLooks) {
  KernelParameters parameters;
  parameters.slots = {{0, 1}, {8, 8}};
  parameters.total_bytes = 16;
  char letter = 'x';
  std::uint64_t number = 0x0102030405060708;
  void* arguments[] = {&letter, &number};
  const std::vector<std::byte> packed = pack_arguments(parameters, arguments);
  ASSERT_EQ(packed.size(), 16u);
  EXPECT_EQ(packed[0], std::byte{'x'});
  EXPECT_EQ(packed[1], std::byte{0});
  EXPECT_EQ(std::memcmp(packed.data() + 8, &number, 8), 0);
}

LaunchAttribute attribute(std::uint32_t id) {
  LaunchAttribute value{};
  value.id = id;
  return value;
}

TEST(CudaLaunch, AttributesAreGrantedOrNamed) {
  LaunchAttribute cooperative = attribute(kAttributeCooperative), single = attribute(kAttributeCluster),
                  cluster = single, unknown = attribute(999);
  cooperative.value.cooperative = 1;
  single.value.cluster = {1, 1, 1};
  cluster.value.cluster = {2, 1, 1};
  const auto options = [](std::vector<LaunchAttribute> list) {
    LaunchConfig config{};
    config.attributes = list.data();
    config.attribute_count = static_cast<unsigned>(list.size());
    return read_attributes(config);
  };
  EXPECT_FALSE(options({}).cooperative);
  EXPECT_TRUE(options({single, cooperative}).cooperative);
  EXPECT_EQ(options({single, cooperative}).refused, "");
  EXPECT_EQ(options({cluster}).refused, "");
  EXPECT_EQ(options({cluster}).cluster, (Dim3{2, 1, 1}));
  EXPECT_EQ(options({unknown, cluster}).refused, "launch attribute 999");
}

TEST(CudaLaunch, DynamicSharedMemoryIsAllowedUpToTheOptInLimit) {
  GpuProfile gpu;
  gpu.max_shared_bytes_per_block_optin = 100'000;
  KernelParameters parameters;
  parameters.static_shared_bytes = 1000;
  std::uint64_t allowed = 0;
  EXPECT_EQ(set_function_attribute(gpu, parameters, kFunctionMaxDynamicShared, 99'000, allowed), kSuccess);
  EXPECT_EQ(allowed, 99'000u);
  EXPECT_EQ(set_function_attribute(gpu, parameters, kFunctionMaxDynamicShared, 99'001, allowed),
            kInvalidValue);
  EXPECT_EQ(set_function_attribute(gpu, parameters, 12, 1, allowed), kNotSupported);
  EXPECT_EQ(allowed, 99'000u);
  EXPECT_EQ(function_attributes(gpu, parameters, allowed).max_dynamic_shared_bytes, 99'000);
  EXPECT_EQ(function_attributes(gpu, parameters, 0).max_dynamic_shared_bytes, 48 * 1024 - 1000);
}

}  // namespace
}  // namespace fusebox::cuda
