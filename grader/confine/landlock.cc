#include "grader/confine/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace fusebox {
namespace {

// What kernels later than the headers we are built with can also withhold.
constexpr std::uint64_t kTruncate = 1ull << 14, kIoctl = 1ull << 15;
constexpr std::uint64_t kBindTcp = 1, kConnectTcp = 2;
constexpr std::uint64_t kScopeAbstractSockets = 1, kScopeSignals = 2;

struct Ruleset {
  std::uint64_t files = 0, network = 0, scoped = 0;
};

Ruleset everything(int version) {
  Ruleset rules;
  rules.files = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;  // everything of the first version
  if (version >= 2) rules.files |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) rules.files |= kTruncate;
  if (version >= 4) rules.network = kBindTcp | kConnectTcp;
  if (version >= 5) rules.files |= kIoctl;
  if (version >= 6) rules.scoped = kScopeAbstractSockets | kScopeSignals;
  return rules;
}

void allow(int ruleset, const std::filesystem::path& path, std::uint64_t access) {
  landlock_path_beneath_attr rule{};
  rule.parent_fd = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return;
  struct stat status {};
  if (fstat(rule.parent_fd, &status) == 0 && !S_ISDIR(status.st_mode))
    access &= LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
              kTruncate | kIoctl;  // a file has no others, and the kernel says so
  rule.allowed_access = access;
  syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
}

}  // namespace

int landlock_version() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 1 ? 0 : static_cast<int>(version);
}

bool confine_files(const FileRights& rights) {
  const int version = landlock_version();
  if (version == 0) return false;
  const Ruleset rules = everything(version);
  const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, size, 0));
  if (ruleset < 0) return false;
  constexpr std::uint64_t kRead =
      LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_DIR;
  constexpr std::uint64_t kNever = LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK | kIoctl;
  for (const auto& path : rights.read) allow(ruleset, path, kRead);
  for (const auto& path : rights.write) allow(ruleset, path, rules.files & ~kNever);
  for (const auto& path : rights.devices)
    allow(ruleset, path,
          (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | kIoctl) & rules.files);
  const bool confined =
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return confined;
}

}  // namespace fusebox
