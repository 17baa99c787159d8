#include "grader/toolchain/sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/confine/landlock.h"
#include "grader/process/run_process.h"
#include "grader/toolchain/compile_rights.h"
#include "grader/toolchain/environment.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

// Of /tmp and of /dev/shm: what is to be kept a little longer has folders of its own.
constexpr const char* kRoom = "33554432";

fs::path find_bubblewrap() {
  std::error_code ignored;
  for (const fs::path& folder : folders_of("PATH"))
    if (fs::is_regular_file(folder / "bwrap", ignored)) return fs::absolute(folder / "bwrap");
  return {};
}

std::string first_line_of(const std::string& text) { return text.substr(0, text.find('\n')); }

bool lies_below(const fs::path& path, const std::vector<fs::path>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
  });
}

// Why no program runs in it here; empty: one did.
std::string why_it_does_not_work(const fs::path& bubblewrap) {
  constexpr int kSign = 7;
  const auto run = run_process(in_sandbox({bubblewrap, {}, {}}, {"/bin/sh", "-c", "exit 7"}),
                               {.time_limit_s = 20, .directory = {}, .environment = {}});
  if (!run) return run.error().what;
  if (run->exit_code == kSign) return {};
  const std::string words = first_line_of(run->output);
  return words.empty() ? fmt::format("{} ended with exit code {}", bubblewrap.string(), run->exit_code)
                       : words;
}

std::string version_of(const fs::path& bubblewrap) {
  const auto run = run_process({bubblewrap.string(), "--version"},
                               {.time_limit_s = 20, .directory = {}, .environment = {}});
  return run ? first_line_of(run->output) : "bubblewrap";
}

}  // namespace

Confinement confinement_here() {
  const int landlock = landlock_version();
  // Not even bubblewrap would keep the compiler from the reference, which the grader itself reads.
  if (landlock == 0) return {"", "", "this kernel has no Landlock", ""};
  const std::string tier = fmt::format("Landlock {}, seccomp", landlock);
  const fs::path bubblewrap = find_bubblewrap();
  if (bubblewrap.empty()) return {tier, tier, "there is no program bwrap (package bubblewrap)", ""};
  if (std::string why = why_it_does_not_work(bubblewrap); !why.empty())
    return {tier, tier, std::move(why), ""};
  return {fmt::format("{}, {}", version_of(bubblewrap), tier), tier, "", bubblewrap};
}

std::vector<std::string> in_sandbox(const Sandbox& sandbox, const std::vector<std::string>& command) {
  std::vector<std::string> words = {sandbox.bubblewrap.string(),
                                    "--unshare-user",
                                    "--unshare-pid",
                                    "--unshare-net",
                                    "--unshare-ipc",
                                    "--unshare-uts",
                                    "--unshare-cgroup-try",
                                    "--die-with-parent",
                                    "--new-session",
                                    "--cap-drop",
                                    "ALL"};
  const auto bind = [&](const char* how, const fs::path& path) {
    words.insert(words.end(), {how, path.string(), path.string()});
  };
  const std::vector<fs::path> system = system_folders();
  for (const fs::path& folder : system) bind("--ro-bind-try", folder);
  // What the loader and the host compiler's names need of /etc; the rest of it stays hidden.
  for (const char* name : {"ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime"})
    bind("--ro-bind-try", fs::path("/etc") / name);
  words.insert(words.end(), {"--proc", "/proc", "--dev", "/dev"});
  for (const char* folder : {"/tmp", "/dev/shm"})
    words.insert(words.end(), {"--size", kRoom, "--tmpfs", folder});
  for (const fs::path& path : sandbox.read)
    if (path.is_absolute() && !lies_below(path, system)) bind("--ro-bind-try", path);
  for (const fs::path& path : sandbox.write) bind("--bind-try", path);
  words.emplace_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

}  // namespace fusebox
