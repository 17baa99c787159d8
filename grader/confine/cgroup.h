#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fusebox {

/// Where this process may make control groups with limits on memory and processes.
struct CgroupPlace {
  std::filesystem::path folder;  ///< empty: nowhere
  std::string why_none;
};

/// The nearest group of cgroup v2 at or above our own in which we may make others, and which hands the
/// controllers of memory and processes on to them: as systemd delegates it to a user. `self` is /proc/self.
CgroupPlace find_cgroup_place(const std::filesystem::path& self = "/proc/self");

/// Of all in a group together.
struct CgroupLimits {
  std::uint64_t memory_bytes = 0;  ///< page cache and tmpfs too; nothing is swapped out
  std::uint64_t processes = 0;     ///< and threads
};

/// A control group of its own for what somebody else's code does. It is killed whole and removed with this
/// object, and killed whole by the kernel when it needs more memory than it may have.
class Cgroup {
 public:
  /// problem() says why it does not hold anything.
  Cgroup(std::filesystem::path folder, const CgroupLimits& limits);
  ~Cgroup();
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;

  const std::string& problem() const { return problem_; }
  /// The command that enters the group and then becomes `command`: whatever that starts is in it too.
  std::vector<std::string> entering(const std::vector<std::string>& command) const;
  /// The one file that such a command writes.
  std::filesystem::path door() const { return folder_ / "cgroup.procs"; }
  /// The group's own limit ended it: no other group's, and not the whole machine's.
  bool ran_out_of_memory() const;

 private:
  std::filesystem::path folder_;
  std::string problem_;
};

/// A name for a group in a place that others use too: ours as long as this process lives.
std::string cgroup_name(const std::string& purpose);
/// Removes what groups of that name a process has left there that was killed and is gone; those in which
/// something still runs stay.
void remove_left_cgroups(const std::filesystem::path& place);

}  // namespace fusebox
