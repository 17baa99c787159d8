#include "grader/device/binary/elf_sections.h"

#include <cstdint>
#include <cstring>

#include "grader/device/binary/read_bytes.h"

namespace fusebox {
namespace {

constexpr const char* kBuiltByNvcc = "give an object, a shared library or a program that nvcc built";

Error cut_off() {
  return {ErrorKind::internal, "damaged ELF file: its section table is cut off",
          "compile the file again with nvcc"};
}

}  // namespace

std::optional<std::span<const std::byte>> bytes_of(const ElfSection& section,
                                                   std::span<const std::byte> elf) {
  const Elf64_Shdr& header = section.header;
  if (header.sh_type == SHT_NOBITS || header.sh_offset > elf.size() ||
      header.sh_size > elf.size() - header.sh_offset)
    return std::nullopt;
  return elf.subspan(header.sh_offset, header.sh_size);
}

std::string_view word_at(std::span<const std::byte> strings, std::size_t begin) {
  if (begin >= strings.size()) return {};
  const std::string_view rest(reinterpret_cast<const char*>(strings.data()) + begin, strings.size() - begin);
  return rest.substr(0, rest.find('\0'));
}

Result<std::vector<ElfSection>> read_elf_sections(std::span<const std::byte> elf) {
  Elf64_Ehdr header;
  if (!read(elf, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return Error{ErrorKind::internal, "not an ELF file", kBuiltByNvcc};
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    return Error{ErrorKind::internal, "not a 64-bit little-endian ELF file", "build it for this machine"};
  ElfSection names;
  if (header.e_shoff > elf.size() ||
      !read(elf, header.e_shoff + std::uint64_t{header.e_shstrndx} * sizeof(Elf64_Shdr), names.header))
    return cut_off();
  const auto strings = bytes_of(names, elf);
  if (!strings) return cut_off();
  std::vector<ElfSection> sections;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    ElfSection section;
    if (!read(elf, header.e_shoff + i * sizeof(Elf64_Shdr), section.header)) return cut_off();
    section.name = word_at(*strings, section.header.sh_name);
    sections.push_back(section);
  }
  return sections;
}

}  // namespace fusebox
