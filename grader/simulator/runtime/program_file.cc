#include "grader/simulator/runtime/program_file.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <tuple>
#include <utility>

#include "grader/device/binary/fat_binary.h"

namespace fusebox::sim {
namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const std::byte>;

constexpr const char* kRebuild =
    "rebuild it: nvcc --cudart shared -gencode arch=compute_80,code=compute_80 ...";
// What a GPU of Hopper alone can do (wgmma) is in no PTX for others.
constexpr const char* kRebuildForHopper =
    "rebuild it: nvcc --cudart shared -gencode arch=compute_90a,code=compute_90a ...";

// They talk to a driver, or compile for a GPU's own machine code: neither is there.
constexpr const char* kForeign[] = {"libnvrtc", "libnvJitLink", "libcudadevrt"};

fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder) / name).c_str(), X_OK) == 0) return fs::path(folder) / name;
  return {};
}

template <class T>
bool read(Bytes bytes, std::uint64_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return true;
}

/// Where a loaded address lies in the file.
std::optional<std::uint64_t> file_offset(Bytes elf, const Elf64_Ehdr& header, std::uint64_t address) {
  Elf64_Phdr segment;
  for (std::uint64_t i = 0; i < header.e_phnum && read(elf, header.e_phoff + i * sizeof segment, segment);
       ++i)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return address - segment.p_vaddr + segment.p_offset;
  return std::nullopt;
}

std::string text_at(Bytes bytes, std::uint64_t offset) {
  std::string text;
  for (; offset < bytes.size() && bytes[offset] != std::byte{0}; ++offset)
    text += static_cast<char>(bytes[offset]);
  return text;
}

std::vector<std::string> needed_libraries(Bytes elf, const Elf64_Ehdr& header) {
  std::vector<std::uint64_t> offsets;
  std::uint64_t strings = 0;
  Elf64_Phdr segment;
  for (std::uint64_t i = 0; i < header.e_phnum && read(elf, header.e_phoff + i * sizeof segment, segment);
       ++i) {
    if (segment.p_type != PT_DYNAMIC) continue;
    Elf64_Dyn entry;
    for (std::uint64_t at = 0; at < segment.p_filesz && read(elf, segment.p_offset + at, entry);
         at += sizeof entry) {
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) offsets.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) strings = entry.d_un.d_ptr;
    }
  }
  std::vector<std::string> names;
  if (const auto table = file_offset(elf, header, strings))
    for (std::uint64_t offset : offsets)
      if (offset <= elf.size()) names.push_back(text_at(elf, *table + offset));
  return names;
}

/// The dynamic symbols of a file, through its sections: stripping leaves those.
class Symbols {
 public:
  Symbols(Bytes elf, const Elf64_Ehdr& header) : elf_(elf) {
    Elf64_Shdr section;
    for (std::uint64_t i = 0; i < header.e_shnum && read(elf, header.e_shoff + i * sizeof section, section);
         ++i) {
      if (section.sh_type == SHT_DYNSYM) symbols_ = section;
      if (section.sh_type == SHT_GNU_versym) versions_ = section;
      if (section.sh_type == SHT_GNU_verneed) needs_ = section;
    }
    if (!read(elf, header.e_shoff + symbols_.sh_link * sizeof section, section)) return;
    strings_ = section.sh_offset;
    read_needs();
  }

  /// Of all symbols, defined here or not.
  template <class F>
  void for_each(const F& take) const {
    Elf64_Sym symbol;
    for (std::uint64_t i = 1; i < symbols_.sh_size / sizeof symbol; ++i) {
      if (!read(elf_, symbols_.sh_offset + i * sizeof symbol, symbol)) return;
      Elf64_Half version = 0;
      if (versions_.sh_size != 0) (void)read(elf_, versions_.sh_offset + i * sizeof version, version);
      const auto need = needed_.find(version & 0x7fff);
      Import import{text_at(elf_, strings_ + symbol.st_name), "", ""};
      if (need != needed_.end()) std::tie(import.library, import.version) = need->second;
      take(symbol, std::move(import));
    }
  }

 private:
  void read_needs() {
    Elf64_Verneed need;
    std::uint64_t at = needs_.sh_offset;
    for (Elf64_Word i = 0; i < needs_.sh_info && read(elf_, at, need); ++i, at += need.vn_next) {
      Elf64_Vernaux version;
      std::uint64_t one = at + need.vn_aux;
      for (Elf64_Half k = 0; k < need.vn_cnt && read(elf_, one, version); ++k, one += version.vna_next)
        needed_[version.vna_other] = {text_at(elf_, strings_ + need.vn_file),
                                      text_at(elf_, strings_ + version.vna_name)};
    }
  }

  Bytes elf_;
  Elf64_Shdr symbols_{}, versions_{}, needs_{};
  std::uint64_t strings_ = 0;
  std::map<int, std::pair<std::string, std::string>> needed_;
};

std::vector<Import> imports_of(Bytes elf, const Elf64_Ehdr& header) {
  std::vector<Import> imports;
  Symbols(elf, header).for_each([&](const Elf64_Sym& symbol, Import import) {
    if (symbol.st_shndx == SHN_UNDEF && !import.name.empty()) imports.push_back(std::move(import));
  });
  return imports;
}

Error refusal(const fs::path& path, const std::string& why, const std::string& remedy) {
  return {ErrorKind::not_passed, path.string() + " " + why, remedy};
}

/// The device code of a program that will run here.
std::optional<Error> check_device_code(const fs::path& path, const std::vector<FatBinaryEntry>& entries) {
  const bool any = std::any_of(entries.begin(), entries.end(), [](const FatBinaryEntry& entry) {
    return entry.kind == FatBinaryEntry::Kind::ptx;
  });
  if (any) return std::nullopt;
  const bool for_hopper = std::any_of(entries.begin(), entries.end(),
                                      [](const FatBinaryEntry& entry) { return entry.architecture == 90; });
  return refusal(path, "holds machine code only, and the simulator runs PTX",
                 for_hopper ? kRebuildForHopper : kRebuild);
}

}  // namespace

Result<ProgramFile> inspect_program(const std::string& name) {
  ProgramFile program;
  program.path = find_program(name);
  if (program.path.empty() || access(program.path.c_str(), X_OK) != 0 || fs::is_directory(program.path))
    return Error{ErrorKind::wrong_usage, "there is no program " + name,
                 "grader sim -- ./program its arguments"};
  std::ifstream file(program.path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const Bytes elf = std::as_bytes(std::span(text));
  Elf64_Ehdr header;
  program.elf = read(elf, 0, header) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                header.e_ident[EI_CLASS] == ELFCLASS64;
  if (!program.elf) return program;
  program.libraries = needed_libraries(elf, header);
  program.imports = imports_of(elf, header);
  for (const std::string& library : program.libraries)
    for (const char* foreign : kForeign)
      if (library.starts_with(foreign))
        return refusal(program.path, "needs " + library + ", which needs a GPU's driver or its machine code",
                       "run it on a GPU, or do that part with kernels of your own");
  if (header.e_shnum == 0) return program;  // stripped of its sections: nvcc makes no such program
  const auto entries = read_fat_binary_of_elf(elf);
  program.device_code = entries || entries.error().what.find("no device code") == std::string::npos;
  if (!program.device_code) return program;
  const bool shared =
      std::any_of(program.libraries.begin(), program.libraries.end(),
                  [](const std::string& library) { return library.starts_with("libcudart.so."); });
  if (!shared)
    return refusal(program.path, "has the CUDA runtime linked into it, so that it cannot be replaced",
                   "rebuild it: nvcc --cudart shared ...");
  if (!entries) return refusal(program.path, "cannot be read: " + entries.error().what, kRebuild);
  if (const auto problem = check_device_code(program.path, *entries)) return *problem;
  return program;
}

std::vector<std::string> exported_names(const fs::path& library) {
  std::ifstream file(library, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const Bytes elf = std::as_bytes(std::span(text));
  Elf64_Ehdr header;
  std::vector<std::string> names;
  if (!read(elf, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return names;
  Symbols(elf, header).for_each([&](const Elf64_Sym& symbol, Import import) {
    if (symbol.st_shndx != SHN_UNDEF) names.push_back(std::move(import.name));
  });
  return names;
}

}  // namespace fusebox::sim
