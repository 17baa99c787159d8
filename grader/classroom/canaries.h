#pragma once

#include <optional>

#include "grader/classroom/answer.h"
#include "grader/report/result.h"

namespace fusebox::classroom {

/// The tier of a class that is graded where nothing but limits confines it.
inline constexpr const char* kTrustedTier = "limits alone, trusted";

/// How submissions are confined on this machine, in words; empty: by limits alone.
std::string confinement_tier();

/// Attacks that the confinement must withstand, tried for real with the puzzle's reference as their carrier:
/// the compiler reading another file, the host function reading and writing one. An error says which was not
/// met as it has to be.
std::optional<Error> try_canaries(const AnswerSettings& settings, const Wanted& puzzle);

}  // namespace fusebox::classroom
