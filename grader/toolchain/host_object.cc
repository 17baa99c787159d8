#include "grader/toolchain/host_object.h"

#include <elf.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>

#include "grader/process/run_process.h"

namespace fusebox {
namespace {

constexpr double kLinkLimitS = 60;

Error damaged(const char* what) {
  return {ErrorKind::internal, fmt::format("damaged object file: {}", what), "compile it again"};
}

// The linker alone takes 4 ms; through g++, with the whole C++ library to search, 60. The short way leaves
// every reference to the C and C++ libraries open without a version, which only means the same where a name
// has one version. These do, and they are all that the host side of a kernel file usually needs.
bool has_one_version(std::string_view name) {
  static constexpr std::string_view kNames[] = {"atexit",
                                                "__cxa_atexit",
                                                "__cxa_finalize",
                                                "__dso_handle",
                                                "__cxa_guard_acquire",
                                                "__cxa_guard_release",
                                                "__cxa_guard_abort",
                                                "__gxx_personality_v0",
                                                "_Unwind_Resume",
                                                "__stack_chk_fail",
                                                "_GLOBAL_OFFSET_TABLE_",
                                                "_ITM_deregisterTMCloneTable",
                                                "_ITM_registerTMCloneTable",
                                                "__gmon_start__",
                                                "_ZSt9terminatev",
                                                "__cxa_begin_catch",
                                                "__cxa_end_catch",
                                                "memset",
                                                "printf",
                                                "__printf_chk",
                                                "puts",
                                                "abort",
                                                "exit",
                                                "__assert_fail",
                                                "malloc",
                                                "free",
                                                "_Znwm",
                                                "_ZdlPv",
                                                "_ZdlPvm"};
  return name.starts_with("cuda") || name.starts_with("__cuda") ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// The files that g++ puts around every shared library on this machine: start, end, and the part of the C
// library that is linked in (atexit). Empty when one of them is not there.
struct LinkerFiles {
  std::vector<std::string> before, after;
};

LinkerFiles find_linker_files() {
  // One start of g++ for all of them: it would say each file's place too, in as many starts as files.
  const auto answer =
      run_process({"g++", "-print-search-dirs"},
                  {.time_limit_s = kLinkLimitS, .directory = {}, .environment = {"LC_ALL=C"}});
  if (!answer || answer->exit_code != 0) return {};
  const std::string key = "libraries: =";
  const std::size_t from = answer->output.find(key);
  if (from == answer->output.npos) return {};
  std::istringstream line(
      answer->output.substr(from + key.size(), answer->output.find('\n', from) - from - key.size()));
  std::vector<std::filesystem::path> folders;
  for (std::string folder; std::getline(line, folder, ':');) folders.emplace_back(folder);
  const auto find = [&](const char* name) -> std::string {
    std::error_code ignored;
    for (const auto& folder : folders)
      if (std::filesystem::exists(folder / name, ignored)) return folder / name;
    return {};
  };
  LinkerFiles files;
  files.before = {find("crti.o"), find("crtbeginS.o")};
  files.after = {find("libc_nonshared.a"), find("crtendS.o"), find("crtn.o")};
  for (auto* list : {&files.before, &files.after})
    if (std::find(list->begin(), list->end(), "") != list->end()) return {};
  return files;
}

bool link_the_short_way(const std::filesystem::path& folder) {
  static const LinkerFiles files = find_linker_files();
  if (files.before.empty()) return false;
  std::vector<std::string> argv = {"ld", "-shared", "--eh-frame-hdr", "--hash-style=gnu", "-o", "library.so"};
  argv.insert(argv.end(), files.before.begin(), files.before.end());
  argv.push_back("object.o");
  argv.insert(argv.end(), files.after.begin(), files.after.end());
  const auto linked =
      run_process(argv, {.time_limit_s = kLinkLimitS, .directory = folder, .environment = {}});
  return linked.ok() && linked->exit_code == 0;
}

}  // namespace

Result<ObjectSymbols> read_object_symbols(std::span<const std::byte> elf) {
  const auto read = [&](std::uint64_t offset, auto& value) {
    if (offset > elf.size() || elf.size() - offset < sizeof value) return false;
    std::memcpy(&value, elf.data() + offset, sizeof value);
    return true;
  };
  Elf64_Ehdr header;
  if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shoff > elf.size())
    return damaged("not a 64-bit ELF file");
  const auto section = [&](std::uint64_t index, Elf64_Shdr& out) {
    return index < header.e_shnum && read(header.e_shoff + index * sizeof out, out) &&
           out.sh_offset <= elf.size() &&
           (out.sh_type == SHT_NOBITS || out.sh_size <= elf.size() - out.sh_offset);
  };
  ObjectSymbols symbols;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr table, names;
    if (!section(i, table)) return damaged("a section lies outside the file");
    if (table.sh_type != SHT_SYMTAB) continue;
    if (!section(table.sh_link, names) || names.sh_type != SHT_STRTAB) return damaged("no names of symbols");
    const std::string_view text(reinterpret_cast<const char*>(elf.data()) + names.sh_offset, names.sh_size);
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      if (!read(table.sh_offset + at, symbol) || symbol.st_name >= text.size())
        return damaged("a symbol lies outside the file");
      std::string_view name = text.substr(symbol.st_name);
      name = name.substr(0, name.find('\0'));
      if (name.empty()) continue;
      if (symbol.st_shndx == SHN_UNDEF)
        symbols.undefined.emplace_back(name);
      else if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL)
        symbols.functions.emplace_back(name);
    }
  }
  std::sort(symbols.functions.begin(), symbols.functions.end());
  return symbols;
}

Result<std::string> link_host_library(const std::filesystem::path& folder, const ObjectSymbols& symbols) {
  const bool simple = std::all_of(symbols.undefined.begin(), symbols.undefined.end(), has_one_version);
  if (simple && link_the_short_way(folder)) return std::string("ld");
  const auto linked = run_process({"g++", "-shared", "-o", "library.so", "object.o"},
                                  {.time_limit_s = kLinkLimitS, .directory = folder, .environment = {}});
  if (!linked) return linked.error();
  if (linked->exit_code != 0)
    return Error{ErrorKind::missing_part, fmt::format("the host part cannot be linked: {}", linked->output),
                 "./fusebox setup"};
  return std::string("g++");
}

}  // namespace fusebox
