#pragma once

#include <elf.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "grader/report/result.h"

namespace fusebox {

struct ElfSection {
  std::string_view name;  ///< in the file's bytes
  Elf64_Shdr header{};
};

/// The sections of a 64-bit ELF file of this machine's byte order that have a name. The bytes may be hostile:
/// every offset and size is checked, but for what lies in the sections.
Result<std::vector<ElfSection>> read_elf_sections(std::span<const std::byte> elf);

/// What a section holds; nothing where that is not in the file.
std::optional<std::span<const std::byte>> bytes_of(const ElfSection& section, std::span<const std::byte> elf);

/// The word of a table of strings that begins there, up to its NUL or the table's end; "" behind it.
std::string_view word_at(std::span<const std::byte> strings, std::size_t begin);

}  // namespace fusebox
