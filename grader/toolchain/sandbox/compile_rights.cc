#include "grader/toolchain/sandbox/compile_rights.h"

#include <string>
#include <system_error>
#include <utility>

#include "grader/toolchain/sandbox/environment.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

// What an installation keeps below its prefix; the prefix itself may be somebody's home.
void add_installation(const fs::path& program, std::vector<fs::path>& folders) {
  std::error_code error;
  const fs::path real = fs::canonical(program, error);
  if (error) return;
  for (const fs::path& path : {fs::absolute(program, error), real}) {
    const fs::path prefix = path.parent_path().parent_path();
    for (const char* part : {"bin", "lib", "lib64", "libexec", "include", "share", "nvvm", "targets"})
      folders.push_back(prefix / part);
  }
}

// As a shell finds it; empty: nowhere.
fs::path on_path(const char* name) {
  std::error_code ignored;
  for (const fs::path& folder : folders_of("PATH"))
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  return {};
}

}  // namespace

std::vector<fs::path> system_folders() {
  return {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store"};
}

std::vector<fs::path> compiler_folders(const fs::path& nvcc) {
  std::vector<fs::path> folders;
  add_installation(nvcc, folders);
  for (const char* name : {"gcc", "g++", "as", "ld"}) add_installation(on_path(name), folders);
  if (const std::string chosen = environment("NVCC_CCBIN"); !chosen.empty())
    add_installation(fs::is_directory(chosen) ? fs::path(chosen) / "g++" : fs::path(chosen), folders);
  for (const fs::path& folder : folders_of("FUSEBOX_COMPILER_READS")) folders.push_back(folder);
  return folders;
}

FileRights rights_to_compile(const fs::path& nvcc, const fs::path& beside, const fs::path& workspace) {
  FileRights rights;
  rights.read = system_folders();
  rights.read.emplace_back("/etc");
  rights.read.push_back(beside.empty() ? fs::path(".") : beside);
  for (fs::path& folder : compiler_folders(nvcc)) rights.read.push_back(std::move(folder));
  rights.write = {workspace, "/dev/null"};
  return rights;
}

}  // namespace fusebox
