#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grader/judge/patterns/changes/changes.h"
#include "grader/judge/patterns/recompute/recompute.h"

namespace fusebox::patterns {

/// One case, with the values of the formula as it should be.
struct Prepared {
  const CaseOutputs* which = nullptr;
  std::unique_ptr<Evaluation> base;
  /// What does not fit it is not the mistake: it is wrong itself, or no condition could part it from the one
  /// that is.
  bool refutes = false;
};

/// Elements of an output that came close to what a change makes of them, but for more than the tolerance:
/// those may be as far off as floats can be.
struct NearMisses {
  const WrongOutput* output = nullptr;
  int node = 0;  ///< the output's, in the changed formula
  std::vector<std::size_t> elements;
  std::vector<double> predicted;  ///< for each of them
  std::int64_t missed = 0;        ///< others, that are off by more than floats could be
};

/// How what came compares with what a change makes of it.
struct Match {
  bool refuted = false;
  std::int64_t telling = 0;
  double error = 0;                     ///< sum over telling elements of |got - predicted| / allowed
  std::vector<NearMisses> near_misses;  ///< it stands only if floats explain these: see stands()
};

/// Of all outputs of a case, or of `only` one.
Match compare_case(const Prepared& prepared, const Change& change, const std::string& only);

/// Does a match that nothing refuted so far stand, by what floats make of its near misses? That costs several
/// times as much as comparing: to be asked of what else can be told.
bool stands(const Prepared& prepared, const Change& change, const Match& match);

}  // namespace fusebox::patterns
