#include "grader/device/binary/machine_code.h"

#include <elf.h>

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "grader/device/binary/read_bytes.h"

namespace fusebox {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view kText = ".text.", kInfo = ".nv.info";

/// An ELF file's sections, as far as they can be read.
struct Elf {
  struct Section {
    std::string_view name;
    Elf64_Shdr header;
  };
  Bytes file;
  std::vector<Section> sections;

  explicit Elf(Bytes bytes) : file(bytes) {
    Elf64_Ehdr header;
    Elf64_Shdr names;
    if (!read(file, 0, header) ||
        !read(file, header.e_shoff + std::uint64_t{header.e_shstrndx} * sizeof(Elf64_Shdr), names))
      return;
    const std::string_view table = text(names);
    for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
      Elf64_Shdr section;
      if (!read(file, header.e_shoff + i * sizeof section, section)) return;
      sections.push_back({word(table, section.sh_name), section});
    }
  }

  Bytes bytes(const Elf64_Shdr& section) const {
    if (section.sh_offset > file.size() || section.sh_size > file.size() - section.sh_offset) return {};
    return file.subspan(section.sh_offset, section.sh_size);
  }
  std::string_view text(const Elf64_Shdr& section) const {
    const Bytes all = bytes(section);
    return {reinterpret_cast<const char*>(all.data()), all.size()};
  }
  /// Up to its NUL; "" where there is none.
  static std::string_view word(std::string_view table, std::uint64_t at) {
    return at < table.size() ? table.substr(at).substr(0, table.substr(at).find('\0')) : std::string_view();
  }
};

/// Registers by the number of a kernel's symbol. A record of .nv.info: how it is written, what it says, 16
/// bits, which are what it says or how many bytes follow (4).
std::map<std::uint32_t, int> registers_of_symbols(Bytes info) {
  constexpr std::uint8_t kBytesFollow = 4, kRegisters = 0x2f;
  std::map<std::uint32_t, int> registers;
  std::uint8_t form = 0, what = 0;
  std::uint16_t size = 0;
  for (std::uint64_t at = 0; read(info, at, form) && read(info, at + 1, what) && read(info, at + 2, size);) {
    std::uint32_t symbol = 0, count = 0;
    if (form == kBytesFollow && what == kRegisters && size == 8 && read(info, at + 4, symbol) &&
        read(info, at + 8, count) && count <= 255)
      registers[symbol] = static_cast<int>(count);
    at += form == kBytesFollow ? 4 + std::uint64_t{size} : 4;
  }
  return registers;
}

}  // namespace

// Toolkits up to 12 keep a kernel's registers in the upper byte of its section's sh_info, all of them in
// .nv.info.
std::vector<KernelResources> read_machine_code(std::span<const std::byte> cubin) {
  const Elf elf(cubin);
  std::map<std::string_view, int> registers;
  for (const Elf::Section& section : elf.sections)
    if (section.name.starts_with(kText))
      registers[section.name.substr(kText.size())] = static_cast<int>(section.header.sh_info >> 24);
  std::map<std::uint32_t, int> of_symbols;
  for (const Elf::Section& section : elf.sections)
    if (section.name == kInfo) of_symbols = registers_of_symbols(elf.bytes(section.header));
  for (const Elf::Section& section : elf.sections) {
    if (section.header.sh_type != SHT_SYMTAB || section.header.sh_link >= elf.sections.size()) continue;
    const std::string_view names = elf.text(elf.sections[section.header.sh_link].header);
    for (const auto& [symbol, count] : of_symbols) {
      Elf64_Sym entry;
      if (!read(elf.bytes(section.header), std::uint64_t{symbol} * sizeof entry, entry)) continue;
      const auto known = registers.find(Elf::word(names, entry.st_name));
      if (known != registers.end()) known->second = count;
    }
  }
  std::vector<KernelResources> list;
  for (const auto& [kernel, count] : registers) {
    KernelResources resources;
    resources.kernel = kernel;
    resources.registers = count;
    list.push_back(std::move(resources));
  }
  return list;
}

}  // namespace fusebox
