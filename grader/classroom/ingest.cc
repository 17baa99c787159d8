#include "grader/classroom/ingest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "grader/confine/defences.h"

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

constexpr const char* kEndings[] = {".zip", ".tar", ".tar.gz", ".tgz"};

Handed refused(std::string why) { return {std::nullopt, std::move(why)}; }

std::string read_all(int descriptor, std::size_t most) {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t count; text.size() <= most;) {
    count = read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return text;
}

struct stat status_of(const std::filesystem::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) status.st_mode = 0;
  return status;
}

// What of this student's there is besides a folder.
std::vector<std::string> archives_of(const std::filesystem::path& submissions, const std::string& id) {
  std::vector<std::string> found;
  for (const char* ending : kEndings) {
    const mode_t mode = status_of(submissions / (id + ending)).st_mode;
    // A folder of that name is the folder of another student.
    if (mode != 0 && !S_ISDIR(mode)) found.push_back(id + ending);
  }
  return found;
}

}  // namespace

std::string student_of(const std::string& name) {
  for (const char* ending : kEndings)
    if (name.ends_with(ending)) return name.substr(0, name.size() - std::strlen(ending));
  return name;
}

Handed take_handed(const std::filesystem::path& submissions, const std::string& id, const std::string& name,
                   const Unpacking& unpacking) {
  const std::vector<std::string> archives = archives_of(submissions, id);
  const bool folder = status_of(submissions / id).st_mode != 0;
  if (archives.empty()) return take_file(submissions / id, name);
  if (folder || archives.size() > 1)
    return refused(fmt::format("{} and {} were both handed in", folder ? id : archives[1], archives[0]));
  // The class's own folder may be reached through a link.
  std::error_code error;
  const Handed archive =
      take_file(std::filesystem::canonical(submissions, error), archives[0], kLargestArchive);
  return archive.text ? take_from_archive(*archive.text, archives[0], name, unpacking) : archive;
}

Handed take_file(const std::filesystem::path& folder, const std::string& name, std::size_t most) {
  const int follow = in_force(Defence::no_links) ? O_NOFOLLOW : 0;
  const Opened parent(open(folder.c_str(), O_PATH | O_DIRECTORY | follow | O_CLOEXEC));
  if (parent.get() < 0)
    return refused(errno == ENOENT ? "nothing was handed in" : "the folder is a link or cannot be opened");
  // Never waits for a pipe's other end, and follows nothing.
  const Opened file(openat(parent.get(), name.c_str(), O_RDONLY | follow | O_NONBLOCK | O_CLOEXEC));
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
  if (static_cast<std::size_t>(status.st_size) > most)
    return refused(fmt::format("{} is larger than {} KiB", name, most >> 10));
  std::string text = read_all(file.get(), most);
  if (text.size() > most) return refused(fmt::format("{} is larger than {} KiB", name, most >> 10));
  return {std::move(text), ""};
}

}  // namespace fusebox::classroom
