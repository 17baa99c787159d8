#pragma once

#include <filesystem>
#include <vector>

#include "grader/confine/landlock.h"

namespace fusebox {

/// What `nvcc` may do with files while it compiles a file of folder `beside` in `workspace`: it reads the
/// system, the toolkit, the host compiler, and what lies beside the file and below; it writes the workspace.
/// So a file that includes a solution by its path does not compile, nor one that asks with __has_include
/// whether it is there: a file that g++ finds and may not open is an error, and no answer to branch on.
/// FUSEBOX_COMPILER_READS names more folders, with colons between them, for compilers that keep something
/// elsewhere.
FileRights rights_to_compile(const std::filesystem::path& nvcc, const std::filesystem::path& beside,
                             const std::filesystem::path& workspace);

/// Of what it reads then: where every system keeps its programs and libraries, and where this compiler and
/// its helpers lie.
std::vector<std::filesystem::path> system_folders();
std::vector<std::filesystem::path> compiler_folders(const std::filesystem::path& nvcc);

}  // namespace fusebox
