#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/device/device.h"
#include "grader/judge/compare/compare.h"
#include "grader/judge/faults/fault_order.h"
#include "grader/report/report.h"

namespace fusebox {

/// Did every launch come to its end, with no other fault than races?
bool ended_but_for_races(const Run& run);

/// What a race of two stores to an output says where other elements of it were never written: the index gives
/// one element to several threads and others to nobody. Empty where that is not so.
std::string misplaced_stores(const Fault& fault, const std::string& output, const Comparison& compared);

/// The same of a tensor that is changed in place, where one statement races with itself: of `elements` that
/// are to change, so many are what they were.
std::string misplaced_updates(const Fault& fault, const std::string& output, std::int64_t unchanged,
                              std::int64_t elements);

struct OutputSize {
  std::string name;
  std::int64_t elements = 0;
};
/// What races of stores with the same values say where there is one for every element of all outputs, between
/// warps or between blocks: they all do the same work. Empty where that is not so.
std::string repeated_work(std::span<const FaultSeen> faults, const std::vector<OutputSize>& outputs);

}  // namespace fusebox
