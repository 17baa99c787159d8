#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "grader/report/result.h"

namespace fusebox {

/// Mangled names in the symbol table of a relocatable object.
struct ObjectSymbols {
  std::vector<std::string> functions;  ///< defined, global, not weak; sorted
  std::vector<std::string> undefined;  ///< needed from elsewhere
};

/// Reads a 64-bit ELF object; damaged bytes are an error.
Result<ObjectSymbols> read_object_symbols(std::span<const std::byte> elf);

/// Links `folder`/object.o to `folder`/library.so. References to the CUDA runtime stay open: the program that
/// loads the library brings its own.
Result<std::string> link_host_library(const std::filesystem::path& folder, const ObjectSymbols& symbols);

}  // namespace fusebox
