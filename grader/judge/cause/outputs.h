#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/judge/patterns/find.h"
#include "grader/judge/patterns/recompute/recompute.h"
#include "grader/judge/suspect/suspect.h"

/// What came out of a learner's file in each case, as the patterns ask for it, and what is asked of all cases
/// together.
namespace fusebox {

struct OutputOfCase {
  patterns::WrongOutput output;
  bool right = false;
};

std::vector<patterns::LaunchedKernel> launches_of(const CaseResult& result);

/// All outputs of one case, for the patterns.
std::vector<OutputOfCase> outputs_of(const Suspect& suspect, const CaseAnswer& answer);
/// The same of the buffer that the first wrong launch leaves.
patterns::WrongCase wrong_case_of(const WrongLaunch& launch, const CaseAnswer& answer);

/// "of the outputs `v` alone is wrong", where others are right in all cases; empty: they are not, or it is
/// the only one.
std::string wrong_outputs_alone(const Suspect& suspect);

struct OfFormula {
  std::string sentence, evidence;
  bool reads_elsewhere = false;  ///< so that it may leave a tensor
  bool explains_all = true;      ///< outputs that are wrong
};

/// One mistake in the formula that makes of every case what the learner's file made of it, or digits that it
/// lost.
std::optional<OfFormula> mistake_in_the_formula(const Suspect& suspect);

/// Small misses and an instruction that has such; empty where there are not both.
std::string too_few_digits(const Suspect& suspect);

}  // namespace fusebox
