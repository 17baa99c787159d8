#pragma once

#include <string>
#include <vector>

#include "grader/device/device.h"
#include "grader/toolchain/toolchain.h"

namespace fusebox {

/// The errors and warnings in nvcc's output, in order, each once: nvcc's front end `file(line): error: text`,
/// the host compiler `file:line:col: error: text`, the assemblers of host and GPU. `source` is the compiled
/// text, for columns (the front end only draws a caret under a line in which macros are already expanded);
/// `file` is the name for messages that carry none.
std::vector<Diagnostic> parse_diagnostics(const std::string& output, const std::string& source,
                                          const std::string& file);

/// Registers, shared memory and spills per kernel out of `ptxas -v`'s lines in nvcc's output.
std::vector<KernelResources> parse_resources(const std::string& output);

/// `text` with every mangled C++ name in it demangled.
std::string demangle_names(const std::string& text);

}  // namespace fusebox
