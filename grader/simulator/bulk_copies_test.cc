// Bulk copies against what an H200's counters said of them (bench/patterns/record.sh made the table).

#include "bench/patterns/bulk_copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>

#include "grader/simulator/launch/session.h"
#include "grader/simulator/small_gpu.h"

namespace fusebox::sim {
namespace {

constexpr std::size_t kBytes = 1 << 16;

std::map<std::string, std::string> counted_copies() {
  std::ifstream in(FUSEBOX_SOURCE_DIR "/assets/recorded/parity/bulk_copies_h200.csv");
  std::map<std::string, std::string> counted;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::size_t end = 0;
    for (int fields = 0; fields < 3; ++fields) end = line.find(',', end + 1);
    counted[line.substr(0, end)] = line.substr(end + 1);
  }
  return counted;
}

TEST(BulkCopies, CountWhatTheCountersSay) {
  const auto kernels = patterns::bulk_kernels();
  const auto counted = counted_copies();
  ASSERT_EQ(counted.size(), kernels.size() * patterns::bulk_places().size());
  Session session(small_gpu(2), 1);
  auto module = load_module(patterns::bulk_module(kernels), session.variables());
  ASSERT_TRUE(module) << module.error().what;
  const DeviceAddress memory = session.buffers().begin;
  ASSERT_TRUE(session.place("memory", memory, kBytes, std::vector<std::byte>(kBytes)));
  std::vector<std::string> different;
  for (const patterns::BulkKernel& kernel : kernels)
    for (const patterns::BulkPlace& place : patterns::bulk_places()) {
      LaunchOp op{
          kernel.name, {kernel.multicast ? 2u : 1u, 1, 1}, {32, 1, 1}, patterns::kBulkSharedBytes, false, {}};
      const DeviceAddress at = memory + place.offset;
      op.arguments.resize(12);
      std::memcpy(op.arguments.data(), &at, 8);
      std::memcpy(op.arguments.data() + 8, &place.bytes, 4);
      const auto program = (*module)->program(kernel.name);
      ASSERT_TRUE(program) << program.error().what;
      const LaunchRecord record = session.launch(**module, **program, op, {}).record;
      for (const Fault& fault : record.faults) ADD_FAILURE() << kernel.name << ": " << fault.what;
      const Counters& c = record.counters;
      const std::uint64_t requests =
          c.global_load.requests + c.global_store.requests + c.global_atomic.requests;
      const auto numbers = [&](const auto&... each) {
        std::string text;
        ((text += (text.empty() ? "" : ",") + std::to_string(each)), ...);
        return text;
      };
      const std::string key = kernel.name + "," + numbers(place.bytes, place.offset);
      const std::string ours = numbers(requests, c.shared_load.wavefronts + c.shared_store.wavefronts,
                                       c.bulk.load_sectors, c.bulk.store_sectors, c.bulk.reduce_sectors);
      // A multicast is counted where it arrives, in two blocks here, and reads sectors in pairs.
      const bool pairs = place.offset % 64 == 0 && place.bytes % 64 == 0;
      if (kernel.multicast) {
        const std::string twice = numbers(0, 0, 2 * c.bulk.load_sectors, 0, 0);
        EXPECT_TRUE(!pairs || counted.at(key) == twice) << key;
      } else if (counted.at(key) != ours) {
        different.push_back(key + ": " + ours + ", not " + counted.at(key));
      }

      // The bytes are there all the same.
      const std::uint64_t touched = (at + place.bytes + 31) / 32 - at / 32;
      EXPECT_EQ(c.requested_bytes(), 32 * c.bulk.sectors());
      EXPECT_EQ(c.compulsory_read_bytes, 32 * touched * (kernel.name != "bulk_store"));
      EXPECT_EQ(c.compulsory_write_bytes, 32 * touched * (c.bulk.load_sectors == 0));
      ASSERT_EQ(record.tensors.size(), 1u);
      EXPECT_EQ(record.tensors[0].requested_read, 32 * (c.bulk.load_sectors + c.bulk.reduce_sectors));
      EXPECT_EQ(record.tensors[0].requested_write, 32 * (c.bulk.store_sectors + c.bulk.reduce_sectors));
    }
  EXPECT_THAT(different, testing::IsEmpty());
}

}  // namespace
}  // namespace fusebox::sim
