#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "grader/judge/patterns/changes.h"
#include "grader/judge/patterns/recompute.h"

namespace fusebox::patterns {

/// One case, with the values of the formula as it should be.
struct Prepared {
  const CaseOutputs* which = nullptr;
  std::unique_ptr<Evaluation> base;
};

/// How what came compares with what a change makes of it.
struct Match {
  bool refuted = false;
  std::int64_t telling = 0;
  double error = 0;  ///< sum over telling elements of |got - predicted| / allowed
};

/// Of all outputs of a case, or of `only` one.
Match compare_case(const Prepared& prepared, const Change& change, const std::string& only);

}  // namespace fusebox::patterns
