#include "grader/device/binary/machine_code.h"

#include <cstdint>
#include <map>
#include <string_view>

#include "grader/device/binary/elf_sections.h"
#include "grader/device/binary/read_bytes.h"

namespace fusebox {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view kText = ".text.", kInfo = ".nv.info";

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
  const auto sections = read_elf_sections(cubin);
  if (!sections) return {};
  const auto bytes = [&](const ElfSection& section) { return bytes_of(section, cubin).value_or(Bytes{}); };
  std::map<std::string_view, int> registers;
  std::map<std::uint32_t, int> of_symbols;
  const ElfSection* symbols = nullptr;
  for (const ElfSection& section : *sections) {
    if (section.name.starts_with(kText))
      registers[section.name.substr(kText.size())] = static_cast<int>(section.header.sh_info >> 24);
    if (section.name == kInfo) of_symbols = registers_of_symbols(bytes(section));
    if (section.header.sh_type == SHT_SYMTAB) symbols = &section;
  }
  if (symbols != nullptr && symbols->header.sh_link < sections->size()) {
    const Bytes names = bytes((*sections)[symbols->header.sh_link]);
    for (const auto& [symbol, count] : of_symbols) {
      Elf64_Sym entry;
      if (!read(bytes(*symbols), std::uint64_t{symbol} * sizeof entry, entry)) continue;
      const auto known = registers.find(word_at(names, entry.st_name));
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
