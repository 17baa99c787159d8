#pragma once

#include <optional>
#include <span>
#include <string>

#include "grader/judge/patterns/recompute/recompute.h"

namespace fusebox::patterns {

/// A variance that was worked out as the difference of two numbers which are nearly equal.
struct Cancelled {
  std::string output, variance, mean;  ///< as they are written: "`out`"
  std::int64_t rows = 0;               ///< that are wrong
  double min_ratio = 0;                ///< of mean^2 to the variance, in these
  /// Some row's own squares are too small to lose so much; some is further off than these can be: there are
  /// zeros behind it.
  bool needs_zeros = false, filled = false;

  std::string sentence() const;
  std::string evidence() const;
};

/// In each wrong row the output is what another variance makes of it; that one is off by no more than what is
/// rounded off of mean^2, here too large and there too small; and every row whose mean is not large is right.
/// Absent where a puzzle has no variance, or any row speaks against it.
std::optional<Cancelled> cancelled(const Formula& formula, std::span<const CaseOutputs> cases);

}  // namespace fusebox::patterns
