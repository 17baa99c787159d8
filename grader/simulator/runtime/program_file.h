#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/report/result.h"

namespace fusebox::sim {

/// What can be said of a program before it runs.
struct ProgramFile {
  std::filesystem::path path;
  bool elf = false;                    ///< else a script, which may start programs
  bool device_code = false;            ///< the file itself holds some
  std::vector<std::string> libraries;  ///< that it names as needed
};

/// `name` as a shell would find it. A program that cannot run on the simulator is an error that says how to
/// build it so that it can: static runtime, no PTX, damaged device code, a library that brings its own
/// machine code.
Result<ProgramFile> inspect_program(const std::string& name);

}  // namespace fusebox::sim
