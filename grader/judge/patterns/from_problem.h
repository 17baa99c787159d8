#pragma once

#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/judge/patterns/facts/wrong_output.h"

namespace fusebox::patterns {

/// A wrong output of a problem, with the problem's other tensors, the case's sizes and the scalars of the
/// call. `tensor` is one of the problem's; `got` its values after the run; `written` may be empty when all
/// were. Launches and the axes' names are the caller's to add.
WrongOutput wrong_output(const Problem& problem, const Sizes& sizes, const Tensor& tensor,
                         std::vector<double> got, std::vector<bool> written);

}  // namespace fusebox::patterns
