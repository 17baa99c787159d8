#include "grader/simulator/observe/modelled/set_order.h"

#include <algorithm>
#include <array>
#include <bit>

#include "grader/simulator/exec/memory/memory.h"

namespace fusebox::sim {
namespace {

std::uint64_t low_bits(std::uint64_t number, unsigned bits) {
  return number & ((std::uint64_t{1} << bits) - 1);
}

/// An order of 2^n numbers: what each bit of a number adds, without carry, to where it lies. Each adds its
/// own bit and random lower ones, so that no two of them meet; the lowest is left alone.
class Sums {
 public:
  constexpr Sums() {
    std::uint64_t seed = 88172645463325252ull;
    for (unsigned bit = 0; bit < 32; ++bit) {
      seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
      const std::uint32_t own = 1u << bit;
      const std::uint32_t adds = own | (static_cast<std::uint32_t>(seed >> 20) & (own - 1) & ~1u);
      for (unsigned value = 0; value < 256; ++value)
        if ((value >> bit % 8 & 1) != 0) of_[bit / 8][value] ^= adds;
    }
  }
  std::uint32_t of(std::uint32_t number) const {
    return of_[0][number & 0xff] ^ of_[1][number >> 8 & 0xff] ^ of_[2][number >> 16 & 0xff] ^
           of_[3][number >> 24];
  }

 private:
  std::array<std::array<std::uint32_t, 256>, 4> of_{};  ///< by byte of the number
};
constexpr Sums kSums;

}  // namespace

std::uint64_t of_first_device(std::uint64_t line) {
  // A cache may use the bits that no line number has.
  constexpr std::uint64_t kLineBytes = 128, kLines = (std::uint64_t{1} << 57) - 1,
                          kFirst = kPreferredBase / kLineBytes, kNext = kApart / kLineBytes;
  const std::uint64_t behind = (line & kLines) - kFirst;
  return behind < kPlaces * kNext ? line - behind / kNext * kNext : line;
}

SetOrder::SetOrder(std::uint64_t sets, Spread spread)
    : sets_(std::max<std::uint64_t>(sets, 1)),
      spread_(spread),
      part_bits_(static_cast<unsigned>(std::countr_zero(sets_))),
      parts_(sets_ >> part_bits_) {}

std::uint64_t SetOrder::set_of(std::uint64_t line) const {
  line = of_first_device(line);
  if (spread_ == Spread::sliced) return sliced(line);
  // Hashed, as hardware does, so that a power-of-two stride does not fall into a few sets.
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(line * 0x9e3779b97f4a7c15ull) * sets_) >>
                                    64);
}

/// An H200 has 96 slices, an H100 80: of three (five) neighbours each lies in another part of the sets.
/// Rounds of as many lines as there are sets fill each once, in an order of their own, but that even lines go
/// to even sets in one round and to odd ones in the next.
std::uint64_t SetOrder::sliced(std::uint64_t line) const {
  const std::uint64_t round = line / sets_, within = line % sets_;
  const std::uint32_t order = (kSums.of(static_cast<std::uint32_t>(round * 0x9e3779b9u)) & ~1u) ^ (round & 1);
  const std::uint64_t place =
      low_bits(kSums.of(static_cast<std::uint32_t>(within / parts_)) ^ order, part_bits_);
  return place * parts_ + (within + round) % parts_;
}

}  // namespace fusebox::sim
