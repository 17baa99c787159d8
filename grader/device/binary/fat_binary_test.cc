#include "grader/device/binary/fat_binary.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <random>
#include <string>

// Objects that nvcc really made are read in toolchain_test; here stand the layout itself and bytes that lie.
namespace fusebox {
namespace {

using Bytes = std::vector<std::byte>;
using Kind = FatBinaryEntry::Kind;

template <class T>
void put(Bytes& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

void append(Bytes& to, const Bytes& from) { to.insert(to.end(), from.begin(), from.end()); }

Bytes text(const std::string& s) {
  Bytes bytes(s.size());
  std::memcpy(bytes.data(), s.data(), s.size());
  return bytes;
}

struct EntrySpec {
  std::uint16_t kind;
  std::uint32_t architecture;
  Bytes payload;
  std::uint64_t flags = 0x11;
  std::uint32_t header = 72;
};

Bytes entry(const EntrySpec& spec) {
  Bytes payload = spec.payload;
  payload.resize((payload.size() + 7) / 8 * 8);
  Bytes bytes(spec.header);
  put<std::uint16_t>(bytes, 0, spec.kind);
  put<std::uint16_t>(bytes, 2, 0x101);
  put<std::uint32_t>(bytes, 4, spec.header);
  put<std::uint64_t>(bytes, 8, payload.size());
  put<std::uint32_t>(bytes, 28, spec.architecture);
  put<std::uint64_t>(bytes, 40, spec.flags);
  append(bytes, payload);
  return bytes;
}

Bytes container(const std::vector<EntrySpec>& specs) {
  Bytes bytes(16);
  put<std::uint32_t>(bytes, 0, 0xBA55ED50);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, 16);
  for (const auto& spec : specs) append(bytes, entry(spec));
  put<std::uint64_t>(bytes, 8, bytes.size() - 16);
  return bytes;
}

// A relocatable object with three sections: none, .nv_fatbin, .shstrtab.
Bytes elf_with(const Bytes& fat) {
  const std::string names("\0.nv_fatbin\0.shstrtab\0", 22);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  header.e_shoff = sizeof header + fat.size() + names.size();
  Elf64_Shdr sections[3]{};
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_PROGBITS;
  sections[1].sh_offset = sizeof header;
  sections[1].sh_size = fat.size();
  sections[2].sh_name = 12;
  sections[2].sh_type = SHT_STRTAB;
  sections[2].sh_offset = sizeof header + fat.size();
  sections[2].sh_size = names.size();
  Bytes bytes(sizeof header);
  put(bytes, 0, header);
  append(bytes, fat);
  append(bytes, text(names));
  bytes.resize(bytes.size() + sizeof sections);
  std::memcpy(bytes.data() + header.e_shoff, sections, sizeof sections);
  return bytes;
}

Bytes sample() {
  return container({{2, 90,
                     text("\x7f"
                          "ELF cubin")},
                    {1, 80, text("\n\n.version 9.0\n")}});
}

TEST(FatBinary, ReadsEveryEntryInOrder) {
  const auto entries = read_fat_binary(sample());
  ASSERT_TRUE(entries.ok()) << entries.error().what;
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ(entries->at(0).kind, Kind::elf);
  EXPECT_EQ(entries->at(0).architecture, 90);
  EXPECT_EQ(entries->at(0).bytes.size(), 16u) << "machine code keeps its padding";
  EXPECT_EQ(entries->at(1).kind, Kind::ptx);
  EXPECT_EQ(entries->at(1).architecture, 80);
  EXPECT_EQ(entries->at(1).bytes, text("\n\n.version 9.0\n")) << "text loses its padding and nothing else";
}

TEST(FatBinary, ReadsSeveralContainersWithNulsBetween) {
  Bytes bytes = sample();
  bytes.resize(bytes.size() + 24);
  append(bytes, container({{1, 75, text("second")}}));
  bytes.resize(bytes.size() + 8);
  const auto entries = read_fat_binary_of_elf(elf_with(bytes));
  ASSERT_TRUE(entries.ok()) << entries.error().what;
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ(entries->at(2).bytes, text("second"));
}

enum class Method : std::uint64_t { lz4 = 0x2000, zstd = 0x8000 };

Bytes packed(const Bytes& plain, Method method) {
  Bytes out(plain.size() + 1000);
  const std::size_t size =
      method == Method::zstd
          ? ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3)
          : static_cast<std::size_t>(LZ4_compress_default(
                reinterpret_cast<const char*>(plain.data()), reinterpret_cast<char*>(out.data()),
                static_cast<int>(plain.size()), static_cast<int>(out.size())));
  out.resize(size);
  return out;
}

/// A container with one entry that says of `payload` that it holds `claimed` bytes.
Bytes compressed_container(const Bytes& payload, Method method, std::uint64_t claimed) {
  Bytes bytes = container({{1, 90, payload, 0x11 | static_cast<std::uint64_t>(method)}});
  put<std::uint32_t>(bytes, 16 + 16, static_cast<std::uint32_t>(payload.size()));
  put<std::uint64_t>(bytes, 16 + 56, claimed);
  return bytes;
}

TEST(FatBinary, CompressedEntriesAreDecompressed) {
  const Bytes plain = text(std::string(5000, 'x') + "\n.version 9.0\n");
  for (Method method : {Method::lz4, Method::zstd}) {
    const auto entries = read_fat_binary(compressed_container(packed(plain, method), method, plain.size()));
    ASSERT_TRUE(entries.ok()) << entries.error().what;
    EXPECT_EQ(entries->at(0).bytes, plain);
  }
}

TEST(FatBinary, HostileCompressedEntriesAreErrors) {
  const Bytes plain = text(std::string(5000, 'x'));
  for (Method method : {Method::lz4, Method::zstd}) {
    const Bytes good = packed(plain, method);
    const Bytes half(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(good.size() / 2));
    EXPECT_FALSE(read_fat_binary(compressed_container(half, method, plain.size())).ok()) << "cut off";
    EXPECT_FALSE(read_fat_binary(compressed_container(text("garbage!"), method, plain.size())).ok());
    EXPECT_FALSE(read_fat_binary(compressed_container(good, method, plain.size() - 1)).ok()) << "holds more";
    EXPECT_FALSE(read_fat_binary(compressed_container(good, method, plain.size() + 1)).ok()) << "holds less";
    EXPECT_FALSE(read_fat_binary(compressed_container(good, method, 1ull << 40)).ok())
        << "asks for a terabyte";
  }
  Bytes unknown = compressed_container(plain, Method::zstd, 9);
  put<std::uint64_t>(unknown, 16 + 40, 0x11);
  EXPECT_FALSE(read_fat_binary(unknown).ok()) << "a method that nobody knows";
}

TEST(FatBinary, LiesAboutSizesAreErrors) {
  struct Lie {
    const char* what;
    std::size_t at;
    std::uint64_t value;
    int width;
  };
  const Lie lies[] = {
      {"magic", 0, 0x12345678, 4},
      {"container version", 4, 2, 2},
      {"container header size", 6, 8, 2},
      {"container size beyond the end", 8, 1 << 20, 8},
      {"container size that wraps", 8, ~std::uint64_t{0} - 8, 8},
      {"entry header too small", 16 + 4, 8, 4},
      {"entry header beyond the end", 16 + 4, 0xFFFFFFF8, 4},
      {"payload beyond the end", 16 + 8, 1 << 20, 8},
      {"payload that wraps", 16 + 8, ~std::uint64_t{0} - 15, 8},
  };
  for (const Lie& lie : lies) {
    Bytes bytes = sample();
    std::memcpy(bytes.data() + lie.at, &lie.value, lie.width);
    EXPECT_FALSE(read_fat_binary(bytes).ok()) << lie.what;
  }
}

TEST(FatBinary, NothingAtAllIsAnError) {
  EXPECT_FALSE(read_fat_binary({}).ok());
  EXPECT_FALSE(read_fat_binary(Bytes(64)).ok());
  EXPECT_FALSE(read_fat_binary_of_elf({}).ok());
  EXPECT_FALSE(read_fat_binary_of_elf(text("#!/bin/sh\n")).ok());
}

TEST(FatBinary, EveryTruncationIsAnErrorAndNoneIsRead) {
  const Bytes fat = sample(), elf = elf_with(fat);
  // Exactly sized copies, so that the address sanitizer sees a byte too many.
  for (std::size_t n = 0; n < fat.size(); ++n)
    EXPECT_FALSE(read_fat_binary(Bytes(fat.begin(), fat.begin() + n)).ok()) << n;
  for (std::size_t n = 0; n < elf.size(); ++n)
    EXPECT_FALSE(read_fat_binary_of_elf(Bytes(elf.begin(), elf.begin() + n)).ok()) << n;
  EXPECT_TRUE(read_fat_binary_of_elf(elf).ok());
}

TEST(FatBinary, FlippedBitsNeverCrash) {
  const Bytes good = elf_with(sample());
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    Bytes bytes = good;
    bytes[bit / 8] ^= std::byte(1 << bit % 8);
    (void)read_fat_binary_of_elf(bytes);
  }
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    Bytes bytes = good;
    for (int flips = 0; flips < 4; ++flips) bytes[random() % bytes.size()] = std::byte(random());
    (void)read_fat_binary_of_elf(bytes);
  }
}

}  // namespace
}  // namespace fusebox
