#pragma once

#include <span>
#include <string>
#include <vector>

#include "grader/device/plan.h"
#include "grader/judge/source/source_file.h"

namespace fusebox {

/// Names for the allocations of a plan, in their order: the variables that the calls of cudaMalloc in the
/// body of `function` are given, "normalized" for `cudaMalloc(&normalized, ...)`. Where the body has more or
/// fewer such calls than the plan has allocations (a loop, a branch, a helper), it is not known which is
/// which, and there are no names. A body that cannot be found (no text at hand) leaves `otherwise`.
std::vector<std::string> allocation_names(const SourceFile& source, const std::string& function,
                                          const LaunchPlan& plan, std::span<const std::string> otherwise);

/// What `function` writes as the size of the memory that `variable` gets: "sizeof(float) * rows"; empty where
/// no such call is found, or more than one.
std::string allocated_size(const SourceFile& source, const std::string& function,
                           const std::string& variable);

}  // namespace fusebox
