#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/catalog/puzzle_text.h"
#include "grader/judge/cases/case_runner.h"
#include "grader/judge/patterns/facts/wrong_output.h"
#include "grader/judge/source/source_file.h"

namespace fusebox {

/// One case of an entry as the learner's file came out of it.
struct CaseAnswer {
  const Case* which = nullptr;
  std::shared_ptr<const Problem> problem;
  const CaseResult* result = nullptr;
};

/// One call of a host function, and what became of it.
struct RecordedCase {
  Call call;
  RecordResult result;
  /// Null where it did not come to its end.
  const Recording* recording() const { return std::get_if<Recording>(&result); }
};

/// An entry that did not pass, and what may be tried to find out why. Nothing here knows a clock: the same
/// file, seed and version have the same cause on every machine.
struct Suspect {
  const Puzzle& puzzle;
  const Entry& entry;
  const SourceFile& student;
  const CompiledFile* student_program = nullptr;
  const SourceFile& reference;
  const CompiledFile* reference_program = nullptr;
  std::span<const Mutant> mutants;
  std::vector<CaseAnswer> cases;  ///< in the puzzle's order
  Services services;
  bool patterns = true;  ///< look at what the numbers prove
  int line_shift = 0;    ///< from a line of `student` to that of the file that the learner sees
  /// Cases that were left out behind one that does not end, with a result that says nothing: what mends the
  /// others has to be right in these too.
  std::vector<CaseAnswer> untried = {};

  std::size_t count() const { return cases.size() + untried.size(); }
  /// Cases with a wrong answer and no fault, the smallest first.
  std::vector<const CaseAnswer*> wrong() const;
  /// Calls a program's host function for one case; nothing where it cannot be called.
  std::optional<RecordedCase> record(const CompiledFile& program, const CaseAnswer& answer) const;
  /// Carries out one case with another program; nothing where it cannot be.
  std::optional<CaseResult> run(const CompiledFile& program, const CaseAnswer& answer) const;
};

/// Of all tensors of a problem: how large it is.
std::int64_t elements_of(const Problem& problem);

/// How a known mistake, or the blank it is in, is borne out.
struct KnownMistake {
  const Mutant* mutant = nullptr;
  std::int64_t telling = 0;  ///< see Agreement, over all wrong cases
};

/// Those known mistakes in the entry's blanks that make of every case what the learner's file made of it:
/// equal where that is wrong, right where that is right. Several when the cases cannot tell them apart.
std::vector<KnownMistake> known_mistakes(const Suspect& suspect);

/// One of the learner's blanks put into the reference alone.
struct BlankTrial {
  std::string blank;
  enum class Verdict {
    right,
    wrong,
    unknown
  } verdict = Verdict::unknown;  ///< unknown: it does not compile alone
};
/// The reference with one of the learner's blanks, for each blank of the entry. Empty where it has one only,
/// or where the learner's file lacks one.
std::vector<SourceFile> one_blank_each(const Entry& entry, const SourceFile& reference,
                                       const std::string& student);
/// The same as programs; absent: it does not compile.
std::vector<std::optional<CompiledFile>> compile_blanks(const Suspect& suspect);
/// Whether two texts have the same lines, but for empty ones and for space around them.
bool same_but_for_indentation(const std::string& a, const std::string& b);
/// Runs those programs on the cases that failed; one that is the reference is right without.
std::vector<BlankTrial> try_blanks(const Suspect& suspect,
                                   const std::vector<std::optional<CompiledFile>>& programs);

/// The first launch of several whose results are not the reference's.
struct WrongLaunch {
  std::size_t index = 0, count = 0;  ///< from 0, of all launches
  std::string kernel;
  Tensor tensor;  ///< a buffer of the plan's own or an output; expected: the reference's values
  std::vector<double> got;
  std::vector<bool> written;
  std::int64_t wrong = 0;                     ///< elements
  std::vector<patterns::NamedTensor> before;  ///< the plan's own buffers of floats, as the launch found them
};
/// The case that it is looked for in: the largest, but for the counted one. One element proves nothing.
const CaseAnswer* telling_case(const std::vector<const CaseAnswer*>& wrong);
/// Only where learner and reference launch the same kernels in the same order over buffers of the same sizes.
std::optional<WrongLaunch> first_wrong_launch(const Suspect& suspect);
/// The same in one case, which may have faults in later launches.
std::optional<WrongLaunch> first_wrong_launch(const Suspect& suspect, const CaseAnswer& chosen);
/// Of launches that are the learner's own: the kernel behind the last one of which some buffer is, value by
/// value, what a launch of the reference leaves. What is wrong begins there or later. Empty: not known.
std::string first_kernel_behind_right_ones(const Suspect& suspect);

}  // namespace fusebox
