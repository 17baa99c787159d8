#include "grader/device/binary/fat_binary.h"

#include <fmt/core.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "grader/device/binary/elf_sections.h"
#include "grader/device/binary/read_bytes.h"

namespace fusebox {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::size_t kContainerHeader = 16;
constexpr std::size_t kEntryHeader =
    64;  // what the toolkits 12 and 13 always write; longer headers carry option strings
constexpr std::uint64_t kLz4 = 0x2000, kZstd = 0x8000;
constexpr std::uint64_t kMaxUncompressed = 512ull << 20;  // a small hostile file must not ask for all memory

Error damaged(std::string what) {
  return {ErrorKind::internal, "damaged fat binary: " + std::move(what), "compile the file again with nvcc"};
}

bool inside(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

/// `flags` name the method: Zstandard is nvcc's default since CUDA 12.8 or so, LZ4 the one before and that of
/// --compress-mode=speed.
Result<std::vector<std::byte>> decompress(Bytes packed, std::uint64_t size, std::uint64_t flags) {
  // Believed before memory is asked for: a frame of Zstandard says its size, and LZ4 cannot grow more than
  // this.
  constexpr std::uint64_t kMaxGrowth = 255;
  const bool believable = (flags & kZstd) != 0
                              ? ZSTD_getFrameContentSize(packed.data(), packed.size()) == size
                              : size <= packed.size() * kMaxGrowth;
  if (size > kMaxUncompressed || !believable)
    return damaged(fmt::format("an entry claims {} bytes when decompressed", size));
  std::vector<std::byte> plain(size);
  bool complete = false;
  if ((flags & kZstd) != 0) {
    complete = ZSTD_decompress(plain.data(), size, packed.data(), packed.size()) == size;
  } else if ((flags & kLz4) != 0) {
    complete = packed.size() <= static_cast<std::size_t>(LZ4_MAX_INPUT_SIZE) &&
               LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()),
                                   reinterpret_cast<char*>(plain.data()), static_cast<int>(packed.size()),
                                   static_cast<int>(size)) == static_cast<int>(size);
  } else {
    return Error{ErrorKind::missing_part,
                 fmt::format("device code is compressed in a way that is not known (flags {:#x})", flags),
                 "rebuild with nvcc --compress-mode=none"};
  }
  if (!complete) return damaged("a compressed entry does not decompress");
  return plain;
}

// An entry's header, as far as it is read here (offsets in bytes):
//   0 u16 kind · 2 u16 version · 4 u32 header size · 8 u64 payload size, padded · 16 u32 compressed size
//   28 u32 architecture · 40 u64 flags · 56 u64 size when uncompressed, 0 for plain payloads
Result<std::uint64_t> read_entry(Bytes entries, std::uint64_t offset, std::vector<FatBinaryEntry>& out) {
  const Bytes rest = entries.subspan(offset);
  std::uint16_t kind = 0;
  std::uint32_t header = 0, compressed = 0, architecture = 0;
  std::uint64_t payload = 0, flags = 0, uncompressed = 0;
  if (rest.size() < kEntryHeader || !read(rest, 0, kind) || !read(rest, 4, header) ||
      !read(rest, 8, payload) || !read(rest, 16, compressed) || !read(rest, 28, architecture) ||
      !read(rest, 40, flags) || !read(rest, 56, uncompressed))
    return damaged(fmt::format("an entry is cut off at byte {}", offset));
  if (header < kEntryHeader || !inside(rest, header, payload))
    return damaged(fmt::format("the entry at byte {} claims {} + {} bytes where {} are left", offset, header,
                               payload, rest.size()));
  FatBinaryEntry entry;
  entry.kind = kind == 1   ? FatBinaryEntry::Kind::ptx
               : kind == 2 ? FatBinaryEntry::Kind::elf
                           : FatBinaryEntry::Kind::other;
  entry.architecture = architecture <= 10'000 ? static_cast<int>(architecture) : 0;
  const Bytes image = rest.subspan(header, payload);
  if ((flags & (kLz4 | kZstd)) != 0 || compressed != 0 || uncompressed != 0) {
    if (compressed > payload)
      return damaged(
          fmt::format("the entry at byte {} has {} compressed bytes in {}", offset, compressed, payload));
    auto plain = decompress(image.first(compressed), uncompressed, flags);
    if (!plain) return plain.error();
    entry.bytes = std::move(*plain);
  } else {
    entry.bytes.assign(image.begin(), image.end());
  }
  // Text is padded to 8 bytes with NULs, which no PTX file holds.
  if (entry.kind == FatBinaryEntry::Kind::ptx)
    while (!entry.bytes.empty() && entry.bytes.back() == std::byte{0}) entry.bytes.pop_back();
  out.push_back(std::move(entry));
  return offset + header + payload;
}

}  // namespace

Result<std::vector<FatBinaryEntry>> read_fat_binary(Bytes bytes) {
  std::vector<FatBinaryEntry> entries;
  bool found = false;
  for (std::uint64_t at = 0; at < bytes.size();) {
    // Several containers follow each other in a linked section, with NULs between them.
    if (bytes[at] == std::byte{0}) {
      ++at;
      continue;
    }
    std::uint32_t magic = 0;
    std::uint16_t version = 0, header = 0;
    std::uint64_t size = 0;
    if (!read(bytes, at, magic) || !read(bytes, at + 4, version) || !read(bytes, at + 6, header) ||
        !read(bytes, at + 8, size))
      return damaged(fmt::format("a container is cut off at byte {}", at));
    if (magic != kMagic) return damaged(fmt::format("no container starts at byte {}", at));
    if (version != 1)
      return Error{ErrorKind::missing_part,
                   fmt::format("a fat binary of version {}; only version 1 is known", version),
                   "use the CUDA compiler that `./fusebox setup` installs"};
    if (header < kContainerHeader || !inside(bytes, at + header, size))
      return damaged(fmt::format("the container at byte {} claims {} bytes where {} are left", at, size,
                                 bytes.size() - at));
    const Bytes inner = bytes.subspan(at + header, size);
    for (std::uint64_t entry = 0; entry < inner.size();) {
      auto next = read_entry(inner, entry, entries);
      if (!next) return next.error();
      entry = *next;
    }
    found = true;
    at += header + size;
  }
  if (!found) return damaged("it holds no container");
  return entries;
}

Result<std::vector<FatBinaryEntry>> read_fat_binary_of_elf(Bytes elf) {
  const auto sections = read_elf_sections(elf);
  if (!sections) return sections.error();
  std::vector<FatBinaryEntry> entries;
  std::vector<std::string_view> done;  // each once, however often a hostile file names it
  for (const ElfSection& section : *sections) {
    // The second holds what was compiled apart, as it was before it was linked.
    if ((section.name != ".nv_fatbin" && section.name != "__nv_relfatbin") ||
        std::find(done.begin(), done.end(), section.name) != done.end())
      continue;
    const auto bytes = bytes_of(section, elf);
    if (!bytes) return damaged(fmt::format("the section {} lies outside the file", section.name));
    auto more = read_fat_binary(*bytes);
    if (!more) return more.error();
    std::move(more->begin(), more->end(), std::back_inserter(entries));
    done.push_back(section.name);
  }
  if (!done.empty()) return entries;
  return Error{ErrorKind::internal, "no device code: the file has no section .nv_fatbin",
               "compile it with nvcc, from a source with a kernel"};
}

}  // namespace fusebox
