#include "grader/report/fault_key.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "grader/report/launch_record.h"

namespace fusebox {
namespace {

// Reports that were written long ago are read with these words.
TEST(FaultKey, EachHasItsWord) {
  const struct {
    FaultKey key;
    const char* word;
  } rows[] = {
      {FaultKey::out_of_bounds, "out-of-bounds"},
      {FaultKey::uninitialised_read, "uninitialised-read"},
      {FaultKey::misaligned, "misaligned"},
      {FaultKey::null_pointer, "null-pointer"},
      {FaultKey::use_after_free, "use-after-free"},
      {FaultKey::host_address, "host-address"},
      {FaultKey::illegal_address, "illegal-address"},
      {FaultKey::bad_texture, "bad-texture"},
      {FaultKey::bad_free, "bad-free"},
      {FaultKey::bad_copy, "bad-copy"},
      {FaultKey::race, "race"},
      {FaultKey::race_same_value, "race-same-value"},
      {FaultKey::race_shared, "race-shared"},
      {FaultKey::race_global, "race-global"},
      {FaultKey::race_streams, "race-streams"},
      {FaultKey::barrier_divergence, "barrier-divergence"},
      {FaultKey::bad_mask, "bad-mask"},
      {FaultKey::missing_lanes, "missing-lanes"},
      {FaultKey::bad_mbarrier, "bad-mbarrier"},
      {FaultKey::bad_tensor_map, "bad-tensor-map"},
      {FaultKey::bad_wgmma, "bad-wgmma"},
      {FaultKey::trap, "trap"},
      {FaultKey::assert_failed, "assert"},
      {FaultKey::invalid_call, "invalid-call"},
      {FaultKey::unset_variable, "unset-variable"},
      {FaultKey::stack_overflow, "stack-overflow"},
      {FaultKey::not_a_number, "not-a-number"},
      {FaultKey::endless_loop, "endless-loop"},
      {FaultKey::output_limit, "output-limit"},
      {FaultKey::work_limit, "work-limit"},
      {FaultKey::time_limit, "time-limit"},
      {FaultKey::memory_limit, "memory-limit"},
      {FaultKey::bad_launch, "bad-launch"},
      {FaultKey::crash, "crash"},
      {FaultKey::garbled, "garbled"},
      {FaultKey::unknown, "unknown"},
  };
  std::set<std::string> words;
  for (const auto& row : rows) {
    EXPECT_EQ(word_of(row.key), row.word);
    words.emplace(word_of(row.key));
  }
  EXPECT_EQ(words.size(), kFaultKeys) << "a key has no row here, or two have one word";
}

TEST(FaultKey, AFaultIsOneOfItsKind) {
  Fault fault;
  fault.kind = word_of(FaultKey::misaligned);
  EXPECT_TRUE(is_one_of(fault, {FaultKey::out_of_bounds, FaultKey::misaligned}));
  EXPECT_FALSE(is_one_of(fault, {FaultKey::out_of_bounds, FaultKey::race}));
  EXPECT_FALSE(is_one_of(fault, {}));
}

TEST(FaultKey, ARemarkIsARaceOfEqualValues) {
  Fault fault;
  for (std::size_t k = 0; k < kFaultKeys; ++k) {
    fault.kind = word_of(static_cast<FaultKey>(k));
    EXPECT_EQ(is_remark(fault), static_cast<FaultKey>(k) == FaultKey::race_same_value) << fault.kind;
  }
}

}  // namespace
}  // namespace fusebox
