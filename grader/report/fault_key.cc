#include "grader/report/fault_key.h"

#include <algorithm>
#include <array>

#include "grader/report/launch_record.h"

namespace fusebox {
namespace {

// In the order of the keys.
constexpr std::array<std::string_view, kFaultKeys> kWords = {
    "out-of-bounds",
    "uninitialised-read",
    "misaligned",
    "null-pointer",
    "use-after-free",
    "host-address",
    "illegal-address",
    "bad-texture",
    "bad-free",
    "bad-copy",
    "race",
    "race-same-value",
    "race-shared",
    "race-global",
    "race-streams",
    "barrier-divergence",
    "bad-mask",
    "missing-lanes",
    "bad-mbarrier",
    "bad-tensor-map",
    "bad-wgmma",
    "trap",
    "assert",
    "invalid-call",
    "unset-variable",
    "stack-overflow",
    "not-a-number",
    "endless-loop",
    "output-limit",
    "work-limit",
    "time-limit",
    "memory-limit",
    "bad-launch",
    "crash",
    "garbled",
    "unknown",
};

}  // namespace

std::string_view word_of(FaultKey key) { return kWords.at(static_cast<std::size_t>(key)); }

bool is_one_of(const Fault& fault, std::initializer_list<FaultKey> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](FaultKey key) { return fault.kind == word_of(key); });
}

}  // namespace fusebox
