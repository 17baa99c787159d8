#pragma once

#include <optional>
#include <vector>

#include "grader/classroom/answer.h"
#include "grader/report/result.h"

namespace fusebox::classroom {

/// The tier of a class that is graded where nothing but limits confines it.
inline constexpr const char* kTrustedTier = "limits alone, trusted";

/// Attacks that the confinement must withstand, tried for real with the puzzle's reference as their carrier:
/// the compiler reading another file or the reference, the host function reading and writing one; and, where
/// answers are graded in bubblewrap, a program of its own that reaches for more. An error names the
/// first that ended otherwise than it must.
std::optional<Error> try_canaries(const AnswerSettings& settings, const Wanted& puzzle);

/// An error where the reference itself does not pass the cases that a course adds to a puzzle: sizes that the
/// puzzle is not made for.
std::optional<Error> try_cases(const AnswerSettings& settings, const std::vector<Wanted>& puzzles);

}  // namespace fusebox::classroom
