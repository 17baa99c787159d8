#include "grader/toolchain/cache/sha256.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace fusebox {
namespace {

using Words = std::array<std::uint32_t, 8>;

// The standard's constants are defined, not arbitrary: the first 32 bits of the fractional parts of the
// square roots (start values) and cube roots (round constants) of the first primes. Integer roots keep them
// exact.
constexpr std::array<int, 64> kPrimes = [] {
  std::array<int, 64> primes{};
  int found = 0;
  for (int n = 2; found < 64; ++n) {
    bool prime = true;
    for (int d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    if (prime) primes[found++] = n;
  }
  return primes;
}();

using Wide = unsigned __int128;

// Largest r with r^power <= n * 2^(32 * power): its low 32 bits are the fraction of the root.
constexpr std::uint32_t root_fraction(int n, int power) {
  const Wide target = Wide(n) << (32 * power);
  Wide low = 0, high = Wide(1) << 37;
  while (high - low > 1) {
    const Wide middle = (low + high) / 2;
    const Wide raised = power == 2 ? middle * middle : middle * middle * middle;
    (raised <= target ? low : high) = middle;
  }
  return static_cast<std::uint32_t>(low);
}

constexpr Words kStart = [] {
  Words words{};
  for (int i = 0; i < 8; ++i) words[i] = root_fraction(kPrimes[i], 2);
  return words;
}();

constexpr std::array<std::uint32_t, 64> kRound = [] {
  std::array<std::uint32_t, 64> words{};
  for (int i = 0; i < 64; ++i) words[i] = root_fraction(kPrimes[i], 3);
  return words;
}();

void add_block(Words& state, const unsigned char* block) {
  std::uint32_t w[64];
  for (int i = 0; i < 16; ++i) {
    std::uint32_t word;
    std::memcpy(&word, block + 4 * i, 4);
    w[i] = __builtin_bswap32(word);
  }
  for (int i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t mix = (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g));
    const std::uint32_t first = h + mix + kRound[i] + w[i];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const Words mixed{a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state[i] += mixed[i];
}

}  // namespace

std::string sha256_hex(std::span<const std::byte> bytes) {
  static_assert(std::endian::native == std::endian::little);
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  Words state = kStart;
  std::size_t at = 0;
  for (; bytes.size() - at >= 64; at += 64) add_block(state, data + at);

  // The rest, a one bit, zeros, and the length in bits, in one block or two.
  unsigned char tail[128] = {};
  const std::size_t rest = bytes.size() - at;
  if (rest != 0) std::memcpy(tail, data + at, rest);
  tail[rest] = 0x80;
  const std::size_t padded = rest < 56 ? 64 : 128;
  for (int i = 0; i < 8; ++i)
    tail[padded - 1 - i] = static_cast<unsigned char>((std::uint64_t{bytes.size()} * 8) >> (8 * i));
  for (std::size_t i = 0; i < padded; i += 64) add_block(state, tail + i);

  std::string hex;
  for (std::uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(word >> shift) & 15];
  return hex;
}

std::string sha256_hex(std::string_view text) {
  return sha256_hex(std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace fusebox
