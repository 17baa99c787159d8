#include "grader/confine/cgroup.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

namespace fusebox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "fusebox-";
constexpr auto kPatience = std::chrono::seconds(2);

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Memory and processes are among the controllers that are named there.
bool has_both(const fs::path& controllers) {
  std::istringstream names(text_of(controllers));
  int found = 0;
  for (std::string name; names >> name;) found += name == "memory" || name == "pids";
  return found == 2;
}

bool may_write(const fs::path& path) { return access(path.c_str(), W_OK) == 0; }

struct Mount {
  fs::path root, point;  // what part of the hierarchy is seen, and where
};

// A line of mountinfo: number, parent, device, root, point, options, others' names up to a dash, type, ...
std::optional<Mount> cgroup2_mount(const fs::path& mountinfo) {
  std::ifstream lines(mountinfo);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == line.npos || !line.substr(dash + 3).starts_with("cgroup2 ")) continue;
    std::istringstream words(line);
    std::string number, parent, device, root, point;
    words >> number >> parent >> device >> root >> point;
    return Mount{root, point};
  }
  return std::nullopt;
}

// Where our own group is in the file system; empty: not in the part of the hierarchy that is seen.
fs::path own_group(const fs::path& self, const Mount& mount) {
  std::ifstream lines(self / "cgroup");
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("0::/")) continue;
    const fs::path inside = fs::path(line.substr(3)).lexically_relative(mount.root);
    if (inside.empty() || *inside.begin() == "..") return {};
    return inside == "." ? mount.point : mount.point / inside;
  }
  return {};
}

// Into a file of the kernel's, which is there or is not; 0 or an errno.
int put(const fs::path& file, const std::string& text) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const bool written = write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int error = written ? 0 : errno;
  close(descriptor);
  return error;
}

// Who does not end at once is waited for: it may be writing what it had in memory.
void remove_group(const fs::path& folder) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (rmdir(folder.c_str()) != 0 && errno == EBUSY && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void kill_all(const fs::path& folder) {
  if (put(folder / "cgroup.kill", "1") == 0) return;
  // Before Linux 5.14, one by one, until no process is left that could start another.
  for (int round = 0; round < 100; ++round) {
    std::istringstream left(text_of(folder / "cgroup.procs"));
    bool any = false;
    for (pid_t process = 0; left >> process;)
      if (process > 0 && process != getpid()) any |= kill(process, SIGKILL) == 0;
    if (!any) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

CgroupPlace find_cgroup_place(const fs::path& self) {
  const auto mount = cgroup2_mount(self / "mountinfo");
  if (!mount) return {{}, "cgroup v2 is not mounted"};
  const fs::path own = own_group(self, *mount);
  if (own.empty()) return {{}, "the group of this process is not seen in " + mount->point.string()};
  for (fs::path at = own;; at = at.parent_path()) {
    if (may_write(at) && may_write(at / "cgroup.procs") && has_both(at / "cgroup.subtree_control"))
      return {at, ""};
    if (at == mount->point || at == at.parent_path()) break;
  }
  if (!has_both(mount->point / "cgroup.controllers"))
    return {{}, "cgroup v2 has not the controllers of memory and processes here"};
  return {{}, "no control group is delegated to you (`systemd-run --user --scope COMMAND` may find one)"};
}

Cgroup::Cgroup(fs::path folder, const CgroupLimits& limits) : folder_(std::move(folder)) {
  if (mkdir(folder_.c_str(), 0755) != 0 && errno != EEXIST) {
    problem_ = "cannot make " + folder_.string() + ": " + std::strerror(errno);
    return;
  }
  const struct {
    const char* file;
    std::string value;
    bool needed;
  } settings[] = {{"memory.max", std::to_string(limits.memory_bytes), true},
                  {"memory.swap.max", "0", false},  // absent where nothing can be swapped
                  {"memory.oom.group", "1", true},
                  {"pids.max", std::to_string(limits.processes), true}};
  for (const auto& each : settings) {
    const int error = put(folder_ / each.file, each.value);
    if (error == 0 || (error == ENOENT && !each.needed)) continue;
    problem_ = "cannot set " + (folder_ / each.file).string() + ": " + std::strerror(error);
    return;
  }
}

Cgroup::~Cgroup() {
  kill_all(folder_);
  remove_group(folder_);
}

std::vector<std::string> Cgroup::entering(const std::vector<std::string>& command) const {
  std::vector<std::string> words = {"/bin/sh", "-c", R"(echo $$ >"$0" && exec "$@")", door().string()};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

bool Cgroup::ran_out_of_memory() const {
  // `oom` is of this group's limit alone, `oom_kill` also where the whole machine had no more.
  std::istringstream events(text_of(folder_ / "memory.events"));
  std::uint64_t limit = 0, killed = 0, count = 0;
  for (std::string name; events >> name >> count;) {
    if (name == "oom") limit = count;
    if (name == "oom_kill") killed = count;
  }
  return limit > 0 && killed > 0;
}

std::string cgroup_name(const std::string& purpose) {
  return kPrefix + std::to_string(getpid()) + "-" + purpose;
}

void remove_left_cgroups(const fs::path& place) {
  std::error_code error;
  for (const auto& each : fs::directory_iterator(place, error)) {
    const std::string name = each.path().filename();
    if (!name.starts_with(kPrefix)) continue;
    const auto process = static_cast<pid_t>(std::atoi(name.c_str() + std::strlen(kPrefix)));
    if (process > 0 && kill(process, 0) != 0 && errno == ESRCH) rmdir(each.path().c_str());
  }
}

}  // namespace fusebox
