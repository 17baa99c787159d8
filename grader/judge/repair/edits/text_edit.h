#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/repair/edits/read_code.h"

/// Changes that one can make in the text of a kernel, one at a time: another bound, another index, another
/// operator, a barrier more. What a learner has written wrong is often one of them away from what is right.
namespace fusebox {

/// What an edit puts in place of some characters.
struct EditedPlace {
  enum class Kind { expression, statement, insertion } kind = Kind::expression;
  std::size_t begin = 0, end = 0;  ///< the characters that it changes; an insertion has none
  std::string with;                ///< in place of them
  int line = 0;
};

struct TextEdit : EditedPlace {
  std::vector<EditedPlace> also;  ///< further places that it changes, behind it and apart
  std::string says;               ///< "`k < K` in place of `k <= K`"
  enum class Likelihood {
    likely,
    seldom,
    by_accident  ///< it takes something away, which may hide what is wrong
  } likelihood = Likelihood::likely;
  /// How many of its kind a text has: of a large kernel those of which there are most are tried last. Most
  /// are one name for another.
  enum class Kin { few, many, most } kin = Kin::few;
  /// Another bound of a comparison, a quotient that is rounded up, a share of whole float4s, a group of
  /// threads that is a power of two, nothing for what is read behind the end: so often wrong that of several
  /// changes that mend it is the one that is said.
  bool is_typical = false;
  bool asks_for_more = false;  ///< of course, where who left early goes on, or what was kept is read again
  /// Where one of these mends as well, this one says no more than that: in a condition it may only make it
  /// hold, or not hold, wherever it matters.
  std::vector<TextEdit> weaker = {};
};

/// Characters of an expression or a statement that are shown.
inline constexpr std::size_t kMaxShownEdit = 56;

/// Lines of a text, from 1; both are in it.
struct LineRange {
  int first = 0, last = 0;
  bool holds(int line) const { return line >= first && line <= last; }
};

/// Changes in expressions and in statements of the device code in these lines that these kernels (mangled
/// names) execute, those that are likelier first.
std::vector<TextEdit> edits_of_device_code(std::string_view code, std::span<const LineRange> lines,
                                           const std::set<std::string>& kernels);
/// The same of a host function and of what it calls.
std::vector<TextEdit> edits_of_host_code(std::string_view code, std::span<const LineRange> lines,
                                         const std::string& function);

/// The parts of it: in an expression, in quotients that are rounded, of factors and functions that a value
/// lacks, of how loops go on, of what a sum over kept elements leaves out, in statements, of one integer for
/// another wherever it stands, of one member of a vector or one size of a template for another, of what may
/// be missing, of what loops leave over, of how one place is made of another, of what was worked out for
/// another place, of what a condition is asked for and where it ends, of what a round hands to the next, of
/// what threads have in common, and of means of parts.
std::vector<TextEdit> expression_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> quotient_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> factor_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> step_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> statement_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> exchange_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> missing_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> loop_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> rest_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> place_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> stale_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> guard_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> bound_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> carried_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> borrowed_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> common_edits(const ReadCode& read, std::span<const LineRange> lines);
std::vector<TextEdit> weight_edits(const ReadCode& read, std::span<const LineRange> lines);

/// One of the parts of a condition that `||` or `&&` joins, or all of one that is no such, by its characters.
struct ConditionPart {
  std::size_t begin = 0, end = 0;
  std::string shown;
  std::optional<TextEdit> without;  ///< the text without it
  bool is_some = true;              ///< false: it is all of the condition
  bool holds_left_out = false;      ///< left out it is as if it always held; else as if it never did
};
std::vector<ConditionPart> parts_of_conditions(const ReadCode& read, std::span<const LineRange> lines);

/// What stands between two tokens, in one line.
std::string in_one_line(const ReadCode& read, std::size_t begin, std::size_t end);
bool is_in(int line, std::span<const LineRange> lines);

/// The text with this edit made.
std::string with_edit(std::string_view text, const TextEdit& edit);

/// Whose code is changed.
enum class Side { device, host };

}  // namespace fusebox
