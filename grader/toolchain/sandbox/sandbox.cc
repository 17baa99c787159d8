#include "grader/toolchain/sandbox/sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/confine/landlock.h"
#include "grader/process/run_process.h"
#include "grader/toolchain/sandbox/compile_rights.h"
#include "grader/toolchain/sandbox/environment.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

// Bytes of /tmp and of /dev/shm; files that outlast the program have folders of their own.
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

MemoryHold memory_hold_here(const CgroupPlace& place) {
  const auto without = [](const std::string& why) {
    return MemoryHold{{}, "limits for each process; no control group: " + why};
  };
  if (place.folder.empty()) return without(place.why_none);
  const std::string name = cgroup_name("probe");
  const Cgroup group(place.folder / name, {.memory_bytes = 64 << 20, .processes = 64});
  if (!group.problem().empty()) return without(group.problem());
  const auto run = run_process(group.entering({"/bin/cat", "/proc/self/cgroup"}),
                               {.time_limit_s = 20, .directory = {}, .environment = {}});
  if (!run) return without(run.error().what);
  if (run->output.find("/" + name + "\n") == run->output.npos)
    return without(run->exit_code == 0 ? "nobody enters one in " + place.folder.string()
                                       : first_line_of(run->output));
  return {place.folder, "a control group for each answer, in " + place.folder.string()};
}

std::string why_no_gpu_in_sandbox(const fs::path& bubblewrap, const fs::path& executor, const GpuNodes& gpu) {
  if (gpu.nodes.empty()) return gpu.why_none;
  // With nobody to serve it ends well as soon as the GPU has run something.
  const auto run = run_process(
      in_sandbox({bubblewrap, {executor}, {}, gpu.nodes}, {executor.string()}),
      {.time_limit_s = 120, .directory = {}, .environment = {"CUDA_VISIBLE_DEVICES=" + gpu.visible}});
  if (!run) return run.error().what;
  if (run->exit_code == 0) return {};
  const std::string words = first_line_of(run->output);
  return "the GPU is not reached in bubblewrap" + (words.empty() ? "" : ": " + words);
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
  for (const fs::path& path : sandbox.devices) bind("--dev-bind-try", path);
  words.emplace_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

}  // namespace fusebox
