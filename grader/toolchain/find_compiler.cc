#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "grader/process/run_process.h"
#include "grader/toolchain/sandbox/environment.h"
#include "grader/toolchain/toolchain.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestMajor = 12;

// Places in the order of trust: what the user chose, what the machine has, what set-up brought.
std::vector<fs::path> candidates(const fs::path& toolkit) {
  if (const auto chosen = environment("FUSEBOX_NVCC"); !chosen.empty()) return {chosen};
  std::vector<fs::path> places;
  for (const fs::path& folder : folders_of("PATH")) places.push_back(folder / "nvcc");
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const auto home = environment(variable); !home.empty()) places.push_back(fs::path(home) / "bin/nvcc");
  places.emplace_back("/usr/local/cuda/bin/nvcc");
  std::vector<fs::path> versions;
  std::error_code ignored;
  for (fs::directory_iterator it("/usr/local", ignored), end; !ignored && it != end; it.increment(ignored))
    if (it->path().filename().string().starts_with("cuda-")) versions.push_back(it->path() / "bin/nvcc");
  std::sort(versions.rbegin(), versions.rend());
  places.insert(places.end(), versions.begin(), versions.end());
  places.emplace_back("/opt/cuda/bin/nvcc");
  // pip's layout, and a toolkit that somebody unpacked there.
  for (fs::directory_iterator it(toolkit / "nvidia", ignored), end; !ignored && it != end;
       it.increment(ignored))
    places.push_back(it->path() / "bin/nvcc");
  places.push_back(toolkit / "bin/nvcc");
  return places;
}

// "Cuda compilation tools, release 13.0, V13.0.88"
bool ask_version(const fs::path& nvcc, Compiler& compiler) {
  const auto answer =
      run_process({nvcc.string(), "--version"}, {.time_limit_s = 20, .directory = {}, .environment = {}});
  if (!answer || answer->exit_code != 0) return false;
  const auto at = answer->output.find("release ");
  if (at == std::string::npos) return false;
  compiler.nvcc = nvcc;
  return std::sscanf(answer->output.c_str() + at, "release %d.%d", &compiler.major, &compiler.minor) == 2;
}

}  // namespace

fs::path toolkit_folder(const fs::path& root, const fs::path& build) {
  std::error_code ignored;
  const fs::path own = build / "toolkit";
  return fs::exists(own, ignored) ? own : root / "build" / "toolkit";
}

Result<Compiler> find_compiler(const fs::path& toolkit) {
  std::string seen;
  for (const auto& nvcc : candidates(toolkit)) {
    std::error_code ignored;
    if (!fs::is_regular_file(nvcc, ignored) || access(nvcc.c_str(), X_OK) != 0) continue;
    Compiler compiler;
    if (!ask_version(nvcc, compiler))
      seen += fmt::format("; {} does not answer `--version`", nvcc.string());
    else if (compiler.major < kOldestMajor)
      seen += fmt::format("; {} is {}.{}, too old", nvcc.string(), compiler.major, compiler.minor);
    else
      return compiler;
  }
  const std::string chosen = environment("FUSEBOX_NVCC");
  if (!chosen.empty() && seen.empty())
    seen = fmt::format("; FUSEBOX_NVCC names {}, which is no program", chosen);
  return Error{ErrorKind::missing_part,
               fmt::format("no CUDA compiler: nvcc {} or newer is needed{}", kOldestMajor, seen),
               chosen.empty() ? "./fusebox setup" : "unset FUSEBOX_NVCC, or let it name a newer nvcc"};
}

}  // namespace fusebox
