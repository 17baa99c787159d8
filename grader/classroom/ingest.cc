#include "grader/classroom/ingest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace fusebox::classroom {
namespace {

class Opened {
 public:
  explicit Opened(int descriptor) : descriptor_(descriptor) {}
  ~Opened() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

Handed refused(std::string why) { return {std::nullopt, std::move(why)}; }

std::string read_all(int descriptor) {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t count; text.size() <= kLargestSubmission;) {
    count = read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

Handed take_file(const std::filesystem::path& folder, const std::string& name) {
  const Opened parent(open(folder.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (parent.get() < 0)
    return refused(errno == ENOENT ? "nothing was handed in" : "the folder is a link or cannot be opened");
  // Never waits for a pipe's other end, and follows nothing.
  const Opened file(openat(parent.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ENOENT) return refused(fmt::format("there is no {}", name));
    if (errno == ELOOP) return refused(fmt::format("{} is a link", name));
    return refused(fmt::format("{} cannot be read: {}", name, std::strerror(errno)));
  }
  struct stat status {};
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return refused(fmt::format("{} is no regular file", name));
  if (status.st_nlink > 1)
    return refused(fmt::format("{} is a hard link to a file that has other names", name));
  if (static_cast<std::size_t>(status.st_size) > kLargestSubmission)
    return refused(fmt::format("{} is larger than {} KiB", name, kLargestSubmission >> 10));
  std::string text = read_all(file.get());
  if (text.size() > kLargestSubmission)
    return refused(fmt::format("{} is larger than {} KiB", name, kLargestSubmission >> 10));
  return {std::move(text), ""};
}

}  // namespace fusebox::classroom
