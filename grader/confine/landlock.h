#pragma once

#include <filesystem>
#include <vector>

namespace fusebox {

/// What may be done with files; everything else the kernel refuses (EACCES).
struct FileRights {
  std::vector<std::filesystem::path> read;          ///< files, or folders and all below: read, list, execute
  std::vector<std::filesystem::path> write;         ///< the same, and change; no devices are made
  std::vector<std::filesystem::path> devices = {};  ///< read and written, and told what only they understand
};

/// Of the kernel's Landlock; 0: it has none.
int landlock_version();

/// Confines the calling thread, and what it starts from now on, for good. A path that does not exist gives no
/// right. TCP is refused too from version 4 on, signals to others from version 6 on. False: the kernel has no
/// Landlock, and nothing has changed.
bool confine_files(const FileRights& rights);

}  // namespace fusebox
