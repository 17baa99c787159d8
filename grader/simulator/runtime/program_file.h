#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/report/result.h"

namespace fusebox::sim {

/// A function that a file takes from another.
struct Import {
  std::string name;
  std::string library, version;  ///< that it names for it; empty: any that has it
};

/// What can be said of a program before it runs.
struct ProgramFile {
  std::filesystem::path path;
  bool elf = false;                    ///< else a script, which may start programs
  bool device_code = false;            ///< the file itself holds some
  std::vector<std::string> libraries;  ///< that it names as needed
  std::vector<Import> imports;         ///< in the order of its table of symbols
};

/// `name` as a shell would find it. A program that cannot run on the simulator is an error that says how to
/// build it so that it can: static runtime, no PTX, damaged device code, a library that brings its own
/// machine code.
Result<ProgramFile> inspect_program(const std::string& name);
/// What a shared library offers; empty where it cannot be read.
std::vector<std::string> exported_names(const std::filesystem::path& library);

}  // namespace fusebox::sim
