#include "grader/classroom/row_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "grader/toolchain/cache.h"

namespace fusebox::classroom {
namespace fs = std::filesystem;

namespace {

Error cannot_keep(const fs::path& path, int reason) {
  return {ErrorKind::missing_part, fmt::format("cannot write {}: {}", path.string(), std::strerror(reason)),
          reason == ENOSPC || reason == EDQUOT
              ? "free some disk space and run the same command again: what is done is not done again"
              : "make the folder writable and run the same command again"};
}

int write_and_sync(const fs::path& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return errno;
  int reason = 0;
  for (std::size_t done = 0; done < text.size() && reason == 0;) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (count < 0 && errno != EINTR)
      reason = errno;
  }
  if (reason == 0 && fsync(file) != 0) reason = errno;
  if (close(file) != 0 && reason == 0) reason = errno;
  return reason;
}

// A rename is in the folder, and lasts once that has reached the disk.
void sync_folder(const fs::path& folder) {
  const int opened = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  fsync(opened);
  close(opened);
}

}  // namespace

std::optional<Error> write_whole(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return cannot_keep(path.parent_path(), error.value());
  const std::string neighbour = path.string() + ".part";
  int reason = write_and_sync(neighbour, text);
  if (reason == 0 && std::rename(neighbour.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) {
    unlink(neighbour.c_str());
    return cannot_keep(path, reason);
  }
  sync_folder(path.parent_path());
  return std::nullopt;
}

fs::path RowStore::path_of(const std::string& student, const std::string& puzzle) const {
  return folder_ / student / (puzzle + ".json");
}

std::optional<Row> RowStore::find(const std::string& student, const std::string& puzzle) const {
  const auto text = read_file(path_of(student, puzzle));
  if (!text) return std::nullopt;
  auto row = row_from_json(*text);
  if (!row || row->student != student || row->puzzle != puzzle) return std::nullopt;
  return std::move(*row);
}

std::optional<Error> RowStore::keep(const Row& row) const {
  return write_whole(path_of(row.student, row.puzzle), to_json(row));
}

}  // namespace fusebox::classroom
