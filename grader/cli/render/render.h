#pragma once

#include <string>

#include "grader/cli/render/style.h"
#include "grader/report/report.h"

namespace fusebox {

// Text for people out of plain reports. Nothing here asks the machine anything, so each piece can be tested
// as text.

/// Lines of a terminal, which what is said of one mistake fits.
inline constexpr std::size_t kLines = 24;

/// What stands before something with that outcome.
std::string mark(Outcome outcome, const Style& style);

/// Title, file with the first digits of its hash, device and seed.
std::string render_title(const Report& report, const Style& style);

/// One line, and the detail under it when asked for.
std::string render_check(const Check& check, const Style& style, bool with_detail);

/// you | reference | budget, entry by entry, of the counted case; empty when neither side was counted.
/// `only_over`: nothing but the budgets that are exceeded.
std::string render_numbers(const Report& report, const Style& style, bool only_over = false);

/// What fusing does to each tensor's traffic, for a puzzle with two entries; the learner's side where both
/// are there, else the reference's, and it says which. Empty when neither side has both.
std::string render_ledger(const Report& report, const Style& style);

/// What the numbers at full size mean, and why the counted case does not tell it; with `all`, the numbers
/// too. Empty when nothing was run there.
std::string render_full_size(const Report& report, const Style& style, bool all);

/// The verdict's sentence.
std::string render_verdict(const Report& report, const Style& style);

}  // namespace fusebox
