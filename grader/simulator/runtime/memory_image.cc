#include "grader/simulator/runtime/memory_image.h"

#include <algorithm>
#include <cstring>

#include "grader/simulator/exec/memory/parallel_for.h"

namespace fusebox::sim {
namespace {

/// A change keeps whole pieces; small ones would cost a hash each.
constexpr std::uint64_t kPieceBytes = 256 << 10;

constexpr std::uint64_t kSeed = 0x9e3779b97f4a7c15ull, kFactor = 0xd6e8feb86659fd93ull;

/// Both halves of a product: each bit of either factor reaches all of it.
std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t hash_of(const void* bytes, std::uint64_t count, std::uint64_t seed) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  // Sums of their own, so that the processor multiplies for one while it waits for another.
  constexpr std::size_t kSums = 4;
  std::uint64_t sums[kSums], words[2 * kSums];
  for (std::size_t i = 0; i < kSums; ++i) sums[i] = seed + kSeed * (i + 1);
  const auto mix = [&] {
    for (std::size_t i = 0; i < kSums; ++i) {
      // The sum beside the product keeps what a factor of 0 would lose.
      const std::uint64_t sum = sums[i] ^ words[2 * i];
      sums[i] = folded(sum, words[2 * i + 1] ^ kFactor) + (sum << 1 | sum >> 63);
    }
  };
  for (; count >= sizeof words; at += sizeof words, count -= sizeof words) {
    std::memcpy(words, at, sizeof words);
    mix();
  }
  std::fill(std::begin(words), std::end(words), 0);
  std::memcpy(words, at, count);
  words[2 * kSums - 1] ^= count << 56;
  mix();
  std::uint64_t all = kFactor;
  for (const std::uint64_t sum : sums) all = folded(all ^ sum, kSeed) + sum;
  return all;
}

}  // namespace

MemoryImage MemoryImage::of(const GlobalMemory& memory, unsigned cores) {
  MemoryImage image;
  for (const Allocation& a : memory.allocations())
    for (std::uint64_t at = 0; !a.freed && at < a.bytes; at += kPieceBytes)
      image.pieces_.push_back({a.address + at, std::min(kPieceBytes, a.bytes - at)});
  parallel_for(image.pieces_.size(), image.bytes(), cores, [&](std::size_t i) {
    Piece& piece = image.pieces_[i];
    piece.hash = hash_of(memory.shadow(piece.address), piece.bytes,
                         hash_of(GlobalMemory::data(piece.address), piece.bytes, 0));
  });
  image.hash_all();
  return image;
}

void MemoryImage::hash_all() { hash_ = hash_of(pieces_.data(), pieces_.size() * sizeof(Piece), 0); }

std::uint64_t MemoryImage::bytes() const {
  std::uint64_t all = 0;
  for (const Piece& piece : pieces_) all += piece.bytes;
  return all;
}

std::optional<MemoryChange> MemoryChange::between(const MemoryImage& before, const MemoryImage& after,
                                                  const GlobalMemory& memory, std::uint64_t max_bytes) {
  MemoryChange change;
  const std::vector<MemoryImage::Piece>&old = before.pieces(), &now = after.pieces();
  const auto same_place = [](const MemoryImage::Piece& a, const MemoryImage::Piece& b) {
    return a.address == b.address && a.bytes == b.bytes;
  };
  if (!std::equal(old.begin(), old.end(), now.begin(), now.end(), same_place)) return std::nullopt;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < now.size(); ++i)
    if (now[i].hash != old[i].hash) {
      change.changed_.push_back({i, now[i].hash});
      bytes += 2 * now[i].bytes;
    }
  if (bytes > max_bytes) return std::nullopt;
  change.contents_.resize(bytes);
  std::byte* to = change.contents_.data();
  for (const Changed& changed : change.changed_) {
    const MemoryImage::Piece& piece = now[changed.piece];
    std::memcpy(to, GlobalMemory::data(piece.address), piece.bytes);
    std::memcpy(to + piece.bytes, memory.shadow(piece.address), piece.bytes);
    to += 2 * piece.bytes;
  }
  return change;
}

void MemoryChange::apply(GlobalMemory& memory, MemoryImage& image) const {
  const std::byte* from = contents_.data();
  for (const Changed& changed : changed_) {
    MemoryImage::Piece& piece = image.pieces_[changed.piece];
    std::memcpy(GlobalMemory::data(piece.address), from, piece.bytes);
    std::memcpy(memory.shadow(piece.address), from + piece.bytes, piece.bytes);
    from += 2 * piece.bytes;
    piece.hash = changed.hash;
  }
  if (!changed_.empty()) image.hash_all();
}

}  // namespace fusebox::sim
