#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/cli/verbs/machine.h"
#include "grader/parity/rows.h"
#include "grader/report/workspace_paths.h"

namespace fusebox {

/// Something that the simulator and a GPU both carry out: a microkernel at one block size, or the counted
/// case of a solution's entry.
struct ParityJob {
  std::string name;  ///< "copy 256", "p20 fused"
  std::shared_ptr<const ModuleImage> module;
  bool exact = false;        ///< its results are defined to the last bit
  std::vector<DType> types;  ///< of each buffer
  std::function<Result<ParityPlan>(Device&)> make;
};

/// Compiles all of them but those whose names are in `without`. What does not compile, or cannot be recorded,
/// is an error.
Result<std::vector<ParityJob>> prepare_parity_jobs(const WorkspacePaths& paths, Machine& machine,
                                                   const std::set<std::string>& without);

}  // namespace fusebox
