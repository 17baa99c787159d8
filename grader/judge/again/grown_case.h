#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "grader/judge/cases/call.h"

namespace fusebox {

/// What a host function launches in a case; empty: that is not known.
using LaunchesOf = std::function<std::vector<LaunchOp>(const Case&)>;

/// The case with the sizes that it draws, no others, on the way from their least to those of `full`.
class GrowingCase {
 public:
  GrowingCase(const Case& drawn, const Case& full);

  /// 0: all are as small as they may be; 1: all are as they are at full size.
  Case at(double share) const;
  Case largest() const { return at(1); }
  /// Each has a quarter of what it has at full size, so that a grid of tiles has fewer.
  Case quarter() const;
  /// How many times as large the size that grows most becomes.
  double growth() const { return growth_; }
  /// As many steps as one looks at.
  static constexpr int kSteps = 128;

 private:
  Case drawn_;
  Sizes full_;
  double growth_ = 1;
};

/// Blocks of a kernel with a loop around its work go through it more than once where there are more rows, or
/// elements, than the grid grows for. The smallest case in which that is so, if none of `cases` reaches it:
/// its launches have the grids of full size. Absent: all grids grow, or it would be larger than a case may
/// be.
std::optional<Case> beyond_the_grid(const GrowingCase& growing, std::span<const Case* const> cases,
                                    const LaunchesOf& launches);

}  // namespace fusebox
