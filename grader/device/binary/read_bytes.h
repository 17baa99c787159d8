#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace fusebox {

/// Reads `value` at `offset` of bytes that others wrote: false when any byte of it is outside.
template <class T>
bool read(std::span<const std::byte> bytes, std::uint64_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return true;
}

}  // namespace fusebox
