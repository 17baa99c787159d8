#include "grader/simulator/exec/memory/undo_log.h"

#include <gtest/gtest.h>

#include <cstring>

#include "grader/simulator/exec/memory/memory.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kPage = UndoLog::kPageBytes;

TEST(UndoLog, PutsBackWhatStoodThereAndWhetherItWasDefined) {
  GlobalMemory memory(64ull << 20);
  UndoLog undo_log(memory);
  ASSERT_TRUE(undo_log.usable());
  // Written before; undefined and as the system gave it; undefined and filled.
  const DeviceAddress first = memory.range().begin;
  for (std::uint64_t page = 0; page < 3; ++page)
    ASSERT_TRUE(memory.allocate("page", first + page * kPage, kPage, page == 0));
  std::memset(GlobalMemory::data(first), 7, kPage);
  memory.fill(first + 2 * kPage, GlobalMemory::kUndefinedByte, kPage);
  const std::uint8_t want[] = {7, 0, GlobalMemory::kUndefinedByte};

  for (std::uint64_t page = 0; page < 3; ++page) {
    const DeviceAddress address = first + page * kPage;
    undo_log.save(address + 100, 4);
    std::memset(GlobalMemory::data(address + 100), 42, 4);
    memory.define(address + 100, 4);
  }
  EXPECT_EQ(undo_log.bytes(), 2 * kPage) << "only the page that had been written is kept";
  undo_log.restore();
  for (std::uint64_t page = 0; page < 3; ++page) {
    const DeviceAddress address = first + page * kPage;
    EXPECT_EQ(static_cast<std::uint8_t>(*GlobalMemory::data(address + 100)), want[page]);
    EXPECT_EQ(memory.defined(address + 100, 4), page == 0);
  }
  EXPECT_EQ(undo_log.bytes(), 0u);
}

}  // namespace
}  // namespace fusebox::sim
