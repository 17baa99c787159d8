#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/catalog/puzzle_text.h"
#include "grader/judge/cases/case_runner.h"
#include "grader/judge/cases/ptx_pieces.h"
#include "grader/judge/cases/services.h"
#include "grader/judge/source/source_file.h"

/// Known mistakes as programs. A compiler's start and its headers cost more than a kernel, so those that
/// change the same blank are compiled together, each in a namespace of its own.
namespace fusebox {

/// A known mistake that can be run.
struct MistakeProgram {
  const Mutant* mutant = nullptr;
  CompiledFile program;  ///< source: the reference with the mistake in its blank
};

/// The reference with the mistake made.
Result<SourceFile> with_mistake(const SourceFile& reference, const Mutant& mutant);

/// One compilable text that holds all `sources`, the i-th in namespace namespace_name(first + i); their
/// #include lines stand before all of them, and line numbers stay as they are.
std::string in_one_file(std::span<const SourceFile> sources, std::size_t first = 0);
std::string namespace_name(std::size_t index);

/// What belongs to one namespace of a file that was compiled so, named as if it had been compiled alone: its
/// functions, and its own part of the PTX, `pieces`.
Artifact part_of(const Artifact& whole, const std::vector<PtxPiece>& pieces, std::size_t index);

/// `text` without the names of these namespaces: as it would read if the file had been compiled alone.
std::string as_if_alone(std::string text);

/// Services with which ptxas is asked of whatever is compiled for the device alone.
Services with_resources(Services services);

/// What each of `sources` compiles to: all together, halved until they do. Absent: it does not compile alone
/// either. The error is the machine's.
Result<std::vector<std::optional<Artifact>>> compile_each(const Services& services,
                                                          std::span<const SourceFile> sources);

/// A compiled text, with where its kernels' parameters lie.
Result<CompiledFile> program_of(const SourceFile& source, Artifact artifact);

/// The same of sources that differ from `reference` in their device code alone, for which a third of the
/// time is enough: they are carried out with its host program, and what ptxas says is what it says of that,
/// unless `services` are with_resources: then of each.
Result<std::vector<std::optional<Artifact>>> compile_each_like(const Services& services,
                                                               const SourceFile& reference,
                                                               std::span<const SourceFile> sources);

/// The sources as programs: those that are known already are not compiled, and of those that have the
/// reference's host code the device code alone.
Result<std::vector<std::optional<CompiledFile>>> compile_together(const Services& services,
                                                                  const SourceFile& reference,
                                                                  std::span<const SourceFile> sources);

/// Compiles those mistakes of `mutants` that change `blank` and give wrong answers. One that does not compile
/// is an error.
Result<std::vector<MistakeProgram>> compile_wrong_answers(const Services& services,
                                                          const SourceFile& reference,
                                                          std::span<const Mutant> mutants,
                                                          const std::string& blank);

}  // namespace fusebox
