#pragma once

#include <optional>
#include <span>
#include <vector>

#include "grader/judge/repair/edits/text_edit.h"
#include "grader/judge/repair/repair.h"
#include "grader/judge/suspect/suspect.h"

/// The learner's file with changes in it: compiled, and carried out in every case.
namespace fusebox {

/// A text with many switches is slow: an edit is tried on so many cases, and what is right there is made in
/// the file itself and tried on all (confirmed()).
inline constexpr std::size_t kCasesWithSwitches = 3;
/// More than so many are tried on all cases, with switches, before one of them is made in the file itself.
inline constexpr std::size_t kFewMending = 2;
/// So many are made in the file itself, those first that are said first.
inline constexpr std::size_t kMaxConfirmed = 8;

/// The learner's file with a switch for each edit that compiles; `keep` says which those are. Of changes in
/// device code that alone is compiled.
std::optional<CompiledFile> compile_switched(const Suspect& suspect, std::span<const TextEdit> edits,
                                             std::vector<bool>& keep, Side side);

struct TextRepairs {
  std::vector<Repair> whole;
  /// Every case is right, and a budget broken that was kept, as when a condition that spares work no longer
  /// does, or something is read or written more often, or in pieces, or what read or wrote it is not carried
  /// out any more; or other launches are made of a case that was right.
  std::vector<Repair> too_dear;
};
/// Of edits that may mend every case those that do, in their order, said: two at most, one too dear at most,
/// and only so many are tried.
TextRepairs confirmed(const Suspect& suspect, std::span<const TextEdit> edits, Side side);

}  // namespace fusebox
