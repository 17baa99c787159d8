// Fat binaries as they stand in files that anybody may have written.

#include <cstddef>
#include <cstdint>
#include <span>

#include "grader/device/binary/fat_binary.h"
#include "grader/device/binary/machine_code.h"
#include "grader/fuzz/novelty.h"

using namespace fusebox;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  for (const auto read : {read_fat_binary, read_fat_binary_of_elf}) {
    const auto entries = read(bytes);
    if (!entries) {
      fuzz::reached(entries.error().what);
      continue;
    }
    std::size_t total = 0;
    for (const FatBinaryEntry& entry : *entries) {
      fuzz::reached(entry.kind == FatBinaryEntry::Kind::ptx ? "ptx" : "elf");
      if (entry.kind == FatBinaryEntry::Kind::elf) read_machine_code(entry.bytes);
      for (const std::byte byte : entry.bytes) total += static_cast<std::size_t>(byte);
    }
    fuzz::reached(total % 2 == 0 ? "even" : "odd");  // every byte was read
  }
  return 0;
}
