#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "grader/catalog/puzzle.h"
#include "grader/judge/cases/case_runner.h"
#include "grader/judge/cases/services.h"
#include "grader/report/full_size.h"

namespace fusebox {

/// How and where runs at full size are made.
struct FullSizeOptions {
  std::filesystem::path kept;  ///< folder of runs made before; empty: none are kept
  unsigned share = 8;          ///< one block in so many is run where that tells what all of them do
  double seconds = 20;         ///< after which a call is stopped, on a machine that is very slow; 0: never
  /// Each launch starts with empty caches, as a GPU's counters are taken; such runs are not kept.
  bool cold_launches = false;
  std::function<void(const std::string&)> progress = [](const std::string&) {};  ///< "p20: fused at B32 ..."
};

/// Calls one host function at full size and carries its plan out with counters and model alone. A host
/// function or a kernel that cannot be run there gives a run with a `problem`; a failure of the machine is an
/// error. The same file, shape and GPU are run once and then read back.
Result<FullSizeRun> run_full_size(const Services& services, const CompiledFile& program, std::size_t function,
                                  const Entry& entry, const FullSizeCase& size,
                                  const FullSizeOptions& options);

/// The same of a file that is not compiled yet. One that does not compile, or has no such function, gives a
/// run with a `problem`.
Result<FullSizeRun> run_full_size(const Services& services, const SourceFile& source, const Entry& entry,
                                  const FullSizeCase& size, const FullSizeOptions& options);

/// "B32 H64 O64 S1024"
std::string shape_of(const Case& which);

/// One line for each budget of the entry, where the learner's file was run.
std::vector<FullSizeBudget> check_full_size(const Entry& entry, const FullSizeRun* student,
                                            const FullSizeRun* reference);

}  // namespace fusebox
