#pragma once

#include <string_view>

#include "grader/report/launch_record.h"

namespace fusebox {

/// In `where` of an access behind an allocation that looks as if its elements had been counted and not their
/// bytes. One launch alone cannot tell that from a coincidence.
inline constexpr std::string_view kCountedInElements = "was the size counted in elements?";

inline bool guesses_elements(const Fault& fault) {
  return fault.where.find(kCountedInElements) != std::string::npos;
}

}  // namespace fusebox
