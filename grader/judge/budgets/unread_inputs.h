#pragma once

#include <span>
#include <string>

#include "grader/catalog/puzzle.h"
#include "grader/report/launch_record.h"

namespace fusebox {

/// The floor below the budgets: an answer that is right without having read all that it depends on was known
/// before. A sentence about the first of `tensors` of which a part was never read, in kernels or copies;
/// empty where there is none.
std::string unread_input(std::span<const Tensor* const> tensors, std::span<const LaunchRecord> launches);

}  // namespace fusebox
