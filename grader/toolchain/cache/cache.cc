#include "grader/toolchain/cache/cache.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "grader/toolchain/cache/sha256.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using FileClock = fs::file_time_type::clock;

constexpr std::size_t kDigest = 64;
constexpr std::uintmax_t kLargestFile = 256u << 20;

double age_s(const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  return error ? 0 : std::chrono::duration<double>(FileClock::now() - time).count();
}

/// Between processes and threads alike. A folder that cannot be written has no lock, and nobody prunes it.
class Lock {
 public:
  /// `how`: LOCK_SH or LOCK_EX.
  Lock(const fs::path& folder, int how)
      : file_(open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    while (file_ >= 0 && flock(file_, how) != 0 && errno == EINTR) {
    }
  }
  ~Lock() {
    if (file_ >= 0) close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

}  // namespace

Workspace::~Workspace() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Result<std::string> read_file(const fs::path& file) {
  const auto fail = [&](const std::string& why, const char* remedy) {
    return Error{ErrorKind::not_passed, fmt::format("cannot read {}: {}", file.string(), why), remedy};
  };
  // O_NONBLOCK: opening a pipe without a writer must not block.
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return fail(std::strerror(errno), "check the path and its permissions");
  struct stat status {};
  std::string text;
  const char* problem = nullptr;
  if (fstat(fd, &status) != 0)
    problem = std::strerror(errno);
  else if (S_ISDIR(status.st_mode))
    problem = "it is a directory";
  else if (!S_ISREG(status.st_mode))
    problem = "it is not an ordinary file";
  else if (static_cast<std::uintmax_t>(status.st_size) > kLargestFile)
    problem = "it is larger than 256 MiB";
  if (problem == nullptr) {
    text.resize(status.st_size);
    std::size_t have = 0;
    while (have < text.size()) {
      const ssize_t got = read(fd, text.data() + have, text.size() - have);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) problem = std::strerror(errno);
      if (got <= 0) break;
      have += got;
    }
    text.resize(have);
  }
  close(fd);
  if (problem != nullptr) return fail(problem, "give the path of a file");
  return text;
}

bool write_file(const fs::path& file, const std::string& text) {
  // fclose is where a full disk often speaks up.
  std::FILE* stream = std::fopen(file.c_str(), "wb");
  if (stream == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  return std::fclose(stream) == 0 && written;
}

bool is_full(const fs::path& folder) {
  const fs::path probe = folder / "room.probe";
  const bool fits = write_file(probe, std::string(8 << 20, 'x'));
  std::error_code ignored;
  fs::remove(probe, ignored);
  return !fits;
}

Error Cache::cannot_write(const fs::path& folder, const std::string& reason) {
  return {ErrorKind::missing_part, fmt::format("cannot write to {}: {}", folder.string(), reason),
          fmt::format("free some disk space, or make it writable: chmod -R u+w {}", folder.string())};
}

Result<Workspace> Cache::make_workspace() {
  std::error_code error;
  fs::create_directories(folder_ / "tmp", error);
  if (error) return cannot_write(folder_, error.message());
  std::string name = (folder_ / "tmp" / "XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return cannot_write(folder_ / "tmp", std::strerror(errno));
  // Absolute: nvcc and the linker run elsewhere.
  return Workspace(fs::absolute(name));
}

bool Cache::touch(const fs::path& entry) {
  // Whoever prunes looks at the age and removes under the same lock: what is young here stays.
  const Lock lock(folder_, LOCK_SH);
  std::error_code error;
  fs::last_write_time(entry, FileClock::now(), error);
  return !error;
}

std::optional<CacheEntry> Cache::find(const std::string& key) {
  const fs::path folder = fs::absolute(folder_ / "artifacts" / key);
  touch(folder);
  auto facts = read_file(folder / "facts.json");
  if (!facts) return std::nullopt;
  CacheEntry entry;
  entry.library = folder / "library.so";
  const auto library = read_file(entry.library);
  // First line: digest of the library, then of the facts behind the line.
  if (!library || facts->size() < 2 * kDigest + 1 || facts->substr(0, kDigest) != sha256_hex(*library) ||
      facts->substr(kDigest, kDigest) != sha256_hex(std::string_view(*facts).substr(2 * kDigest + 1))) {
    remove(folder);
    return std::nullopt;
  }
  entry.facts = facts->substr(2 * kDigest + 1);
  const auto bytes = std::as_bytes(std::span(library.value()));
  entry.library_bytes.assign(bytes.begin(), bytes.end());
  return entry;
}

Result<CacheEntry> Cache::store(const std::string& key, const Workspace& workspace, const fs::path& library,
                                const std::string& facts) {
  const fs::path made = workspace.folder() / "entry", place = folder_ / "artifacts" / key;
  std::error_code error;
  const auto bytes = read_file(library);
  if (!bytes) return bytes.error();
  fs::create_directories(made, error);
  if (!error) fs::rename(library, made / "library.so", error);
  if (!error) fs::create_directories(folder_ / "artifacts", error);
  if (error) return cannot_write(folder_, error.message());
  if (!write_file(made / "facts.json", sha256_hex(*bytes) + sha256_hex(facts) + '\n' + facts))
    return cannot_write(folder_, std::strerror(errno));
  // Another process may have been first with the same contents; then its entry is ours, unless a third prunes
  // it first.
  for (int attempt = 0; attempt < 3; ++attempt) {
    fs::rename(made, place, error);
    if (!error || touch(place)) break;
  }
  if (error && !fs::exists(place / "facts.json")) return cannot_write(place, error.message());
  prune();
  if (auto entry = find(key)) return *entry;
  return cannot_write(place, "an entry that was just written cannot be read back");
}

void Cache::remove(const fs::path& entry) {
  // Removed by one rename, as it was made: no reader finds half of it, or an old folder in place of a new
  // one.
  const auto workspace = make_workspace();
  std::error_code ignored;
  if (workspace) fs::rename(entry, workspace->folder() / "old", ignored);
  if (!workspace || ignored) fs::remove_all(entry, ignored);
}

void Cache::prune() {
  // A store asks for each entry's age: 8000 calls where the cache is full, 20 ms on a disk and seconds over a
  // network. Limits may be passed for so long.
  const fs::path stamp = folder_ / "pruned";
  if (fs::exists(stamp) && age_s(stamp) < limits_.pruned_every_s) return;
  write_file(stamp, "");
  struct Old {
    fs::path folder;
    double age;
    std::uint64_t bytes;
  };
  std::vector<Old> entries;
  std::uint64_t total = 0;
  std::error_code ignored;
  for (fs::directory_iterator it(folder_ / "artifacts", ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    std::error_code none;
    const auto size = fs::file_size(it->path() / "library.so", none);
    entries.push_back({it->path(), age_s(it->path()), none ? 0 : size});
    total += entries.back().bytes;
  }
  std::sort(entries.begin(), entries.end(), [](const Old& a, const Old& b) { return a.age > b.age; });
  std::size_t left = entries.size();
  for (const Old& entry : entries) {
    if ((left <= limits_.entries && total <= limits_.bytes) || entry.age < limits_.grace_s) break;
    const Lock lock(folder_, LOCK_EX);
    if (age_s(entry.folder) < limits_.grace_s) continue;  // used since
    remove(entry.folder);
    --left;
    total -= entry.bytes;
  }
  // Workspaces of runs that were killed.
  for (fs::directory_iterator it(folder_ / "tmp", ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    std::error_code none;
    if (age_s(it->path()) > std::max(3600.0, limits_.grace_s)) fs::remove_all(it->path(), none);
  }
}

}  // namespace fusebox
