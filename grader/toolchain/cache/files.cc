#include "grader/toolchain/cache/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "grader/confine/defences.h"

namespace fusebox {
namespace {

Error cannot_write(const std::filesystem::path& path, int reason) {
  Error error{ErrorKind::missing_part,
              fmt::format("cannot write {}: {}", path.string(), std::strerror(reason)),
              "make its folder writable"};
  if (reason == ENOSPC || reason == EDQUOT) error.remedy = "free some disk space and run it again";
  if (reason == ENOENT) error.remedy = "make the folder first";
  if (reason == EISDIR) error.remedy = "give a file, not a folder";
  return error;
}

/// Of machines that share a folder, two may have processes of the same number.
std::string host_name() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

/// `synced`: what is written has reached the disk before the file has its name.
std::optional<Error> write_whole(const std::filesystem::path& path, const std::string& text, bool synced,
                                 unsigned mode) {
  struct stat status {};
  // A pipe or a device cannot be replaced; it is written as it is.
  const bool replace =
      in_force(Defence::whole_files) && (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode));
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return cannot_write(path, EISDIR);
  const std::string neighbour =
      replace ? fmt::format("{}.{}-{}.part", path.string(), host_name(), ::getpid()) : path.string();
  const int file = ::open(neighbour.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (file < 0) return cannot_write(path, errno);
  int reason = 0;
  for (std::size_t done = 0; done < text.size() && reason == 0;) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (count < 0 && errno != EINTR)
      reason = errno;
  }
  if (synced && reason == 0 && ::fsync(file) != 0) reason = errno;
  if (::close(file) != 0 && reason == 0) reason = errno;
  if (reason == 0 && replace && std::rename(neighbour.c_str(), path.c_str()) != 0) reason = errno;
  if (reason == 0) return std::nullopt;
  if (replace) ::unlink(neighbour.c_str());
  return cannot_write(path, reason);
}

/// A rename is in the folder, and lasts once that has reached the disk.
void sync_folder(const std::filesystem::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  ::fsync(opened);
  ::close(opened);
}

}  // namespace

std::optional<Error> write_atomically(const std::filesystem::path& path, const std::string& text) {
  return write_whole(path, text, false, 0666);
}

std::optional<Error> write_for_good(const std::filesystem::path& path, const std::string& text,
                                    unsigned mode) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) return cannot_write(path.parent_path(), error.value());
  auto failed = write_whole(path, text, true, mode);
  if (!failed) sync_folder(path.parent_path());
  return failed;
}

}  // namespace fusebox
