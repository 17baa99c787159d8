#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "grader/catalog/puzzle.h"

/// What it takes to say that one answer is another's: evidence that could have refuted it.
namespace fusebox {

/// An output as a device left it.
struct OutputBytes {
  std::span<const std::byte> bytes;
  bool all_written = true;  ///< every byte was stored to; else elements of poison were not
};

/// How one output of an answer compares with what another program made of the same case.
struct Agreement {
  bool refuted = false;      ///< an element speaks against it
  std::int64_t telling = 0;  ///< elements that are equal, finite, written, and not what they should be

  Agreement& operator+=(const Agreement& other) {
    refuted |= other.refuted;
    telling += other.telling;
    return *this;
  }
};

/// NaN equals nothing and an element that was never written equals nothing: where both have one it proves
/// nothing, and where one has it the two differ. Values are equal within the tensor's tolerance, scaled to
/// the magnitude that the other program's values have.
Agreement agreement(const Tensor& tensor, const OutputBytes& answer, const OutputBytes& other);

/// The fewest telling elements that a name may rest on, over all cases.
inline constexpr std::int64_t kMinTelling = 8;

}  // namespace fusebox
