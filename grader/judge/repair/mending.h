#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/judge/cases/other_device_code.h"
#include "grader/judge/repair/edits/text_edit.h"
#include "grader/judge/repair/repair.h"
#include "grader/judge/suspect/suspect.h"

/// The learner's file with changes in it: compiled, and carried out in every case.
namespace fusebox {

/// The learner's file with another text. Of a change in device code alone that alone is compiled.
Result<ProgramResult> compile_changed(const Suspect& suspect, std::string text, Side side);

/// The same with a switch for each edit that compiles; `keep` says which those are.
std::optional<CompiledFile> compile_switched(const Suspect& suspect, std::span<const TextEdit> edits,
                                             std::vector<bool>& keep, Side side);

/// What becomes of the file in which an edit is made. too_dear: every case is right, and a budget broken that
/// was kept, as when a condition that spares work no longer does, or something is read or written more often,
/// or in pieces, or what read or wrote it is not carried out any more.
enum class Mending { none, too_dear, whole };
Mending try_in_file(const Suspect& suspect, const TextEdit& edit, Side side);

/// Of edits that may mend every case those that do, in their order, said: two at most, and of a few more
/// only it is tried.
struct TextRepairs {
  std::vector<Repair> whole;
  std::vector<Repair> too_dear;  ///< see Mending
};
TextRepairs confirmed(const Suspect& suspect, std::span<const TextEdit> edits, Side side);

}  // namespace fusebox
