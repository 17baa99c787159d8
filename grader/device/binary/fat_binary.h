#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/report/result.h"

namespace fusebox {

/// One image inside a fat binary.
struct FatBinaryEntry {
  enum class Kind { ptx, elf, other } kind = Kind::other;
  int architecture = 0;          ///< 90 for sm_90 / compute_90
  std::vector<std::byte> bytes;  ///< decompressed
};

/// Reads a fat binary container (what `__cudaRegisterFatBinary`'s wrapper points to, or the .nv_fatbin
/// section). The bytes may be hostile: every offset and size is checked.
Result<std::vector<FatBinaryEntry>> read_fat_binary(std::span<const std::byte> container);

/// The same for an ELF object, shared library or executable: all containers in its .nv_fatbin section.
Result<std::vector<FatBinaryEntry>> read_fat_binary_of_elf(std::span<const std::byte> elf);

}  // namespace fusebox
