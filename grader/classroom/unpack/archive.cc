#include "grader/classroom/unpack/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>

namespace fusebox::classroom {
namespace {

struct Close {
  void operator()(archive* reader) const { archive_read_free(reader); }
};
using Reader = std::unique_ptr<archive, Close>;

// What a sentence calls something too large.
std::string size_in_words(std::size_t bytes) {
  return bytes >> 20 > 1 ? fmt::format("{} MiB", bytes >> 20) : fmt::format("{} KiB", bytes >> 10);
}

// Of the formats only the one that the name promises: an archive that is read in two ways is two archives.
Reader make_reader(const std::filesystem::path& path) {
  Reader reader(archive_read_new());
  if (path.extension() == ".zip") {
    // By its directory, as everybody's unzip reads it, and not by what lies between.
    archive_read_support_format_zip_seekable(reader.get());
    return reader;
  }
  archive_read_support_format_tar(reader.get());
  if (path.extension() != ".tar") archive_read_support_filter_gzip(reader.get());
  return reader;
}

// No honest archive has such names; who unpacks them writes beside it.
bool leads_out(std::string_view name) {
  if (name.starts_with('/') || name.starts_with('\\') || (name.size() > 1 && name[1] == ':')) return true;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t to = std::min(name.find_first_of("/\\", from), name.size());
    if (name.substr(from, to - from) == "..") return true;
    from = to + 1;
  }
  return false;
}

// At the top, or in a folder as those have it that were packed whole.
bool is_wanted(std::string_view path, std::string_view name) {
  while (path.starts_with("./")) path.remove_prefix(2);
  const std::size_t slash = path.find('/');
  return path == name || (slash != path.npos && path.substr(slash + 1) == name);
}

// Walks through one archive.
class Walk {
 public:
  Walk(Reader reader, const std::string& name, const UnpackLimits& limits)
      : reader_(std::move(reader)), name_(name), limits_(limits) {}

  Unpacked all() {
    while (why_.empty()) {
      archive_entry* entry = nullptr;
      const int code = archive_read_next_header(reader_.get(), &entry);
      if (code == ARCHIVE_EOF) break;
      // A warning is of a name or a time that this machine cannot show.
      if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
        damaged();
      else if (++entries_ > limits_.entries)
        why_ = fmt::format("it holds more than {} files", limits_.entries);
      else
        look_at(entry);
    }
    if (why_.empty() && !text_) why_ = fmt::format("there is no {} at its top, or in a folder there", name_);
    if (why_.empty()) return {std::move(text_), ""};
    return {std::nullopt, why_};
  }

 private:
  void look_at(archive_entry* entry) {
    // Null: a name that this locale cannot say.
    const char* path = archive_entry_pathname(entry);
    if (path == nullptr) path = archive_entry_pathname_utf8(entry);
    if (path == nullptr) path = "";
    if (leads_out(path)) {
      why_ = "a name in it leads out of it";
      return;
    }
    std::string ignored;
    const bool wanted = is_wanted(path, name_);
    if (wanted) refuse_what_is_no_file(entry);
    if (why_.empty()) read_into(wanted ? text_.emplace() : ignored, wanted);
  }

  void refuse_what_is_no_file(archive_entry* entry) {
    if (text_)
      why_ = fmt::format("{} is in it more than once", name_);
    else if (archive_entry_hardlink(entry) != nullptr || archive_entry_filetype(entry) == AE_IFLNK)
      why_ = fmt::format("{} is a link", name_);
    else if (archive_entry_filetype(entry) != AE_IFREG)
      why_ = fmt::format("{} is no regular file", name_);
    else if (archive_entry_size_is_set(entry) != 0 &&
             static_cast<std::uint64_t>(archive_entry_size(entry)) > limits_.text_bytes)
      too_large();
  }

  // Declared sizes are not trusted: the bytes that are read count, of skipped files too.
  void read_into(std::string& text, bool wanted) {
    char buffer[1 << 15];
    for (;;) {
      const la_ssize_t count = archive_read_data(reader_.get(), buffer, sizeof buffer);
      if (count == 0) return;
      if (count < 0) return damaged();
      unpacked_ += static_cast<std::size_t>(count);
      if (unpacked_ > limits_.unpacked_bytes) {
        why_ = fmt::format("it unpacks to more than {}", size_in_words(limits_.unpacked_bytes));
        return;
      }
      if (!wanted) continue;
      text.append(buffer, static_cast<std::size_t>(count));
      if (text.size() > limits_.text_bytes) return too_large();
    }
  }

  void too_large() { why_ = fmt::format("{} is larger than {}", name_, size_in_words(limits_.text_bytes)); }
  void damaged() {
    const char* reason = archive_error_string(reader_.get());
    why_ = fmt::format("it cannot be read: {}", reason == nullptr ? "it is damaged" : reason);
  }

  Reader reader_;
  const std::string& name_;
  const UnpackLimits& limits_;
  std::size_t entries_ = 0, unpacked_ = 0;
  std::optional<std::string> text_;
  std::string why_;
};

}  // namespace

Unpacked unpack(const std::filesystem::path& path, const std::string& name, const UnpackLimits& limits) {
  Reader reader = make_reader(path);
  if (archive_read_open_filename(reader.get(), path.c_str(), 1 << 16) != ARCHIVE_OK)
    return {std::nullopt, fmt::format("it cannot be read: {}", archive_error_string(reader.get()))};
  return Walk(std::move(reader), name, limits).all();
}

}  // namespace fusebox::classroom
