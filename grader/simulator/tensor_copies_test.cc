// Copies by tensor maps against the bytes that an H200 moved and what its counters said of them, and what its
// driver says to the arguments of a map (bench/patterns/record.sh made the tables).

#include "bench/patterns/tensor_copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <span>

#include "grader/device/tensor/tensor_map.h"
#include "grader/simulator/exec/memory/memory.h"
#include "grader/simulator/launch/session.h"
#include "grader/simulator/small_gpu.h"

namespace fusebox::sim {
namespace {

/// What follows the last comma, by what stands before it.
std::map<std::string, std::string> recorded(const std::string& table) {
  std::ifstream in(FUSEBOX_SOURCE_DIR "/assets/recorded/parity/" + table + "_h200.csv");
  std::map<std::string, std::string> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const std::size_t comma = line.find(',');
    rows[line.substr(0, comma)] = line.substr(comma + 1);
  }
  return rows;
}

TensorMap map_of(const patterns::TensorMapping& from, std::uint64_t memory) {
  TensorMap map;
  map.address = memory + from.offset;
  map.element = static_cast<TensorMap::Element>(from.type);
  map.rank = from.rank;
  map.swizzle = static_cast<TensorMap::Swizzle>(from.swizzle);
  map.fills_with_nan = from.fill != 0;
  map.size = from.size;
  map.stride = from.stride;
  map.box = from.box;
  map.step = from.step;
  return map;
}

std::uint64_t hash_of(std::span<const std::uint32_t> words) {
  std::uint64_t sum = 14695981039346656037u;
  for (const std::uint32_t word : words) sum = (sum ^ word) * 1099511628211u;
  return sum;
}

class TensorCopies : public testing::Test {
 protected:
  TensorCopies() : session_(small_gpu(2), 1), memory_(session_.buffers().begin), data_(memory_ + (1 << 20)) {
    auto module = load_module(patterns::tensor_module(), session_.variables());
    EXPECT_TRUE(module) << module.error().what;
    if (module) module_ = std::move(*module);
    for (const auto& [name, address] : {std::pair{"memory", memory_}, std::pair{"data", data_}})
      EXPECT_TRUE(session_.place(name, address, patterns::kTensorMemoryBytes,
                                 std::vector<std::byte>(patterns::kTensorMemoryBytes)));
  }

  LaunchRecord run(const patterns::TensorCopy& copy) {
    const bool numbers = copy.kernel != "load" && copy.kernel != "store";
    fill(memory_, patterns::tensor_contents(copy.map.type, numbers, 1));
    fill(data_, patterns::tensor_contents(copy.map.type, numbers, 2));
    const std::string kernel = copy.kernel + "_" + std::to_string(copy.map.rank) + "d";
    LaunchOp op{kernel, {1, 1, 1}, {32, 1, 1}, patterns::kTensorSharedBytes, false, {}};
    op.arguments.resize(128 + 8 + 4 * 7);
    std::byte* to = op.arguments.data();
    const auto put = [&](const void* from, std::size_t bytes) {
      std::memcpy(to, from, bytes);
      to += bytes;
    };
    const auto map = pack(map_of(copy.map, memory_));
    const std::uint32_t bytes = copy.tile_bytes();
    put(map.data(), map.size());
    put(&data_, 8);
    put(&copy.shared_offset, 4);
    put(&bytes, 4);
    put(copy.at.data(), sizeof copy.at);
    const auto program = module_->program(kernel);
    EXPECT_TRUE(program) << program.error().what;
    return session_.launch(*module_, **program, op, {}).record;
  }

  std::span<const std::uint32_t> written(const patterns::TensorCopy& copy) const {
    const bool loads = copy.kernel == "load";
    return {reinterpret_cast<const std::uint32_t*>(GlobalMemory::data(loads ? data_ : memory_)),
            loads ? patterns::kTensorTileBytes / 4 + 1 : patterns::kTensorMemoryBytes / 4};
  }

 private:
  static void fill(DeviceAddress at, const std::vector<std::uint32_t>& words) {
    std::memcpy(GlobalMemory::data(at), words.data(), words.size() * 4);
  }

  Session session_;
  DeviceAddress memory_, data_;
  std::unique_ptr<LoadedModule> module_;
};

std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t k = 0; k < 16; ++k) text[k] = "0123456789abcdef"[value >> (60 - 4 * k) & 15];
  return text;
}

TEST_F(TensorCopies, MoveTheBytesThatTheHardwareMoves) {
  const auto known = recorded("tensor_copies");
  std::vector<std::string> different;
  for (const patterns::TensorCopy& copy : patterns::tensor_copies()) {
    const LaunchRecord record = run(copy);
    const auto found = known.find(copy.name);
    ASSERT_NE(found, known.end()) << copy.name;
    const std::string ours = record.faults.empty() ? hex(hash_of(written(copy))) : "error";
    if (!found->second.starts_with(ours)) {
      different.push_back(copy.name + (record.faults.empty() ? "" : ": " + record.faults[0].what));
    }
  }
  EXPECT_THAT(different, testing::IsEmpty());
}

TEST_F(TensorCopies, CountWhatTheCountersSay) {
  const auto known = recorded("tensor_copies");
  std::vector<std::string> different;
  std::size_t counted = 0;
  for (const patterns::TensorCopy& copy : patterns::tensor_copies()) {
    const std::string& row = known.at(copy.name);
    const std::string sectors = row.substr(row.find(',') + 1);
    if (!copy.counted) continue;
    ++counted;
    const BulkTraffic& bulk = run(copy).counters.bulk;
    const std::uint64_t ours = copy.kernel == "load"    ? bulk.load_sectors
                               : copy.kernel == "store" ? bulk.store_sectors
                                                        : bulk.reduce_sectors;
    EXPECT_EQ(bulk.sectors(), ours) << copy.name;
    if (std::to_string(ours) != sectors)
      different.push_back(copy.name + ": " + std::to_string(ours) + ", not " + sectors);
  }
  EXPECT_GT(counted, 150u);
  EXPECT_THAT(different, testing::IsEmpty());
}

}  // namespace
}  // namespace fusebox::sim
