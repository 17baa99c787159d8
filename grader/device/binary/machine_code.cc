#include "grader/device/binary/machine_code.h"

#include <elf.h>

#include <cstring>
#include <string_view>

#include "grader/device/binary/read_bytes.h"

namespace fusebox {

// Section .text.KERNEL keeps the registers in the upper byte of its sh_info.
std::vector<KernelResources> read_machine_code(std::span<const std::byte> cubin) {
  constexpr std::string_view kText = ".text.";
  std::vector<KernelResources> list;
  Elf64_Ehdr header;
  Elf64_Shdr names;
  if (!read(cubin, 0, header) ||
      !read(cubin, header.e_shoff + std::uint64_t{header.e_shstrndx} * sizeof(Elf64_Shdr), names) ||
      names.sh_offset > cubin.size() || names.sh_size > cubin.size() - names.sh_offset)
    return list;
  const std::string_view table(reinterpret_cast<const char*>(cubin.data() + names.sh_offset), names.sh_size);
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read(cubin, header.e_shoff + i * sizeof section, section) || section.sh_name >= table.size()) break;
    std::string_view name = table.substr(section.sh_name);
    name = name.substr(0, name.find('\0'));
    if (!name.starts_with(kText)) continue;
    KernelResources resources;
    resources.kernel = name.substr(kText.size());
    resources.registers = static_cast<int>(section.sh_info >> 24);
    list.push_back(std::move(resources));
  }
  return list;
}

}  // namespace fusebox
