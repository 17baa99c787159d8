#include "grader/judge/source/source_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

namespace fusebox {
namespace {

namespace fs = std::filesystem;

// A puzzle is a hundred lines. More than this is something else, and nothing should read it into memory.
constexpr std::uintmax_t kLargestFile = 4 << 20;

Error verdict(std::string what, std::string remedy) {
  return {ErrorKind::not_passed, std::move(what), std::move(remedy)};
}

Error unreadable(const fs::path& path, const std::string& reason) {
  return {ErrorKind::missing_part, fmt::format("cannot read {}: {}", path.string(), reason),
          fmt::format("make it readable: chmod u+rX '{}'", path.string())};
}

}  // namespace

std::string SourceFile::line(int number) const {
  std::size_t begin = 0;
  for (int i = 1; i < number; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  if (number < 1 || begin >= text.size()) return {};
  std::string found = text.substr(begin, text.find('\n', begin) - begin);
  if (!found.empty() && found.back() == '\r') found.pop_back();
  return found;
}

std::size_t first_bad_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::size_t i = 0;
  while (i < text.size()) {
    const unsigned char lead = byte(i);
    std::size_t more = 0;
    char32_t point = lead, smallest = 0;
    if (lead < 0x80) {
      ++i;
      continue;
    }
    if (lead >= 0xC2 && lead <= 0xDF)
      more = 1, point = lead & 0x1Fu, smallest = 0x80;
    else if (lead >= 0xE0 && lead <= 0xEF)
      more = 2, point = lead & 0x0Fu, smallest = 0x800;
    else if (lead >= 0xF0 && lead <= 0xF4)
      more = 3, point = lead & 0x07u, smallest = 0x10000;
    else
      return i;
    if (i + more >= text.size()) return i;
    for (std::size_t k = 1; k <= more; ++k) {
      if ((byte(i + k) & 0xC0) != 0x80) return i;
      point = (point << 6) | (byte(i + k) & 0x3Fu);
    }
    if (point < smallest || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return i;
    i += more + 1;
  }
  return std::string_view::npos;
}

Result<SourceFile> read_source(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    return verdict(fmt::format("there is no file {}", path.string()),
                   "put it back with `grader reset`, or check --from");
  if (error) return unreadable(path, error.message());
  if (status.type() == fs::file_type::directory)
    return verdict(fmt::format("{} is a directory, not a puzzle file", path.string()),
                   "move the directory away, then `grader reset`");
  if (status.type() != fs::file_type::regular)
    return verdict(fmt::format("{} is not a regular file", path.string()), "put a CUDA source file there");

  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return unreadable(path, std::strerror(errno));
  SourceFile source{path, {}};
  char block[1 << 14];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file.get())) {
    source.text.append(block, got);
    if (source.text.size() > kLargestFile)
      return verdict(fmt::format("{} is larger than {} MiB", path.string(), kLargestFile >> 20),
                     "a puzzle is a short source file; `grader reset` puts it back");
  }
  if (std::ferror(file.get())) return unreadable(path, "a read failed");
  if (std::all_of(source.text.begin(), source.text.end(), [](unsigned char c) { return c <= ' '; }))
    return verdict(fmt::format("{} is empty", path.string()), "put the puzzle back with `grader reset`");
  if (const std::size_t bad = first_bad_utf8(source.text); bad != std::string_view::npos) {
    const auto line =
        1 + std::count(source.text.begin(), source.text.begin() + static_cast<std::ptrdiff_t>(bad), '\n');
    return verdict(fmt::format("{}:{} is not UTF-8 text (byte 0x{:02X})", path.string(), line,
                               static_cast<unsigned char>(source.text[bad])),
                   "save the file as UTF-8");
  }
  return source;
}

}  // namespace fusebox
