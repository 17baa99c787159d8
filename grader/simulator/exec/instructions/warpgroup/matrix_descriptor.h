#pragma once

#include <cstdint>

namespace fusebox::sim {

/// Where a factor of wgmma lies in shared memory, from the 64 bits that the program made (PTX ISA, "Matrix
/// Descriptor Format"). Its address rule is an H200's for any addresses and strides, those included for which
/// PTX promises nothing (bench/patterns/descriptors.cu).
struct MatrixDescriptor {
  std::uint32_t start = 0, leading = 0, stride = 0;  ///< bytes; start: offset in shared memory
  std::uint32_t base = 0;                            ///< of the swizzle pattern, in rows of 128 bytes
  std::uint32_t pieces = 1;  ///< of 16 bytes in a row that is swizzled: 1 (not at all), 2, 4 or 8

  static MatrixDescriptor of(std::uint64_t bits) {
    const auto bytes = [&](int at) { return static_cast<std::uint32_t>(bits >> at & 0x3fff) << 4; };
    constexpr std::uint32_t kPieces[] = {1, 8, 4, 2};
    return {bytes(0), bytes(16), bytes(32), static_cast<std::uint32_t>(bits >> 49 & 7), kPieces[bits >> 62]};
  }

  /// Of the 16 bytes of line `line` (a row of A, a column of B) whose elements begin at half `half` of its k.
  std::uint32_t piece_along_k(std::uint32_t line, std::uint32_t half) const {
    return swizzled(line % 8 * 16 * pieces + line / 8 * stride + half * (pieces == 1 ? leading : 16));
  }
  /// Of the 8 elements of 16 bits, one for each of the lines from 8 * `lines` on, at `k`.
  std::uint32_t piece_across(std::uint32_t lines, std::uint32_t k) const {
    if (pieces == 1) return swizzled(lines * stride + k % 8 * 16 + k / 8 * leading);
    return swizzled(lines % pieces * 16 + lines / pieces * leading + k % 8 * 16 * pieces + k / 8 * stride);
  }

 private:
  std::uint32_t swizzled(std::uint32_t offset) const {
    const std::uint32_t at = start + offset;
    return at ^ (((at >> 7) - base) & (pieces - 1)) << 4;
  }
};

}  // namespace fusebox::sim
