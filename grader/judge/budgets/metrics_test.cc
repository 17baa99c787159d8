#include "grader/judge/budgets/metrics.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

LaunchRecord launch(std::uint64_t load_requests, std::uint64_t load_sectors, std::uint64_t store_requests,
                    std::uint64_t store_sectors) {
  LaunchRecord record;
  record.counters.global_load.requests = load_requests;
  record.counters.global_load.sectors = load_sectors;
  record.counters.global_store.requests = store_requests;
  record.counters.global_store.sectors = store_sectors;
  return record;
}

double value(const std::vector<Metric>& metrics, const char* tag) {
  const Metric* metric = find_metric(metrics, tag);
  EXPECT_NE(metric, nullptr) << tag;
  return metric && metric->value ? *metric->value : -1;
}

TEST(Metrics, SumsAndLargest) {
  std::vector<LaunchRecord> launches{launch(10, 40, 10, 80), launch(4, 16, 0, 0)};
  launches[0].counters.compulsory_read_bytes = 320;
  launches[1].counters.compulsory_write_bytes = 64;
  launches[0].counters.global_atomic.sectors = 3;
  launches[0].counters.global_atomic.requests = 9;
  launches[0].counters.waiting_atomics = 2;
  launches[0].registers = 24;
  launches[1].registers = 40;
  launches[0].static_shared_bytes = 512;
  launches[0].dynamic_shared_bytes = 128;
  launches[1].counters.shared_load.wavefronts = 40;
  launches[1].counters.shared_load.ideal_wavefronts = 9;
  launches[0].counters.local_load_requests = 6;
  launches[1].counters.local_store_requests = 2;
  const auto metrics = metrics_of(launches, 4096);
  EXPECT_EQ(value(metrics, "launches"), 2);
  EXPECT_EQ(value(metrics, "bytes.requested"), 32 * (40 + 80 + 16 + 3));
  EXPECT_EQ(value(metrics, "bytes.compulsory"), 384);
  EXPECT_EQ(value(metrics, "requests"), 24);
  EXPECT_EQ(value(metrics, "atomics"), 7) << "what a grid's barrier counts with is none";
  EXPECT_DOUBLE_EQ(value(metrics, "sectors_per_request"), 136.0 / 24);
  EXPECT_EQ(value(metrics, "intermediate_bytes"), 4096);
  EXPECT_EQ(value(metrics, "registers"), 40);
  EXPECT_EQ(value(metrics, "shared_bytes"), 640);
  EXPECT_EQ(value(metrics, "bank_conflicts"), 31);
  EXPECT_EQ(value(metrics, "local_requests"), 8);
}

TEST(Metrics, CopiesAndMemsetsAreNoLaunches) {
  LaunchRecord memset, copy, kernel = launch(1, 1, 1, 1);
  memset.kernel = "memset";
  copy.kernel = "copy to the device";
  kernel.kernel = "memset";  // of the learner
  kernel.counters.warp_instructions = 1;
  const auto metrics = metrics_of(std::vector<LaunchRecord>{memset, copy, kernel, launch(0, 0, 0, 0)}, 0);
  EXPECT_EQ(value(metrics, "launches"), 2);
  EXPECT_EQ(value(metrics, "copies"), 2);
}

TEST(Metrics, WaitsAreSummedWhereAllLaunchesWereModelled) {
  std::vector<LaunchRecord> launches{launch(10, 40, 10, 80), launch(4, 16, 0, 0)};
  launches[0].model.emplace().waits = 7;
  EXPECT_FALSE(find_metric(metrics_of(launches, 0), "waits")->value);
  launches[1].model.emplace().waits = 5;
  EXPECT_EQ(value(metrics_of(launches, 0), "waits"), 12);
}

TEST(Metrics, WhatIsNotKnownIsAbsent) {
  const auto metrics = metrics_of(std::vector<LaunchRecord>{launch(0, 0, 0, 0)}, 0);
  EXPECT_FALSE(find_metric(metrics, "registers")->value);
  EXPECT_FALSE(find_metric(metrics, "sectors_per_request")->value);
  EXPECT_EQ(find_metric(metrics, "no such tag"), nullptr);
}

}  // namespace
}  // namespace fusebox
