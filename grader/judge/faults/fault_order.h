#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "grader/report/launch_record.h"

namespace fusebox {

/// A fault, and where in a grade it was seen.
struct FaultSeen {
  std::string_view case_name;
  std::size_t launch = 0;  ///< which of the case's launches; faults of the plan itself: 0
  const Fault* fault = nullptr;
};

/// The faults of all launches of all cases of an entry, causes before what follows from them:
/// - an earlier launch before a later one, whichever the case: what it left undone, others stumble over;
/// - within a launch: what never started; wrong masks, barriers and lanes that not all reach; wrong
/// addresses;
///   races, where a thread does not wait for another; values that were never written; loops without end;
///   asserts;
/// - of races the widest: one between warps, seen in one case, explains one between lanes, seen in all;
/// - remarks (is_remark) behind everything else.
/// What is alike keeps its order.
std::vector<FaultSeen> in_order_of_cause(std::span<const FaultSeen> faults);

/// The one to tell first; null when there is none. If it looks as if the elements of an allocation had been
/// counted in place of its bytes, and the same access in another case does not, that other one is told.
const Fault* root_fault(std::span<const FaultSeen> faults);

}  // namespace fusebox
