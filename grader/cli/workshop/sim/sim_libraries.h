#pragma once

#include <filesystem>

#include "grader/report/result.h"
#include "grader/report/workspace_paths.h"
#include "grader/simulator/runtime/program_file.h"

namespace fusebox {

/// A folder with a stand-in for each of NVIDIA's libraries that the program needs, which defines what the
/// program takes of it: compiled once, and kept by content. Empty: it needs none. `cuda`: 12 or 13, whose
/// runtime of ours carries the calls out.
Result<std::filesystem::path> make_stand_ins(const WorkspacePaths& paths, const sim::ProgramFile& program,
                                             int cuda);

}  // namespace fusebox
