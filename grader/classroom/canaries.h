#pragma once

#include <optional>

#include "grader/classroom/answer.h"
#include "grader/report/result.h"

namespace fusebox::classroom {

/// How submissions are confined on this machine, in words; empty: by limits alone.
std::string confinement_tier();

/// Attacks that the confinement must withstand, tried for real with the puzzle's reference as their carrier:
/// the compiler reading another file, the host function reading and writing one. An error says which was not
/// met as it has to be.
std::optional<Error> try_canaries(const AnswerSettings& settings, const Wanted& puzzle);

}  // namespace fusebox::classroom
